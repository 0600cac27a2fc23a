#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# libwan_multicast built for MPICH, and run with it: the same sources, and the core that is built already. Skipped where MPICH is missing.
# timeout-seconds: 300
. "$top_srcdir/tests/style/tap.sh"
. "$top_builddir/tests/environment"
command -v mpicxx.mpich >/dev/null && command -v mpirun.mpich >/dev/null || { echo "MPICH is not installed"; exit 77; }
[ -z "$SANITIZER_FLAGS" ] || { echo "the core is built with sanitizers"; exit 77; }
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

build() {
  printf '%s\n' "$top_srcdir"/coll_wan/api/*.cc "$top_srcdir/tests/mpi/mpi_multicast.cc" | xargs -P 2 -I SOURCE sh -c \
    'mpicxx.mpich -std=c++20 -O1 -Wall -Wextra -Werror -DMPICH_SKIP_MPICXX -I"$1/coll_wan" -I"$1" -c SOURCE -o "$2/$(basename SOURCE .cc).o"' \
    sh "$top_srcdir" "$work" &&
    mpicxx.mpich "$work"/*.o "$top_builddir/.libs/libwancore.a" -lpthread -o "$work/mpi_multicast"
}
# passes RANKS SITES ARGUMENTS...
passes() {
  local ranks=$1 sites=$2
  shift 2
  timeout -k 10 60 mpirun.mpich -n "$ranks" sh -c 'OMPI_MCA_coll_wan_site=$(echo "$1" | cut -d, -f$((PMI_RANK + 1))); export OMPI_MCA_coll_wan_site
    shift; exec "$@"' sh "$sites" "$work/mpi_multicast" "$@" >"$work/output" 2>&1 &&
    grep -qE "^mpi_multicast: [1-9][0-9]* cases on $ranks ranks, 0 failures$" "$work/output" && return
  tail -n 30 "$work/output"
  return 1
}
tap_ok "it builds with MPICH" build
tap_ok "each function" passes 3 a,b,a calls
tap_ok "random multicasts" passes 4 a,a,b,b many --seed 21
tap_ok "random multicasts with a thread" passes 4 a,b,a,b many --seed 22 --thread
tap_ok "handlers" passes 4 a,a,b,b handlers --seed 23
tap_ok "one process that does not receive holds up nobody" passes 3 a,a,b sleeper
tap_done
