#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Mistakes are answered with one sentence and status 2 before anything is brought up; no right to make a lab, with 77.
. "$top_srcdir/bench/lab/tests/lab.sh" || exit 99
two_sites "1 ms" "1 MB/s" "1 ms" "1 MB/s"

# refused PATTERN ARGUMENTS...
refused() {
  local pattern=$1 said status
  shift
  said=$(timeout 20 "$wan_lab" "$@" 2>&1)
  status=$?
  [ $status = 2 ] && grep -qE -e "$pattern" <<<"$said" || { echo "status $status: $said"; return 1; }
}
run=(run --topology "$scratch/sites.toml")
tap_ok "a command is needed" refused "command is missing" "${run[@]}"
tap_ok "a topology is needed" refused "topology" run -- true
tap_ok "the topology file must be there" refused "no-such-file" run --topology "$scratch/no-such-file" -- true
tap_ok "ranks are numbers" refused '^--ranks: "many"' "${run[@]}" --ranks many -- true
tap_ok "sites must be in the file" refused '^--hosts: "osaka"' "${run[@]}" --hosts osaka=2 -- true
tap_ok "losses are percentages" refused '^--loss' "${run[@]}" --loss 7 -- true
tap_ok "unknown options are refused" refused "unknown" "${run[@]}" --unknown -- true
echo 'nonsense' >"$scratch/wrong.toml"
tap_ok "a mistake in the file is named with its line" refused 'wrong.toml:1' run --topology "$scratch/wrong.toml" -- true

# Where no more user namespaces may be made.
without_namespaces() {
  unshare --user --map-root-user sh -c 'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"' sh "$@"
}
says_why() {
  local said status
  said=$(without_namespaces "$wan_lab" "${run[@]}" --user-namespace -- true 2>&1)
  status=$?
  [ $status = 77 ] && [ "$(wc -l <<<"$said")" = 1 ] && grep -q "^wan-lab: no lab can be had here: " <<<"$said" ||
    { echo "status $status: $said"; return 1; }
}
if without_namespaces true 2>/dev/null; then
  tap_ok "without namespaces: one sentence and status 77" says_why
else
  tap_skip "without namespaces: one sentence and status 77" "this needs a user namespace"
fi
tap_done
