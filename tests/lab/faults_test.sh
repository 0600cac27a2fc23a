#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# timeout-seconds: 600
# Something breaks in the middle of a collective: nobody waits for ever, what is delivered is right, what MPI lets go on goes on, and
# no memory is kept.
#   tests/lab/faults_test.sh [--full] [--stock] [--only PATTERN] [--collectives NAME,...] [--forms FORM,...] [--groups none,halves]
# --full: every collective in every form, on an intracommunicator and on an intercommunicator, and a link that stalls for 30 s (hours);
# without it a few, among which each form and both are, in a few minutes. --stock: Open MPI's own components, without coll_wan. --only: the
# faults whose name matches: stall, loss, latency, kill, cut, survive. --collectives, --forms, --groups: these instead of all.
# The lines that begin with "# row" are those of the tables in tests/lab/README.md: fault, form, groups, collective, what was measured.
. "$top_srcdir/bench/lab/tests/lab.sh" || exit 99
. "$top_builddir/tests/environment"
full=no mode=coll_wan only=. chosen='' forms=blocking,nonblocking,persistent grouping=none,halves
while [ $# -gt 0 ]; do
  case $1 in
    --full) full=yes ;;
    --stock) mode=stock ;;
    --only) only=$2; shift ;;
    --collectives) chosen=$2; shift ;;
    --forms) forms=$2; shift ;;
    --groups) grouping=$2; shift ;;
    *) sed -n '6,11s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
  shift
done
need_lab

faults=$top_builddir/tests/lab/faults
components=tuned,basic,libnbc,self
[ "$OMPI_MAJOR" -lt 5 ] || components+=,inter,ftagree
if [ $mode = stock ]; then
  mpirun=("$MPIRUN" --mca coll $components)
else
  mpirun=("$MPIRUN" "${wan_component_arguments[@]}" --mca coll "wan,$components")
fi
three_sites '50 ms' '2 MB/s'

# wanted FAULT: is it to be tried?
wanted() { [[ $1 =~ $only ]]; }

# job ARGUMENTS OF MPIRUN: six processes on three sites, a host each; what they say and how mpirun ends is in $scratch/said. "gone":
# how long after mpirun the last process of the job ended, on any site, in milliseconds.
job() {
  # shellcheck disable=SC2016
  timeout 3500 "$wan_lab" run --topology "$scratch/sites.toml" --hosts 1 --ranks 2 -- bash -c '
    "$@"; echo "status $? ended_at $(date +%s%3N)"
    started=$(date +%s%3N)
    for ((i = 0; i < 600; i++)); do grep -lx faults /proc/[0-9]*/comm >/dev/null 2>&1 || break; sleep 0.1; done
    echo "gone $(($(date +%s%3N) - started))"' bash "${mpirun[@]}" "$@" 2>&1 | tr -d '\000' >"$scratch/said"
}

# show: of what was said the part that tells why a case failed.
show() { grep -v setpgid "$scratch/said" | head -n 40; return 1; }

# said PATTERN: in some line.
said() { grep -qE -e "$1" "$scratch/said" || show; }

# row FAULT FORM GROUPS: the lines of the program, as rows.
row() { sed -n "s/^\([a-z_]*\): \([a-z_]*_ms .*\|proc_failed .*\)$/# row $1 $2 $3 \1 \2/p" "$scratch/said"; }

# names GROUPS COLLECTIVES: one a line; "all" are those that are defined there.
names() {
  local all=allgather,allgatherv,allreduce,alltoall,alltoallv,alltoallw,barrier,bcast,gather,gatherv,reduce,reduce_scatter
  all+=,reduce_scatter_block,scatter,scatterv
  [ "$1" = halves ] || all+=,exscan,scan,neighbor_allgather,neighbor_allgatherv,neighbor_alltoall,neighbor_alltoallv,neighbor_alltoallw
  [ "$2" = all ] || all=$2
  tr , '\n' <<<"$all"
}

# all_right GROUPS COLLECTIVES: the job ended well, and had that many collectives.
all_right() {
  grep -q "^faults: $(names "$1" "$2" | wc -l) cases on 6 ranks, 0 failures$" "$scratch/said" && grep -q '^status 0 ' "$scratch/said" || show
}

# longest FIELDS: the longest call in any of these fields, in any collective.
longest() { awk -v fields=" $* " '/_ms / { for (i = 1; i < NF; i++) if (index(fields, " " $i " ") && $(i + 1) + 0 > most) most = $(i + 1) + 0 } END { print "longest_ms", most + 0 }' "$scratch/said"; }

# plan FAULT: what is tried, a line each: FORM GROUPS COLLECTIVES. Stock nonblocking and persistent forms hang on intercommunicators.
plan() {
  local form groups
  if [ $full = no ] && [ -z "$chosen" ]; then
    sample "$1"
  else
    for form in ${forms//,/ }; do
      for groups in ${grouping//,/ }; do echo "$form $groups ${chosen:-all}"; done
    done
  fi | if [ $mode = stock ]; then grep -vE '^(nonblocking|persistent) halves'; else cat; fi
}
# sample FAULT: the plan of a few minutes.
sample() {
  case $1 in
    stall) printf '%s\n' 'blocking none allreduce' 'persistent halves allgather' ;;
    loss) printf '%s\n' 'nonblocking none bcast,neighbor_alltoall' 'blocking halves alltoallv' ;;
    latency) printf '%s\n' 'blocking none alltoallv,neighbor_alltoall' 'persistent none allreduce' 'nonblocking halves alltoall' ;;
    kill) printf '%s\n' 'blocking none allreduce' 'nonblocking halves alltoall' 'persistent none neighbor_allgather' ;;
    cut) printf '%s\n' 'nonblocking none allreduce' ;;
    survive) printf '%s\n' 'blocking none allreduce' 'nonblocking none bcast' 'persistent halves allreduce' ;;
  esac
}

# repaired FAULT LEAST ARGUMENTS: a fault that passes, or that TCP mends: right results, a call of LEAST ms or more, or nothing has been
# hit, and after some calls more no more memory than before.
# Open MPI keeps what it needed for the messages that were early or late, 1 MiB of which was seen; 40 calls that each kept a block of
# 64 KiB would have kept 2.5 MiB.
most_kib=2048
repaired() {
  local fault=$1 least=$2 form groups collectives
  shift 2
  while read -r form groups collectives; do
    MPITEST_TIMEOUT_S=${limit_s:-60} job "$faults" "$collectives" --form "$form" --groups "$groups" --most-kib $most_kib "$@" </dev/null
    row "$fault" "$form" "$groups"
    tap_ok "$fault, $mode: right results of $form $collectives, groups $groups, and no memory kept" all_right "$groups" "$collectives"
    tap_ok "$fault, $mode: a call was hit" between "$least" "$(field longest_ms "$(longest hit_ms then_ms)")" 1000000
  done < <(plan "${fault%% *}")
}

stall_s=2 lossy_calls=10
[ $full = no ] || stall_s=30 lossy_calls=20
wanted stall && limit_s=300 repaired "stall of $stall_s s" $((stall_s * 1000)) \
  --fault "\$WAN_LAB_LINK s3 '*' down; (sleep $stall_s; \$WAN_LAB_LINK s3 '*' up) &"
wanted loss && repaired "loss of 1 %" 50 --calls $lossy_calls \
  --fault "\$WAN_LAB_LINK '*' '*' loss '1 %'" --heal "\$WAN_LAB_LINK '*' '*' loss '0 %'"
three_sites '30 ms' '2 MB/s'
wanted latency && repaired "latency times ten" 300 \
  --fault "\$WAN_LAB_LINK '*' '*' latency '300 ms'" --heal "\$WAN_LAB_LINK '*' '*' latency '30 ms'"
three_sites '50 ms' '2 MB/s'

# What is kept of every call is noticed.
keeps() {
  MPITEST_TIMEOUT_S=60 job "$faults" allreduce --most-kib $most_kib --hoard 66000 --fault true
  said 'FAIL .*memory grew by'
}
wanted stall && tap_ok "memory that is kept is noticed, $mode" keeps

# ended FAULT MOST GONE ARGUMENTS: for each collective a job that ends by itself, unfinished, within MOST ms of the fault, and leaves no
# process on any site GONE ms later. (The exit status of mpirun 5.0.7 is 0 all the same where a daemon is lost.)
ended() {
  local fault=$1 most=$2 gone=$3 form groups collectives collective after later
  shift 3
  while read -r form groups collectives; do
    for collective in $(names "$groups" "$collectives"); do
      MPITEST_TIMEOUT_S=900 job "${endings_mca[@]}" "$faults" "$collective" --form "$form" --groups "$groups" --calls 100000 "$@" </dev/null
      after=$(awk '/^fault at / { begin = $3 } / ended_at / { end = $4 } END { if (begin && end) print end - begin }' "$scratch/said")
      later=$(field gone "$(cat "$scratch/said")")
      echo "# row $fault $form $groups $collective ended_ms $after gone_ms $later"
      collective="$form $collective, groups $groups,"
      tap_ok "$fault, $mode: $collective ends, after $after ms" between 0 "$after" "$most"
      tap_ok "$fault, $mode: $collective is not finished" is_silent grep '^faults: ' "$scratch/said"
      tap_ok "$fault, $mode: $collective leaves nobody, $later ms later" between 0 "$later" "$gone"
    done
  done < <(plan "$fault")
}

endings_mca=()
# shellcheck disable=SC2016
wanted kill && ended kill 20000 1000 --actor 5 --fault 'kill -9 $PPID'
# What ends the wait is the daemons' keepalive: 300 s, then 9 probes of 20 s, by default.
case $OMPI_MAJOR in
  4) of_launcher=--mca keepalive=oob_tcp_keepalive ;;
  5) of_launcher=--prtemca keepalive=oob_tcp_keepalive ;;
  *) of_launcher=--prtemca keepalive=prte_keepalive ;;
esac
endings_mca=("$of_launcher" ${keepalive}_time 5 "$of_launcher" ${keepalive}_intvl 1 "$of_launcher" ${keepalive}_probes 3)
# The site that is cut off notices by itself, a second or so earlier or later than mpirun.
wanted cut && ended cut 30000 5000 --fault "\$WAN_LAB_LINK s3 '*' down"

# survived HOW COLLECTIVE: who is left gets an error and goes on, with right results. Of Open MPI 5.0.7 itself, without coll_wan too: its
# agreement waits for ever for processes that have no connection yet, so all connect first; and at times it takes a living process for dead:
# that is tried again.
survived() {
  local how=$1 form=$2 groups=$3 collective=$4 try left=5 rounds=1
  [ "$how" = kill ] || left=6 rounds=5
  for try in 1 2 3 4 5; do
    MPITEST_TIMEOUT_S=60 job --with-ft ulfm --mca mpi_preconnect_mpi 1 "$faults" "$collective" --survive "$how" --actor 5 --form "$form" \
      --groups "$groups" --rounds $rounds --most-kib $most_kib </dev/null
    grep -q 'are left$' "$scratch/said" || break
  done
  row "survive $how" "$form" "$groups"
  tap_ok "survive $how, $mode: $form $collective, groups $groups, goes on with who is left" said "^$collective: .* left $left failures 0$"
  [ "$how" = kill ] || tap_ok "survive $how, $mode: $form $collective, groups $groups, ends well" said '^status 0 '
}

if wanted survive && [ "$OMPI_MAJOR" -ge 5 ] && "$OMPI_INFO" | grep -q 'FT MPI support: yes'; then
  for how in kill revoke; do
    while read -r form groups collectives; do
      for collective in $(names "$groups" "$collectives"); do survived $how "$form" "$groups" "$collective"; done
    done < <(plan survive)
  done
elif wanted survive; then
  tap_skip "survive" "Open MPI $OMPI_VERSION has no ULFM"
fi
tap_done
