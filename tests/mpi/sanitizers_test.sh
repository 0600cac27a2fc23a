#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# timeout-seconds: 1200
# Memory and undefined behaviour under the sanitizers of GCC, in real mpirun runs of a build that was configured with
# --enable-sanitizers: samples of everything that tests/mpi/run runs. No error in any process, and no memory lost that
# coll_wan had a part in taking. Open MPI is not built with sanitizers and loses some memory of its own.
#   tests/mpi/sanitizers_test.sh [PATTERN]      only the cases whose names match
set -u
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}" "${top_builddir:=$PWD}"
. "$top_srcdir/tests/style/tap.sh"
. "$top_builddir/tests/environment"
[ -n "$SANITIZER_FLAGS" ] || { echo "configured without --enable-sanitizers"; exit 77; }
only=${1:-.} seed=1
percent=${MPITEST_PERCENT:-100}
. "$top_srcdir/tests/mpi/launch.sh"

export MPITEST_TIMEOUT_S=${MPITEST_TIMEOUT_S:-120}
# Whole stacks also through Open MPI, which has no frame pointers; a leak of whomever does not end a job.
export ASAN_OPTIONS=log_path=$work/report:detect_leaks=1:fast_unwind_on_malloc=0:malloc_context_size=40
# Where a thread of Open MPI's ends meanwhile, looking at its thread-local memory kills the tool that looks for leaks.
export LSAN_OPTIONS=exitcode=0:use_tls=0
export UBSAN_OPTIONS=print_stacktrace=1  # beside the address sanitizer it reports to the standard error stream

# reports_of FILE...: the sanitizers' reports in these files, a leak only if a source of ours is in its stack. Not the topology of the host,
# which is Open MPI's, nor what its opal_show_help_string() composes and forgets for each folder that has no such text.
reports_of() {
  awk '
    function tell() { if (report != "" && (!is_leak || (ours && !theirs))) print report; report = ""; is_leak = ours = theirs = 0 }
    /^(Direct|Indirect) leak of / { tell(); is_leak = 1; report = $0 "\n"; next }
    /ERROR: LeakSanitizer: detected memory leaks/ { next }
    /ERROR: (Address|Leak)Sanitizer|runtime error: |LeakSanitizer has encountered/ { tell(); report = $0 "\n"; next }
    /^SUMMARY: / { tell(); next }
    report != "" { report = report $0 "\n" } /coll_wan\/(base|topo|discover|probe|cost|plan|algo|check|learn|run|process|multicast|api|mca)\/|planted\.cc:/ { ours = 1 }
    / in (hwloc_topology_load|__asprintf_chk) / { theirs = 1 }
    END { tell() }' "$@"
}

# reports: those of the last run.
reports() { find "$work" -name 'report.*' | sort | xargs cat "$work/output" | reports_of; }

# clean_run RANKS LAYOUT MODE PROGRAM [ARGUMENTS]: a run that passes, says how many cases it ran, and has no reports. Where the tool that
# looks for leaks has died itself, as it does now and then, the run says nothing about leaks, and there is a second and a third one.
clean_run() {
  local status found
  for _ in 1 2 3; do
    rm -f "$work"/report.*
    launch "$@"
    status=$?
    found=$(reports)
    [[ $found == *'LeakSanitizer has encountered'* ]] || break
  done
  [ "$status" = 0 ] && [ -z "$found" ] && tr -d '\000' <"$work/output" | grep -q "^$4: [1-9][0-9]* cases on $1 ranks, 0 failures$" && return
  printf '%s\n' "exit status $status" "$found" | head -n 100
  tail -n 40 "$work/output" | cut -c1-300
  return 1
}

# clean RANKS LAYOUT MODE PROGRAM [ARGUMENTS]
clean() {
  local name="$4 on $1 ranks, $2, $3${variation:+, $variation}"
  [[ $name =~ $only ]] || return 0
  tap_ok "$name" clean_run "$@"
}

# is_reported MISTAKE PATTERN: a component with the mistake is reported, with the function that made it.
is_reported() {
  local WAN_COMPONENT_DIR=$top_builddir/tests/mpi/planted/.libs wan_component_arguments
  . "$top_builddir/tests/environment"
  rm -f "$work"/report.*
  MPITEST_PLANTED=$1 launch 2 own alone mpi_collectives --collective barrier --max-cases 1
  reports >"$work/reports"
  grep -qE "$2" "$work/reports" && grep -q 'planted\.cc:' "$work/reports" && return
  cat "$work/output" "$work/reports"
  return 1
}

planted() {
  [[ "planted" =~ $only ]] || return 0
  tap_ok 'planted: an overflow is reported' is_reported overflow 'heap-buffer-overflow'
  tap_ok 'planted: a use of freed memory is reported' is_reported 'use after free' 'heap-use-after-free'
  tap_ok 'planted: a leak is reported' is_reported leak '^Direct leak of 4000 byte'
  tap_ok 'planted: undefined behaviour is reported' is_reported undefined 'signed integer overflow'
  tap_ok 'planted: nothing is reported where there is nothing' is_not_reported
}
is_not_reported() { ! is_reported nothing .; }

cases() { echo $(($1 * percent / 100 + 1)); }

collectives() {
  local ranks layout
  while read -r ranks layout; do
    clean "$ranks" "$layout" "$1" mpi_collectives --seed $((seed * 1000 + ranks)) --max-cases "$(cases 400)"
    clean "$ranks" "$layout" "$1" mpi_intercomm --seed $((seed * 1000 + ranks)) --max-cases "$(cases 100)"
  done <<'RUNS'
2 own
3 contiguous
5 random
8 cyclic
RUNS
}

# Messages of many segments, of which some ask; vectors that several processes share, over several sites.
segments() {
  variation='short segments' extra=(--mca coll_wan_segment 24 --mca coll_wan_eager_window 100 --mca coll_wan_lanes 3)
  clean 5 cyclic alone mpi_collectives --seed $((seed * 1000 + 52)) --max-cases "$(cases 200)"
  clean 5 cyclic alone mpi_overlap --seed "$seed" --rounds "$(cases 6)"
  variation='' extra=()
}

programs() {
  clean 3 cyclic alone mpi_neighbor --form nonblocking
  variation='edges together' extra=(--mca coll_wan_algorithms neighbor:aggregate)
  clean 4 contiguous alone mpi_neighbor --form persistent
  variation='preconnect all' extra=(--mca coll_wan_preconnect all)
  clean 5 cyclic alone mpi_contact --rounds "$(cases 10)" --under-way 1
  variation='' extra=()
  clean 3 own alone mpi_persistent
  clean 5 cyclic alone mpi_counts --seed "$seed" --rounds "$(cases 5)"
  clean 4 cyclic alone mpi_elements --bytes 700
  clean 4 contiguous alone mpi_elements --bytes 100000
  variation='explained and reported' extra=(--mca coll_wan_explain 1 --mca coll_wan_report "$work/job.json")
  clean 3 own alone mpi_performance --sites 3
  variation='' extra=()
  clean 3 cyclic alone mpi_many --calls "$(cases 500)"
  clean 5 cyclic alone mpi_multicast many --seed "$seed"
  clean 4 random alone mpi_multicast handlers --seed "$seed" --thread
  clean 3 own alone mpi_multicast calls
  clean 5 cyclic alone mpi_info
  clean 3 cyclic alone mpi_errors
  clean 5 cyclic alone mpi_threads --seed "$seed" --rounds "$(cases 10)"
  clean 5 cyclic alone mpi_constructors "$work"
  clean 5 cyclic alone mpi_overlap --seed "$seed" --rounds "$(cases 8)"
  extra=(--mca coll_wan_reproducible 1)
  clean 5 random alone mpi_reproducible --seed "$seed"
  extra=(--mca btl tcp,self --mca btl_tcp_if_include lo)  # in Open MPI 5.0 processes of two jobs share no memory
  clean 2 own alone mpi_late --mib 16 --most-mib 64
  clean 2 cyclic alone mpi_dynamic "$here/on_site" s1,s0,s2,s0,s1,s1
  extra=()
}

# Two processes: an error, and leaks of others and of ours.
example() {
  printf '%s\n' '==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1' '    #0 0x1 in memcpy' \
    'SUMMARY: AddressSanitizer: heap-buffer-overflow' >"$work/error"
  printf '%s\n' '==8==ERROR: LeakSanitizer: detected memory leaks' '' \
    'Direct leak of 8 byte(s) in 1 object(s) allocated from:' '    #0 0x1 in malloc' '    #1 0x2 in PMIx_Init' \
    '    #2 0x3 (/srv/coll_wan/tests/mpi/mpi_many+0x3)' '' \
    'Direct leak of 8 byte(s) in 1 object(s) allocated from:' '    #0 0x1 in hwloc_topology_load ' '    #1 0x2 in f ../coll_wan/mca/place.cc:3' '' \
    'Direct leak of 9 byte(s) in 1 object(s) allocated from:' '    #0 0x1 in malloc' '    #1 0x2 in start ../coll_wan/run/execution.cc:40' '' \
    'SUMMARY: AddressSanitizer: 17 byte(s) leaked' >"$work/leaks"
  [ "$(reports_of "$work/error" "$work/leaks" | grep -cE 'heap-buffer|leak of 9')" = 2 ] && ! reports_of "$work/leaks" | grep 'leak of 8'
}

variation=
tap_ok 'leaks of ours are told from others' example
planted
collectives alone
segments
programs
clean 5 random beside mpi_collectives --seed $((seed * 1000 + 91)) --max-cases "$(cases 200)" --stock
tap_done
