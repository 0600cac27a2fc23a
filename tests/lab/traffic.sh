#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Lab test: what every collective sends between the sites equals what the verifier predicts for its schedule.
set -u
. "$top_builddir/tests/environment"
topology=$top_srcdir/mca_params/uniform-4x4.toml
timeout -k 10 240 "$top_builddir/bench/lab/wan-lab" run --topology "$topology" -- \
  "$MPIRUN" "${wan_component_arguments[@]}" --mca coll wan,tuned,basic,libnbc,self \
  "$top_builddir/tests/lab/traffic" "$topology"
