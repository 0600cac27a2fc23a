#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# wan-multicast as a command: each way is right, mistakes are answered, the table of its rows has status 1 where a goal is missed, and in
# SimGrid it is right and takes the time that it should.
# timeout-seconds: 120
. "$top_srcdir/tests/style/tap.sh"
. "$top_builddir/tests/environment"
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
program=$top_builddir/bench/multicast/wan-multicast

# Five ways, two sizes, two parts, one and seven at once: 40 rows of two repetitions, none wrong.
measures() {
  timeout 100 "$MPIRUN" --oversubscribe --mca mpi_yield_when_idle 1 --mca coll ^wan -n 6 "$top_srcdir/tests/mpi/on_site" a,b,c,a,b,c \
    "$program" --sizes 8,100000 --parts 20,100 --concurrent 1,7 --repetitions 2 --warm-up 1 --output "$scratch/rows.csv" || return 1
  awk -F, 'FNR > 1 { rows[$11]++; if ($4 != 2 || $10 != 0 || !($5 > 0)) wrong = 1 } END { exit wrong || rows[1] != 20 || rows[7] != 20 }' \
    "$scratch/rows.csv"
}
# table PART MULTICAST FLAT MADE BOUND WRONG [AT_ONCE [IN_TURN]]: the table of one cell.
table() {
  local at_once=${7:-1}
  mkdir -p "$scratch/results"
  printf '%s\n' header "multicast,8,$1,9,$2,0,0,$5,0,$6,$at_once" "flat,8,$1,9,$3,0,0,$5,0,0,$at_once" "bcast,8,$1,9,${8:-99},0,0,$5,0,0,$at_once" \
    "bcast_made,8,$1,9,$4,0,0,$5,0,0,$at_once" >"$scratch/results/rows.csv"
  "$top_srcdir/bench/multicast/table" "$scratch/results" none.toml
}
# Four sites of four hosts in SimGrid: a multicast of 1 MiB crosses each link once, in the time of the link. The same anew: the same times.
simulates() {
  local folder
  for folder in first second; do
    mkdir -p "$scratch/$folder"
    [ $folder = first ] || cp "$scratch/first/wan-multicast-simulated" "$scratch/second"
    timeout 100 "$top_srcdir/bench/multicast/simulate" "$scratch/$folder" sites 16 --ways multicast,flat --sizes 1048576 --parts 100 \
      --concurrent 1,5 --repetitions 2 --warm-up 0 || return 1
  done
  cmp "$scratch"/{first,second}/sites-16/rows.csv || return 1
  awk -F, '$11 == 1 { time[$1] = $5; bound = $8 } END { exit !(bound > 93 && time["multicast"] > bound && time["multicast"] < 1.1 * bound && time["flat"] > 3 * bound) }' \
    "$scratch/first/sites-16/rows.csv"
}
tap_ok "a table that reaches its goals" table 50 10.4 10 15 9 0
tap_ok "slower than a send to each is missed" misses '7 destinations.*slower than a send' table 50 10.6 10 15 9 0
tap_ok "but not with four destinations" table 30 10.6 10 15 9 0
tap_ok "slower than a new communicator is missed" misses '.*slower than a new' table 50 10 10 9 9 0
tap_ok "far from the bound is missed" misses '.*1.43 x the bound' table 50 10 10 15 7 0
tap_ok "a wrong result is missed" misses 'wrong results' table 50 10 10 15 9 1
tap_ok "slower than broadcasts in turn is missed" misses '5 to 7 destinations.*slower than broadcasts in turn' table 50 10 10 15 0 0 5 9
tap_ok "but not with one at a time" table 50 10 10 15 0 0 1 9
tap_ok "each way is right" measures
if command -v smpicxx >/dev/null && command -v smpirun >/dev/null && [ -z "$SANITIZER_FLAGS" ]; then
  tap_ok "in SimGrid a multicast takes the time of its links" simulates
else
  tap_skip "in SimGrid a multicast takes the time of its links" "SimGrid is not installed, or the core is built with sanitizers"
fi
tap_ok "a way that is not there is refused" refused 'star not in' "$program" --ways star
tap_done
