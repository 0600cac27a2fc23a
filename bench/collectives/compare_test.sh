#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# wan-bench and wan-bench-compare as commands: all collectives in all forms are right with stock Open MPI and with
# coll_wan on this machine, a goal that is missed over emulated sites is status 1, and mistakes are answered with one sentence
# and status 2.
# timeout-seconds: 360
. "$top_srcdir/bench/lab/tests/lab.sh" || exit 99
. "$top_builddir/tests/environment"
bench=$top_builddir/bench/collectives

compare() {
  timeout 200 "$bench/wan-bench-compare" --local 3 --peers stock,coll_wan --passes 1 \
    --forms blocking,nonblocking,persistent,overlapped --repetitions 1 \
    --warm-up 0 --sizes 8,1001 --roots 0,-1 --output "$scratch/results" || { cat "$scratch"/results/*.log; return 1; }
}
# rows PEER: cells that were measured.
rows() { grep -c ",$1," "$scratch/results/table.csv"; }
# 4 forms; at 2 sizes, 6 collectives with 2 roots and 10 without; a barrier.
all_cells() { [ "$(rows "$1")" = $((4 * (2 * (2 * 6 + 10) + 1))) ] || { rows "$1"; return 1; }; }
no_wrong() { [ "$(awk -F, 'NR > 1 { sum += $11 } END { print sum + 0 }' "$scratch/results/table.csv")" = 0 ]; }
# Between two groups: 1 form; at 2 sizes, 6 collectives with 2 roots and 8 without; a barrier.
compare_groups() {
  timeout 200 "$bench/wan-bench-compare" --local 4 --peers stock,coll_wan --passes 1 --groups "$1" --forms blocking \
    --repetitions 1 --warm-up 0 --sizes 8,1001 --roots 0,-1 --output "$scratch/results" || { cat "$scratch"/results/*.log; return 1; }
}
all_between_groups() { [ "$(rows coll_wan)" = $((2 * (2 * 6 + 8) + 1)) ] || { rows coll_wan; return 1; }; }

tap_ok "both peers run on this machine" compare
tap_ok "all cells with stock Open MPI" all_cells stock
tap_ok "all cells with coll_wan" all_cells coll_wan
tap_ok "no wrong result" no_wrong
for groups in halves parity; do
  tap_ok "between two groups, $groups" compare_groups "$groups"
  tap_ok "all cells between $groups" all_between_groups
  tap_ok "no wrong result between $groups" no_wrong
done
# Of the vector forms every second rank has everything: 4 forms, 2 of 6 with 2 roots.
compare_concentrated() {
  timeout 200 "$bench/wan-bench-compare" --local 5 --peers stock,coll_wan --passes 1 --concentration 2 --repetitions 1 --warm-up 0 \
    --collectives gatherv,scatterv,allgatherv,reduce_scatter,alltoallv,alltoallw --forms blocking,nonblocking,persistent,overlapped \
    --sizes 8,1001 --roots 0,-2 --output "$scratch/results" || { cat "$scratch"/results/*.log; return 1; }
}
all_concentrated() { [ "$(rows coll_wan)" = $((4 * 2 * (2 * 2 + 4))) ] || { rows coll_wan; return 1; }; }
tap_ok "every second rank has all" compare_concentrated
tap_ok "all cells where it has" all_concentrated
tap_ok "no wrong result where it has" no_wrong

# judged STATUS PATTERN PEERS OPTIONS...: what the last peer shows over a setting's sites is judged so.
judged() {
  local wanted=$1 pattern=$2 peers=$3 said status
  shift 3
  said=$(timeout 100 "$bench/wan-bench-compare" --peers "$peers" --passes 1 --repetitions 1 --warm-up 0 --output "$scratch/goals" "$@" 2>&1)
  status=$?
  [ $status = "$wanted" ] && grep -qE -e "$pattern" <<<"$said" || { echo "status $status: $said"; return 1; }
}
if has_lab; then
  tap_ok "a goal that is reached is status 0" judged 0 '^0 goals missed on 1 cells$' tuned,coll_wan --setting unequal --collectives barrier
  tap_ok "a peer that is far from the bound misses it, of other sizes than the setting's too" judged 1 \
    '^missed: reduce_scatter_block.*64 bytes: [0-9.]+ x its bound instead of 1\.30$' tuned --setting uniform --collectives reduce_scatter_block --sizes 64
else
  tap_skip "goals" "there can be no lab"
fi
tap_ok "a setting is needed" refused '^wan-bench-compare: --setting.*expected uniform' "$bench/wan-bench-compare"
tap_ok "an unknown grouping is named" refused '"halvs".*did you mean "halves"' "$bench/wan-bench" --groups halvs
tap_ok "groups are not concentrated" refused '^wan-bench-compare: --concentration.*expected 1' "$bench/wan-bench-compare" \
  --setting cities --groups halves --concentration 2
tap_ok "an unknown peer is named" refused '"mpich".*expected some of' "$bench/wan-bench-compare" --setting cities --peers mpich
tap_ok "an unknown collective is named" refused '"brodcast".*expected all' "$bench/wan-bench" --collectives brodcast
tap_done
