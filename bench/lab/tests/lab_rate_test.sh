#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The rates of links and of sites' access links, as datagrams and TCP streams see them: right within 5 %.
# timeout-seconds: 240
. "$top_srcdir/bench/lab/tests/lab.sh" || exit 99
need_lab

# has_rate RATE COMMAND...
has_rate() {
  local rate=$1
  shift
  measures $((rate * 95 / 100)) $((rate * 105 / 100)) rate "$@"
}

# A burst below the queue's 4 MiB leaves the link at the link's rate. $1 packets, $2 bytes, from a to b.
datagrams() {
  lab --ranks 1 -- bash -c '
    . "$lab_shell"
    in_background b-1 received receive 7000 '"$1"'
    "$lab_probe" blast b-1 7000 '"$1 $2"'
    wait; result received'
}
stream() {
  lab --ranks 1 -- bash -c '
    . "$lab_shell"
    in_background b-1 received sink 7000 '"$1"'
    "$lab_probe" stream b-1 7000 '"$1"'
    wait; result received'
}
# Both other sites to or from a at once: the rate of all bytes together.
to_both() {
  lab --ranks 1 "$@" -- bash -c '
    . "$lab_shell"
    for site in b c; do in_background $site-1 $site receive 7000 200; done
    for site in b c; do "$lab_probe" blast $site-1 7000 200 8972 & done
    wait; result b; result c' |
    awk '{ for (i = 1; i < NF; i++) value[$i] = $(i + 1)
           if (NR == 1 || value["first_ns"] < first) first = value["first_ns"]
           if (value["last_ns"] > last) last = value["last_ns"] }
         END { printf "rate %.0f\n", 399 * 9000 / ((last - first) / 1e9) }'
}
from_both() {
  lab --ranks 1 -- bash -c '
    . "$lab_shell"
    in_background a-1 sum receive 7000 400
    for site in b c; do "$WAN_LAB_AGENT" $site-1 "$lab_probe" blast a-1 7000 200 8972 & done
    wait; result sum'
}

two_sites "10 ms" "12.5 MB/s" "10 ms" "1 MB/s"
tap_ok "12.5 MB/s, datagrams of 9000 bytes" has_rate 12500000 datagrams 400 8972
tap_ok "12.5 MB/s, datagrams of 500 bytes" has_rate 12500000 datagrams 4000 472
tap_ok "12.5 MB/s, TCP" has_rate 12500000 stream 60000000
two_sites "10 ms" "1 MB/s" "10 ms" "12.5 MB/s"
tap_ok "1 MB/s, datagrams of 9000 bytes" has_rate 1000000 datagrams 200 8972
tap_ok "1 MB/s, TCP" has_rate 1000000 stream 6000000

two_sites "10 ms" "100 MB/s" "10 ms" "100 MB/s"
sed -i 's/^hosts = \["a-.*/&\nuplink = "2 MB\/s"\ndownlink = "3 MB\/s"/' "$scratch/sites.toml"
tap_ok "an uplink of 2 MB/s is what two sites get together" has_rate 2000000 to_both
tap_ok "a downlink of 3 MB/s is what two sites get rid of together" has_rate 3000000 from_both

# To both other sites at once, out of one host.
two_sites "10 ms" "100 MB/s" "10 ms" "100 MB/s"
slowly_to_both() { to_both --host-rate '1.5 MB/s'; }
tap_ok "a host sends no faster than it may" has_rate 1500000 slowly_to_both

# The buffers of a host's sockets, as the kernel has them, with these options.
buffers() { lab "$@" -- cat /proc/sys/net/ipv4/tcp_rmem /proc/sys/net/ipv4/tcp_wmem | tr -s '\t\n' ' '; }
tap_ok "sockets have large buffers" test "$(buffers)" = "4096 1048576 67108864 4096 1048576 67108864 "
tap_ok "or as large ones as they are given" test "$(buffers --tcp-buffer 200000)" = "4096 200000 200000 4096 200000 200000 "
tap_done
