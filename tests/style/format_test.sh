#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Every source file is laid out as .clang-format says. Other versions of clang-format lay some lines out differently, so this
# asks for one version, and is skipped where that is not installed.
. "$top_srcdir/tests/style/tap.sh"
version=14

# The formatter of that version, or nothing.
formatter() {
  local program
  for program in "clang-format-$version" clang-format; do
    "$program" --version 2>/dev/null | grep -q "version $version\." && echo "$program" && return
  done
}

# check_format ROOT: the lines that are laid out differently.
check_format() {
  files "$1" | grep -E '\.(h|cc|c)$' | sed "s,^,$1/," | xargs "$clang_format" --dry-run --style="file:$top_srcdir/.clang-format" 2>&1 |
    sed -n 's/: code should be clang-formatted.*/ is not laid out as .clang-format says/p'
}

clang_format=$(formatter)
if [ -z "$clang_format" ]; then
  tap_skip "every source is laid out as .clang-format says" "clang-format $version is not installed"
  tap_done
fi
wrong=$(mktemp -d) || exit 99
trap 'rm -rf "$wrong"' EXIT
printf 'int main( ) { return 0; }\n' >"$wrong/a.cc"
printf 'int main() {\n  return 0;\n}\n' >"$wrong/b.cc"

tap_ok "every source is laid out as .clang-format says" is_silent check_format "$top_srcdir"
tap_ok "a space too many is found" complains 'a.cc:1:10: .*is not laid out' check_format "$wrong"
tap_ok "what is right is not" test -z "$(check_format "$wrong" | grep b.cc)"
tap_done
