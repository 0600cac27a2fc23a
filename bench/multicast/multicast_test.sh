#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# wan-multicast as a command: each way is right, mistakes are answered, and the table of its rows has status 1 where a goal is missed.
# timeout-seconds: 120
. "$top_srcdir/tests/style/tap.sh"
. "$top_builddir/tests/environment"
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
program=$top_builddir/bench/multicast/wan-multicast

# Five ways, two sizes, two parts: 20 rows of two repetitions, none wrong.
measures() {
  timeout 100 "$MPIRUN" --oversubscribe --mca mpi_yield_when_idle 1 --mca coll ^wan -n 6 "$top_srcdir/tests/mpi/on_site" a,b,c,a,b,c \
    "$program" --sizes 8,100000 --parts 20,100 --repetitions 2 --warm-up 1 --output "$scratch/rows.csv" || return 1
  awk -F, 'FNR > 1 { rows++; if ($4 != 2 || $10 != 0 || !($5 > 0)) wrong = 1 } END { exit wrong || rows != 20 }' "$scratch/rows.csv"
}
# table PART MULTICAST FLAT MADE BOUND WRONG: the table of one cell.
table() {
  mkdir -p "$scratch/results"
  printf '%s\n' header "multicast,8,$1,9,$2,0,0,$5,0,$6" "flat,8,$1,9,$3,0,0,$5,0,0" "bcast_made,8,$1,9,$4,0,0,$5,0,0" >"$scratch/results/rows.csv"
  "$top_srcdir/bench/multicast/table" "$scratch/results" none.toml
}
tap_ok "a table that reaches its goals" table 50 10.4 10 15 9 0
tap_ok "slower than a send to each is missed" misses '7 destinations.*slower than a send' table 50 10.6 10 15 9 0
tap_ok "but not with four destinations" table 30 10.6 10 15 9 0
tap_ok "slower than a new communicator is missed" misses '.*slower than a new' table 50 10 10 9 9 0
tap_ok "far from the bound is missed" misses '.*1.43 x the bound' table 50 10 10 15 7 0
tap_ok "a wrong result is missed" misses 'wrong results' table 50 10 10 15 9 1
tap_ok "each way is right" measures
tap_ok "a way that is not there is refused" refused 'star not in' "$program" --ways star
tap_done
