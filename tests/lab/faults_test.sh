#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# timeout-seconds: 600
# Something breaks in the middle of a collective: nobody waits for ever, what is delivered is right, and what MPI lets go on goes on.
#   tests/lab/faults_test.sh [--full] [--stock] [--only PATTERN] [--collectives NAME,...]
# --full: every collective, and a link that stalls for 30 s (an hour); without it a few, in about a minute. --stock: Open MPI's own
# components, without coll_wan. --only: the faults whose name matches: stall, loss, latency, kill, cut, survive. --collectives: these instead.
# The lines that begin with "# row" are those of the tables in tests/lab/README.md: fault, collective, what was measured.
. "$top_srcdir/bench/lab/tests/lab.sh" || exit 99
. "$top_builddir/tests/environment"
full=no mode=coll_wan only=. chosen=
while [ $# -gt 0 ]; do
  case $1 in
    --full) full=yes ;;
    --stock) mode=stock ;;
    --only) only=$2; shift ;;
    --collectives) chosen=$2; shift ;;
    *) sed -n '5,8s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
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

# row FAULT: the lines of the program, as rows.
row() { sed -n "s/^\([a-z_]*\): \([a-z_]*_ms .*\|proc_failed .*\)$/# row $1 \1 \2/p" "$scratch/said"; }

# all_right COLLECTIVES: the job ended well, and had that many collectives.
all_right() {
  local names=${1//[^,]/}
  [ "$1" != all ] || names=$(printf '%21s')
  grep -q "^faults: $((${#names} + 1)) cases on 6 ranks, 0 failures$" "$scratch/said" && grep -q '^status 0 ' "$scratch/said" || show
}

# longest FIELDS: the longest call in any of these fields, in any collective.
longest() { awk -v fields=" $* " '/_ms / { for (i = 1; i < NF; i++) if (index(fields, " " $i " ") && $(i + 1) + 0 > most) most = $(i + 1) + 0 } END { print "longest_ms", most + 0 }' "$scratch/said"; }

# repaired FAULT LEAST COLLECTIVES ARGUMENTS: a fault that passes, or that TCP mends: right results, and a call of LEAST ms or more, or nothing
# has been hit.
repaired() {
  local fault=$1 least=$2 collectives=$3
  shift 3
  MPITEST_TIMEOUT_S=${limit_s:-60} job "$faults" "$collectives" "$@"
  row "$fault"
  tap_ok "$fault, $mode: right results of $collectives" all_right "$collectives"
  tap_ok "$fault, $mode: a call was hit" between "$least" "$(field longest_ms "$(longest hit_ms then_ms)")" 1000000
}

every=allreduce,alltoallv,neighbor_alltoall stalled=allreduce stall_s=2 lossy_calls=5
[ $full = no ] || { every=all stalled=all stall_s=30 lossy_calls=20; }
[ -z "$chosen" ] || every=$chosen stalled=$chosen
wanted stall && limit_s=300 repaired "stall of $stall_s s" $((stall_s * 1000)) $stalled \
  --fault "\$WAN_LAB_LINK s3 '*' down; (sleep $stall_s; \$WAN_LAB_LINK s3 '*' up) &"
wanted loss && repaired "loss of 1 %" 50 $every --calls $lossy_calls \
  --fault "\$WAN_LAB_LINK '*' '*' loss '1 %'" --heal "\$WAN_LAB_LINK '*' '*' loss '0 %'"
three_sites '30 ms' '2 MB/s'
wanted latency && repaired "ten times the latency" 300 $every \
  --fault "\$WAN_LAB_LINK '*' '*' latency '300 ms'" --heal "\$WAN_LAB_LINK '*' '*' latency '30 ms'"
three_sites '50 ms' '2 MB/s'

# ended FAULT MOST ARGUMENTS: for each collective a job that ends by itself, unfinished, within MOST ms of the fault, and leaves no process.
# (The exit status of mpirun 5.0.7 is 0 all the same where a daemon is lost.)
ended() {
  local fault=$1 most=$2 collective after
  shift 2
  for collective in ${endings//,/ }; do
    MPITEST_TIMEOUT_S=900 job "${endings_mca[@]}" "$faults" "$collective" "$@"
    after=$(awk '/^fault at / { begin = $3 } / ended_at / { end = $4 } END { if (begin && end) print end - begin }' "$scratch/said")
    echo "# row $fault $collective ended_ms $after gone_ms $(field gone "$(cat "$scratch/said")")"
    tap_ok "$fault, $mode: $collective ends, after $after ms" between 0 "$after" "$most"
    tap_ok "$fault, $mode: $collective is not finished" is_silent grep '^faults: ' "$scratch/said"
    tap_ok "$fault, $mode: nobody is left of $collective" between 0 "$(field gone "$(cat "$scratch/said")")" "$most"
  done
}

endings=allreduce survivors=allreduce,bcast
if [ $full = yes ]; then
  endings=allgather,allgatherv,allreduce,alltoall,alltoallv,alltoallw,barrier,bcast,exscan,gather,gatherv,reduce,reduce_scatter
  endings+=,reduce_scatter_block,scan,scatter,scatterv,neighbor_allgather,neighbor_allgatherv,neighbor_alltoall,neighbor_alltoallv
  endings+=,neighbor_alltoallw
  survivors=$endings
fi
[ -z "$chosen" ] || endings=$chosen survivors=$chosen
endings_mca=()
# shellcheck disable=SC2016
wanted kill && ended kill 20000 --actor 5 --fault 'kill -9 $PPID' --calls 100000
# What ends the wait is the daemons' keepalive: 300 s, then 9 probes of 20 s, by default.
if [ "$OMPI_MAJOR" -lt 5 ]; then
  endings_mca=(--mca oob_tcp_keepalive_time 5 --mca oob_tcp_keepalive_intvl 1 --mca oob_tcp_keepalive_probes 3)
else
  endings_mca=(--prtemca oob_tcp_keepalive_time 5 --prtemca oob_tcp_keepalive_intvl 1 --prtemca oob_tcp_keepalive_probes 3)
fi
wanted cut && ended cut 30000 --fault "\$WAN_LAB_LINK s3 '*' down" --calls 100000

# survived HOW COLLECTIVE: who is left gets an error and goes on, with right results. Of Open MPI 5.0.7 itself, without coll_wan too: its
# agreement waits for ever for processes that have no connection yet, so all connect first; and at times it takes a living process for dead:
# that is tried again.
survived() {
  local how=$1 collective=$2 try left=5
  [ "$how" = kill ] || left=6
  for try in 1 2 3 4 5; do
    MPITEST_TIMEOUT_S=60 job --with-ft ulfm --mca mpi_preconnect_mpi 1 "$faults" "$collective" --survive "$how" --actor 5
    grep -q 'are left$' "$scratch/said" || break
  done
  row "survive $how"
  tap_ok "survive $how, $mode: $collective goes on with who is left" said "^$collective: .* left $left failures 0$"
  [ "$how" = kill ] || tap_ok "survive $how, $mode: $collective ends well" said '^status 0 '
}

if wanted survive && [ "$OMPI_MAJOR" -ge 5 ] && "$OMPI_INFO" | grep -q 'FT MPI support: yes'; then
  for how in kill revoke; do
    for collective in ${survivors//,/ }; do survived $how "$collective"; done
  done
elif wanted survive; then
  tap_skip "survive" "Open MPI $OMPI_VERSION has no ULFM"
fi
tap_done
