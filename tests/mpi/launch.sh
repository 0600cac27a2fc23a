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
    "${path[@]}" --mca coll "$(components "$mode")" "${extra[@]}" -n "$ranks" \
    "$here/on_site" "$(labels "$ranks" "$layout")" "$programs/$program" "$@" >"$work/output" 2>&1
}
