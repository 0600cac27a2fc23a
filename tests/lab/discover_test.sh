#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Sites of emulated hosts without a topology file: by files of Slurm and topograph, which name the hosts, and by the hosts' addresses.
# timeout-seconds: 400
. "$top_srcdir/tests/readme/app.sh" || exit 99
mine=$scratch
. "$top_srcdir/bench/lab/tests/lab.sh" || exit 99
trap 'rm -rf "$mine" "$scratch"' EXIT
need_lab

cat >"$scratch/sites.toml" <<'END'
[defaults]
latency = "5 ms"
bandwidth = "12.5 MB/s"
[site.a]
hosts = ["a-[1-2]"]
[site.b]
hosts = ["b-[1-2]"]
[site.c]
hosts = ["c-1"]
END
# job OPTIONS...: one process a host.
job() {
  lab --ranks a=2,b=2,c=1 -- env -u OMPI_MCA_coll_wan_topology "$MPIRUN" "${wan_component_arguments[@]}" --mca coll_wan_verbose 1 "$@" \
    "$mine/app" >"$scratch/said" 2>&1 </dev/null
}
# finds FOUND SITES OPTIONS...
finds() {
  local found=$1 sites=$2
  shift 2
  job "$@" && grep -q '^right on 5 ranks$' "$scratch/said" && grep -qE "coll_wan: finds $found" "$scratch/said" &&
    grep -qE "serves MPI_COMM_WORLD; sites \(ranks\): $sites(;|\$)" "$scratch/said" && return
  cat "$scratch/said"
  return 1
}

cat >"$scratch/topology.conf" <<'END'
SwitchName=top Switches=left,right
SwitchName=left Switches=s[1-2]
SwitchName=s1 Nodes=a-1
SwitchName=s2 Nodes=a-2
SwitchName=right Nodes=b-[1-2],c-1
END
cat >"$scratch/topology.yaml" <<'END'
- topology: default
  cluster_default: true
  block:
    block_sizes: [2]
    blocks:
    - block: b1
      nodes: a-1,b-[1-2]
    - block: b2
      nodes: a-2,c-1
END
tap_ok "switches that topograph has written" finds '2 sites: topograph \(.*topology\.conf\) places 5 of 5 processes' 'left \(2\) right \(3\)' \
  --mca coll_wan_topograph "$scratch/topology.conf"
tap_ok "blocks that topograph has written" finds '2 sites: topograph' 'b1 \(3\) b2 \(2\)' --mca coll_wan_topograph "$scratch/topology.yaml"
slurm() {
  mkdir -p "$scratch/etc"
  cp "$scratch/topology.conf" "$scratch/etc"
  finds '2 sites: slurm \(.*/etc/topology\.conf\)' 'left \(2\) right \(3\)' -x "SLURM_CONF=$scratch/etc/slurm.conf" --mca coll_wan_discover slurm
}
tap_ok "switches of Slurm" slurm
tap_ok "subnets" finds '3 sites: subnet' '10\.1\.0\.0/16 \(2\) 10\.2\.0\.0/16 \(2\) 10\.3\.0\.0/16 \(1\)' --mca coll_wan_discover subnet
file_and_subnet() {
  printf '%s\n' '[defaults]' 'latency = "5 ms"' 'bandwidth = "12.5 MB/s"' '[site.a]' 'hosts = ["a-*"]' '[site.b]' 'hosts = ["b-*"]' >"$scratch/some.toml"
  job --mca coll_wan_topology "$scratch/some.toml" && grep -qE 'finds 3 sites: file .* 4 of 5 processes; subnet .* 1 of 1 processes' "$scratch/said" &&
    grep -q 'sites (ranks): a (2) b (2) 10\.3\.0\.0/16 (1)' "$scratch/said" && grep -q '10\.3\.0\.0/16: c-1' "$scratch/said" && return
  cat "$scratch/said"
  return 1
}
tap_ok "a file that does not know a host" file_and_subnet
tap_done
