#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What every collective sends between the sites, counted by the emulator, equals what its schedule says, to the byte: equal sites
# with contiguous ranks, the same with ranks dealt out host by host, and unequal sites; and between two groups of ranks, which
# share all sites or none. Of 8 bytes, 64 KiB, and 1 MiB. Nothing is learnt: the ranks would tell each other what.
# timeout-seconds: 600
. "$top_srcdir/bench/lab/tests/lab.sh" || exit 99
. "$top_builddir/tests/environment"
need_lab

# traffic TOPOLOGY GROUPS SIZES MPIRUN-ARGUMENTS...: prints the cases of one run, without plan and numbers.
traffic() {
  local topology=$top_srcdir/mca_params/$1 groups=$2 sizes=$3
  shift 3
  timeout -k 10 200 "$wan_lab" run --topology "$topology" -- "$MPIRUN" "${wan_component_arguments[@]}" \
    --mca coll wan,tuned,basic,libnbc,self --mca coll_wan_eager_window $((1 << 30)) --mca coll_wan_learn 0 "$@" \
    "$top_builddir/tests/lab/traffic" "$topology" "$groups" "$sizes"
}

# Every line of a run is a case here; a run without its full number of cases is one that failed.
number=0
for run in "uniform-4x4.toml none 8,65536,1048576" "uniform-4x4.toml none 8,65536 --map-by node" "unequal-5.toml none 8,65536" \
  "uniform-4x4.toml halves 8,65536" "unequal-5.toml parity 8,4096"; do
  read -r -a words <<<"$run"
  traffic "${words[@]}" >"$scratch/said" 2>"$scratch/errors"
  cases=$(grep -cE '^(not )?ok ' "$scratch/said")
  while read -r line; do
    case $line in
      "ok "*) number=$((number + 1)); echo "ok $number - $run: ${line#*- }" ;;
      "not ok "*) number=$((number + 1)); echo "not ok $number - $run: ${line#*- }" ;;
      "#"*) echo "$line" ;;
    esac
  done <"$scratch/said"
  number=$((number + 1))
  if [ "1..$cases" = "$(head -n 1 "$scratch/said")" ]; then
    echo "ok $number - $run: all cases ran"
  else
    echo "not ok $number - $run: all cases ran"
    sed 's/^/# /' "$scratch/errors"
  fi
done
echo "1..$number"
