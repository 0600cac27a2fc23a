#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# timeout-seconds: 400
# Messages over connections of coll_wan's own (coll_wan_streams): samples of what tests/mpi/run runs.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}" "${top_builddir:=$PWD}"
. "$top_srcdir/tests/style/tap.sh"
. "$top_builddir/tests/environment"
seed=1
export MPITEST_TIMEOUT_S=${MPITEST_TIMEOUT_S:-60} launch_limit_s=120
. "$top_srcdir/tests/mpi/launch.sh"

# The first process says so of its streams.
some='coll_wan: [1-9][0-9]* messages of process 0 went over streams, of which it opened [1-9]'
# Where nobody says otherwise Debian's Open MPI 6.0 keeps to the loopback, where there is nobody else to call.
interface=$(ip -o -4 address show scope global up | awk '{ print $2; exit }')
[ -n "$interface" ] || { echo "1..0 # SKIP no interface but the loopback"; exit 0; }
of_streams=(--mca coll_wan_verbose 2 --mca btl_tcp_if_include "$interface" --mca coll_wan_streams)
large='--count large --shape int,vector --max-cases 120'

extra=("${of_streams[@]}" 3)
for layout in own cyclic; do
  for form in blocking nonblocking persistent; do
    tap_ok "$form collectives, layout $layout" says "$some" 5 $layout alone mpi_collectives --form $form $large
  done
done
tap_ok "intercommunicators" passes 5 cyclic alone mpi_intercomm --max-cases 40
tap_ok "neighbourhoods" passes 5 own alone mpi_neighbor --max-cases 60
tap_ok "threads" passes 3 own alone mpi_threads --rounds 20
tap_ok "overlapping calls" passes 5 cyclic alone mpi_overlap --rounds 8
tap_ok "messages of uneven lengths" passes 3 own alone mpi_collectives --collective bcast,allgather,alltoallv --form blocking --count uneven_large --max-cases 20
extra=("${of_streams[@]}" 0)
tap_ok "not where the parameter is 0" passes 3 own alone mpi_collectives --form blocking $large
tap_ok "and nothing is said of them" is_silent grep -a 'over streams' "$work/output"
tap_done
