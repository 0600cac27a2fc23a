#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# However a lab ends, no process, namespace, interface, mount or file of it stays.
# timeout-seconds: 180
. "$top_srcdir/bench/lab/tests/lab.sh" || exit 99
export TMPDIR=$scratch
need_lab
mark=$((RANDOM + 100000)).$$   # seconds that nobody else sleeps

# The command of every lab here: leaves a daemon in another site, writes the namespaces of all hosts, then does $1.
inside='
  mark='$mark'
  for host in a-1 a-2 b-1; do "$WAN_LAB_AGENT" $host readlink /proc/self/ns/net /proc/self/ns/uts; done >"$0"
  readlink /proc/self/ns/mnt /proc/self/ns/pid >>"$0"
  setsid "$WAN_LAB_AGENT" b-1 "sleep $mark" </dev/null >/dev/null 2>&1 &
  until pgrep -f "^sleep $mark" >/dev/null; do sleep 0.02; done
  echo up >>"$0"
'
outside_view() { cat /proc/self/mountinfo; ip -o link | cut -d: -f2; ls /run/netns 2>/dev/null; }
# The processes of a lab here; grep's status says nothing: a process of the machine may end between the list and the look.
processes_left() { env -u TMPDIR grep -ls "$scratch/wan-lab-" /proc/[0-9]*/environ; }
# Namespaces of the list in $1 that a process of ours is in; the kernel gives the numbers to others again.
namespaces_left() {
  local process
  for process in $(processes_left); do readlink "${process%/environ}"/ns/* 2>/dev/null; done | grep -Fxf <(grep : "$1")
}
directories_left() { ls -d "$scratch"/wan-lab-* 2>/dev/null; }

# nothing_stays NAME: after the lab whose namespaces stand in $scratch/NAME
nothing_stays() {
  for _ in $(seq 400); do is_silent processes_left >/dev/null && break; sleep 0.05; done
  tap_ok "$1: it was up" grep -qx up "$scratch/$1"
  tap_ok "$1: seven namespaces were seen" test "$(grep -c : "$scratch/$1")" -ge 7
  tap_ok "$1: no process stays" is_silent processes_left
  tap_ok "$1: no namespace stays" is_silent namespaces_left "$scratch/$1"
  tap_ok "$1: no mount, interface or name outside" diff <(echo "$before") <(outside_view)
}

# until_up NAME: waits for the lab in the background
until_up() { for _ in $(seq 200); do grep -qsx up "$scratch/$1" && return; sleep 0.05; done; }

# ended NAME SIGNAL STATUS: a lab that gets a signal ends with this status
ended() {
  "$wan_lab" run --topology "$scratch/sites.toml" --ranks 2 -- bash -c "$inside sleep $mark" "$scratch/$1" 2>/dev/null &
  local lab=$!
  until_up "$1"
  kill -s "$2" $lab
  wait $lab 2>/dev/null
  tap_ok "$1: exit status $3" test $? = "$3"
}

before=$(outside_view)
two_sites "1 ms" "1 MB/s" "1 ms" "1 MB/s"
sed -i '/^\[site.c\]/,/^hosts/d' "$scratch/sites.toml"

lab --ranks 2 -- bash -c "$inside exit 0" "$scratch/success"
tap_ok "success: exit status 0" test $? = 0
nothing_stays success
tap_ok "success: no directory stays" is_silent directories_left

lab --ranks 2 -- bash -c "$inside exit 3" "$scratch/failure"
tap_ok "failure: exit status 3" test $? = 3
nothing_stays failure
tap_ok "failure: no directory stays" is_silent directories_left

lab --ranks 2 -- "$scratch/no-such-program" 2>"$scratch/said"
tap_ok "a command that is not there: exit status 127" test $? = 127
tap_ok "a command that is not there: it is named" grep -q no-such-program "$scratch/said"

ended interrupt INT 130
nothing_stays interrupt
tap_ok "interrupt: no directory stays" is_silent directories_left

ended terminate TERM 143
nothing_stays terminate
tap_ok "terminate: no directory stays" is_silent directories_left

ended kill KILL 137 2>/dev/null
nothing_stays kill
tap_ok "kill: an empty directory stays" test -n "$(directories_left)"
"$wan_lab" down >/dev/null
tap_ok "down removes it" is_silent directories_left

"$wan_lab" run --topology "$scratch/sites.toml" --ranks 2 -- bash -c "$inside sleep $mark" "$scratch/alive" 2>/dev/null &
until_up alive
"$wan_lab" down >/dev/null
tap_ok "down leaves a living lab alone" test -n "$(directories_left)"
kill $!
wait $!

# The checks see what they look for.
TMPDIR=$scratch/wan-lab-0/tmp sleep 60 &
for _ in $(seq 100); do is_silent processes_left >/dev/null || break; sleep 0.05; done
tap_ok "a process that stays is found" test -n "$(processes_left)"
readlink /proc/$!/ns/net >"$scratch/wrong"
tap_ok "a namespace that stays is found" test -n "$(namespaces_left "$scratch/wrong")"
kill $!
tap_done
