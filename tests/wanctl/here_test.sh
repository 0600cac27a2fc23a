#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# wanctl topology here: what the sources of sites say in an environment, and who is believed.
. "$top_srcdir/tests/wanctl/wanctl.sh" || exit 99
# What is set around the test shall not count.
unset "${!OMPI_MCA_coll_wan_@}" "${!SLURM_@}" "${!KUBERNETES_@}"
export XDG_CACHE_HOME=$scratch/cache
host=$(hostname)
host=${host%%.*}

head='[defaults]
latency = "10 ms"
bandwidth = "1 Gbit/s"'
printf '%s\n[site.paris]\nhosts = ["%s", "par-[1-2]"]\n[site.tokyo]\nhosts = ["tky-*"]\n' "$head" "$host" >"$scratch/sites.toml"
printf '%s\n[site.oslo]\nhosts = ["osl-1"]\n' "$head" >"$scratch/oslo.toml"
printf 'SwitchName=left Nodes=par-[1-2]\nSwitchName=right Nodes=tky-1\n' >"$scratch/topology.conf"

# here STATUS PATTERN [NAME=VALUE...] [OPTIONS...]: in this environment.
here() {
  local status=$1 pattern=$2 settings=()
  shift 2
  while [[ ${1:-} == [A-Z]*=* ]]; do settings+=("$1"); shift; done
  (
    [ ${#settings[@]} = 0 ] || export "${settings[@]}"
    ends "$status" "$pattern" topology here "$@"
  )
}

tap_ok "nobody says anything" here 0 "^$host +not known here +nobody$"
tap_ok "and why" here 0 '^label +nothing +no label: coll_wan_site is not set$'
tap_ok "the launcher tells in a job only" here 0 '^pmix +nothing +only in a job: its launcher tells the processes$'
tap_ok "the probe measures in a job only" here 0 '^probe +nothing +nothing is measured: a job on one host measures nothing$'
tap_ok "one that is switched off" here 0 'coll_wan_probe is off$' OMPI_MCA_coll_wan_probe=off
tap_ok "a label" here 0 "^$host +paris +label$" --label paris
tap_ok "a label of the environment" here 0 "^$host +oslo +label$" OMPI_MCA_coll_wan_site=oslo
tap_ok "an option before the environment" here 0 "^$host +paris +label$" OMPI_MCA_coll_wan_site=oslo --label paris
tap_ok "a file" here 0 "^$host +paris +file$" --topology "$scratch/sites.toml"
tap_ok "a file of the environment" here 0 "^$host +paris +file$" OMPI_MCA_coll_wan_topology="$scratch/sites.toml"
tap_ok "a file without the host" here 0 '^file +nothing +no pattern of the topology file matches' --topology "$scratch/oslo.toml"
tap_ok "a contradiction" here 1 "^contradiction: $host: label says oslo, and file says paris; label is believed$" \
  --label oslo --topology "$scratch/sites.toml"
tap_ok "a contradiction as JSON" here 1 '"contradictions": \[$' --label oslo --topology "$scratch/sites.toml" --json
tap_ok "the order counts" here 1 "^$host +paris +file$" --label oslo --topology "$scratch/sites.toml" --discover file,auto
tap_ok "a source that is not asked" here 0 "^$host +paris +file$" --label oslo --topology "$scratch/sites.toml" --discover file
tap_ok "a zone" here 0 "^$host +eu-1 +kubernetes$" KUBERNETES_REGION=europe KUBERNETES_ZONE=eu-1
tap_ok "its name beside others" here 0 'kubernetes calls the site europe, or eu-1 beside hosts that share this name[.]$' \
  KUBERNETES_REGION=europe KUBERNETES_ZONE=eu-1
tap_ok "a cluster, which alone proves nothing" here 0 '^slurm +says the same of all processes, which proves nothing$' SLURM_CLUSTER_NAME=alpha
tap_ok "a cluster beside others" here 0 'slurm calls the site alpha[.]$' SLURM_CLUSTER_NAME=alpha
tap_ok "as JSON" here 0 '"evidence": "SLURM_CLUSTER_NAME"' SLURM_CLUSTER_NAME=alpha --json

printf 'par-1 slots=2\ntky-1 # a comment\n' >"$scratch/hosts"
tap_ok "the hosts of a host file" here 0 '^tky-1 +tokyo +file$' --hosts "$scratch/hosts" --topology "$scratch/sites.toml"
tap_ok "a list of hosts" here 0 '^par-2 +paris +file$' --hosts 'par-[1-2],tky-1' --topology "$scratch/sites.toml"
tap_ok "a host that the file does not know" here 0 '^osl-1 +not known here +nobody$' --hosts osl-1,tky-1 --topology "$scratch/sites.toml"
tap_ok "what only the host knows" here 0 '^kubernetes +nothing +only a process on that host can say$' --hosts par-1,tky-1
tap_ok "switches" here 0 '^tky-1 +right +topograph$' --hosts par-1,tky-1 --topograph "$scratch/topology.conf"

# What jobs keep (probe/cache.h), as of now.
mkdir -p "$XDG_CACHE_HOME/coll_wan"
kept() {
  printf '# coll_wan probe 1\n# written %s\n# sites found\n' "$(date +%s)"
  printf '# host par-1 10.1.0.1\n# host tky-1 10.2.0.1\n%s\n[site.par]\nhosts = ["par-1"]\n[site.tky]\nhosts = ["tky-1"]\n' "$head"
}
kept >"$XDG_CACHE_HOME/coll_wan/0123456789abcdef.toml"
tap_ok "what an earlier job has measured" here 0 '^tky-1 +tky +probe$' --hosts par-1,tky-1
tap_ok "not of other hosts" here 0 '^tky-2 +not known here +nobody$' --hosts par-1,tky-2
tap_ok "not where a job would measure anew" here 0 '^tky-1 +not known here +nobody$' --hosts par-1,tky-1 --probe on
tap_ok "not where it would not" here 0 '^tky-1 +not known here +nobody$' --hosts par-1,tky-1 --probe off

tap_ok "an unknown source" here 2 'coll_wan_discover: "slrm": is no source of sites' --discover slrm
tap_ok "a source without its file" here 2 'set coll_wan_topograph to its path' --discover topograph
tap_ok "a file that is not there" here 2 'nowhere.toml: cannot be opened' --topology nowhere.toml
tap_ok "a setting that is none" here 2 'coll_wan_probe: "maybe": expected auto, off or on' --probe maybe
tap_ok "a host file that is not there" here 2 '--hosts: "/nowhere/hosts": this file cannot be read' --hosts /nowhere/hosts
tap_done
