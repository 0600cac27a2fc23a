#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The tables of docs/parameters.md are what the code has: every parameter of mca_params/params.def with its default, range and
# help, every algorithm of coll_wan/algo/algorithms.def with its help and collectives.
. "$top_srcdir/tests/style/tap.sh"
parameter_table=$top_builddir/tests/readme/parameter_table
page=$top_srcdir/docs/parameters.md

# table FILE NAME: the rows, without the two lines of the head.
table() { sed -n "/^<!-- $2:/,/^\$/p" "$1" | grep '^|' | tail -n +3; }

# differences FILE: what to put out of (<) or into (>) the tables of FILE.
differences() {
  diff <(table "$1" parameters; table "$1" algorithms) <("$parameter_table"; "$parameter_table" algorithms) | grep '^[<>]'
}

wrong=$(mktemp) || exit 99
trap 'rm -f "$wrong"' EXIT
# with_change SED_COMMAND: the differences of a page that was changed so.
with_change() {
  sed -e "$1" "$page" >"$wrong"
  differences "$wrong"
}

tap_ok "there are parameters" complains '^\| `topology` ' "$parameter_table"
tap_ok "the tables are params.def and algorithms.def" is_silent differences "$page"
tap_ok "a missing row is found" complains '^> .*`radix`' with_change '/^| `radix` /d'
tap_ok "a row too many is found" complains '^< .*`size`' with_change 's/^| `radix` .*/&\n| `size` | 1 | 0 to 1 | nothing |/'
tap_ok "another default is found" complains '^< .*`radix` \| 9 ' with_change 's/^\(| `radix` |\) [0-9]*/\1 9/'
tap_ok "a missing algorithm is found" complains '^> .*`relayed`' with_change '/^| `relayed` /d'
tap_ok "another meaning is found" complains '^< .*`verbose`.*never' with_change 's/^\(| `verbose` .*\) |$/\1 never |/'
tap_done
