// SPDX-License-Identifier: BSD-3-Clause
// choose/COLLECTIVE/SITESxRANKS/LINKS/BYTES: what all ranks must agree upon. plan/...: the choice and the
// Program of rank 0, the root, which has most to do. BYTES are those of the vector (bcast, reductions, scans)
// or of all ranks' blocks together (the others; a block has a byte at least). Reported with a plan: its
// steps, and the time for each.
//
// An alltoall among 1,000 x 1,000 is forced to go directly: of short blocks a coordinator would hold 10^9.
#include <benchmark/benchmark.h>

#include "algo/choice/choice.h"
#include "algo/plan.h"
#include "bench/micro/groups.h"
#include "bench/micro/topologies.h"

namespace wan::bench {

namespace {

constexpr Bytes kElement = 8;

Call call_of(Collective collective, Bytes bytes, Rank size) {
  Call call;
  call.collective = collective;
  call.unit_bytes = traits(collective).reduces ? kElement : 1;
  if (collective != Collective::barrier)
    call.block = std::max<Count>(
        1, bytes / call.unit_bytes / (has_algorithm(collective, Algorithm::spread) ? 1 : size));
  return call;
}

Tuning tuning_of(Collective collective, const Shape& shape) {
  constexpr SiteIndex kMostAggregated = 64;
  Tuning tuning;
  if (collective == Collective::alltoall && shape.sites > kMostAggregated)
    tuning.algorithms.force(collective, Algorithm::direct);
  return tuning;
}

void make_choice(benchmark::State& state, Collective collective, const Shape& shape, Bytes bytes) {
  const Topology& topology = topology_of(shape);
  const Tuning tuning = tuning_of(collective, shape);
  const Call call = call_of(collective, bytes, topology.layout.size());
  for (auto _ : state) benchmark::DoNotOptimize(choose(topology, tuning, call));
  state.SetLabel(std::string(name_of(choose(topology, tuning, call).algorithm())));
}

void make_plan(benchmark::State& state, Collective collective, const Shape& shape, Bytes bytes) {
  const Topology& topology = topology_of(shape);
  const Tuning tuning = tuning_of(collective, shape);
  const Call call = call_of(collective, bytes, topology.layout.size());
  StepIndex steps = 0;
  for (auto _ : state) steps = plan(topology, tuning, 0, call).size();
  state.SetLabel(std::string(name_of(choose(topology, tuning, call).algorithm())));
  state.counters["steps"] = steps;
  state.counters["per_step"] =
      benchmark::Counter(steps, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

std::string name_of_size(Bytes bytes) {
  return bytes < 1024 ? std::to_string(bytes) + "B" : std::to_string(bytes >> 20) + "MiB";
}

/// The counts of the vector forms add nothing to the choice.
bool is_measured(const CollectiveTraits& each, Bytes bytes) {
  return !each.vector && (each.collective != Collective::barrier || bytes == 8);
}

}  // namespace

void register_plans() {
  for (const Shape& shape : all_shapes())
    for (const CollectiveTraits& each : all_collectives())
      for (const Bytes bytes : {Bytes{8}, Bytes{1} << 20, Bytes{64} << 20}) {
        if (!is_measured(each, bytes)) continue;
        const std::string name = std::string(each.name) + "/" + shape.name() + "/" + name_of_size(bytes);
        benchmark::RegisterBenchmark(("choose/" + name).c_str(), make_choice, each.collective, shape, bytes)
            ->Unit(benchmark::kMicrosecond);
        benchmark::RegisterBenchmark(("plan/" + name).c_str(), make_plan, each.collective, shape, bytes)
            ->Unit(benchmark::kMicrosecond);
      }
}

}  // namespace wan::bench
