# SPDX-License-Identifier: BSD-3-Clause
# Runs of the test programs under mpirun, with each process at a site of its own choice. Source it; "$seed" decides the random layouts, "$work" is
# a directory for the output, which goes with the script.
here=$top_srcdir/tests/mpi
programs=$top_builddir/tests/mpi
work=$(mktemp -d) || exit 99
child=
extra=()
trap '[ -z "$child" ] || kill "$child" 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 143' TERM INT HUP

# labels RANKS LAYOUT: the site of each rank, comma-separated. Three sites where there are enough ranks, four where the layout's
# name says so.
labels() {
  awk -v n="$1" -v layout="$2" -v seed="$seed" 'BEGIN {
    srand(seed + n); sites = n < 4 ? 2 : 3
    for (r = 0; r < n; r++) {
      site = layout == "contiguous" ? int(r * sites / n) : layout == "cyclic" ? r % sites : \
             layout == "four-contiguous" ? int(r * 4 / n) : layout == "four-cyclic" ? r % 4 : \
             layout == "random" ? int(rand() * sites) : layout == "own" ? r : 0
      printf "%ss%d", r ? "," : "", site
    }
  }'
}

# components MODE: the collective components that a mode allows.
components() {
  case $1 in
    alone) echo wan ;;
    beside) echo wan,tuned,basic,libnbc,self,inter ;;
    stock) echo tuned,basic,libnbc,self,inter ;;
  esac
}

# go_by WORDS: the point-to-point layer of Open MPI (PML) by which messages go from now on, and what stands before it or coll_wan. Without
# words it is ob1. `pml` are the arguments of mpirun, `interposed` are the collective components that are allowed besides.
go_by() {
  local word
  pml=() interposed=
  for word in "$@"; do
    case $word in
      ucx-tcp) pml+=(--mca pml ucx --mca pml_ucx_tls any --mca pml_ucx_devices any -x UCX_TLS=tcp,self) ;;
      ucx-shm) pml+=(--mca pml ucx --mca pml_ucx_tls any --mca pml_ucx_devices any -x UCX_TLS=tcp,sm,self) ;;
      ofi-tcp) pml+=(--mca pml cm --mca mtl ofi --mca mtl_ofi_provider_include 'tcp;ofi_rxm,tcp') ;;
      monitoring) pml+=(--mca pml_monitoring_enable 2) interposed+=,monitoring ;;
      sync) pml+=(--mca coll_sync_barrier_before 100 --mca coll_sync_priority 100) interposed+=,sync ;;
      *) echo "$word: expected ucx-tcp, ucx-shm, ofi-tcp, monitoring or sync" >&2; exit 2 ;;
    esac
  done
}
# shellcheck disable=SC2086  # a list of words
go_by ${WAN_TEST_PML:-}

# limited SECONDS COMMAND...: runs the command for so long at most; ours to end if we are ended.
limited() {
  timeout -k 10 "$@" </dev/null &
  child=$!
  wait "$child"
  local status=$?
  child=
  return $status
}

# launch RANKS LAYOUT MODE PROGRAM [ARGUMENTS]: one mpirun; its output is in $work/output.
launch() {
  local ranks=$1 layout=$2 mode=$3 program=$4 path=()
  shift 4
  [ "$mode" = stock ] || path=("${wan_component_arguments[@]}")
  limited "${launch_limit_s:-600}" "$MPIRUN" --oversubscribe --mca mpi_yield_when_idle 1 \
    "${path[@]}" --mca coll "$(components "$mode")$interposed" "${pml[@]}" "${extra[@]}" -n "$ranks" \
    "$here/on_site" "$(labels "$ranks" "$layout")" "$programs/$program" "$@" >"$work/output" 2>&1
}

# passes RANKS LAYOUT MODE PROGRAM [ARGUMENTS]
passes() {
  launch "$@" && grep -qaE "^$4: [1-9][0-9]* cases on $1 ranks, 0 failures$" "$work/output" || { head -n 40 "$work/output"; return 1; }
}

# says PATTERN RANKS LAYOUT MODE PROGRAM [ARGUMENTS]: a run that passes, with a line that matches.
says() {
  local pattern=$1
  shift
  passes "$@" && { grep -qaE "$pattern" "$work/output" || { echo "no line matches $pattern"; cat "$work/output"; return 1; }; }
}
