#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A plain mpirun of the Open MPI found starts over all hosts of a lab, and its messages pass the emulated links.
# timeout-seconds: 240
. "$top_srcdir/bench/lab/tests/lab.sh" || exit 99
. "$top_builddir/tests/environment"
need_lab

cat >"$scratch/sites.toml" <<END
[defaults]
latency = "10 ms"
bandwidth = "12.5 MB/s"
$(for site in 1 2 3 4 5 6 7 8; do echo "[site.s$site]"; echo "hosts = [\"s$site-[1-2]\"]"; done)
END
"$MPICC" -o "$scratch/barrier" "$top_srcdir/bench/lab/tests/lab_barrier.c" || exit 99
"$MPICC" -shared -fPIC -o "$scratch/slow_fork.so" "$top_srcdir/bench/lab/tests/slow_fork.c" -ldl || exit 99

hostnames=$(lab --ranks 5 -- "$MPIRUN" hostname)
counted() { sort <<<"$hostnames" | uniq -c | awk '{ print $2 ":" $1 }' | xargs; }
expected=$(for site in 1 2 3 4 5 6 7 8; do echo "s$site-1:3 s$site-2:2"; done | xargs)
tap_ok "8 sites of 5 ranks: each host starts its ranks" test "$(counted)" = "$expected"

# "HOST PROCESSORS" of each rank.
lab --ranks 5 -- "$MPIRUN" sh -c 'echo "$(hostname) $(sed -n "s/Cpus_allowed_list:[[:space:]]*//p" /proc/self/status)"' | sort -u >"$scratch/processors"
tap_ok "a host has its processors" test "$(wc -l <"$scratch/processors")" = 16
# The least and the most hosts that share a processor.
shared() { cut -d' ' -f2 "$scratch/processors" | sort | uniq -c | sort -n | awk 'NR == 1 { least = $1 } END { print least, $1 }'; }
few=$(nproc)
least=$((16 / few)) most=$(((16 + few - 1) / few))
tap_ok "of the machine's, each as many hosts as another" test "$few" -ge 16 -o "$(shared)" = "$least $most"

hostnames=$(lab --ranks 5 -- env LD_PRELOAD="$scratch/slow_fork.so" "$MPIRUN" hostname)
tap_ok "processes that end at once are not lost" test "$? $(counted)" = "0 $expected"

said=$(lab --ranks 5 --report "$scratch/report.csv" -- "$MPIRUN" "$scratch/barrier")
tap_ok "40 ranks find each other" test "$(field ranks "$said") $(field hosts "$said")" = "40 16"
# A barrier cannot take less than one latency; Open MPI's own took 20 to 90 ms, more on a busy machine.
tap_ok "a barrier passes the links" between 10000 "$(field barrier_us "$said")" 500000
idle() { awk -F, 'NR > 1 && $1 == "s1" && $5 == 0' "$scratch/report.csv"; }
tap_ok "the launcher's and the job's data are counted" is_silent idle

said=$(lab --ranks s2=1,s5=3 -- "$MPIRUN" "$scratch/barrier")
tap_ok "sites that are not named take no part" test "$(field ranks "$said") $(field hosts "$said")" = "4 3"

# One on another host: the launcher of Open MPI 6.0.0rc2 never ends if one beside it fails.
# shellcheck disable=SC2016
lab --ranks 1 -- "$MPIRUN" sh -c '[ "$OMPI_COMM_WORLD_RANK" != 3 ] || exit 9' >"$scratch/said" 2>&1
tap_ok "the exit status is the job's" test $? = 9
tap_done
