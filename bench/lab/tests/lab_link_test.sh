#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A job changes links while it runs, from any host: what enters afterwards sees the change. A mistake is one sentence and status 2.
# timeout-seconds: 120
. "$top_srcdir/bench/lab/tests/lab.sh" || exit 99
need_lab
two_sites "2 ms" "50 MB/s" "2 ms" "50 MB/s"

# one_way COMMANDS: what the probe measures between a-1 and b-1 after COMMANDS.
one_way() {
  lab --ranks 1 -- bash -c '. "$lab_shell"; in_background b-1 reflect reflect 7000; '"$1"'; "$lab_probe" one-way b-1 7000 21'
}
change='"$WAN_LAB_LINK"'
tap_ok "latency, both ways: there" measures 40000 40500 forward_us one_way "$change a b latency '40 ms'"
tap_ok "latency, both ways: back" measures 40000 40500 backward_us one_way "$change a b latency '40 ms'"
tap_ok "latency, one way: there" measures 2000 2500 forward_us one_way "$change b a latency '40 ms' one-way"
tap_ok "latency, one way: back" measures 40000 40500 backward_us one_way "$change b a latency '40 ms' one-way"
tap_ok "from another host" measures 40000 40500 forward_us one_way '"$WAN_LAB_AGENT" b-1 "$WAN_LAB_LINK" a b latency 40ms'
tap_ok "a link that was down is up" measures 2000 2500 forward_us one_way "$change a b down; $change a b up"

# received COMMANDS: the rate at which a TCP stream from a to b arrives, with COMMANDS before it.
received() {
  lab --ranks 1 -- bash -c '
    . "$lab_shell"
    in_background b-1 received sink 7000 4000000; '"$1"'
    "$lab_probe" stream b-1 7000 4000000
    wait; result received'
}
tap_ok "bandwidth" measures 7600000 8400000 rate received "$change a b bandwidth '8 MB/s'"
tap_ok "and back" measures 47500000 52500000 rate received "$change a b bandwidth '8 MB/s'; $change a b bandwidth '50 MB/s'"

# blast COMMANDS: how many of 1000 packets from a to b arrive, with COMMANDS before them.
blast() {
  lab --ranks 1 -- bash -c '
    . "$lab_shell"
    in_background b-1 received receive --idle-ms 500 7000 1000; '"$1"'
    "$lab_probe" blast b-1 7000 --rate 20000000 1000 72
    wait; echo $(result received) $("$lab_probe" counters | grep "^a b ")'
}
tap_ok "nothing passes a link that is down" measures 0 0 packets blast "$change a b down"
tap_ok "and all of it is counted as lost" measures 1000 1000 lost blast "$change a b down"
tap_ok "a site is cut off from all" measures 1000 1000 lost blast "$change b '*' down"
tap_ok "the other direction goes on" measures 1000 1000 packets blast "$change b a down one-way"
# four standard deviations of 1000 trials at 0.2
tap_ok "loss" measures 150 250 lost blast "$change a b loss '20 %'"

# refused PATTERN WORDS: a command that is wrong, given in a lab.
refused() {
  local said status
  said=$(lab --ranks 1 -- bash -c "$change $2" 2>&1)
  status=$?
  [ $status = 2 ] && [ "$(wc -l <<<"$said")" = 1 ] && grep -qE -e "$1" <<<"$said" || { echo "status $status: $said"; return 1; }
}
tap_ok "an unknown site is refused" refused '^link: "osaka": no site of this lab; its sites are a, b, c$' "a osaka down"
tap_ok "a latency without unit is refused" refused '^link: latency = "40": ' "a b latency 40"
tap_ok "no words are refused" refused '^link: expected FROM TO' ""
tap_done
