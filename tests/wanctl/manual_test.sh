#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The manual page has every subcommand and option of --help, and no other; troff finds nothing wrong with it.
. "$top_srcdir/tests/wanctl/wanctl.sh" || exit 99
wanctl --manual >"$scratch/wanctl.1" || exit 99

# The subcommands that --help lists, and those below them.
subcommands() {
  local name below
  wanctl --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z-]*\) .*/\1/p' | while read -r name; do
    case $name in bench | lab) echo "$name"; continue ;; esac
    below=$(wanctl "$name" --help | sed -n "/^Subcommands:/,/^\$/s/^  \\([a-z-]*\\) .*/$name \\1/p")
    echo "${below:-$name}"
  done
}
# section NAME: of the page.
section() { awk -v start=".SS \\\\fBwanctl $1\\\\fR" 'index($0, ".SS ") == 1 {inside = index($0, start) == 1} /^\.SH/ {inside = 0} inside' "${2:-$scratch/wanctl.1}"; }
options_of_page() { section "$1" "$2" | grep '^\\fB\\-' | sed 's/\\-/-/g' | grep -oE -- '--[a-z-]+' | sort -u; }
options_of_help() {
  case $1 in bench | lab) return ;; esac
  # shellcheck disable=SC2086
  wanctl $1 --help | grep -oE '^ +(-[a-z],)?--[a-z-]+' | grep -oE -- '--[a-z-]+' | sort -u
}
differences() {
  local name
  subcommands | while read -r name; do
    [ -n "$(section "$name" "$1")" ] || echo "no section on $name"
    diff <(options_of_help "$name") <(options_of_page "$name" "$1") | sed -n "s/^[<>]/$name:&/p"
  done
}
sections_too_many() { comm -13 <(subcommands | sort) <(sed -n 's/^\.SS \\fBwanctl \([a-z -]*\)\\fR.*/\1/p' "$scratch/wanctl.1" | sort); }
has_enough() { [ "$(subcommands | wc -l)" -ge 9 ]; }
is_built() { [ ! -e "$top_builddir/wanctl.1" ] || cmp "$scratch/wanctl.1" "$top_builddir/wanctl.1"; }

tap_ok "there are subcommands" has_enough
tap_ok "the page has what --help has" is_silent differences "$scratch/wanctl.1"
tap_ok "and no more" is_silent sections_too_many
tap_ok "the page that is installed is this one" is_built
grep -v 'eager' "$scratch/wanctl.1" >"$scratch/wrong.1"
tap_ok "an option that is not there is found" complains '^plan:< --eager-window' differences "$scratch/wrong.1"
sed 's/wanctl topology show/wanctl topology hide/' "$scratch/wanctl.1" >"$scratch/wrong.1"
tap_ok "a subcommand that is not there is found" complains '^no section on topology show$' differences "$scratch/wrong.1"
if command -v groff >/dev/null; then
  tap_ok "troff finds nothing wrong" is_silent groff -man -ww -z "$scratch/wanctl.1"
  { cat "$scratch/wanctl.1"; echo '.XYZ'; } >"$scratch/wrong.1"
  tap_ok "it would" complains 'XYZ' groff -man -ww -z "$scratch/wrong.1"
else
  tap_skip "troff finds nothing wrong" "there is no groff"
fi
tap_ok "it is asked about exit statuses" complains '^A finding' cat "$scratch/wanctl.1"
tap_done
