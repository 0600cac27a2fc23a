#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Sites by what processes find around them: each rank runs in an environment of its own, as Slurm or Kubernetes makes it. All ranks
# decide alike (results are right, on communicators of some of them too), and say whom they believe and why.
# timeout-seconds: 500
. "$top_srcdir/tests/readme/app.sh" || exit 99

# What each process is started through: the environment of its rank is a line of a file.
cat >"$scratch/inside" <<'END'
#!/bin/sh
exec env $(sed -n "$((OMPI_COMM_WORLD_RANK + 1))p" "$ENVIRONMENTS") "$@"
END
chmod +x "$scratch/inside"
export ENVIRONMENTS=$scratch/environments

# job OPTIONS... -- PROGRAM...: the program on as many ranks as $ENVIRONMENTS has lines.
job() {
  local options=()
  while [ "$1" != -- ]; do options+=("$1"); shift; done
  shift
  MPITEST_TIMEOUT_S=60 timeout -k 5 120 "$MPIRUN" --oversubscribe --mca mpi_yield_when_idle 1 "${wan_component_arguments[@]}" --mca btl ^tcp \
    --mca coll_wan_verbose 1 "${options[@]}" -n "$(wc -l <"$ENVIRONMENTS")" "$scratch/inside" "$@" >"$scratch/said" 2>&1 </dev/null
}

# environments LINE...: one for each rank.
environments() { printf '%s\n' "$@" >"$ENVIRONMENTS"; }

said() { grep -qE -e "$1" "$scratch/said" || { echo "not said: $1"; head -n 30 "$scratch/said"; return 1; }; }
not_said() { ! grep -E -e "$1" "$scratch/said"; }
# finds PATTERN SITES [OPTIONS]: the job is right, and says what it has found, and serves these sites.
finds() {
  local found=$1 sites=$2
  shift 2
  job "$@" -- "$scratch/app" && said '^right on ' && said "coll_wan: finds $found" &&
    said "coll_wan: serves MPI_COMM_WORLD; sites \(ranks\): $sites(;|\$)" && not_said '^-----'
}
# leaves_alone PATTERN [OPTIONS]: the job is right, and one site.
leaves_alone() {
  local found=$1
  shift
  job "$@" -- "$scratch/app" && said '^right on ' && said "coll_wan: finds 1 site: $found" && not_said 'coll_wan: serves|^-----'
}

environments OMPI_MCA_coll_wan_site={a,a,b,b}
tap_ok "labels" finds '2 sites: label \(coll_wan_site\) names the site of 4 of 4 processes' 'a \(2\) b \(2\)'
tap_ok "labels that are not asked" leaves_alone '' --mca coll_wan_discover file,slurm
environments NOTHING=1 NOTHING=1
tap_ok "nothing" leaves_alone ''

environments KUBERNETES_ZONE={x,y,x,y}
tap_ok "zones of Kubernetes" finds '2 sites: kubernetes \(KUBERNETES_ZONE\) places 4 of 4 processes at different sites' 'x \(2\) y \(2\)'
tap_ok "zones that are not asked" leaves_alone '' --mca coll_wan_discover label,file
environments "KUBERNETES_REGION=eu KUBERNETES_ZONE="{eu-a,eu-b} "KUBERNETES_REGION=us KUBERNETES_ZONE="{us-a,us-b}
tap_ok "regions of Kubernetes" finds '2 sites: kubernetes \(KUBERNETES_REGION, KUBERNETES_ZONE\)' 'eu \(2\) us \(2\)'
environments "KUBERNETES_REGION=eu KUBERNETES_ZONE="{eu-a,eu-b,eu-b}
tap_ok "zones of one region" finds '2 sites: kubernetes' 'eu-a \(1\) eu-b \(2\)'
environments KUBERNETES_ZONE={x,x,x}
tap_ok "one zone" leaves_alone 'kubernetes \(KUBERNETES_ZONE\) places 3 of 3 processes at one site'
environments KUBERNETES_ZONE={x,y} NOTHING=1
tap_ok "a process without a zone" leaves_alone 'kubernetes \(KUBERNETES_ZONE\) knows 2 of 3 processes, and does not count'
environments OMPI_MCA_coll_wan_site=a KUBERNETES_ZONE={x,y}
tap_ok "a label and zones" finds '3 sites: label .* 1 of 3 processes; kubernetes .* 2 of 2 processes' 'a \(1\) x \(1\) y \(1\)'
environments "KUBERNETES_ZONE=x OMPI_MCA_coll_wan_site="{a,b}
doubts() { finds '2 sites: label' 'a \(1\) b \(1\)' && said 'coll_wan: doubts these sites: kubernetes knows one place, x, in two sites: a, b'; }
tap_ok "labels that zones do not bear out" doubts

environments SLURM_CLUSTER_NAME={one,one,two}
tap_ok "two clusters of Slurm" finds '2 sites: slurm \(SLURM_CLUSTER_NAME\) places 3 of 3 processes at different sites' 'one \(2\) two \(1\)'
environments SLURM_CLUSTER_NAME={one,one}
tap_ok "one cluster of Slurm" leaves_alone 'slurm \(SLURM_CLUSTER_NAME\) says the same of all processes, which proves nothing'
environments "SLURM_CLUSTER_NAME=one SLURM_TOPOLOGY_ADDR_PATTERN=switch.switch.node SLURM_TOPOLOGY_ADDR="{top.s1.n1,top.s2.n2,top.s2.n3}
tap_ok "switches of Slurm" leaves_alone 'slurm .* gives hints only, and does not count unless coll_wan_discover names it'
tap_ok "switches of Slurm, named" finds '2 sites: slurm \(SLURM_CLUSTER_NAME, SLURM_TOPOLOGY_ADDR\)' 's1 \(1\) s2 \(2\)' --mca coll_wan_discover slurm,auto
groups="SLURM_HET_SIZE=2 SLURM_JOB_NODELIST_HET_GROUP_0=$(hostname -s) SLURM_JOB_NODELIST_HET_GROUP_1="
environments "${groups}other" "SLURM_HET_SIZE=2 SLURM_JOB_NODELIST_HET_GROUP_0=other SLURM_JOB_NODELIST_HET_GROUP_1=$(hostname -s)"
tap_ok "groups of a heterogeneous job" leaves_alone 'slurm \(SLURM_HET_SIZE\) gives hints only'
tap_ok "groups of a heterogeneous job, named" finds '2 sites: slurm \(SLURM_HET_SIZE\)' 'group 0 \(1\) group 1 \(1\)' --mca coll_wan_discover slurm

# programs OPTIONS...: one job of two programs. (Open MPI 5.0.7 crashes when it is given two.)
programs() {
  timeout -k 5 60 "$MPIRUN" --oversubscribe --mca mpi_yield_when_idle 1 "${wan_component_arguments[@]}" --mca btl ^tcp --mca coll_wan_verbose 1 "$@" \
    -n 2 "$scratch/app" : -n 1 "$scratch/app" >"$scratch/said" 2>&1 </dev/null && said '^right on 3 ranks'
}
hinted() { programs && said 'finds 1 site: pmix \(application number\) gives hints only' && not_said 'coll_wan: serves'; }
named() { programs --mca coll_wan_discover pmix && said 'serves MPI_COMM_WORLD; sites \(ranks\): application 0 \(2\) application 1 \(1\)'; }
if [ "$OMPI_MAJOR" -ne 5 ]; then
  tap_ok "two programs are no two sites" hinted
  tap_ok "two programs, named" named
else
  tap_skip "two programs are no two sites" "Open MPI 5.0.7 crashes when it is given two programs"
  tap_skip "two programs, named" "Open MPI 5.0.7 crashes when it is given two programs"
fi

# Communicators of some of the processes, whose sites follow from fewer records.
checks() { job --mca coll wan -- "$top_builddir/tests/mpi/$@" && said ": [1-9][0-9]* cases on 5 ranks, 0 failures"; }
environments "KUBERNETES_REGION=eu KUBERNETES_ZONE="{eu-a,eu-b} "KUBERNETES_REGION=us KUBERNETES_ZONE=us-a" NOTHING=1 OMPI_MCA_coll_wan_site=a
tap_ok "collectives" checks mpi_collectives --seed 7 --max-cases 300
tap_ok "collectives on intercommunicators" checks mpi_intercomm --seed 7 --max-cases 100
tap_done
