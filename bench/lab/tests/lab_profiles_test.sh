#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Hosts and links are what their profiles say, as the kernel and the probe see them.
# timeout-seconds: 300
. "$top_srcdir/bench/lab/tests/lab.sh" || exit 99
need_lab

# The first host's settings with these options: MTU, buffers, slow start after idle, whether connections are remembered, initial window.
settings() {
  lab --ranks 1 "$@" -- bash -c '
    ip -o link show eth0 | sed "s/.* mtu \([0-9]*\).*/\1/"
    cd /proc/sys/net/ipv4; cat tcp_rmem tcp_wmem tcp_slow_start_after_idle tcp_no_metrics_save
    ip route show default | grep -o "initcwnd [0-9]*"' | tr -s '\t\n' ' '
}
two_sites "10 ms" "12.5 MB/s" "10 ms" "12.5 MB/s"
sed -i 's/100 MB/1 MB/' "$scratch/sites.toml"
tap_ok "tuned hosts" test "$(settings)" = "9000 4096 1048576 67108864 4096 1048576 67108864 0 1 initcwnd 28 "
tap_ok "Linux as it comes" test "$(settings --host-profile linux)" = "1500 4096 131072 6291456 4096 16384 4194304 1 0 "
tap_ok "small buffers" test "$(settings --host-profile small-buffers)" = "1500 4096 131072 262144 4096 16384 262144 1 0 "
tap_ok "an option by itself takes precedence" test "$(settings --host-profile linux --mtu 4000 --initial-window 20 --tcp-buffer 100000)" = \
  "4000 4096 100000 100000 4096 16384 100000 1 0 initcwnd 20 "

refused() {
  local pattern=$1 said status
  shift
  said=$(lab "$@" -- true 2>&1)
  status=$?
  [ $status = 2 ] && grep -qE -e "$pattern" <<<"$said" || { echo "status $status: $said"; return 1; }
}
tap_ok "a profile that there is not" refused "--host-profile" --host-profile windows
tap_ok "nor of links" refused "--link-profile" --link-profile wet

# stream BYTES OPTIONS...: from a to b, and the counters of that link.
stream() {
  local bytes=$1
  shift
  lab --ranks 1 "$@" -- bash -c '
    . "$lab_shell"
    in_background b-1 received sink 7000 '"$bytes"'
    "$lab_probe" stream b-1 7000 '"$bytes"' || echo broken
    wait $! || echo broken; echo $(result received) $("$lab_probe" counters | grep "^a b ")'
}
# As the sites' devices hand over streams uncut, what arrives was cut by the emulator.
linux=$(stream 30000000 --host-profile linux)
tap_ok "packets of 1500 bytes carry a stream unchanged" test "$(field bytes "$linux") $(field tcp_stream_bytes "$linux")" = "30000000 30000000"
tap_ok "as many as its bytes need" between 20718 "$(field packets "$linux")" 23000
has_rate() { measures $(($1 * 95 / 100)) $(($1 * 105 / 100)) rate "${@:2}"; }
tap_ok "at 12.5 MB/s of the link" has_rate 12065000 stream 60000000 --host-profile linux
lossy=$(stream 8000000 --host-profile linux --loss "1 %" --seed 7)
tap_ok "a stream over a link that loses packets is unchanged" test "$(field bytes "$lossy") $(field tcp_stream_bytes "$lossy")" = "8000000 8000000"
tap_ok "of which it loses one in a hundred" between 20 "$(field lost "$lossy")" 95

# Of packets of 1500 bytes. 250 kB are on their way in a round trip of 20 ms; while 600 packets come at 50 MB/s, a quarter of them leaves.
shallow=$(blast 600 1472 50000000 --host-profile linux --link-profile shallow)
tap_ok "a shallow queue drops what is beyond a quarter" between 365 "$(field overflowed "$shallow")" 445
tap_ok "half of it, if that is asked for" between 330 "$(field overflowed "$(blast 600 1472 50000000 --queue "50 %")")" 405
tap_ok "a lossy link loses one in a thousand" between 5 "$(field lost "$(blast 20000 1472 10000000 --link-profile lossy)")" 38

# The time of 40 probes to b, 25 ms apart and one by one: between 10 and 12 ms.
times() {
  lab --ranks 1 "$@" -- bash -c '
    . "$lab_shell"
    in_background b-1 reflector reflect 7000
    for i in $(seq 40); do "$lab_probe" one-way b-1 7000 1; sleep 0.015; done
    kill $!' 2>/dev/null | awk '{ sum += $2; if (NR == 1 || $2 < least) least = $2; if ($2 > most) most = $2 }
      END { printf "least %d most %d mean %d\n", least, most, sum / NR }'
}
jitter=$(times --link-profile jitter)
tap_ok "jitter takes packets up to 20 % longer" between 11300 "$(field most "$jitter")" 12700
tap_ok "and none less than the latency" between 10000 "$(field least "$jitter")" 10900

# A stream beside somebody else's, on a link of 2 MB/s.
two_sites "10 ms" "2 MB/s" "10 ms" "2 MB/s"
sed -i 's/100 MB/1 MB/' "$scratch/sites.toml"
shared=$(stream 12000000 --host-profile linux --link-profile shared)
tap_ok "somebody else has a part of the link" between 4000000 "$(field other_ip_bytes "$shared")" 40000000
tap_ok "and leaves one" between 500000 "$(field rate "$shared")" 1700000
tap_ok "what is not the job's does not count" test "$(field tcp_stream_bytes "$shared")" = 12000000
tap_ok "nobody else is there otherwise" test "$(field other_ip_bytes "$(stream 1000000)")" = 0

# Connections of at most 500 kB/s, on a link of 2 MB/s: one by itself, and two.
tap_ok "one connection has its rate" has_rate 482600 stream 3000000 --host-profile linux --flow-rate "500 kB/s"
two_streams() {
  lab --ranks 1 --host-profile linux --flow-rate "500 kB/s" -- bash -c '
    . "$lab_shell"
    for port in 7000 7001; do in_background b-1 $port sink $port 3000000; done
    for port in 7000 7001; do "$lab_probe" stream b-1 $port 3000000 & done
    wait; echo $(result 7000) $(result 7001)' | awk '{ printf "rate %d\n", $4 + $8 }'
}
tap_ok "and two have theirs" has_rate 965200 two_streams

two_sites "1 ms" "100 MB/s" "1 ms" "100 MB/s"
tap_ok "more than a profile's times are right for is refused" refused "160 MB/s in sum" --host-profile tuned
tap_ok "but for who asks for it" lab --host-profile tuned --any-rate -- true
tap_done
