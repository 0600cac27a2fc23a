#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What a user of the component can get wrong, under mpirun: one message for each mistake, with its place and remedy; the job
# goes on and gets right results, without coll_wan where the mistake leaves no sites to go by.
# timeout-seconds: 400
. "$top_srcdir/tests/readme/app.sh" || exit 99
wan_lab=$top_builddir/bench/lab/wan-lab

# topology NAME [SED_COMMAND]: a topology file, with a change; its path.
topology() {
  sed -e "${2:-}" >"$scratch/$1.toml" <<'END'
[defaults]
latency = "20 ms"
bandwidth = "1 Gbit/s"
[site.a]
hosts = ["a*"]
[site.b]
hosts = ["b*"]
[[link]]
from = "a"
to = "b"
latency = "30 ms"
END
  echo "$scratch/$1.toml"
}

# two_sites ONE OTHER [OPTIONS]: two ranks on site a with the environment ONE, two on site b with OTHER.
two_sites() {
  local one=$1 other=$2
  shift 2
  timeout -k 5 60 "$MPIRUN" --oversubscribe --mca mpi_yield_when_idle 1 "${wan_component_arguments[@]}" \
    --mca btl ^tcp --mca coll_wan_verbose 1 "$@" -n 4 \
    "$scratch/on_site" "$one" "$other" "$scratch/app" >"$scratch/said" 2>&1 </dev/null
}
# What each process is started through: mpirun of Open MPI 5.0.7 crashes when it is given two programs.
cat >"$scratch/on_site" <<'END'
#!/bin/sh
case $OMPI_COMM_WORLD_RANK in
  0|1) exec env OMPI_MCA_coll_wan_site=a $1 "$3" ;;
  *) exec env OMPI_MCA_coll_wan_site=b $2 "$3" ;;
esac
END
chmod +x "$scratch/on_site"

# The messages, each as one line.
messages() {
  awk '/^-----*$/ { if (open) print text; open = !open; text = ""; next } open { text = text " " $0 }' "$scratch/said" |
    tr -s ' '
}
serves() { grep -q 'coll_wan: serves MPI_COMM_WORLD' "$scratch/said"; }

# judge STATUS MESSAGES PATTERN SERVED: right results, so many messages, all of them matching, coll_wan at work (yes or no).
judge() {
  local served=no
  serves && served=yes
  if [ "$1" = 0 ] && grep -q '^right on 4 ranks$' "$scratch/said" && [ $served = "$4" ] &&
    [ "$(messages | wc -l)" = "$2" ] && [ "$(messages | grep -cE -e "$3")" = "$2" ]; then
    return
  fi
  echo "exit status $1, at work: $served, wanted: $2 messages with $3, at work: $4"
  head -n 40 "$scratch/said"
  return 1
}

# refused PATTERN ONE OTHER [OPTIONS]: one message, and coll_wan stays off. warned: one message, and it goes on.
refused() { local pattern=$1; shift; two_sites "$@"; judge $? 1 "$pattern" no; }
warned() { local pattern=$1; shift; two_sites "$@"; judge $? 1 "$pattern" yes; }
content() { two_sites "$@"; judge $? 0 . yes; }

# wrong SED_COMMAND PATTERN: the change makes the file wrong; the message names file, line and the rest.
wrong() {
  local file
  file=$(topology wrong "$1")
  refused "$scratch/wrong\.toml:$2" "" "" --mca coll_wan_topology "$file"
}

right=$(topology right)
other=$(topology other 's/30 ms/31 ms/')
broken=$(topology broken 's/30 ms/30 parsecs/')
tap_ok "without a mistake coll_wan serves, and says nothing" content "" "" --mca coll_wan_topology "$right"

tap_ok "a wrong value" wrong 's/20 ms/20 parsecs/' '2: defaults\.latency = "20 parsecs": expected a time .*"20 ms"'
tap_ok "a wrong type" wrong 's/"20 ms"/20/' '2: defaults\.latency'
tap_ok "an unknown key" wrong 's/^bandwidth/bandwith/' '3: .*bandwith.*bandwidth'
tap_ok "a link to nowhere" wrong 's/^to = "b"/to = "osaka"/' '10: .*osaka'
tap_ok "a file that is no TOML" wrong 's/^\[site.b\]/[site.b/' '6: '
tap_ok "a file that is not there" refused \
  "coll_wan_topology: \"$scratch/none\.toml\": .*No such file.*name a file that every host" "" "" \
  --mca coll_wan_topology "$scratch/none.toml"
tap_ok "a folder" refused "coll_wan_topology: \"$scratch\": .*expected a TOML file" "" "" --mca coll_wan_topology "$scratch"
tap_ok "a mistake on the first processes only" refused "$broken:11: .*parsecs" \
  "OMPI_MCA_coll_wan_topology=$broken" "OMPI_MCA_coll_wan_topology=$right"
tap_ok "a mistake on the last processes only" refused "$broken:11: .*parsecs" \
  "OMPI_MCA_coll_wan_topology=$right" "OMPI_MCA_coll_wan_topology=$broken"
tap_ok "a parameter below its range" refused 'coll_wan_radix: "1": expected a number from 2 to 64' "" "" --mca coll_wan_radix 1
tap_ok "a parameter above its range" refused 'coll_wan_priority: "101": expected a number from 0 to 100' "" "" \
  --mca coll_wan_priority 101
tap_ok "a parameter that is no number" refused 'coll_wan_radix: .* expected a number from 2 to 64' "" "" --mca coll_wan_radix many
tap_ok "an algorithm that does not exist" refused 'coll_wan_algorithms: "bcast:oak": bcast takes one of auto, direct' "" "" \
  --mca coll_wan_algorithms alltoall:direct,bcast:oak
tap_ok "a parameter that is none of its choices" refused 'coll_wan_tree: "oak": expected one of auto, flat, chain' "" "" \
  --mca coll_wan_tree oak
tap_ok "a source of sites that does not exist" refused \
  'coll_wan_discover: "oracle": is no source of sites: expected some of auto, label, file' "" "" --mca coll_wan_discover label,oracle
tap_ok "a source of sites twice" refused 'coll_wan_discover: "label": is named twice' "" "" --mca coll_wan_discover label,file,label
tap_ok "topograph without its file" refused 'coll_wan_discover: "topograph": needs the file .* set coll_wan_topograph' "" "" \
  --mca coll_wan_discover topograph,auto
tap_ok "a file of topograph that is not there" refused \
  "coll_wan_topograph: \"$scratch/none\": cannot be read: name a file that every host" "" "" --mca coll_wan_topograph "$scratch/none"
printf 'SwitchName=s1 Nodes=a[1-2]\nSwitchName=s2 Nods=a3\n' >"$scratch/switches"
tap_ok "a mistake in the file of topograph" refused "$scratch/switches:2: Nods = \"a3\": expected SwitchName=" "" "" \
  --mca coll_wan_topograph "$scratch/switches"
printf -- '- topology: t\n  tree:\n    switches:\n    - switch: s1\n      nodes: a[\n' >"$scratch/topology.yaml"
tap_ok "a mistake in a file of Slurm" refused "$scratch/topology.yaml:5: nodes = \"a\[\": expected Slurm's list" \
  "env SLURM_CONF=$scratch/slurm.conf" "" --mca coll_wan_discover label,slurm
tap_ok "processes without coll_wan" refused 'run without coll_wan.* 2, 3 .*Install the same coll_wan' "" "OMPI_MCA_coll=^wan"

tap_ok "another topology file" warned 'differs between hosts.* '"$(hostname) "'.*Copy the same file' \
  "OMPI_MCA_coll_wan_topology=$right" "OMPI_MCA_coll_wan_topology=$other"
tap_ok "no topology file" warned 'differs between hosts.* '"$(hostname) "'.*Copy the same file' \
  "OMPI_MCA_coll_wan_topology=$right" ""
tap_ok "processes without a site" warned \
  'the processes on these hosts do not.* '"$(hostname) "'.*Set coll_wan_site' "" "env -u OMPI_MCA_coll_wan_site"

here=$(topology here "s/\"a\*\"/\"$(hostname -s)*\"/")
tap_ok "a label that the topology file contradicts" warned \
  "contradict each other.* $(hostname -s)[^ ]*: label says b, file says a .*Correct the site" "" "" --mca coll_wan_topology "$here"
tap_ok "a label that contradicts a file that is not asked" content "" "" --mca coll_wan_topology "$here" --mca coll_wan_discover label

# What is printed is what Open MPI calls: a component of higher priority has taken some collectives, or all.
overridden() { two_sites "" "" --mca coll_tuned_priority 90 --mca coll_wan_topology "$right" &&
  grep -qE 'coll_wan: serves MPI_COMM_WORLD; sites \(ranks\): a \(2\) b \(2\); components of higher priority serve [a-z_, ]*\bbcast\b' "$scratch/said" &&
  ! grep -qE 'serve .*\bibcast\b' "$scratch/said" || { cat "$scratch/said"; return 1; }; }
alone() { two_sites "" "" --mca coll_wan_topology "$right" && serves && ! grep -q 'higher priority\|without a topology file' "$scratch/said" || { cat "$scratch/said"; return 1; }; }
without_file() { two_sites "" "" && grep -q 'b (2); without a topology file every link is assumed to have 10 ms and 125 MB/s$' "$scratch/said" || { cat "$scratch/said"; return 1; }; }
tap_ok "collectives that another component has taken are named" overridden
tap_ok "without such a component none is" alone
tap_ok "links that nobody describes are said to be assumed" without_file

# With coll_wan alone there is nobody else to do the work: the job ends, and says why.
ends_with_reason() {
  two_sites "" "" --mca coll wan --mca coll_wan_topology "$broken"
  local status=$?
  [ $status != 0 ] && [ $status != 124 ] && grep -q "$broken:11: " "$scratch/said" || { echo "status $status"; cat "$scratch/said"; return 1; }
}
tap_ok "a mistake, with coll_wan alone" ends_with_reason

# Four hosts in the lab, each with a rank; those of site x are in no topology file that coll_wan gets.
in_lab() {
  cat >"$scratch/lab.toml" <<'END'
[defaults]
latency = "1 ms"
bandwidth = "1 Gbit/s"
[site.a]
hosts = ["a-[1-2]"]
[site.x]
hosts = ["x-[1-2]"]
END
  timeout -k 5 100 "$wan_lab" run --topology "$scratch/lab.toml" --ranks 2 -- "$MPIRUN" "${wan_component_arguments[@]}" \
    --mca coll_wan_verbose 1 "$@" "$scratch/app" >"$scratch/said" 2>&1 </dev/null
}
unknown_hosts() { in_lab --mca coll_wan_topology "$right"; judge $? 1 'does not know these hosts.* 10\.2\.0\.0/16: x-1, x-2 .*Add each host to the "hosts"' yes; }
missing_everywhere() { in_lab --mca coll_wan_topology "$scratch/none"; judge $? 1 'No such file.* These hosts reported it: a-1, a-2, x-1, x-2' no; }
"$wan_lab" run --topology "$right" --ranks 1 -- true >"$scratch/said" 2>&1
if [ $? = 77 ]; then
  tap_skip "hosts in no topology file" "$(cat "$scratch/said")"
  tap_skip "a file that is on no host" "$(cat "$scratch/said")"
else
  tap_ok "hosts in no topology file" unknown_hosts
  tap_ok "a file that is on no host" missing_everywhere
fi
tap_done
