// SPDX-License-Identifier: BSD-3-Clause
// plan/alltoallv/4x1000/COUNTS/WAY: rank 0's Program of an alltoallv among 4 x 1,000 ranks, the counts of
// those below it being known. COUNTS: "dense", a block for everybody; "sparse", for one rank in a hundred.
// WAY: "chosen", or "aggregate", where rank 0 passes on the blocks of its site. More than 100 ms of
// processor time, in the quickest of all runs, is an error.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <limits>
#include <memory>

#include "algo/choice/aggregation.h"
#include "algo/choice/choice.h"
#include "algo/plan.h"
#include "algo/services/survey.h"
#include "bench/micro/groups.h"
#include "bench/micro/topologies.h"

namespace wan::bench {

namespace {

constexpr double kGoalMs = 100;
constexpr Shape kShape{4, 1000, Links::equal};

/// Ranks that one rank has a block for: every `step`-th.
struct Counts {
  const char* name;
  Rank step;
};

/// The call of `rank`, which has a block for itself and every step-th rank behind it.
Call call_of(Rank rank, Rank size, Rank step) {
  constexpr Count kBlock = 8;
  Call call;
  call.collective = Collective::alltoallv;
  call.send_counts.assign(static_cast<std::size_t>(size), 0);
  call.receive_counts = call.send_counts;
  for (Rank other = 0; other < size; ++other)
    if ((other - rank) % step == 0)
      call.send_counts[static_cast<std::size_t>(other)] =
          call.receive_counts[static_cast<std::size_t>(other)] = kBlock;
  return call;
}

Call surveyed_call(const Topology& topology, const Tuning& tuning, Rank step) {
  const Rank size = topology.layout.size();
  Call call = call_of(0, size, step);
  if (!needs_survey(topology, tuning, call)) return call;
  for (const Rank member : ranks_below(topology, tuning, 0))
    call.members.push_back(std::make_shared<const MemberCounts>(
        member_of(member, size, survey_entry(call_of(member, size, step)))));
  return call;
}

void plan_counts(benchmark::State& state, Counts counts, Algorithm algorithm) {
  const Topology& topology = topology_of(kShape);
  Tuning tuning;
  if (algorithm != Algorithm::automatic) tuning.algorithms.force(Collective::alltoallv, algorithm);
  const Call call = surveyed_call(topology, tuning, counts.step);
  double least_ms = std::numeric_limits<double>::max();
  StepIndex steps = 0;
  for (auto _ : state) {
    const std::clock_t start = std::clock();
    steps = plan(topology, tuning, 0, call).size();
    least_ms = std::min(least_ms, 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  state.SetLabel(std::string(name_of(choose(topology, tuning, call).algorithm())));
  state.counters["steps"] = steps;
  if (least_ms <= kGoalMs) return;
  note_missed_goal();
  state.SkipWithError(("the goal of 100 ms is missed: " + std::to_string(least_ms) + " ms").c_str());
}

}  // namespace

void register_counts() {
  for (const Counts counts : {Counts{"dense", 1}, Counts{"sparse", 100}})
    for (const auto& [algorithm, way] :
         {std::pair(Algorithm::automatic, "chosen"), std::pair(Algorithm::aggregate, "aggregate")}) {
      if (counts.step == 1 && algorithm == Algorithm::aggregate) continue;  // 6 million blocks
      const std::string name = "plan/alltoallv/" + std::to_string(kShape.sites) + "x" +
                               std::to_string(kShape.ranks) + "/" + counts.name + "/" + way;
      benchmark::RegisterBenchmark(name.c_str(), plan_counts, counts, algorithm)
          ->Unit(benchmark::kMillisecond);
    }
}

}  // namespace wan::bench
