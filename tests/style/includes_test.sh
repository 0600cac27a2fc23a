#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Includes go one way: base -> topo -> {discover, cost -> plan -> {algo, check, learn -> run}} -> process -> {mca, tools}; check and run know no algorithm,
# and discover, probe and multicast know no more than base and topo, and streams those and the sockets of probe. api/ is libwan_multicast, which knows MPI's public header.
# Inside algo: trees -> settings -> choice -> exchange -> services -> collectives -> algo/ itself, where settings are the files of algo/
# itself that say what there is and what the user may set. Only coll_wan/mca/ompi.h (and the stand-ins beside it) includes Open MPI's headers.
. "$top_srcdir/tests/style/tap.sh"

settings='algo/algorithm.h algo/algorithm.cc algo/algorithms.def algo/tuning.h'
below_algo='base topo cost plan'
all_of_algo='algo/trees settings algo/choice algo/exchange algo/services algo/collectives algo'
declare -A may_include=(
  [base]="base"
  [topo]="base topo"
  [discover]="base topo discover"
  [cost]="base topo cost"
  [plan]="base topo cost plan"
  [algo/trees]="$below_algo algo/trees"
  [settings]="$below_algo algo/trees settings"
  [algo/choice]="$below_algo algo/trees settings algo/choice"
  [algo/exchange]="$below_algo algo/trees settings algo/choice algo/exchange"
  [algo/services]="$below_algo algo/trees settings algo/choice algo/exchange algo/services"
  [algo/collectives]="$below_algo algo/trees settings algo/choice algo/exchange algo/services algo/collectives"
  [algo]="$below_algo $all_of_algo"
  [check]="base topo cost plan check"
  [learn]="base topo learn"
  [run]="base topo cost plan learn run"
  [probe]="base topo probe"
  [multicast]="base topo multicast"
  [streams]="base topo probe streams"
  [process]="base topo discover cost plan $all_of_algo check learn run probe process mca_params"
  [api]="base topo discover cost probe multicast process api"
  [mca]="base topo discover cost plan $all_of_algo check learn run probe streams process mca mca_params"
  [tools]="base topo discover cost plan $all_of_algo check learn run probe process tools mca_params"
)
openmpi_headers='^(mpi|mpi-ext|ompi_config|opal_config|pmix[a-z_]*)\.h$|^(ompi|opal|orte|prte|oshmem)/'

# Sets `place` to that of FILE, a path below coll_wan, in the order of includes: its folder, of algo its folder in there.
set_place() {
  place=${1%%/*}
  if [[ " $settings " == *" $1 "* ]]; then
    place=settings
  elif [[ $1 == algo/*/* ]]; then
    place=${1%/*}
  fi
}

# Prints "FILE INCLUDED" for every #include below ROOT/coll_wan.
list_includes() {
  (cd "$1" && grep -rEo --include='*.h' --include='*.cc' --include='*.def' \
    '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"][^>"]+' coll_wan) |
    sed -E 's/^([^:]+):[^<"]*[<"](.*)$/\1 \2/'
}

# Prints one line for each include that goes the wrong way.
check_includes() {
  local file included folder target place
  list_includes "$1" | while read -r file included; do
    set_place "${file#coll_wan/}"
    folder=$place
    if [[ $included =~ $openmpi_headers ]]; then
      [[ $file == coll_wan/mca/ompi.h || $file == coll_wan/mca/shim/* || ($file == coll_wan/api/* && $included == mpi.h) ||
        $file:$included == coll_wan/api/lost_processes.cc:mpi-ext.h ]] || echo "$file includes Open MPI's $included"
      continue
    fi
    set_place "$included"
    target=$place
    [[ $included == */* && -n ${may_include[$target]:-} ]] || continue
    if [ -z "${may_include[$folder]:-}" ]; then
      echo "$file lies in a folder without a place in the order of includes"
    elif [[ " ${may_include[$folder]} " != *" $target "* ]]; then
      echo "$file includes $included"
    fi
  done
}

# wrong FILE LINE: a tree that consists of one file with this line.
wrong=$(mktemp -d) || exit 99
trap 'rm -rf "$wrong"' EXIT
wrong() {
  rm -rf "${wrong:?}/coll_wan"
  mkdir -p "$wrong/$(dirname "$1")"
  printf '%s\n' "$2" >"$wrong/$1"
  check_includes "$wrong"
}

tap_ok "the tree's includes go one way" is_silent check_includes "$top_srcdir"
tap_ok "the tree's includes are seen at all" complains 'plan/builder.cc plan/builder.h' list_includes "$top_srcdir"
tap_ok "topo may not include plan" complains 'topo/a.cc includes plan' wrong coll_wan/topo/a.cc '#include "plan/call.h"'
tap_ok "plan may not include algo" complains 'plan/a.h includes algo' wrong coll_wan/plan/a.h '#  include "algo/plan.h"'
tap_ok "check may not include algo" complains 'check/a.cc includes algo' wrong coll_wan/check/a.cc '#include "algo/plan.h"'
tap_ok "run may not include algo" complains 'run/a.cc includes algo' wrong coll_wan/run/a.cc '#include "algo/plan.h"'
tap_ok "run may not include check" complains 'run/a.cc includes check' wrong coll_wan/run/a.cc '#include "check/verify.h"'
tap_ok "discover may not include process" complains 'discover/a.cc includes process' \
  wrong coll_wan/discover/a.cc '#include "process/record.h"'
tap_ok "plan may not include discover" complains 'plan/a.cc includes discover' wrong coll_wan/plan/a.cc '#include "discover/sites.h"'
tap_ok "learn may not include run" complains 'learn/a.cc includes run' wrong coll_wan/learn/a.cc '#include "run/pacer.h"'
tap_ok "process may not include mca" complains 'process/a.h includes mca' wrong coll_wan/process/a.h '#include "mca/task.h"'
tap_ok "tools may not include mca" complains 'tools/a.cc includes mca' wrong coll_wan/tools/a.cc '#include "mca/ompi.h"'
tap_ok "algo/trees may not include tuning.h" complains 'trees/a.h includes algo/tuning' \
  wrong coll_wan/algo/trees/a.h '#include "algo/tuning.h"'
tap_ok "algo/tuning.h may not include algo/choice" complains 'tuning.h includes algo/choice' \
  wrong coll_wan/algo/tuning.h '#include "algo/choice/choice.h"'
tap_ok "algo/choice may not include algo/exchange" complains 'choice/a.cc includes algo/exchange' \
  wrong coll_wan/algo/choice/a.cc '#include "algo/exchange/position.h"'
tap_ok "algo/exchange may not include algo/services" complains 'exchange/a.cc includes algo/services' \
  wrong coll_wan/algo/exchange/a.cc '#include "algo/services/survey.h"'
tap_ok "algo/services may not include algo/collectives" complains 'services/a.cc includes algo/collectives' \
  wrong coll_wan/algo/services/a.cc '#include "algo/collectives/neighbor.h"'
tap_ok "algo/collectives may not include algo/plan.h" complains 'collectives/a.cc includes algo/plan' \
  wrong coll_wan/algo/collectives/a.cc '#include "algo/plan.h"'
tap_ok "algo/collectives may include algo/choice" is_silent \
  wrong coll_wan/algo/collectives/a.cc '#include "algo/choice/choice.h"'
tap_ok "plan may not include a folder of algo" complains 'plan/a.h includes algo/trees' \
  wrong coll_wan/plan/a.h '#include "algo/trees/tree.h"'
tap_ok "a new folder of algo needs a place" complains 'algo/new/a.cc lies in' wrong coll_wan/algo/new/a.cc '#include "base/types.h"'
tap_ok "a new folder needs a place" complains 'new/a.cc lies in' wrong coll_wan/new/a.cc '#include "base/types.h"'
tap_ok "the core may not include mpi.h" complains "algo/a.cc includes Open MPI's mpi.h" wrong coll_wan/algo/a.cc '#include <mpi.h>'
tap_ok "mca/module.cc may not include ompi/" complains "mca/module.cc includes Open MPI's ompi/" \
  wrong coll_wan/mca/module.cc '#include "ompi/communicator/communicator.h"'
tap_ok "api may" is_silent wrong coll_wan/api/a.h '#include <mpi.h>'
tap_ok "api may not include Open MPI's own" complains "api/a.cc includes Open MPI's ompi_config.h" wrong coll_wan/api/a.cc '#include "ompi_config.h"'
tap_ok "nor MPI's extensions" complains "api/a.cc includes Open MPI's mpi-ext.h" wrong coll_wan/api/a.cc '#include <mpi-ext.h>'
tap_ok "mca/ompi.h may" is_silent wrong coll_wan/mca/ompi.h '#include "ompi/communicator/communicator.h"'
tap_done
