#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# wan-neighbors as a command: every pattern and collective is right in every way that messages go; mistakes are answered. The table that
# is made of its rows has status 1 where a goal is missed.
# timeout-seconds: 120
. "$top_srcdir/tests/style/tap.sh"
. "$top_builddir/tests/environment"
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

# measures OPTIONS_OF_MPIRUN...: six ranks on three sites; 27 rows of two repetitions, none wrong.
measures() {
  timeout 100 "$MPIRUN" --oversubscribe --mca mpi_yield_when_idle 1 "${wan_component_arguments[@]}" "$@" -n 6 "$top_srcdir/tests/mpi/on_site" \
    a,b,c,a,b,c "$top_builddir/bench/neighbors/wan-neighbors" --repetitions 2 --warm-up 1 --output "$scratch/rows.csv" || return 1
  awk -F, 'FNR > 1 { rows++; if ($4 != 2 || $9 != 0 || !($5 > 0)) wrong = 1 } END { exit wrong || rows != 27 }' "$scratch/rows.csv"
}

# table AUTO_MS TOGETHER_MS STOCK_MS WRONG: the table of one cell, in which each edge on its own takes 12 ms.
table() {
  local results=$scratch/table peer ms
  mkdir -p "$results"
  for peer in "auto $1 $4" "direct 12 0" "together $2 0" "stock $3 0"; do
    read -r name ms wrong <<<"$peer"
    printf '%s\n' header "grid,neighbor_alltoall,8,2,$ms,0,0,0,$wrong" >"$results/$name-1.csv"
  done
  "$top_srcdir/bench/neighbors/table" "$results" none.toml 1
}

tap_ok "a table that reaches its goal" table 11 10 18 0
tap_ok "a slower choice is missed" misses 'grid .* 1.20 x the quickest' table 12 10 18 0
tap_ok "a choice that is slower than Open MPI is missed" misses 'grid .* 1.22 x the quickest' table 11 10 9 0
tap_ok "a wrong result is missed" misses 'wrong results' table 11 10 18 1
tap_ok "as coll_wan chooses" measures --mca coll wan,basic,libnbc
tap_ok "each edge on its own" measures --mca coll wan,basic,libnbc --mca coll_wan_algorithms neighbor:direct
tap_ok "edges together" measures --mca coll wan,basic,libnbc --mca coll_wan_algorithms neighbor:aggregate
tap_ok "without coll_wan" measures --mca coll ^wan
tap_ok "a pattern that is not there is refused" refused 'star not in' "$top_builddir/bench/neighbors/wan-neighbors" --patterns star
tap_done
