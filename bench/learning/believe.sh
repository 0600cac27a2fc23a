# SPDX-License-Identifier: BSD-3-Clause
# Source it. Jobs over the sites of mca_params/uniform-4x4.toml that believe something else of the links.

true_sites=$top_srcdir/mca_params/uniform-4x4.toml

# believed COLUMN FILE: writes the topology file of a column of the table.
believed() {
  local latency='10 ms' rate='12.5 MB/s'
  case $1 in
    right) ;;
    rate/10) rate='1.25 MB/s' ;;
    rate*10) rate='125 MB/s' ;;
    latency/10) latency='1 ms' ;;
    latency*10) latency='100 ms' ;;
    *) return 1 ;;
  esac
  sed "s|^latency = .*|latency = \"$latency\"|; s|^bandwidth = .*|bandwidth = \"$rate\"|" "$true_sites" >"$2"
}

# over_sites COLUMN LEARN COMMAND...: runs it on all ranks, in a job that believes what the column says. The column "labels" has the
# sites' names alone, and "stock" no coll_wan.
over_sites() {
  local column=$1 learn=$2 arguments=("${wan_component_arguments[@]}" --mca coll_wan_probe off --mca coll_wan_learn "$2")
  local labels=a,a,a,a,b,b,b,b,c,c,c,c,d,d,d,d command=()
  shift 2
  case $column in
    stock) arguments=(--mca coll '^wan') ;;
    labels) arguments+=(--mca coll wan,tuned,basic,libnbc,self --mca coll_wan_discover label)
      command=("$top_srcdir/tests/mpi/on_site" "$labels") ;;
    *) believed "$column" "$scratch/believed.toml" || return
      arguments+=(--mca coll wan,tuned,basic,libnbc,self --mca coll_wan_topology "$scratch/believed.toml") ;;
  esac
  timeout 600 "$top_builddir/bench/lab/wan-lab" run --topology "$true_sites" ${lab_options[@]+"${lab_options[@]}"} -- \
    env -u OMPI_MCA_coll_wan_topology "$MPIRUN" "${arguments[@]}" "${command[@]}" "$@"
}
