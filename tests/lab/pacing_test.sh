#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What many processes send over one link at once does not overfill the queue before it. Without pacing (coll_wan_pacing 0) it
# does, and packets are dropped. Calls on several communicators share the rate of a link, and what may run ahead of it.
# timeout-seconds: 240
. "$top_srcdir/bench/lab/tests/lab.sh" || exit 99
. "$top_builddir/tests/environment"
need_lab

# both_sites RATE: s1 and s2, a host each, 5 ms apart.
both_sites() {
  cat >"$scratch/sites.toml" <<END
[defaults]
latency = "5 ms"
bandwidth = "$1"
[site.s1]
hosts = ["s1-1"]
[site.s2]
hosts = ["s2-1"]
END
}
both_sites '40 MB/s'

# overflowed PERCENT: packets dropped before the link from s1 to s2 while each of 4 processes sends 1 MiB to each of 4 others.
overflowed() {
  lab --hosts 1 --ranks 4 --report "$scratch/report.csv" -- "$MPIRUN" "${wan_component_arguments[@]}" \
    --mca coll wan,tuned,basic,libnbc,self --mca coll_wan_pacing "$1" "$top_builddir/bench/collectives/wan-bench" \
    --collectives alltoall --sizes 1048576 --forms blocking --repetitions 2 --warm-up 1 --roots 0 --output "$scratch/times.csv" \
    >"$scratch/output" 2>&1 || { cat "$scratch/output"; return 1; }
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
           $1 == "s1" && $2 == "s2" { print "overflowed", $column["overflowed"] }' "$scratch/report.csv"
}
# results: how many of them were wrong.
results() {
  awk -F, '/^#/ { next } !known { for (i = 1; i <= NF; i++) if ($i == "wrong") column = i; known = 1; next }
           { rows++; wrong += $column } END { print "rows", rows + 0, "wrong", wrong + 0 }' "$scratch/times.csv"
}

tap_ok "paced, nothing is dropped" measures 0 0 overflowed overflowed 110
tap_ok "and all is right" test "$(results)" = "rows 1 wrong 0"
tap_ok "at once, packets are dropped" measures 1 1000000 overflowed overflowed 0
tap_ok "and all is right all the same" test "$(results)" = "rows 1 wrong 0"

# ahead DUPLICATES PERCENT: by how much calls on so many duplicates of a communicator are ahead of 110 % of the link's rate. TCP
# holds nothing back.
ahead() {
  lab --hosts 1 --ranks 2 --initial-window 1000 -- "$MPIRUN" "${wan_component_arguments[@]}" --mca coll wan,tuned,basic,libnbc,self \
    --mca coll_wan_pacing "$2" "$top_builddir/tests/lab/at_once" "$1" $((1 << 20)) 2200000
}
# What may run ahead is a burst, the least of run/pacer.h: 256 KiB. What a busy machine counts late adds to it, 2 KB a millisecond.
# Two communicators with a burst of their own would be ahead by two, and by ever more.
burst=$((256 << 10))
both_sites '2 MB/s'
tap_ok "one call keeps to the rate and one burst" measures 1 $((burst * 3 / 2)) ahead_bytes ahead 1 110
tap_ok "two calls on two duplicates keep to it together" measures 1 $((burst * 3 / 2)) ahead_bytes ahead 2 110
tap_ok "calls that do not are noticed" measures $((burst * 2)) 100000000 ahead_bytes ahead 2 220
tap_done
