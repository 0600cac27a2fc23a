#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# At a terminal the command of a lab reads what is typed and gets ctrl-C, and the shell gets the terminal back.
# timeout-seconds: 100
. "$top_srcdir/bench/lab/tests/lab.sh" || exit 99
command -v script >/dev/null || { echo "the program 'script' (util-linux) is not here"; exit 77; }
need_lab

# typed TEXT SCRIPT: what SCRIPT prints at a terminal of its own, where TEXT is typed, a line a second, once it says "up".
typed() {
  echo "$2" >"$scratch/script"
  : >"$scratch/said"
  { for _ in $(seq 100); do grep -q up "$scratch/said" && break; sleep 0.1; done
    for line in $1; do printf "$line"; sleep 1; done
  } | timeout -k 1 30 script -qfc "bash $scratch/script" /dev/null >"$scratch/said"
  tr -d '\r' <"$scratch/said"
}
run="$wan_lab run --topology $scratch/sites.toml --ranks 1 --"

said=$(typed 'one\n two\n' "$run bash -c 'echo up; read line; echo inside got \$line'; read line; echo outside got \$line")
tap_ok "the command reads from the terminal" grep -q "^inside got one" <<<"$said"
tap_ok "then the shell reads again" grep -q "^outside got two" <<<"$said"

said=$(typed '\003' "trap : INT; $run bash -c 'echo up; sleep 50.$$'; echo status \$?")
tap_ok "ctrl-C ends the command" grep -q "status 130" <<<"$said"
tap_ok "nothing stays" is_silent pgrep -f "^sleep 50.$$"
tap_done
