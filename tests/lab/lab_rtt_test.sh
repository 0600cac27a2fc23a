#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# One-way times are those of the topology file, in each direction: round trips right within 1 ms.
# timeout-seconds: 120
. "$top_srcdir/tests/lab/lab.sh" || exit 99
need_lab

# one_way LATENCY_THERE LATENCY_BACK: what the probe measured, in microseconds
one_way() {
  two_sites "$1 ms" "10 MB/s" "$2 ms" "10 MB/s"
  lab --ranks 1 -- bash -c '
    . "$lab_shell"
    in_background b-1 reflect reflect 7000
    "$lab_probe" one-way b-1 7000 21'
}

for latencies in "10 10" "5 40" "1 1" "130 2"; do
  set -- $latencies
  measured=$(one_way "$1" "$2")
  forward=$(field forward_us "$measured")
  backward=$(field backward_us "$measured")
  tap_ok "$1 ms there" between $(($1 * 1000)) "$forward" $(($1 * 1000 + 500))
  tap_ok "$2 ms back" between $(($2 * 1000)) "$backward" $(($2 * 1000 + 500))
done

hosts_of_a_site() {
  two_sites "10 ms" "10 MB/s" "10 ms" "10 MB/s"
  lab --ranks 2 -- bash -c '. "$lab_shell"; in_background a-2 reflect reflect 7000; "$lab_probe" one-way a-2 7000 21'
}
tap_ok "hosts of one site are near each other" between 0 "$(field forward_us "$(hosts_of_a_site)")" 300
tap_done
