#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/tcp-settings: `hosts` sets every host of the lab and nothing else, all settings name what the kernel has, and `table` makes its
# table of the rows, which it measures with coll_wan and without.
# timeout-seconds: 120
. "$top_srcdir/tests/style/tap.sh"
here=$top_srcdir/bench/tcp-settings
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
cd "$top_builddir" || exit 99

printf '[defaults]\nlatency = "1 ms"\nbandwidth = "50 MB/s"\n[site.a]\nhosts = ["a-[1-2]"]\n[site.b]\nhosts = ["b-1"]\n' >"$scratch/sites.toml"
lab() { timeout 60 bench/lab/wan-lab run --topology "$scratch/sites.toml" -- "$@" 2>&1; }

# All host settings of the file, one after the other.
all_settings() { awk -F'|' '!/^#/ { print $4 }' "$here/settings" | tr '\n' ' '; }
# The lines for sysctl.conf in docs/tcp.md, as `hosts` reads them.
page_settings() {
  . "$top_srcdir/tests/readme/commands.sh"
  block "$top_srcdir/docs/tcp.md" ini | sed 's/^net\.ipv4\.//; s/ = /=/; s/ /,/g'
}
# What is set in each host.
read_back='for host in a-1 a-2 b-1; do "$WAN_LAB_AGENT" $host "cat /proc/sys/net/ipv4/tcp_slow_start_after_idle; ip route show default"; done'

# rows NAME PEER MS [LATE] [WRONG]: of an allgather on the network slow.
rows() {
  mkdir -p "$scratch/planted"
  printf '%s\n' '# hosts a-1' collective,form,bytes,root "allgather,blocking,65536,0,4,1,1,${3}000000,1,1,1,${4:-0},${5:-0},1 1" \
    >"$scratch/planted/slow-$2-${1//[ ,]/_}.csv"
}
table() { "$here/table" "$@"; }
planted() { table "$scratch/planted" --networks slow "as it comes" "tcp_slow_start_after_idle 0"; }

rows "as it comes" stock 400
rows "as it comes" coll_wan 200
rows "tcp_slow_start_after_idle 0" stock 300 2
rows "tcp_slow_start_after_idle 0" coll_wan 50
tap_ok "milliseconds, and how many times those of the first setting" \
  complains '^\| tcp_slow_start_after_idle 0 \| 300! \(0\.75\) \| 50 \(0\.25\) \| - ' planted
tap_ok "the first setting has milliseconds alone" complains '^\| as it comes \| 400 \| 200 \|' planted
rows "tcp_slow_start_after_idle 0" coll_wan 50 0 3
tap_ok "wrong results are missed" misses 'wrong results' planted
tap_ok "an unknown setting is named" complains "unknown setting 'tcp_fast'" table "$scratch/none" tcp_fast
tap_ok "an unknown network is named" complains "unknown network 'faster'" table "$scratch/none" --networks faster
no_lab=$(lab true)
if [ $? = 77 ]; then
  tap_skip "in the lab" "$no_lab"
  tap_done
fi
lab "$here/hosts" tcp_slow_start_after_idle=1 initcwnd=33 -- sh -c "$read_back" >"$scratch/read"
set_everywhere() { [ "$(grep -c '^1$' "$scratch/read")" = 3 ] && [ "$(grep -c 'initcwnd 33 initrwnd 33' "$scratch/read")" = 3 ] || { cat "$scratch/read"; return 1; }; }
tap_ok "every host is set" set_everywhere
tap_ok "all settings name what there is" lab "$here/hosts" $(all_settings) -- true
tap_ok "docs/tcp.md has settings" complains '^tcp_slow_start_after_idle=0$' page_settings
tap_ok "and hosts take them" lab "$here/hosts" $(page_settings) -- true
tap_ok "one that is not there is named" complains 'there is no net.ipv4.tcp_fast' lab "$here/hosts" tcp_fast=1 -- true
tap_ok "a table is measured" complains '^\| as it comes \| [0-9]+!? \| [0-9]+!? \|$' \
  table "$scratch/measured" --networks lossy --cells "bcast 8 0 1 lossy" "as it comes"
tap_done
