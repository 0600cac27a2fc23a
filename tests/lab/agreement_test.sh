#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# All ranks come to believe the same of links that the topology file has wrong, or that change, while calls of all kinds are under way,
# and all results are right.
# timeout-seconds: 300
. "$top_srcdir/bench/lab/tests/lab.sh" || exit 99
. "$top_builddir/tests/environment"
need_lab

three_sites '20 ms' '40 MB/s'
mv "$scratch/sites.toml" "$scratch/wrong.toml"
three_sites '5 ms' '4 MB/s'

# job OPTIONS -- PROGRAM...: 3 x 2 ranks that believe the wrong file.
job() {
  local options=()
  while [ "$1" != -- ]; do options+=("$1"); shift; done
  shift
  lab --hosts 1 --ranks 2 -- env -u OMPI_MCA_coll_wan_topology "$MPIRUN" "${wan_component_arguments[@]}" \
    --mca coll wan,tuned,basic,libnbc,self --mca coll_wan_learn "${learn:-1}" --mca coll_wan_topology "$scratch/wrong.toml" "${options[@]}" "$@" \
    >"$scratch/output" 2>&1 || { tail -n 20 "$scratch/output"; return 1; }
}
loop=("$top_builddir/bench/learning/wan-learning-loop")
corrects() {
  grep -q "links are not as they were believed to be: .*$1" "$scratch/output" || { echo "nothing like $1 in:"; cat "$scratch/output"; return 1; }
}

tap_ok "a loop of alltoalls is right" job --mca coll_wan_explain 1 -- "${loop[@]}" alltoall 65536 60
tap_ok "and the file is corrected" corrects 's[123] to s[123] has [4-6]\.[0-9] ms and [2-7]\.[0-9] MB/s instead of'
tap_ok "a loop over a link that changes is right" job --mca coll_wan_explain 1 -- "${loop[@]}" allreduce 524288 40 \
  14 "s1 s2 latency '25 ms'" 14 "s1 s2 bandwidth '1 MB/s'" 28 "s1 s2 latency '5 ms'"
tap_ok "and corrected more than once" test "$(grep -c 'not as they were believed' "$scratch/output")" -ge 2
learn=0 tap_ok "where nothing is learnt nothing is corrected" job --mca coll_wan_explain 1 -- "${loop[@]}" alltoall 65536 5
tap_ok "indeed" test "$(grep -c 'not as they were believed' "$scratch/output")" = 0
tap_ok "calls of all kinds" job -- "$top_builddir/tests/mpi/mpi_collectives" --seed 3 --max-cases 60 --communicator world
tap_ok "many at once" job -- "$top_builddir/tests/mpi/mpi_many" --calls 200
tap_ok "threads" job -- "$top_builddir/tests/mpi/mpi_threads" --rounds 20
tap_ok "persistent ones" job -- "$top_builddir/tests/mpi/mpi_collectives" --seed 4 --max-cases 60 --communicator world --form persistent
tap_ok "and neighbours" job -- "$top_builddir/tests/mpi/mpi_neighbor" --form nonblocking
tap_done
