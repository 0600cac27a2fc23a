#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A topology file that states a tenth of the bandwidth costs little where links are learnt (coll_wan_learn), and much where they
# are not.
# timeout-seconds: 240
. "$top_srcdir/bench/lab/tests/lab.sh" || exit 99
. "$top_builddir/tests/environment"
need_lab

# two_sites_of RATE FILE: s1 and s2, a host each, 10 ms apart.
two_sites_of() {
  cat >"$scratch/$2" <<END
[defaults]
latency = "10 ms"
bandwidth = "$1"
[site.s1]
hosts = ["s1-1"]
[site.s2]
hosts = ["s2-1"]
END
}
two_sites_of '12.5 MB/s' sites.toml
two_sites_of '1.25 MB/s' tenth.toml

# milliseconds FILE LEARN: the median of ten alltoalls of 64 KiB among 2 x 4 ranks, after ten others, that believe FILE.
milliseconds() {
  lab --hosts 1 --ranks 4 -- "$MPIRUN" "${wan_component_arguments[@]}" --mca coll wan,tuned,basic,libnbc,self \
    --mca coll_wan_topology "$scratch/$1" --mca coll_wan_learn "$2" "$top_builddir/bench/collectives/wan-bench" \
    --collectives alltoall --sizes 65536 --forms blocking --repetitions 9 --warm-up 10 --roots 0 --output "$scratch/times.csv" \
    >"$scratch/output" 2>&1 || { cat "$scratch/output" >&2; return 1; }
  awk -F, '/^#/ { next } !known { for (i = 1; i <= NF; i++) column[$i] = i; known = 1; next }
           $column["wrong"] == 0 { print $column["median_ns"] / 1e6 }' "$scratch/times.csv"
}

# ratio FILE LEARN: its time by that with the right file.
ratio() {
  local right=$(milliseconds sites.toml 0) wrong=$(milliseconds "$1" "$2")
  awk -v right="$right" -v wrong="$wrong" 'BEGIN { if (right > 0 && wrong > 0) print "ratio", wrong / right }'
}

tap_ok "a tenth of the bandwidth that is believed costs much" measures 2 100 ratio ratio tenth.toml 0
tap_ok "where links are learnt it costs little" measures 0 1.3 ratio ratio tenth.toml 1
tap_ok "learning costs nothing where the file is right" measures 0 1.15 ratio ratio sites.toml 1
tap_done
