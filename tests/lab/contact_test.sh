#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The first collective after MPI_Init finds its connections open: it takes one wide-area latency, as every other. Without the
# first contact (coll_wan_preconnect none) it takes several round trips.
# timeout-seconds: 240
. "$top_srcdir/bench/lab/tests/lab.sh" || exit 99
. "$top_builddir/tests/environment"
need_lab
"$MPICC" -O1 -o "$scratch/first" "$top_srcdir/tests/lab/first_call.c" || exit 99

three_sites '40 ms' '12.5 MB/s'

# first EXTENT COLLECTIVE: what first_call measures with coll_wan_preconnect EXTENT.
first() {
  # shellcheck disable=SC2016
  lab --hosts 1 --ranks 2 -- bash -c 'exec "$@" $(($(date +%s) + 5))' bash "$MPIRUN" "${wan_component_arguments[@]}" \
    --mca coll wan,tuned,basic,libnbc,self --mca coll_wan_preconnect "$1" "$scratch/first" "$2"
}

for collective in bcast allreduce; do
  tap_ok "first $collective, coordinators have met" measures 40000 80000 first_us first coordinators $collective
  tap_ok "first $collective, all have met" measures 40000 80000 first_us first all $collective
  tap_ok "first $collective, nobody has met" measures 120000 2000000 first_us first none $collective
done
tap_ok "second allreduce, nobody has met before the first" measures 40000 80000 second_us first none allreduce
tap_done
