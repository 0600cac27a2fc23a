# SPDX-License-Identifier: BSD-3-Clause
# What the tests of wanctl share. Source it.
. "$top_srcdir/tests/style/tap.sh"
presets=$top_srcdir/mca_params
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

wanctl() { timeout 60 "$top_builddir/wanctl" "$@"; }

# ends STATUS PATTERN ARGUMENTS...: wanctl ends with this status, and prints a line that matches to standard output if the
# status is 0 or 1, else to standard error, and nothing to standard output.
ends() {
  local status=$1 pattern=$2 got stream=out
  shift 2
  wanctl "$@" >"$scratch/out" 2>"$scratch/err"
  got=$?
  [ "$status" != 2 ] || stream=err
  if [ $got = "$status" ] && grep -qE -e "$pattern" "$scratch/$stream" && { [ "$status" != 2 ] || [ ! -s "$scratch/out" ]; }; then
    return
  fi
  printf 'exit status %s, pattern %s, expected on std%s:\n' $got "$pattern" $stream
  cat "$scratch/out" "$scratch/err"
  return 1
}
