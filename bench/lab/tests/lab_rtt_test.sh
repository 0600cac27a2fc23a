#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# One-way times are those of the topology file, in each direction: round trips right within 1 ms.
# timeout-seconds: 120
. "$top_srcdir/bench/lab/tests/lab.sh" || exit 99
need_lab

# What the probe measured between a-1 and host $1, in microseconds.
one_way() {
  lab --ranks 2 -- bash -c '. "$lab_shell"; in_background '"$1"' reflect reflect 7000; "$lab_probe" one-way '"$1"' 7000 21'
}

for latencies in "10 10" "5 40" "1 1" "130 2"; do
  set -- $latencies
  two_sites "$1 ms" "10 MB/s" "$2 ms" "10 MB/s"
  tap_ok "$1 ms there" measures $(($1 * 1000)) $(($1 * 1000 + 500)) forward_us one_way b-1
  tap_ok "$2 ms back" measures $(($2 * 1000)) $(($2 * 1000 + 500)) backward_us one_way b-1
done
tap_ok "hosts of one site are near each other" measures 0 300 forward_us one_way a-2
tap_done
