#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# wan-datatypes as a command: every cell is right with coll_wan and without; mistakes are answered.
# timeout-seconds: 120
. "$top_srcdir/tests/style/tap.sh"
. "$top_builddir/tests/environment"
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
program=$top_builddir/bench/datatypes/wan-datatypes

# measures OPTIONS_OF_MPIRUN...: four ranks on two sites; a row for each cell and layout, none wrong.
measures() {
  wan_mpirun "$@" -n 4 "$top_srcdir/tests/mpi/on_site" a,b,a,b "$program" --mebibytes 1 --repetitions 1 >"$scratch/rows" || return 1
  awk -F, 'FNR > 1 && NF == 6 { rows++; if ($6 != 0 || !($4 > 0)) wrong = 1 } END { exit wrong || rows != 12 }' "$scratch/rows"
}
refused() { ! "$program" --cells star >"$scratch/said" 2>&1 && grep -q 'star not in' "$scratch/said"; }

tap_ok "with coll_wan" measures --mca coll wan,basic,libnbc
tap_ok "without coll_wan" measures --mca coll ^wan
tap_ok "a cell that is not there is refused" refused
tap_done
