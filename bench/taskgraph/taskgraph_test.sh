#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# wan-taskgraph as a command: both factorizations are right with each way, also where tiles do not divide the matrix and where processes have
# no tile; a wrong number is found; mistakes are answered; table has status 1 where a goal is missed; timeline draws what a run has left.
# timeout-seconds: 120
. "$top_srcdir/tests/style/tap.sh"
. "$top_builddir/tests/environment"
here=$top_srcdir/bench/taskgraph
program=$top_builddir/bench/taskgraph/wan-taskgraph
[ -x "$program" ] || { echo "there is no OpenBLAS"; exit 77; }
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
"$MPICC" -shared -fPIC -o "$scratch/spoil.so" "$here/spoil.c" -ldl || exit 99

# on RANKS ENVIRONMENT... OPTIONS...: one repetition of each way; ranks are at two sites by turns.
on() {
  local ranks=$1
  shift
  timeout 60 "$MPIRUN" --oversubscribe --mca mpi_yield_when_idle 1 --mca coll ^wan -n "$ranks" "$top_srcdir/tests/mpi/on_site" a,b,a,b,a,b,a,b,a \
    env "$@" --repetitions 1 --warm-up 0
}
# right RANKS OPTIONS...: a row of each way, none wrong.
right() {
  local ranks=$1
  shift
  on "$ranks" "$program" --output "$scratch/rows.csv" "$@" || return 1
  awk -F, 'FNR > 1 { rows++; if ($7 != 1 || $15 != 0 || !($8 > 0) || !($13 < 10)) wrong = 1 } END { exit wrong || rows != 3 }' "$scratch/rows.csv" ||
    { cat "$scratch/rows.csv"; return 1; }
}
# notices KERNEL OPTIONS...: the result is wrong where this kernel of rank 1 is.
notices() {
  local said status
  said=$(on 4 SPOIL="$1" LD_PRELOAD="$scratch/spoil.so" "$program" --size 120 --tile 20 "${@:2}" 2>&1)
  status=$?
  [ $status = 1 ] && grep -qE '^wan-taskgraph: the factors differ from LAPACK' <<<"$said" || { echo "status $status: $said"; return 1; }
}
# A task has a line for each way, and ends after it began; what came has bytes.
traces() {
  on 4 "$program" --size 120 --tile 20 --trace "$scratch/trace.csv" --output "$scratch/rows.csv" || return 1
  awk -F, 'FNR == 1 { next } $12 < $11 { wrong = 1 } $2 == "task" { tasks[$1]++ } $2 == "arrival" { arrivals[$1] += $13 > 0 }
    END { for (way in tasks) { ways++; if (tasks[way] != 56 || arrivals[way] < 20) wrong = 1 } exit wrong || ways != 3 }' "$scratch/trace.csv"
}
draws() { "$here/timeline" "$scratch/trace.csv" "$scratch/timeline.svg" multicast flat && [ "$(grep -c POTRF "$scratch/timeline.svg")" -ge 2 ]; }
# table TIMES BYTES WRONG: of one case; times and bytes of multicast, sends and communicators.
table() {
  local ways=(multicast flat communicators) times bytes i
  read -r -a times <<<"$1"
  read -r -a bytes <<<"$2"
  mkdir -p "$scratch/results"
  for i in 0 1 2; do echo "cholesky,${ways[i]},100,10,4x4,1,3,${times[i]},0,0,${bytes[i]},0,0,0,$3"; done |
    sed '1i header' >"$scratch/results/cholesky-10-slot.csv"
  CASES=cholesky:10:slot "$here/table" "$scratch/results" none.toml
}
for app in cholesky qr; do
  tap_ok "$app is right on one process" right 1 --app $app --size 90 --tile 30
  tap_ok "$app is right where tiles do not divide the matrix, with two threads" right 6 --app $app --size 203 --tile 32 --grid 2x3 --threads 2
  tap_ok "$app is right on a row of processes" right 3 --app $app --size 100 --tile 16 --grid 1x3
  tap_ok "$app is right with more processes than tiles" right 9 --app $app --size 50 --tile 30
done
tap_ok "a wrong number of a Cholesky factorization is found" notices dtrsm --app cholesky
tap_ok "a wrong number of a QR factorization is found" notices dtpmqrt --app qr
tap_ok "what happened is written down" traces
if command -v gnuplot >/dev/null; then tap_ok "and drawn" draws; else tap_skip "and drawn" "there is no gnuplot"; fi
tap_ok "a table that reaches its goals" table "10.4 10 10" "1009 1000 1000" 0
tap_ok "slower than sends is missed" misses 'cholesky .* by slot: slower than sends' table "10.6 10 11" "100 100 100" 0
tap_ok "slower than communicators is missed" misses '.*slower than communicators' table "10.6 11 10" "100 100 100" 0
tap_ok "more bytes than sends is missed" misses '.*more bytes between sites than sends' table "10 10 10" "1011 1000 1011" 0
tap_ok "more bytes than communicators is missed" misses '.*more bytes between sites than communicators' table "10 10 10" "1011 1011 1000" 0
tap_ok "a wrong result is missed" misses 'wrong results' table "10 10 10" "100 100 100" 1
tap_ok "a way that is not there is refused" refused 'star not in' "$program" --ways star
tap_ok "a grid of other processes is refused" refused '^wan-taskgraph: --grid 2x2: expected ROWSxCOLUMNS, 1 processes in all' "$program" --grid 2x2
tap_ok "a grid that is none is refused" refused 'expected ROWSxCOLUMNS' "$program" --grid 1x1x1
tap_done
