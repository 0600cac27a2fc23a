#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Packets are lost as often as asked, the same ones for the same seed, and none otherwise; full queues drop.
# timeout-seconds: 120
. "$top_srcdir/bench/lab/tests/lab.sh" || exit 99
need_lab

two_sites "5 ms" "50 MB/s" "5 ms" "50 MB/s"
clean=$(blast 5000 72 20000000)
lossy=$(blast 5000 72 20000000 --loss "10 %" --seed 7)
again=$(blast 5000 72 20000000 --loss "10 %" --seed 7)
other=$(blast 5000 72 20000000 --loss "10 %" --seed 8)
tap_ok "no loss without asking" test "$(field packets "$clean")" = 5000
# four standard deviations of 5000 trials at 0.1
tap_ok "10 % of 5000 are lost" between 415 "$(field lost "$lossy")" 585
tap_ok "what is lost does not arrive" test "$(field packets "$lossy")" = $((5000 - $(field lost "$lossy")))
tap_ok "the same seed loses as many" test "$(field lost "$lossy")" = "$(field lost "$again")"
tap_ok "another seed does not" test "$(field lost "$lossy")" != "$(field lost "$other")"

two_sites "5 ms" "1 MB/s" "5 ms" "1 MB/s"
full=$(blast 900 8972 20000000)
tap_ok "a queue of 4 MiB drops what is too much" between 350 "$(field overflowed "$full")" 434
tap_ok "what overflows does not arrive" test "$(field packets "$full")" = $((900 - $(field overflowed "$full")))
tap_done
