#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# wan-datatypes as a command: every cell is right with coll_wan and without; mistakes are answered. The table that is made of its rows
# has status 1 where a goal is missed.
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

# table SITES_DERIVED_S WAN_S WAN_MIB WRONG: the table of a bcast whose contiguous data take 1 s over the sites, and with stock 1 s and 5 MiB.
table() {
  local results=$scratch/table header=cell,layout,mebibytes,seconds,taken_mib,wrong
  mkdir -p "$results"
  printf '%s\n' $header bcast,contiguous,16,1,1,0 "bcast,derived,16,$1,1,0" >"$results/sites.csv"
  printf '%s\n' $header bcast,contiguous,16,1,1,0 "bcast,derived,16,$2,$3,$4" >"$results/wan.csv"
  printf '%s\n' $header bcast,contiguous,16,1,1,0 bcast,derived,16,1,5,0 >"$results/stock.csv"
  "$top_srcdir/bench/datatypes/table" "$results"
}

tap_ok "a table that reaches its goals" table 1.2 1.9 12 0
tap_ok "slower over the sites is missed" misses 'bcast .* over the sites 1.4 x' table 1.4 1.9 12 0
tap_ok "slower on this machine is missed" misses 'bcast .* on this machine 2.1 x' table 1.2 2.1 12 0
tap_ok "more memory is missed" misses 'bcast .* 9 MiB more' table 1.2 1.9 14 0
tap_ok "a wrong result is missed" misses 'wrong results' table 1.2 1.9 12 1
tap_ok "with coll_wan" measures --mca coll wan,basic,libnbc
tap_ok "without coll_wan" measures --mca coll ^wan
tap_ok "a cell that is not there is refused" refused
tap_done
