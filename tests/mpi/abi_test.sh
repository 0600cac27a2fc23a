#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A program for the standard ABI of MPI, compiled with mpicc_abi, runs with the component, which Open MPI 6.0 has been the first to allow.
. "$top_srcdir/tests/style/tap.sh"
. "$top_builddir/tests/environment"
[ "$OMPI_MAJOR" -ge 6 ] || { echo "Open MPI $OMPI_VERSION does not have the standard ABI"; exit 77; }
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

# The wrapper is one program, whose name says for what; not every distribution has it under this one.
mpicc_abi=$(command -v mpicc_abi) || {
  mpicc_abi=$work/mpicc_abi
  ln -s "$(readlink -f "$MPICC")" "$mpicc_abi"
}
compiles() { "$mpicc_abi" -Wall -Wextra "$top_srcdir/tests/mpi/abi.c" -o "$work/abi"; }

# needs PATTERN FILE: a library that FILE is linked with matches.
needs() { readelf -d "$2" | grep 'NEEDED' | grep -E "\[lib$1\.so"; }

# right RANKS LABELS COMPONENTS PATTERN: it is right, and a line matches.
right() {
  wan_mpirun --mca coll "$3" --mca coll_wan_verbose 1 -n "$1" "$top_srcdir/tests/mpi/on_site" "$2" "$work/abi" >"$work/output" 2>&1 &&
    grep -q "^abi: right on $1 ranks\$" "$work/output" && grep -qE "$4" "$work/output" || { cat "$work/output"; return 1; }
}
served='coll_wan: serves MPI_COMM_WORLD; sites \(ranks\): '

tap_ok "it compiles without a warning" is_silent compiles
tap_ok "it is a program for that ABI" complains . needs 'mpi_abi.*' "$work/abi"
tap_ok "and not for Open MPI's own" is_silent needs mpi "$work/abi"
tap_ok "nor does the component bring that" is_silent needs mpi "$WAN_COMPONENT_DIR/mca_coll_wan.so"
tap_ok "the component is linked with what both have below them" complains . needs open_mpi "$WAN_COMPONENT_DIR/mca_coll_wan.so"
tap_ok "right with coll_wan alone" right 3 a,b,a wan "${served}a \(2\) b \(1\)"
tap_ok "right with coll_wan beside others" right 5 a,b,c,a,b wan,tuned,basic,libnbc,self,inter "${served}a \(2\) b \(2\) c \(1\)"
tap_ok "right without" right 4 a,b,a,b tuned,basic,libnbc,self,inter .
tap_done
