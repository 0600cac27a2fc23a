// SPDX-License-Identifier: BSD-3-Clause
// wan-micro: what coll_wan costs apart from its messages, without MPI (Google Benchmark;
// bench/micro/README.md).
#include <benchmark/benchmark.h>

#include "bench/micro/groups.h"

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  wan::bench::register_topologies();
  wan::bench::register_plans();
  wan::bench::register_executions();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
