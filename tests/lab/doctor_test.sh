#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# wanctl doctor names each of many planted faults, exactly, with what mends it, and finds nothing in a sound lab.
#   tests/lab/doctor_test.sh [PATTERN]: the cases whose names match; without a pattern all.
# timeout-seconds: 600
. "$top_srcdir/bench/lab/tests/lab.sh" || exit 99
. "$top_builddir/tests/environment"
need_lab
export RES_OPTIONS='timeout:1 attempts:1'  # no name server answers in the lab
wanctl=$(realpath "$top_builddir/wanctl")
export OMPI_MCA_mca_base_component_path=$WAN_COMPONENT_DIR:SYSTEM_DEFAULT:USER_DEFAULT

# Two sites, s1 with two hosts and s2 with one. Whatever a host may find changed has a directory of its own.
mkdir "$scratch/nothing" "$scratch/programs" "$scratch/topology"
export scratch WAN_COMPONENT_DIR OMPI_INFO
sites=$scratch/topology/sites.toml
cat >"$sites" <<'END'
[defaults]
latency = "20 ms"
bandwidth = "12.5 MB/s"
[site.s1]
hosts = ["s1-[1-2]"]
[site.s2]
hosts = ["s2-1"]
END

# Stands for ssh. On s2-1 $planted runs before the command, where it may mount things that only s2-1 sees.
cat >"$scratch/agent" <<'END'
#!/usr/bin/env bash
[ "$1" = s2-1 ] || exec "$WAN_LAB_AGENT" "$@"
exec unshare -m --propagation unchanged bash -c "$planted
exec \"\$WAN_LAB_AGENT\" \"\$@\"" bash "$@"
END
chmod +x "$scratch/agent"

# try NAME COMMAND...: a case, if it is wanted.
every=.
# With Open MPI 5.0 only what depends on Open MPI.
[ "$OMPI_MAJOR" -lt 5 ] || every='sound|table|last line|mpirun|Open MPI|coll_wan|interface|bridge|opens some ports|no .*host|option'
pattern=${1:-$every}
try() { [[ ! $1 =~ $pattern ]] || tap_ok "$@"; }

# doctor INSIDE PLANTED OPTIONS...: INSIDE runs in the lab before the doctor, PLANTED on s2-1. Its exit status; what it says is in
# $scratch/said.
doctor() {
  local inside=$1
  export planted=$2
  shift 2
  # shellcheck disable=SC2016
  timeout 100 "$wan_lab" run --topology "$sites" "${lab_options[@]}" -- bash -c "on() { \"\$WAN_LAB_AGENT\" \"\$@\"; }
$inside
exec \"\$@\"" bash "$wanctl" doctor --agent "$scratch/agent" "$@" >"$scratch/said" 2>"$scratch/complaints"
}

# names: those of the findings in the JSON that the doctor printed, each once, in one line.
names() {
  awk '/^  "findings": \[$/ { inside = 1 } /^  \]/ { inside = 0 } inside && /^      "name": / { gsub(/[",]/, "", $2); print $2 }' \
    "$scratch/said" | sort -u | paste -sd ' '
}

show() { cat "$scratch/said" "$scratch/complaints"; return 1; }

# finds NAMES MEND INSIDE PLANTED OPTIONS...: it finds exactly that, and one of the lines that mend it matches. Exit status 1.
finds() {
  local names=$1 mend=$2 status
  shift 2
  doctor "$1" "$2" --json "${@:3}"
  status=$?
  [ $status = 1 ] && [ "$(names)" = "$names" ] && grep -qE -e "^        \".*$mend" "$scratch/said" ||
    { echo "status $status, found: $(names)"; show; }
}

# is_sound INSIDE PLANTED OPTIONS...: it finds no fault and nothing else.
is_sound() {
  doctor "$1" "$2" --json "${@:3}" && [ -z "$(names)" ] || { echo "found: $(names)"; show; }
}

# notes NAME INSIDE: it finds that, but no fault.
notes() { doctor "$2" '' --json && [ "$(names)" = "$1" ] || { echo "found: $(names)"; show; }; }

# tells LINE INSIDE PLANTED OPTIONS...: the text for people has a line that matches.
tells() {
  local line=$1
  shift
  doctor "$@"
  grep -qE -e "$line" "$scratch/said" || show
}

# refuses WORDS ARGUMENTS...: wanctl doctor ends with status 2 and says why.
refuses() {
  local words=$1 said status
  shift
  said=$(env -u SLURM_JOB_NODELIST -u PBS_NODEFILE "$wanctl" doctor "$@" 2>&1)
  status=$?
  [ $status = 2 ] && grep -qE -e "$words" <<<"$said" || { printf 'status %s: %s\n' $status "$said"; return 1; }
}

# hosts_without NAME LINE: as PLANTED, /etc/hosts of s2-1 with LINE in place of what it says of NAME.
hosts_without() {
  echo "sed '/ $1\$/d' /etc/hosts >\$TMPDIR/hosts; echo '$2' >>\$TMPDIR/hosts; mount --bind \$TMPDIR/hosts /etc/hosts"
}

# ompi_info_with SCRIPT: as PLANTED, an ompi_info on s2-1 whose text a script of sed has changed.
ompi_info_with() {
  printf '#!/bin/sh\n"%s" "$@" | sed %q\n' "$OMPI_INFO" "$1" >"$scratch/programs/ompi_info"
  chmod +x "$scratch/programs/ompi_info"
  echo "PATH=$scratch/programs:\$PATH"
}

# drop HOST MATCH...: as INSIDE, what comes in and matches vanishes.
drop() {
  local host=$1
  shift
  echo "on $host ip link show hole >/dev/null 2>&1 || { on $host ip link add name hole type bridge; on $host ip link set hole up
on $host tc qdisc add dev eth0 ingress; }
on $host tc filter add dev eth0 parent ffff: protocol ip u32 match ip protocol 6 0xff $* action mirred egress redirect dev hole"
}
syn='match u8 0x02 0x12 at 33'           # the first packet of a connection, not its answer
low_port='match ip dport 0 0x8000'       # below 32768
any_interface='unset OMPI_MCA_btl_tcp_if_include'

# 1. Nothing is wrong.
lab_options=()
try "three sound hosts" is_sound '' ''
try "a table for people" tells '^s1-1 +s2-1 +yes +[34][0-9.]+ ms ' '' ''
try "and its last line" grep -qx 'No fault was found.' "$scratch/said"

# 2. An address that is translated on the way: to its neighbour s1-1 comes from an address that none of its interfaces has.
try "a translated address" finds address-translated 'src 10\.1\.0\.1' 'on s1-1 ip route add local 10.1.0.77 dev lo
on s1-1 ip route change 10.1.0.0/16 dev eth0 src 10.1.0.77' ''

# 3. Two hosts are enough for the rest.
lab_options=(--hosts 1 --ranks 1)
try "a host that cannot be reached" finds host-unreachable 'ssh s2-1 true' '' 'exit 255'

try "own name on loopback" finds own-name-loopback '10\.2\.0\.1 s2-1' '' "$(hosts_without s2-1 '127.0.1.1 s2-1')"
try "own name unknown" finds own-name-unresolved '10\.2\.0\.1 s2-1' '' "$(hosts_without s2-1 '')"
try "own name with a wrong address" finds own-name-foreign '10\.2\.0\.1 s2-1' '' "$(hosts_without s2-1 '10.2.0.99 s2-1')"
try "another's name unknown" finds peer-name-unresolved '10\.1\.0\.1 s1-1' '' "$(hosts_without s1-1 '')"
try "another's name with a wrong address" finds peer-name-wrong '10\.1\.0\.1 s1-1' '' "$(hosts_without s1-1 '10.1.0.99 s1-1')"

docker="for host in s1-1 s2-1; do on \$host ip link add name docker0 type bridge; on \$host ip link set docker0 up
on \$host ip address add 172.17.0.1/16 dev docker0; done"
try "the same bridge on two hosts" finds address-on-several-hosts 'btl_tcp_if_include eth0' "$docker; $any_interface" ''
try "the same bridge, left out of the job" is_sound "$docker" ''
try "an interface that is not there" finds interface-missing 'btl_tcp_if_include eth0' 'export OMPI_MCA_btl_tcp_if_include=ib0' ''
try "an interface that others cannot reach" finds interface-unreachable 'btl_tcp_if_include eth0' \
  "on s2-1 ip link add name private0 type bridge; on s2-1 ip link set private0 up
on s2-1 ip address add 192.168.77.1/24 dev private0; $any_interface" ''

try "no route" finds no-route 'ip route get 10\.1\.0\.1' 'on s2-1 ip route delete default' ''
try "a firewall in one direction" finds firewall-one-way 'ip saddr 10\.1\.0\.1' "$(drop s2-1 "$syn")" ''
try "a firewall that opens some ports" finds firewall-one-way 'btl_tcp_port_min_v4 40000 ' "$(drop s2-1 "$low_port" "$syn")" ''
try "a firewall in both directions" finds firewall 'ip saddr 10\.2\.0\.1' "$(drop s1-1 "$syn")
$(drop s2-1 "$syn")" ''

try "long packets vanish" finds mtu-black-hole 'mtu 1500' "$(drop s2-1 'match u16 0x2000 0x2000 at 2')" ''
try "a short path MTU that is known" notes path-mtu 'on s1-1 ip route change default via 10.1.255.254 src 10.1.0.1 mtu 1500'

try "a short receive buffer" finds tcp-receive-buffer 'tcp_rmem=' 'on s2-1 sysctl -qw net.ipv4.tcp_rmem=\"4096 131072 262144\"' ''
try "a short send buffer" finds tcp-send-buffer 'tcp_wmem=' 'on s2-1 sysctl -qw net.ipv4.tcp_wmem=\"4096 65536 262144\"' ''
try "slow start after idle" finds slow-start-after-idle 'slow_start_after_idle=0' \
  'on s2-1 sysctl -qw net.ipv4.tcp_slow_start_after_idle=1' ''
try "no window scaling" finds window-scaling 'window_scaling=1' 'on s2-1 sysctl -qw net.ipv4.tcp_window_scaling=0' ''
try "slow congestion control" finds congestion-control 'congestion_control=cubic' \
  'on s2-1 ip route change default via 10.2.255.254 src 10.2.0.1 congctl reno' ''

try "no Open MPI" finds openmpi-missing 'mpirun --prefix' '' "PATH=$scratch/nothing"
try "another Open MPI" finds openmpi-versions 'install Open MPI' '' "$(ompi_info_with 's/^ompi:version:full:.*/ompi:version:full:3.9.9/')"
try "no coll_wan" finds coll-wan-missing mca_base_component_path '' "mount --bind $scratch/nothing $WAN_COMPONENT_DIR"
try "another coll_wan" finds coll-wan-versions 'install coll_wan' '' \
  "$(ompi_info_with 's/^\(mca:coll:wan:version:"component:\).*/\10.0.1"/')"

try "no topology file" finds topology-missing "cat $sites" '' "mount --bind $scratch/nothing $scratch/topology"
{ cat "$sites"; echo '# edited'; } >"$scratch/edited.toml"
try "another topology file" finds topology-differs "cat $sites" '' "mount --bind $scratch/edited.toml $sites"
{ cat "$sites"; echo '[site'; } >"$scratch/broken.toml"
try "a broken topology file" finds topology-invalid 'wanctl topology check' '' "mount --bind $scratch/broken.toml $sites"
sed 's/s2-1/s2-9/' "$sites" >"$scratch/other.toml"
try "a host in no site" finds topology-unknown-host 's2-1' '' '' --topology "$scratch/other.toml"
try "a link longer than the file says" finds link-latency 'latency = \\"1[0-9][0-9]' \
  '"$WAN_LAB_LINK" s1 s2 latency "100 ms"' ''
sed 's/12.5 MB/125 MB/' "$sites" >"$scratch/fast.toml"
try "a link slower than the file says" finds link-rate 'bandwidth = ' '' '' --topology "$scratch/fast.toml"

# A clock that is a minute ahead: for a program that asks the C library.
cat >"$scratch/clock.c" <<'END'
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec* now) {
  const int status = (int)syscall(SYS_clock_gettime, clock, now);
  if (clock == CLOCK_REALTIME) now->tv_sec += 60;
  return status;
}
END
"$MPICC" -shared -fPIC -o "$scratch/clock.so" "$scratch/clock.c" || exit 99
try "a clock that is ahead" finds clock-offset 'timedatectl' '' "export LD_PRELOAD=$scratch/clock.so"

# 4. Under mpirun the first process does the work.
try "under mpirun" is_sound "set -- \"$MPIRUN\" -n 2 \"\$@\"" ''

# 5. A wrong command line.
try "no hosts" refuses 'hosts' --json
try "one host" refuses 'at least two' --hosts a
try "no such host file" refuses 'cannot be read' --hosts /nowhere/hosts
try "an unknown option" refuses 'agent' --agents ssh
tap_done
