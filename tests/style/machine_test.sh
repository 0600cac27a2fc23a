#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# No file and no commit names a path of one machine or the host of a package registry.
. "$top_srcdir/tests/style/tap.sh"

# Written so that the pattern does not match itself.
patterns='(^|[^A-Za-z0-9_.$}])/(wor[k]|far[m]|roo[t]|hom[e])/|/tmp/[w]($|[^A-Za-z0-9_])|[^w]\.debian[.]org|registry[.]npmjs|pypi[.]org'

check_tree() {
  local file
  files "$1" | while read -r file; do
    grep -InHE -e "$patterns" "$1/$file" | sed "s,^$1/,,"
  done
}

# Every line that a commit adds, and every commit message.
check_history() {
  git -C "$1" log --no-color -p --format='commit %h%nmessage %s%n%b' HEAD |
    awk '/^commit /{commit = $2; next} /^[+][+][+] /{next} /^[+]/ || !/^[-+@ ]/{print commit ": " $0}' |
    grep -E -e "$patterns"
}

wrong=$(mktemp -d) || exit 99
trap 'rm -rf "$wrong"' EXIT
for line in "see /wor""k/notes" "cd /tmp/""w" "/roo""t/.ccache" "deb http://deb.debian"".org/debian"; do
  echo "$line" >>"$wrong/a.txt"
done
git_there=$(git -C "$top_srcdir" rev-parse --show-toplevel 2>/dev/null)

tap_ok "the tree names no machine" is_silent check_tree "$top_srcdir"
for line in 1 2 3 4; do
  tap_ok "wrong line $line is found" complains "^a.txt:$line:" check_tree "$wrong"
done
if [ -n "$git_there" ] && [ "$git_there" = "$(cd "$top_srcdir" && pwd -P)" ]; then
  tap_ok "no commit names a machine" is_silent check_history "$top_srcdir"
else
  tap_skip "no commit names a machine" "this is not a git tree"
fi
if command -v git >/dev/null; then
  git -C "$wrong" init -q
  git -C "$wrong" add a.txt
  git -C "$wrong" -c user.name=Test -c user.email=test@localhost commit -q -m "Add a.txt"
  git -C "$wrong" rm -q a.txt
  git -C "$wrong" -c user.name=Test -c user.email=test@localhost commit -q -m "Remove it: it named /wor""k/notes"
  tap_ok "a line that a later commit removed is found" complains ': \+cd /tmp/' check_history "$wrong"
  tap_ok "a commit message is read" complains ': message Remove it' check_history "$wrong"
else
  tap_skip "a line that a later commit removed is found" "there is no git"
  tap_skip "a commit message is read" "there is no git"
fi
tap_done
