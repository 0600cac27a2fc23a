#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Packets are lost as often as asked, the same ones for the same seed, and none otherwise; full queues drop.
# timeout-seconds: 120
. "$top_srcdir/bench/lab/tests/lab.sh" || exit 99
need_lab

# received PACKETS BYTES OPTIONS...: how many packets of a blast arrive, and the counters of a -> b
received() {
  local packets=$1 bytes=$2
  shift 2
  lab --ranks 1 "$@" -- bash -c '
    . "$lab_shell"
    in_background b-1 received receive --idle-ms 500 7000 '"$packets"'
    "$lab_probe" blast b-1 7000 --rate 20000000 '"$packets $bytes"'
    wait; echo $(result received) $("$lab_probe" counters | grep "^a b ")'
}

two_sites "5 ms" "50 MB/s" "5 ms" "50 MB/s"
clean=$(received 5000 72)
lossy=$(received 5000 72 --loss "10 %" --seed 7)
again=$(received 5000 72 --loss "10 %" --seed 7)
other=$(received 5000 72 --loss "10 %" --seed 8)
tap_ok "no loss without asking" test "$(field packets "$clean")" = 5000
# four standard deviations of 5000 trials at 0.1
tap_ok "10 % of 5000 are lost" between 415 "$(field lost "$lossy")" 585
tap_ok "what is lost does not arrive" test "$(field packets "$lossy")" = $((5000 - $(field lost "$lossy")))
tap_ok "the same seed loses as many" test "$(field lost "$lossy")" = "$(field lost "$again")"
tap_ok "another seed does not" test "$(field lost "$lossy")" != "$(field lost "$other")"

two_sites "5 ms" "1 MB/s" "5 ms" "1 MB/s"
full=$(received 900 8972)
tap_ok "a queue of 4 MiB drops what is too much" between 350 "$(field overflowed "$full")" 434
tap_ok "what overflows does not arrive" test "$(field packets "$full")" = $((900 - $(field overflowed "$full")))
tap_done
