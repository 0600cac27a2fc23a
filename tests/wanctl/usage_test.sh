#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# wanctl as a whole: exit statuses, where it prints what, colours, and what it says of wrong command lines.
. "$top_srcdir/tests/wanctl/wanctl.sh" || exit 99

# A topology that is suspicious, for its colour.
printf '[defaults]\nlatency = "10 ms"\nbandwidth = "1 Gbit/s"\n[site.a]\nhosts = ["a1"]\n' >"$scratch/one.toml"

# on_terminal COMMAND: what it prints on a terminal, with the colours made visible.
on_terminal() { TERM=xterm timeout 20 script -qec "$1" /dev/null </dev/null | sed 's/\x1b/ESC/g'; }
check="'$top_builddir/wanctl' topology check '$scratch/one.toml'"
plain_on_terminal() { is_silent sh -c "$(declare -f on_terminal); NO_COLOR=1; export NO_COLOR; on_terminal \"$check\" | grep ESC"; }
plain_elsewhere() { ! TERM=xterm wanctl topology check "$scratch/one.toml" | grep -q "$(printf '\033')"; }
full() { wanctl plan bcast --sites ab >/dev/full; [ $? = 2 ]; }

tap_ok "--help" ends 0 '^  topology ' --help
tap_ok "--help of a subcommand" ends 0 '--topology FILE' plan --help
tap_ok "--help of a subcommand of a subcommand" ends 0 '--output FILE' draw tree --help
tap_ok "--help says what the exit status means" ends 0 '2 a wrong command line' --help
tap_ok "--version" ends 0 '^wanctl of coll_wan [0-9]' --version
tap_ok "no subcommand" ends 2 '^wanctl: A subcommand is required; see wanctl --help$'
tap_ok "a misspelt subcommand" ends 2 '^wanctl: "plna": did you mean "plan"\?$' plna
tap_ok "a misspelt one below another" ends 2 '^wanctl topology: "chek": did you mean "check"\?$' topology chek
tap_ok "one that is like no other" ends 2 '"xyzzy": no such subcommand; see wanctl --help' xyzzy
tap_ok "a misspelt option" ends 2 '^wanctl plan: "--tre": did you mean "--tree"\?$' plan bcast --tre flat
tap_ok "a word too many" ends 2 '^wanctl plan: "more": one word too many' plan bcast more
tap_ok "an option without its value" ends 2 'wanctl plan: --root: .*see wanctl plan --help' plan bcast --root
tap_ok "a value that is no number" ends 2 'wanctl plan: .*--root.*see wanctl plan --help' plan bcast --sites ab --root x
tap_ok "--complete needs no topology" ends 0 '^plan$' --complete p
if command -v script >/dev/null; then
  tap_ok "colours on a terminal" complains 'ESC\[33msuspiciousESC\[0m' on_terminal "$check"
  tap_ok "none with NO_COLOR" plain_on_terminal
  tap_ok "none on a terminal that has none" is_silent sh -c "TERM=dumb timeout 20 script -qec \"$check\" /dev/null | grep \"$(printf '\033')\""
else
  tap_skip "colours on a terminal" "there is no script(1)"
fi
tap_ok "none elsewhere" plain_elsewhere
if [ -e /dev/full ]; then tap_ok "output that cannot be written" full; fi
tap_done
