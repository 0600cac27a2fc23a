#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# wanctl bench and wanctl lab find their programs and hand over all words.
. "$top_srcdir/tests/wanctl/wanctl.sh" || exit 99

# A copy of wanctl, with programs that print their name and words and end with status 7, where they may be.
cp "$top_builddir/wanctl" "$scratch/wanctl" || exit 99
fake() {
  mkdir -p "$(dirname "$scratch/$1")" && printf '#!/bin/sh\necho "%s" "$@"\nexit 7\n' "$1" >"$scratch/$1" && chmod +x "$scratch/$1"
}
# hands_over LINE WORDS...: prints the line and ends with status 7.
hands_over() {
  local expected=$1 output
  shift
  output=$(PATH=$scratch/path:$PATH timeout 20 "$scratch/wanctl" "$@" 2>&1)
  [ $? = 7 ] && [ "$output" = "$expected" ] || { echo "$output"; return 1; }
}
limit=$(command -v timeout)
finds_nothing() {
  PATH=$scratch/path "$limit" 20 "$scratch/wanctl" "$1" >"$scratch/out" 2>"$scratch/err"
  [ $? = 2 ] && [ ! -s "$scratch/out" ] && grep -qE "$2" "$scratch/err" || { cat "$scratch/err"; return 1; }
}

tap_ok "no wan-lab anywhere" finds_nothing lab '^wanctl: wan-lab: is neither .*bench/lab of that to PATH'
tap_ok "no wan-bench-compare anywhere" finds_nothing bench '^wanctl: wan-bench-compare: is neither'
fake path/wan-lab
tap_ok "in PATH" hands_over 'path/wan-lab run' lab run
fake wan-lab
tap_ok "beside wanctl" hands_over 'wan-lab run' lab run
fake bench/lab/wan-lab
tap_ok "in the build folder" hands_over 'bench/lab/wan-lab run --topology a.toml -- mpirun --help -- x' lab run --topology a.toml -- mpirun --help -- x
tap_ok "--help too" hands_over 'bench/lab/wan-lab --help' lab --help
fake bench/collectives/wan-bench-compare
tap_ok "the benchmark" hands_over 'bench/collectives/wan-bench-compare --sizes 8' bench --sizes 8
chmod -x "$scratch/bench/lab/wan-lab"
tap_ok "one that may not be run is passed over" hands_over 'wan-lab run' lab run
if [ -x "$top_builddir/bench/lab/wan-lab" ]; then
  tap_ok "the lab of this build" ends 0 '--topology' lab run --help
else
  tap_skip "the lab of this build" "it is not built"
fi
tap_done
