#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The applications on this machine: right with stock Open MPI, with han and with coll_wan, which serves them; a wrong
# collective makes each of them fail; a goal that is missed over emulated sites is status 1; mistakes are answered with one sentence
# and status 2.
# timeout-seconds: 360
. "$top_srcdir/bench/lab/tests/lab.sh" || exit 99
. "$top_builddir/tests/environment"
apps=$top_builddir/bench/apps
"$MPICC" -shared -fPIC -o "$scratch/spoil.so" "$top_srcdir/bench/apps/spoil.c" -ldl || exit 99
results=$scratch/results

compare() {
  OMPI_MCA_coll_wan_verbose=1 timeout 200 "$apps/wan-apps-compare" --local 4 --passes 1 --repetitions 1 --warm-up 1 \
    --output "$results" || { cat "$results"/*.log; return 1; }
}
# right APP: a right result of each of three peers.
right() {
  [ "$(awk -F, -v app="$1" '$1 == app && $11 == 0 { print $4 }' "$results/table.csv" | xargs)" = 'stock han coll_wan' ] ||
    { cat "$results/table.csv"; return 1; }
}
served() { complains 'coll_wan: serves MPI_COMM_WORLD; sites \(ranks\): site0 \(2\) site1 \(1\) site2 \(1\)' cat "$results/$1-coll_wan-1.log"; }
# notices COLLECTIVE SENTENCE APP OPTIONS...: the application is right as a plain MPI program, and fails with the sentence if the
# collective is wrong.
notices() {
  local collective=$1 sentence=$2 app=$3 said status
  shift 3
  said=$(wan_mpirun --mca coll ^wan -n 4 "$apps/$app" "$@" --repetitions 1 2>&1) || { echo "$said"; return 1; }
  said=$(SPOIL=$collective timeout 60 "$MPIRUN" --oversubscribe --mca mpi_yield_when_idle 1 --mca coll ^wan -n 4 \
    env LD_PRELOAD="$scratch/spoil.so" "$apps/$app" "$@" --repetitions 1 2>&1)
  status=$?
  [ $status = 1 ] && grep -qE "^$app: rank .*$sentence" <<<"$said" || { echo "status $status: $said"; return 1; }
}

tap_ok "the peers run on this machine" compare
for app in asp cg training-1; do
  tap_ok "$app is right with every peer" right $app
  tap_ok "coll_wan serves $app" served $app
done
tap_ok "asp notices a wrong broadcast" notices bcast 'the way from .* has the wrong length' asp --nodes 60
tap_ok "cg notices a wrong allreduce" notices allreduce 'the solution is wrong by' cg --points 16
tap_ok "training notices a wrong allreduce" notices allreduce 'not the sum' training --mebibytes 1 --steps 8
if [ -x "$apps/qr" ]; then
  tap_ok "qr is right with every peer" right qr
  tap_ok "coll_wan serves qr" served qr
  tap_ok "qr notices a wrong allreduce" notices allreduce 'Q R is wrong' qr --rows 120 --columns 24
else
  tap_skip "qr" "there is no ScaLAPACK"
fi
tap_ok "there is a plot" test -s "$results/apps.svg"
# judged STATUS PATTERN PEERS: what the last peer takes for shortest paths over MagPIe's sites is judged so.
judged() {
  local said status
  said=$(timeout 120 "$apps/wan-apps-compare" --setting magpie --apps asp --peers "$3" --passes 1 --repetitions 1 --warm-up 0 \
    --output "$scratch/goals" 2>&1)
  status=$?
  [ $status = "$1" ] && grep -qE -e "$2" <<<"$said" || { echo "status $status: $said"; return 1; }
}
if has_lab; then
  tap_ok "a goal that is reached is status 0" judged 0 '^0 goals missed by 1 applications$' stock,coll_wan
  tap_ok "a goal that is missed is status 1" judged 1 '^missed: asp: speed-up 0\.[0-9]+ instead of 0\.95$' coll_wan,stock
else
  tap_skip "goals" "there can be no lab"
fi
tap_ok "an unknown setting is named" refused '"europe".*expected uniform' "$apps/wan-apps-compare" --setting europe
tap_ok "an unknown application is named" refused '"lu".*expected some of asp' "$apps/wan-apps-compare" --apps lu
tap_ok "an unknown peer is named" refused '"mpich".*expected some of' "$apps/wan-apps-compare" --peers mpich
tap_done
