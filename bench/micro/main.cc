// SPDX-License-Identifier: BSD-3-Clause
// wan-micro: what coll_wan costs apart from its messages, without MPI (Google Benchmark;
// bench/micro/README.md). Status 1: a benchmark with a goal has missed it.
#include <benchmark/benchmark.h>

#include "bench/micro/groups.h"

namespace {
bool is_goal_missed = false;
}

void wan::bench::note_missed_goal() {
  is_goal_missed = true;
}

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  wan::bench::register_topologies();
  wan::bench::register_plans();
  wan::bench::register_counts();
  wan::bench::register_executions();
  benchmark::RunSpecifiedBenchmarks();
  return is_goal_missed ? 1 : 0;
}
