#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Where processes are bound, by hwloc: on a machine that hwloc is told to have two NUMA domains, one of which holds the network
# interface, who is bound there carries between sites, and results are right. And what messages cost a host, which wan-calibrate keeps.
# timeout-seconds: 200
. "$top_srcdir/tests/readme/app.sh" || exit 99

# machine DOMAIN INTERFACE: a machine of two processors, each a NUMA domain, one of which holds the interface.
machine() {
  local domain nic
  echo '<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE topology SYSTEM "hwloc2.dtd"><topology version="2.0">'
  echo '<object type="Machine" os_index="0" cpuset="0x3" complete_cpuset="0x3" allowed_cpuset="0x3" nodeset="0x3" complete_nodeset="0x3" allowed_nodeset="0x3" gp_index="1">'
  for domain in 0 1; do
    nic=
    [ "$domain" = "$1" ] && nic="<object type=\"Bridge\" gp_index=\"40\" bridge_type=\"0-1\" depth=\"0\" bridge_pci=\"0000:[00-00]\">
      <object type=\"PCIDev\" gp_index=\"41\" pci_busid=\"0000:00:02.0\" pci_type=\"0200 [8086:1572] [8086:0000] 01\" pci_link_speed=\"0.0\">
      <object type=\"OSDev\" gp_index=\"42\" name=\"$2\" osdev_type=\"2\"/></object></object>"
    set_of="0x$((1 << domain))"
    sets="cpuset=\"$set_of\" complete_cpuset=\"$set_of\" nodeset=\"$set_of\" complete_nodeset=\"$set_of\""
    echo "<object type=\"Package\" os_index=\"$domain\" $sets gp_index=\"1$domain\">
      <object type=\"NUMANode\" os_index=\"$domain\" $sets gp_index=\"2$domain\" local_memory=\"1000000000\"/>
      <object type=\"Core\" os_index=\"$domain\" $sets gp_index=\"3$domain\"><object type=\"PU\" os_index=\"$domain\" $sets gp_index=\"5$domain\"/></object>$nic</object>"
  done
  echo '</object></topology>'
}

# Ranks 0 and 1 are at site a, 2 and 3 at b; each even one is bound to processor 0, each odd one to 1.
cat >"$scratch/bound" <<'END'
#!/bin/sh
OMPI_MCA_coll_wan_site=$(echo aabb | cut -c $((OMPI_COMM_WORLD_RANK + 1)))
export OMPI_MCA_coll_wan_site
exec taskset -c $((OMPI_COMM_WORLD_RANK % 2)) "$@"
END
chmod +x "$scratch/bound"

# carry RANKS DOMAIN INTERFACE: these ranks are the first to carry on such a machine, where Open MPI uses the interface lo.
carry() {
  machine "$2" "$3" >"$scratch/machine.xml"
  HWLOC_XMLFILE=$scratch/machine.xml HWLOC_THISSYSTEM=1 HWLOC_COMPONENTS=xml timeout -k 5 60 "$MPIRUN" --oversubscribe --bind-to none \
    --mca mpi_yield_when_idle 1 "${wan_component_arguments[@]}" --mca btl_tcp_if_include lo --mca coll_wan_verbose 2 -n 4 \
    "$scratch/bound" "$scratch/app" >"$scratch/said" 2>&1 </dev/null
  grep -q '^right on 4 ranks' "$scratch/said" && grep -qE "on MPI_COMM_WORLD, the first to carry between sites are ranks $1;" "$scratch/said" ||
    { head -n 30 "$scratch/said"; return 1; }
}

on_this_host() { timeout -k 5 100 "$MPIRUN" --oversubscribe --bind-to none --mca mpi_yield_when_idle 1 "$@" </dev/null; }
# of_cost: a job at two sites on this host that says where it has from what messages cost, and what it predicts.
of_cost() {
  on_this_host "${wan_component_arguments[@]}" --mca coll_wan_verbose 1 --mca coll_wan_explain 1 --mca coll_wan_learn 0 \
    -n 4 "$top_srcdir/tests/mpi/on_site" a,a,b,b "$scratch/app" >"$scratch/said" 2>&1
  grep -q '^right on 4 ranks' "$scratch/said" || { head -n 30 "$scratch/said"; return 1; }
}
predictions() { grep -oE '[a-z_]+ of [0-9]+ bytes.*: .* predicted [0-9.]+ ms' "$scratch/said"; }

kept=$scratch/cache/coll_wan
# With the defaults, with what was measured, and with a host on which a message costs much more.
is_taken() {
  of_cost && ! grep -q 'what messages cost' "$scratch/said" && predictions >"$scratch/usual" && [ -s "$scratch/usual" ] || return 1
  on_this_host -n 2 "$top_builddir/bench/calibrate/wan-calibrate" --repetitions 11 --keep >"$scratch/said" 2>&1 &&
    grep -q "^kept in $kept/machine-1-.*[.]csv$" "$scratch/said" ||
    { cat "$scratch/said"; return 1; }
  local file
  file=$(echo "$kept"/machine-1-*.csv)
  of_cost && grep -q "coll_wan: takes what messages cost a host from $file$" "$scratch/said" || return 1
  sed -i -E 's/^(shared_memory_(send|receive)_ns),.*/\1,16000/' "$file"
  of_cost && ! predictions | cmp -s - "$scratch/usual" || { predictions; return 1; }
}
is_left_alone() {
  local file
  file=$(echo "$kept"/machine-1-*.csv)
  echo 'speed,3' >>"$file"
  of_cost && grep -q "coll_wan: $file.*speed,3" "$scratch/said" && predictions | cmp -s - "$scratch/usual" || { head -n 30 "$scratch/said"; return 1; }
}
export XDG_CACHE_HOME=$scratch/cache
if [ -x "$top_builddir/bench/calibrate/wan-calibrate" ]; then
  tap_ok "what messages cost is taken from the cache" is_taken
  tap_ok "a damaged file is left alone" is_left_alone
else
  tap_skip "what messages cost is taken from the cache" "configured without benchmarks"
fi

if [ "$(nproc)" -lt 2 ]; then
  tap_skip "who is near the network carries" "this machine has one processor"
else
  tap_ok "who is near the network carries" carry '1 3' 1 lo
  tap_ok "who is near the network carries, in the other domain" carry '0 2' 0 lo
  tap_ok "an interface that hwloc does not know changes nothing" carry '0 2' 1 other
fi
tap_done
