#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# libwan_multicast under mpirun: on one to eight ranks, at sites by label and by a topology file, with and without a thread of its own.
# timeout-seconds: 300
. "$top_srcdir/tests/style/tap.sh"
. "$top_builddir/tests/environment"
program=$top_builddir/tests/mpi/mpi_multicast
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

# passes RANKS SITES ARGUMENTS...: a run without failures; SITES are labels, - for none.
passes() {
  local ranks=$1 labels=$2 sites=()
  shift 2
  [ "$labels" = - ] || sites=("$top_srcdir/tests/mpi/on_site" "$labels")
  timeout -k 10 100 "$MPIRUN" --oversubscribe --mca mpi_yield_when_idle 1 -n "$ranks" "${sites[@]}" "$program" "$@" >"$work/output" 2>&1
  local status=$?
  [ $status = 0 ] && grep -qE "^mpi_multicast: [1-9][0-9]* cases on $ranks ranks, 0 failures$" "$work/output" && return
  tail -n 30 "$work/output"
  return 1
}

for ranks in 1 2 3 8; do
  tap_ok "each function, on $ranks ranks" passes "$ranks" - calls
  tap_ok "random multicasts, on $ranks ranks" passes "$ranks" - many --seed "$ranks"
done
tap_ok "random multicasts over four sites" passes 8 a,b,c,d,a,b,c,d many --seed 11
tap_ok "a thousand at once over three sites" passes 8 a,a,c,b,b,b,c,a many --seed 12 --multicasts 1000
tap_ok "random multicasts with a thread" passes 5 a,b,b,a,b many --seed 13 --thread
tap_ok "destinations that all know" passes 8 a,b,c,d,a,b,c,d many --seed 19 --known
tap_ok "and with a thread" passes 5 a,b,b,a,b many --seed 20 --known --thread
tap_ok "long ones" passes 4 a,a,b,b many --seed 14 --multicasts 40 --most 8000000
tap_ok "topology IDs that are given" passes 7 - ids --seed 15
tap_ok "handlers" passes 6 a,b,c,a,b,c handlers --seed 16
tap_ok "handlers with a thread" passes 6 a,b,c,a,b,c handlers --seed 17 --thread
tap_ok "one process that does not receive holds up nobody" passes 5 a,a,b,b,b sleeper
tap_ok "nor with a thread" passes 5 a,a,b,b,b sleeper --thread

# lives SITES ARGUMENTS...: eight ranks, the last of which is lost, and the others tell that they have lived.
lives() {
  local labels=$1 status
  shift
  timeout -k 10 100 "$MPIRUN" --with-ft ulfm --oversubscribe --mca mpi_yield_when_idle 1 -n 8 "$top_srcdir/tests/mpi/on_site" "$labels" "$program" lost \
    "$@" >"$work/output" 2>&1
  status=$?
  [ $status != 124 ] && [ "$(grep -cE '^mpi_multicast: rank [0-6] has lived, 0 failures$' "$work/output")" = 7 ] && return
  echo "exit status $status"
  tail -n 30 "$work/output"
  return 1
}
for arguments in 'a,a,a,a,b,b,b,b --seed 31' 'a,b,c,d,a,b,c,d --seed 32 --multicasts 400' 'a,b,a,b,a,b,a,b --seed 33 --thread'; do
  name="a process that is lost holds up nobody, $arguments"
  # shellcheck disable=SC2086
  if [ "$OMPI_MAJOR" -ge 5 ]; then tap_ok "$name" lives $arguments; else tap_skip "$name" "Open MPI $OMPI_VERSION has no ULFM"; fi
done

# A topology file places hosts, and what is wrong with it is told once, by name and line.
cat >"$work/sites.toml" <<END
[site.here]
hosts = ["$(hostname)"]
END
export OMPI_MCA_coll_wan_topology=$work/sites.toml
tap_ok "sites by a topology file" passes 3 - many --seed 18
echo 'uplink = "fast"' >>"$work/sites.toml"
refused() { ! passes 3 - many && [ "$(grep -c "^libwan_multicast: $work/sites.toml:3: " "$work/output")" = 1 ]; }
tap_ok "a mistake in the file is told once" refused

# The examples of docs/multicast.md, built by the command in it, though against what is not installed yet.
# example LANGUAGE COMPILER PATTERN LINES: its program prints so many lines that match.
example() {
  local command
  awk -v begin='```'"$1" '$0 == "```" { on = 0 } on; $0 == begin { on = 1 }' "$top_srcdir/docs/multicast.md" >"$work/results.$1"
  command=$(grep '^mpicc results.c' "$top_srcdir/docs/multicast.md") || return
  command=${command/mpicc results.c/$2 results.$1}
  command=${command/pkg-config/pkg-config --define-variable=libdir=$top_builddir/.libs --define-variable=includedir=$top_srcdir/coll_wan/api}
  (cd "$work" && PKG_CONFIG_PATH=$top_builddir/coll_wan/api PATH=${MPIRUN%/*}:$PATH bash -c "$command" &&
    LD_LIBRARY_PATH=$top_builddir/.libs timeout 60 "$MPIRUN" --oversubscribe -n 4 ./results) >"$work/output" 2>&1 &&
    [ "$(grep -cE "$3" "$work/output")" = "$4" ] && return
  cat "$work/output"
  return 1
}
unset OMPI_MCA_coll_wan_topology
tap_ok "the example in C" example c mpicc '^rank [13] has 3 from rank 0$' 2
tap_ok "the example in C++" example cpp mpicxx '^rank [0-3] has heard of [3-6]$' 4
tap_done
