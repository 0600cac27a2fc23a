#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# message-ordering and spmv as commands: the best order is the optimum for every matrix and beats the worst, at 24 ranks and others; the
# multiplies are right in every order, with coll_wan over three sites and without it; mistakes are answered. The table that is made of
# their rows has status 1 where a goal is missed.
# timeout-seconds: 120
. "$top_srcdir/tests/style/tap.sh"
. "$top_builddir/tests/environment"
ordering=$top_builddir/bench/ordering
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

study() { timeout 50 "$ordering/message-ordering" --random 50 "$@" >"$scratch/study.csv"; }
# Ten matrices, in each of which optimum = best < worst and no random order is below it.
is_ordered() {
  awk -F, 'FNR == 1 { next } { rows++; if ($10 != $11 || $11 >= $12 || $14 < $10) wrong = 1 } END { exit wrong || rows != 10 }' "$scratch/study.csv"
}
# multiplies COMPONENTS ORDERS: six ranks on three sites.
multiplies() {
  timeout 100 "$MPIRUN" --oversubscribe --mca mpi_yield_when_idle 1 "${wan_component_arguments[@]}" --mca coll "$1" -n 6 \
    "$top_srcdir/tests/mpi/on_site" a,b,c,a,b,c "$ordering/spmv" --matrices mesh-2d-square,rmat-10-2-skew --orders "$2" --repetitions 2 \
    --output "$scratch/rows.csv"
}
# rows NUMBER: so many, each of two repetitions and none wrong.
rows() { awk -F, -v number="$1" 'FNR > 1 { rows++; if ($5 != 2 || $11 != 0 || !($6 > 0)) wrong = 1 } END { exit wrong || rows != number }' "$scratch/rows.csv"; }
refused() {
  local status=$1 pattern=$2 said
  shift 2
  said=$("$@" 2>&1)
  [ $? = "$status" ] && grep -qE -e "$pattern" <<<"$said" || { echo "$said"; return 1; }
}

# table UNIT_BEST ONE_SITE_BEST THREE_SITES_BEST WRONG: the table of one matrix, whose optimum is 8 units and whose worst order takes 60 ms.
table() {
  local results=$scratch/table
  mkdir -p "$results"
  printf '%s\n' header "mesh,24,1,0,6,61,0,4,47,8,$1,9,8.5,8" >"$results/unit.csv"
  printf '%s\n' header "mesh,best,1,0,15,$2,0,0,0,0,$4" mesh,worst,1,0,15,60,0,0,0,0,0 >"$results/one-site.csv"
  printf '%s\n' header "mesh,best,1,0,15,$3,0,0,0,0,0" mesh,worst,1,0,15,60,0,0,0,0,0 >"$results/three-sites.csv"
  printf '%s\n' header mesh,none,1,0,15,55,0,0,0,0,0 | tee "$results/one-site-stock.csv" >"$results/three-sites-stock.csv"
  "$top_srcdir/bench/ordering/table" "$results"
}

tap_ok "a table that reaches its goals" table 8 53 55 0
tap_ok "an order that is not the optimum is missed" misses 'mesh: in the unit model 9 instead of 8' table 9 53 55 0
tap_ok "a best order that is slower on one site is missed" misses 'mesh: on one site' table 8 61 55 0
tap_ok "or on three" misses 'mesh: on three sites' table 8 53 61 0
tap_ok "a wrong result is missed" misses 'wrong results' table 8 53 55 1
tap_ok "the unit model of 24 ranks" study
tap_ok "the best order is the optimum" is_ordered
tap_ok "of 7 ranks too" study --ranks 7
tap_ok "of one, which sends nothing" study --ranks 1
tap_ok "multiplies with coll_wan" multiplies wan,basic,libnbc best,worst,none
tap_ok "are right" rows 6
tap_ok "multiplies without it" multiplies ^wan none
tap_ok "are right as well" rows 2
tap_ok "a matrix that is not there is refused" refused 2 'no-such' "$ordering/spmv" --matrices no-such
tap_ok "messages that are too short are noticed" refused 2 'give --message-bytes' wan_mpirun -n 2 "$ordering/spmv" --matrices rmat-9-1 --message-bytes 8
tap_done
