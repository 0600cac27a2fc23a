#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# timeout-seconds: 300
# Other point-to-point layers of Open MPI than ob1, and components that stand before it or coll_wan: samples of what tests/mpi/run runs, which
# layer is found, and that segments are as short as it needs, on all processes as the first one says. A layer that is not installed is skipped.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}" "${top_builddir:=$PWD}"
. "$top_srcdir/tests/style/tap.sh"
. "$top_builddir/tests/environment"
seed=1
export MPITEST_TIMEOUT_S=${MPITEST_TIMEOUT_S:-60} launch_limit_s=120
. "$top_srcdir/tests/mpi/launch.sh"

has() { "$OMPI_INFO" --parsable | grep -q "^mca:$1:version:"; }

# found PML LIMIT: coll_wan says which layer it has found, and what that sends at once.
found() {
  extra=(--mca coll_wan_verbose 1)
  says "coll_wan: messages go by PML $1, which sends up to $2 bytes without asking the receiver$" 5 cyclic alone mpi_collectives --max-cases 100
}

# as_first VARIABLES: a bcast of 28 bytes where the first process alone has these variables, by which segments are 2 bytes long.
as_first() {
  local programs=$work
  printf '#!/bin/sh\n[ "$OMPI_COMM_WORLD_RANK" != 0 ] || export %s\nexec "%s/tests/mpi/mpi_collectives" "$@"\n' "$1" "$top_builddir" \
    >"$work/mpi_collectives"
  chmod +x "$work/mpi_collectives"
  extra=(--mca coll_wan_streams 0 --mca coll_wan_verbose 2)
  says 'coll_wan: bcast of 28 bytes .* sends 28 messages with 56 bytes' 3 own alone \
    mpi_collectives --collective bcast --count seven --shape int --communicator world --root first --max-cases 1
}

# layer NAME WORDS PML LIMIT VARIABLES
layer() {
  local name=$1
  go_by $2
  tap_ok "$name: collectives, and what is found" found "$3" "$4"
  tap_ok "$name: the first process says how long segments are" as_first "$5"
  extra=()
  tap_ok "$name: an application's messages stay its own" passes 5 cyclic alone mpi_tags --rounds 4
  tap_ok "$name: overlapping calls" passes 5 cyclic alone mpi_overlap --rounds 8
  tap_ok "$name: threads" passes 3 own alone mpi_threads --rounds 20
  tap_ok "$name: intercommunicators, beside others" passes 4 cyclic beside mpi_intercomm --max-cases 20 --form blocking
}

# stock_has COMPONENTS WAY: Open MPI has them, and does not crash with them where there is no coll_wan, as 6.0.0rc2 does.
stock_has() {
  local component
  for component in $1; do has "$component" || { why="Open MPI has no $component"; return 1; }; done
  go_by "$2"
  extra=()
  launch 2 own stock mpi_collectives --stock --form blocking --max-cases 2 || { why="Open MPI $OMPI_VERSION crashes with it by itself"; return 1; }
}

of_ucx=UCX_RNDV_THRESH=3
of_libfabric=FI_TCP_MAX_SAVED_SIZE=2
if has pml:ucx; then
  layer "UCX over TCP" ucx-tcp ucx 8191 $of_ucx
  layer "UCX over shared memory" ucx-shm ucx 8191 $of_ucx
else
  tap_skip "UCX" "Open MPI has no pml/ucx"
fi
if has pml:cm && has mtl:ofi; then
  layer "libfabric over TCP" ofi-tcp cm 16384 $of_libfabric
  go_by ofi-tcp
  extra=(--mca mtl_ofi_tag_mode ofi_tag_2)
  tap_ok "libfabric, with few bits for tags: an application's messages stay its own" passes 5 cyclic alone mpi_tags --rounds 4
  tap_ok "libfabric, with few bits for tags: overlapping calls" passes 5 cyclic alone mpi_overlap --rounds 8
  # 128-byte segments of a long message are more than can be received at once.
  extra=(-x FI_OFI_RXM_RX_SIZE=256 --mca coll_wan_segment 128)
  tap_ok "libfabric, with few places for messages" passes 5 cyclic alone mpi_collectives --collective allgather,bcast --form blocking \
    --count large --shape int --communicator world --max-cases 2
else
  tap_skip "libfabric" "Open MPI has no pml/cm with mtl/ofi"
fi
if stock_has 'pml:monitoring coll:monitoring' monitoring; then
  tap_ok "pml/monitoring stands before ob1" found ob1 65408
else
  tap_skip "pml/monitoring" "$why"
fi
if stock_has coll:sync sync; then
  tap_ok "coll/sync stands before coll_wan" passes 5 cyclic beside mpi_collectives --form blocking --max-cases 200
  tap_ok "coll/sync stands before coll_wan on intercommunicators" passes 5 contiguous beside mpi_intercomm --form blocking --max-cases 10
else
  tap_skip "coll/sync" "$why"
fi
tap_done
