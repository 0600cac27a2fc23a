#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A job that nobody has told anything finds its sites and links by itself, and the next job knows them. bench/discovery has more topologies.
# timeout-seconds: 300
. "$top_srcdir/bench/lab/tests/lab.sh" || exit 99
. "$top_builddir/tests/environment"
. "$top_srcdir/bench/discovery/topology.sh"
need_lab
"$MPICC" -O1 -o "$scratch/barrier" "$top_srcdir/bench/lab/tests/lab_barrier.c" || exit 99

# Further tries are for a busy machine; what is wrong fails all of them.
tries='1 2 3 4 5'

# finds NAME [PERCENT]: latencies within so many percent (10).
finds() {
  topology "$1" "$scratch/sites.toml"
  for _ in $tries; do
    rm -rf "$scratch/cache"
    discover "$scratch/sites.toml" "$scratch/cache" "$scratch/barrier" >"$scratch/said"
    "$top_builddir/tests/lab/compare_topologies" "$scratch/sites.toml" "$(measured "$scratch/cache")" "${2:-10}" 25 && return
  done
  cat "$scratch/said"
  return 1
}

# says PATTERN ARGUMENTS...: a job over the last topology and cache says so.
says() {
  local pattern=$1
  shift
  discover "$scratch/sites.toml" "$scratch/cache" "$@" "$scratch/barrier" >"$scratch/said"
  grep -Eq "$pattern" "$scratch/said" || { cat "$scratch/said"; return 1; }
}

says_not() { ! says "$@" >/dev/null; }

# What labelled sites are called is kept; the links between them are measured.
measures_links_of_labels() {
  local file
  for _ in $tries; do
    rm -rf "$scratch/cache"
    says 'measured the network between 2 hosts' --mca coll_wan_discover label,probe \
      "$top_srcdir/tests/mpi/on_site" Paris,Tokyo || return 1
    file=$(measured "$scratch/cache")
    grep -q 'site."Paris"' "$file" && "$top_builddir/tests/lab/compare_topologies" "$scratch/sites.toml" "$file" 10 25 && return
  done
  return 1
}

tap_ok "four sites of two hosts" finds four
tap_ok "the next job takes them from the cache" says 'takes the network between 8 hosts from the cache'
tap_ok "and serves the same sites" says 'serves MPI_COMM_WORLD; sites \(ranks\): a \(2\) b \(2\) c \(2\) d \(2\)$'
tap_ok "a job may measure again" says 'measured the network between 8 hosts' --mca coll_wan_probe on
tap_ok "a job may be told not to" says_not 'network between|serves MPI_COMM_WORLD' --mca coll_wan_probe off
tap_ok "sites that are 2 ms apart" finds three-near
# In two seconds a host sees few round trips of so long a link, and each of them has up to 20 % of jitter.
tap_ok "links of 150 ms, with jitter" finds four-far-jitter 20
tap_ok "a site each host" finds five-hosts
tap_ok "one site, which is left alone" finds one
tap_ok "of which the job says so" says_not 'serves MPI_COMM_WORLD'
tap_ok "slow links" finds two-slow
topology two-near "$scratch/sites.toml"
tap_ok "links of sites that are labelled" measures_links_of_labels
tap_ok "a job on one host measures nothing" says_not 'network between' --host a-1
tap_done
