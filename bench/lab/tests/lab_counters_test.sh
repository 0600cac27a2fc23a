#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The counters are those of a known exchange, while the lab runs and in its reports.
# timeout-seconds: 120
. "$top_srcdir/bench/lab/tests/lab.sh" || exit 99
need_lab

two_sites "2 ms" "50 MB/s" "3 ms" "50 MB/s"
said=$(lab --ranks 1 --report "$scratch/report.json" --report "$scratch/report.csv" -- bash -c '
  . "$lab_shell"
  in_background b-1 udp receive 7000 37
  "$lab_probe" counters | grep "^a b" | sed "s/^/before /"
  "$lab_probe" blast b-1 7000 37 100
  wait
  "$lab_probe" counters | sed "s/^/udp /"
  in_background b-1 tcp sink 7001 1000000
  "$lab_probe" stream b-1 7001 1000000
  wait
  "$lab_probe" counters | sed "s/^/tcp /"')

line() { grep "^$1 " <<<"$said"; }
tap_ok "nothing is counted before" test "$(line "before a b")" = "before a b packets 0 ip_bytes 0 tcp_payload_bytes 0 tcp_stream_bytes 0 lost 0 overflowed 0 other_ip_bytes 0"
tap_ok "37 datagrams of 100 bytes" test "$(line "udp a b")" = "udp a b packets 37 ip_bytes $((37 * 128)) tcp_payload_bytes 0 tcp_stream_bytes 0 lost 0 overflowed 0 other_ip_bytes 0"
tap_ok "no packet goes back" test "$(field packets "$(line "udp b a")")" = 0
tap_ok "no packet goes elsewhere" test "$(field packets "$(line "tcp a c")")" = 0
tap_ok "a TCP stream of 1,000,000 bytes" test "$(field tcp_stream_bytes "$(line "tcp a b")")" = 1000000
tap_ok "acknowledgements carry nothing" test "$(field tcp_payload_bytes "$(line "tcp b a")")" = 0
tap_ok "acknowledgements are packets" between 5 "$(field packets "$(line "tcp b a")")" 1000

lossy=$(lab --ranks 1 --loss "2 %" --seed 7 -- bash -c '
  . "$lab_shell"
  in_background b-1 tcp sink 7001 1000000
  "$lab_probe" stream b-1 7001 1000000
  wait
  "$lab_probe" counters | grep "^a b "')
tap_ok "a stream over a link that loses packets" test "$(field tcp_stream_bytes "$lossy")" = 1000000
tap_ok "what is sent again counts as payload" between 1000001 "$(field tcp_payload_bytes "$lossy")" 2000000

csv=$(grep '^a,b,' "$scratch/report.csv")
tap_ok "CSV holds the last counters" test "$(cut -d, -f3-4,8 <<<"$csv")" = \
  "$(field packets "$(line "tcp a b")"),$(field ip_bytes "$(line "tcp a b")"),1000000"
tap_ok "JSON holds the same" grep -q '"from": "a", "to": "b", "packets": '"$(field packets "$(line "tcp a b")"), " "$scratch/report.json"
# The lab says whose times the departures are: the kernel's where it has TCX (Linux 6.6) and lets us.
whose=emulator
[ "$(id -u)" = 0 ] && [ "$(printf '%s\n' 6.6 "$(uname -r)" | sort -V | head -n 1)" = 6.6 ] && whose=kernel
tap_ok "departures are those of the $whose" grep -q "\"departures\": \"$whose\"" "$scratch/report.json"
command -v python3 >/dev/null && tap_ok "JSON can be read" python3 -m json.tool "$scratch/report.json"
tap_done
