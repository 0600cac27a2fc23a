#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# wanctl probe finds sites and links of emulated networks, a job takes what it writes, and it writes nothing where hosts do not reach each
# other.
# timeout-seconds: 300
. "$top_srcdir/tests/readme/app.sh" || exit 99
mine=$scratch
. "$top_srcdir/bench/lab/tests/lab.sh" || exit 99
trap 'rm -rf "$mine" "$scratch"' EXIT
. "$top_srcdir/bench/discovery/topology.sh"
need_lab
wanctl=$(realpath "$top_builddir/wanctl")
found=$scratch/found.toml

# Each stands for ssh: one knows a second name of b-1, one is refused by b-1, and for one b-1 calls itself a-1.
cat >"$scratch/nicknames" <<'END'
#!/usr/bin/env bash
[ "$1" != bee ] || set -- b-1 "${@:2}"
exec "$WAN_LAB_AGENT" "$@"
END
cat >"$scratch/refused" <<'END'
#!/usr/bin/env bash
[ "$1" = b-1 ] || exec "$WAN_LAB_AGENT" "$@"
echo "not for you" >&2
exit 255
END
cat >"$scratch/renamed" <<'END'
#!/usr/bin/env bash
[ "$1" = b-1 ] || exec "$WAN_LAB_AGENT" "$@"
exec "$WAN_LAB_AGENT" b-1 "unshare -u sh -c 'hostname a-1; exec ${*:2}'"
END
chmod +x "$scratch"/{nicknames,refused,renamed}

# over NAME: the network of the cases that follow.
over() { topology "$1" "$scratch/sites.toml"; }
# inside SCRIPT: in that network. The words of the script: $wanctl, $MPIRUN, $component, $found, $scratch, $app, and on
# HOST COMMAND.
inside() {
  rm -f "$found"
  # shellcheck disable=SC2016
  timeout 100 env wanctl="$wanctl" MPIRUN="$MPIRUN" component="${wan_component_arguments[*]}" found="$found" scratch="$scratch" \
    app="$mine/app" \
    "$wan_lab" run --topology "$scratch/sites.toml" "${lab_options[@]}" -- env -u OMPI_MCA_coll_wan_topology \
    bash -c "on() { \"\$WAN_LAB_AGENT\" \"\$@\"; }
$1" >"$scratch/said" 2>"$scratch/all-complaints" </dev/null
  local status=$?
  grep -v '^wan-lab: ' "$scratch/all-complaints" >"$scratch/complaints"  # on a busy machine the lab complains too
  return $status
}
show() { cat "$scratch/said" "$scratch/all-complaints"; return 1; }

# finds SCRIPT [LATENCY]: it writes the topology file of the network, within so many percent (10). What is wrong fails all of three tries,
# which are for a busy machine.
finds() {
  for _ in 1 2 3; do
    inside "$1" && "$top_builddir/tests/lab/compare_topologies" "$scratch/sites.toml" "$found" "${2:-10}" 25 && return
  done
  show
}

# misses_right FILE: what was found last is not FILE.
misses_right() { ! "$top_builddir/tests/lab/compare_topologies" "$1" "$found" 10 25; }

# fails STATUS SAID COMPLAINTS SCRIPT: it ends so, complains in one line, and has written no file.
fails() {
  inside "$4"
  local status=$?
  [ $status = "$1" ] && grep -qE -e "$2" "$scratch/said" && grep -qxE -e "$3" "$scratch/complaints" &&
    [ "$(wc -l <"$scratch/complaints")" = 1 ] && [ ! -e "$found" ] || { echo "status $status"; show; }
}

# From here on what comes from another host and begins a connection vanishes: on HOST, of those from ADDRESS.
drop='drop() {
  on $1 ip link add name hole type bridge; on $1 ip link set hole up
  on $1 tc qdisc add dev eth0 ingress
  on $1 tc filter add dev eth0 parent ffff: protocol ip u32 match ip protocol 6 0xff match u8 0x02 0x12 at 33 \
    match ip src $2 action mirred egress redirect dev hole
}'

over four-jitter
tap_ok "four sites of two hosts, with jitter" finds '"$wanctl" probe --output "$found"'
tap_ok "it shows sites and links" grep -qE '^a +b +[0-9.]+ ms +' "$scratch/said"
sed 's/latency = "10 ms"/latency = "12 ms"/' "$scratch/sites.toml" >"$scratch/longer.toml"
tap_ok "what would be off is found" misses_right "$scratch/longer.toml"
tap_ok "the file is beyond suspicion" complains 'correct, 4 sites$' "$wanctl" topology check "$found"
takes() {
  cp "$found" "$scratch/kept.toml"
  inside '"$MPIRUN" $component --mca coll_wan_topology "$scratch/kept.toml" --mca coll_wan_verbose 1 "$app"' &&
    grep -hq 'serves MPI_COMM_WORLD; sites (ranks): a (2) b (2) c (2) d (2)$' "$scratch/said" "$scratch/complaints" || show
}
tap_ok "a job takes it" takes

over two-unequal
# Of two sites one direction has what [defaults] says, and yet is described.
tap_ok "hosts of a list, on standard output" finds \
  '"$wanctl" probe --hosts "b-[1-4],a-1" --rounds 1 >"$found"'
tap_ok "that file is beyond suspicion too" complains 'correct, 2 sites$' "$wanctl" topology check "$found"
tap_ok "under mpirun, several processes a host, with its host file" finds \
  'unset OMPI_MCA_orte_default_hostfile PRTE_MCA_prte_default_hostfile; cp "$WAN_LAB_HOSTFILE" "$scratch/my hosts"
"$MPIRUN" --oversubscribe --hostfile "$scratch/my hosts" -n 7 "$wanctl" probe --output "$found"'
json() {
  inside '"$wanctl" probe --agent "$scratch/nicknames" --hosts "b-1,a-1,b-1:2,bee" --rounds 1 --json' && grep -q '"asked": "a-1"' "$scratch/said" && grep -q '"site": "b"' "$scratch/said" && grep -q '"latency_ns": [45]' "$scratch/said" &&
    [ ! -e "$found" ] && grep -qx 'wanctl probe: bee is b-1, which is among the hosts already' "$scratch/complaints" || show
}
tap_ok "as JSON, with a host named twice" json

progress() {
  inside 'script -qec "$wanctl probe --hosts a-1,b-1 --rounds 2 --output $found" /dev/null' &&
    grep -q 'measuring between 2 hosts (round 2 of 2) \.\.\.' "$scratch/said" || show
}
if command -v script >/dev/null; then tap_ok "it says on a terminal how far it is" progress
else tap_skip "it says on a terminal how far it is" "there is no script(1)"; fi

# A host that cannot be reached.
tap_ok "connections to one host vanish" fails 1 '^$' \
  'wanctl probe: a-1 does not reach b-1 \(nor 1 other pair\), so no topology file is written; `wanctl doctor --hosts a-1,b-1` says why' \
  "$drop; drop b-1 0.0.0.0/0; echo; \"\$wanctl\" probe --hosts 'a-1,b-[1-4]' --rounds 1 --output \"\$found\""
tap_ok "and in JSON it is said too" fails 1 '"from": "a-1"' 'wanctl probe: a-1 does not reach b-1 .*' \
  "$drop; drop b-1 0.0.0.0/0; \"\$wanctl\" probe --hosts 'a-1,b-[1-4]' --rounds 1 --json"
tap_ok "a host that refuses the helper" fails 1 '^$' \
  'wanctl probe: b-1: its agent (has ended|takes no orders): not for you; no topology file is written, and `wanctl doctor --hosts a-1,b-1` says more' \
  'echo; "$wanctl" probe --agent "$scratch/refused" --hosts a-1,b-1 --output "$found"'
tap_ok "two hosts of one name" fails 1 '^$' 'wanctl probe: a-1 and b-1 both call themselves a-1: .*' \
  'echo; "$wanctl" probe --agent "$scratch/renamed" --hosts a-1,b-1 --output "$found"'
# Long packets to a-1 vanish: the file says that its rates are estimates.
estimates() {
  local bits='for bit in 0x0400 0x0800 0x1000 0x2000 0x4000; do
    on a-1 tc filter add dev eth0 parent ffff: protocol ip u32 match u16 $bit $bit at 2 action mirred egress redirect dev hole
  done'
  inside "$drop; drop a-1 10.9.9.9; $bits
\"\$wanctl\" probe --hosts a-1,b-1 --rounds 1 --output \"\$found\""
  [ $? = 1 ] && grep -qx 'wanctl probe: the rate from a to b is an estimate: no bytes came through in time from a-1 to b-1' "$scratch/complaints" &&
    grep -q '^# Note: the rate from b to a is an estimate' "$found" && "$wanctl" topology check "$found" || show
}
tap_ok "long messages vanish" estimates
tap_done
