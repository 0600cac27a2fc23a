#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# wanctl plan --json says what the text says.
. "$top_srcdir/tests/wanctl/wanctl.sh" || exit 99
cities=$presets/cities.toml

# in_json PATTERN ARGUMENTS...: the JSON on one line has it.
in_json() {
  local pattern=$1
  shift
  complains "$pattern" sh -c "timeout 60 '$top_builddir/wanctl' plan --json $* | tr -s ' \\n' ' '"
}
# As many steps in both forms.
same_steps() {
  [ "$(wanctl plan allreduce --sites aab | grep -c '^  [0-9]* [srcr]')" = "$(wanctl plan allreduce --sites aab --json | grep -c '"kind"')" ]
}
# The times in nanoseconds are those of the text in milliseconds.
same_times() {
  local ns
  ns=$(wanctl plan bcast --topology "$cities" --simulate --json | sed -n 's/.*"end_ns": \([0-9]*\).*/\1/p')
  [ "$(wanctl plan bcast --topology "$cities" --simulate | sed -n 's/^simulated: \(.*\) ms$/\1/p')" = "$(awk "BEGIN{printf \"%.3f\", $ns / 1e6}")" ]
}
only_one() { [ "$(wanctl plan bcast --sites aab --only 1 --json | grep -c '"steps"')" = 1 ]; }

tap_ok "the call" in_json '"collective": "bcast", "ranks": 3, "root": 0, "block": 8, "unit_bytes": 1, "algorithm": "direct"' bcast --sites aab
tap_ok "the sites" in_json '"sites": \[ \{ "name": "a", "ranks": \[ 0, 1 \] \}, \{ "name": "b", "ranks": \[ 2 \] \} \]' bcast --sites aab
tap_ok "the verdict" in_json '"correct": true, "defects": \[\], "latencies": 1, "repeated_units": 0' bcast --sites aab
tap_ok "messages between sites, and the least" \
  in_json '"from": "a", "to": "b", "messages": 2, "units": 18, "least_messages": 1, "least_units": 18' gather --sites aab --root 2 --count 9 --aggregate-limit 8
tap_ok "the trees" in_json '"site": "a", "root": 0, "edges": \[ \{ "parent": 0, "child": 1 \} \]' bcast --sites aab
tap_ok "the steps" in_json '"kind": "send", "peer": 2, "from": \[ \{ "buffer": "output", "offset": 0, "length": 8 \} \], "after": \[\]' bcast --sites aab
tap_ok "all of them" same_steps
tap_ok "of one rank" only_one
tap_ok "the bound" in_json '"lower_bound_ns": 112000000' barrier --topology "$cities"
tap_ok "the simulation" in_json '"from": "a", "to": "b", "transmissions": 1, "bytes": 8, "wire_bytes": 82, "busy_ns": 656' bcast --sites ab --simulate
tap_ok "its time" same_times
tap_ok "access links" in_json '"site": "paris", "direction": "up", "transmissions": 2' barrier --topology "$cities" --simulate
tap_ok "bad input prints no JSON" ends 2 '--root: "3"' plan bcast --sites aab --root 3 --json
tap_done
