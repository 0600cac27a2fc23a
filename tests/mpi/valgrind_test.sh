#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# timeout-seconds: 600
# Memory under valgrind, in real mpirun runs: no read or write out of bounds or of freed memory, no decision by undefined bytes, no
# memory lost, in whose history coll_wan has a part. Open MPI, PMIx and hwloc have some of their own.
. "$top_srcdir/tests/style/tap.sh"
. "$top_builddir/tests/environment"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
known=$(dirname "$(dirname "$(command -v "$MPIRUN")")")/share/openmpi/openmpi-valgrind.supp
[ -r "$known" ] && suppressions=(--suppressions="$known") || suppressions=()

# errors_of FILE...: the errors in valgrind's logs that name something of ours. (The topology of the host is Open MPI's.)
errors_of() {
  awk '{ sub(/^==[0-9]+== ?/, "") } !NF { if (ours && !theirs) print error; error = ""; ours = theirs = 0; next }
       { error = error $0 "\n" } /wan::|mca_coll_wan|wan_/ { ours = 1 } /hwloc_topology_load/ { theirs = 1 }' "$@"
}

labels=s0,s1,s1 more=()  # the site of each process; arguments of mpirun
# clean PROGRAM ARGUMENTS...: three processes, each under valgrind.
clean() {
  local name=$1
  shift
  MPITEST_TIMEOUT_S=500 timeout -k 10 550 "$MPIRUN" --oversubscribe --mca mpi_yield_when_idle 1 "${wan_component_arguments[@]}" \
    --mca coll wan "${more[@]}" -n 3 "$top_srcdir/tests/mpi/on_site" $labels \
    valgrind "${suppressions[@]}" --leak-check=full --show-leak-kinds=definite --keep-debuginfo=yes --num-callers=40 \
    --log-file="$work/$name.%p" "$top_builddir/tests/mpi/$name" "$@" >"$work/output" 2>&1 || { tail "$work/output"; return 1; }
  [ "$(grep -l 'ERROR SUMMARY' "$work/$name".* | wc -l)" = 3 ] || { echo "valgrind has not finished"; return 1; }
  is_silent errors_of "$work/$name".*
}

found() {
  printf '==7== %s\n' 'Invalid read of size 8' '   at 0x1: memmove' '   by 0x2: wan::Execution::start() (execution.cc:40)' \
    '' 'Invalid read of size 4' '   at 0x1: PMIx_Init' '' >"$work/example"
  [ "$(errors_of "$work/example" | grep -c Invalid)" = 1 ]
}

tap_ok 'an error of ours is told from others' found
if command -v valgrind >/dev/null; then
  tap_ok 'collectives' clean mpi_collectives --max-cases 100
  tap_ok 'intercommunicators' clean mpi_intercomm --max-cases 60
  tap_ok 'neighbourhoods' clean mpi_neighbor --form nonblocking
  labels=s0,s1,s2 more=(--mca coll_wan_explain 1 --mca coll_wan_report "$work/report.json")
  tap_ok 'performance variables, explanations and a report' clean mpi_performance --sites 3
else
  tap_skip 'memory under valgrind' 'valgrind is not installed'
fi
tap_done
