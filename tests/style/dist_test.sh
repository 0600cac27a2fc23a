#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The tarball holds every file of the repository, except what serves the repository alone; tests may be executed.
# timeout-seconds: 120
. "$top_srcdir/tests/style/tap.sh"
command -v git >/dev/null && [ -e "$top_srcdir/.git" ] || { echo "there is no git tree"; exit 77; }

left_out='^(\.ci/|\.git|\.clang-)'

# check_dist LIST: files of the repository that LIST does not have.
check_dist() { files "$top_srcdir" | grep -vE "$left_out" | sort | comm -23 - <(sort "$1"); }

# not_executable FILES...: of those, the ones that nobody may execute.
not_executable() {
  local file
  for file in "$@"; do [ -x "$top_srcdir/$file" ] || echo "$file"; done
}
mapfile -t tests < <(files "$top_srcdir" | grep '_test\.sh$')

scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL
make -s -C "$top_builddir" distdir distdir="$scratch/dist" am__remove_distdir=: >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 99; }
(cd "$scratch/dist" && find . -type f | sed 's,^\./,,') >"$scratch/list"
grep -v '^coll_wan/plan/program.h$' "$scratch/list" >"$scratch/wrong"

tap_ok "every file is in the tarball" is_silent check_dist "$scratch/list"
tap_ok "a file that is not is found" complains '^coll_wan/plan/program.h$' check_dist "$scratch/wrong"
tap_ok "every test may be executed" is_silent not_executable "${tests[@]}"
tap_ok "one that may not is found" complains '^README.md$' not_executable "${tests[@]}" README.md
tap_done
