#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Every source file says its licence, in its first five lines.
. "$top_srcdir/tests/style/tap.sh"

# Sources are what is compiled, run or read by a tool; prose, the licence itself and expected outputs are not.
is_source() {
  case $1 in
    *.md|LICENSE|NEWS|.gitignore|.gitattributes|.clang-format|.clang-tidy|*.txt|*.csv|*.svg|*.png|*.golden|*.dot) return 1 ;;
    coll_wan/packaging/debian/*.*|coll_wan/packaging/debian/source/*|*/debian/changelog|*/debian/copyright|*/debian/not-installed|*/debian/tests/control) return 1 ;;
    tests/fuzz/corpus/*|tests/golden/*/*|build-aux/*) return 1 ;;
  esac
}

check_licence() {
  local file
  files "$1" | while read -r file; do
    is_source "$file" || continue
    head -n 5 "$1/$file" | grep -q 'SPDX-License-Identifier: BSD-3-Clause' || echo "$file has no SPDX line"
  done
}

wrong=$(mktemp -d) || exit 99
trap 'rm -rf "$wrong"' EXIT
echo 'int main() {}' >"$wrong/a.cc"
printf '#!/bin/sh\n# SPDX-License-Identifier: GPL-2.0\n' >"$wrong/b"
printf '#!/bin/sh\n# SPDX-License-Identifier: BSD-3-Clause\n' >"$wrong/c"

tap_ok "every source has its SPDX line" is_silent check_licence "$top_srcdir"
tap_ok "the tree's files are seen at all" complains '^coll_wan/plan/program.h$' files "$top_srcdir"
tap_ok "a source without one is found" complains '^a.cc has no' check_licence "$wrong"
tap_ok "another licence is found" complains '^b has no' check_licence "$wrong"
tap_ok "the right line is not" test -z "$(check_licence "$wrong" | grep '^c ')"
tap_done
