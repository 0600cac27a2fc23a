// SPDX-License-Identifier: BSD-3-Clause
// Every collective x random topology x root x layout x sizes x operator x MPI_IN_PLACE, planned on all ranks and verified
// symbolically (check/verify.h). RC_PARAMS="max_success=100000 seed=7" sets the number of cases and the seed.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <ostream>
#include <sstream>

#include "algo/plan.h"
#include "check/verify.h"

namespace wan {
namespace {

struct Case {
  std::vector<Path> paths;
  Tuning tuning;
  GlobalCall call;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  out << traits(c.call.collective).name << " size " << c.call.size << " root " << c.call.root << " block " << c.call.block
      << (c.call.order == OperandOrder::rank ? " in rank order" : "") << " radix " << c.tuning.radix << " shape "
      << static_cast<int>(c.tuning.tree) << " aggregate " << c.tuning.aggregate_limit << "\n paths:";
  for (const Path& path : c.paths) {
    out << ' ';
    for (const auto& label : path) out << '/' << label;
  }
  out << "\n counts:";
  for (const Count count : c.call.counts) out << ' ' << count;
  out << "\n in place:";
  for (const Placement placement : c.call.placements) out << ' ' << (placement == Placement::in_place);
  return out << '\n';
}

/// Uniform over from..to, whatever the size RapidCheck has come to.
template <class T>
T pick(T from, T to) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<T>(from, static_cast<T>(to + 1)));
}

enum class Spread : std::uint8_t { contiguous, cyclic, random };

/// Site of each rank: `size` ranks over `sites` sites.
std::vector<int> sites_of(Rank size, int sites, Spread spread) {
  std::vector<int> site(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < site.size(); ++i)
    site[i] = spread == Spread::cyclic ? static_cast<int>(i) % sites : pick(0, sites - 1);
  if (spread == Spread::contiguous) std::ranges::sort(site);
  return site;
}

std::vector<Path> random_paths(Rank size) {
  const auto spread = static_cast<Spread>(pick(0, 2));
  const int hosts = pick(1, 3), domains = pick(0, 2);
  std::vector<Path> paths;
  for (const int site : sites_of(size, pick(1, 6), spread)) {
    Path path{"s" + std::to_string(site), "h" + std::to_string(pick(1, hosts))};
    if (domains > 0) path.push_back("n" + std::to_string(pick(1, domains)));
    paths.push_back(path);
  }
  return paths;
}

std::vector<Count> random_counts(std::size_t n) {
  std::vector<Count> counts(n);
  for (Count& count : counts) count = pick<Count>(0, 3);
  return counts;
}

std::size_t number_of_counts(Collective collective, Rank size) {
  const auto p = static_cast<std::size_t>(size);
  if (!traits(collective).vector) return 0;
  return collective == Collective::alltoallv || collective == Collective::alltoallw ? p * p : p;
}

bool all_or_none_in_place(Collective collective) {
  return collective == Collective::alltoall || collective == Collective::alltoallv || collective == Collective::alltoallw;
}

std::vector<Placement> random_placements(Collective collective, Rank size, Rank root) {
  std::vector<Placement> placements(static_cast<std::size_t>(size), Placement::separate);
  if (collective == Collective::barrier || collective == Collective::bcast) return placements;
  const auto random = [] { return static_cast<Placement>(pick(0, 1)); };
  if (traits(collective).rooted)
    placements[static_cast<std::size_t>(root)] = random();
  else if (all_or_none_in_place(collective))
    std::ranges::fill(placements, random());
  else
    for (Placement& placement : placements) placement = random();
  return placements;
}

Case random_case(Collective collective) {
  Case c;
  GlobalCall& call = c.call;
  call.collective = collective;
  call.size = pick<Rank>(1, *rc::gen::element<Rank>(4, 10, 24));
  call.root = pick<Rank>(0, call.size - 1);
  call.order = static_cast<OperandOrder>(pick(0, 1));
  call.block = pick<Count>(0, 2);
  call.counts = random_counts(number_of_counts(collective, call.size));
  call.placements = random_placements(collective, call.size, call.root);
  if (call.placements[0] == Placement::in_place && (collective == Collective::alltoallv || collective == Collective::alltoallw))
    for (Rank a = 0; a < call.size; ++a)  // in place, what is sent has the size of what is received
      for (Rank b = 0; b < a; ++b) {
        const auto p = static_cast<std::size_t>(call.size), i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
        call.counts[i * p + j] = call.counts[j * p + i];
      }
  c.paths = random_paths(call.size);
  c.tuning = {static_cast<TreeShape>(pick(0, 2)), pick(2, 5), *rc::gen::element<Bytes>(0, 8192)};
  return c;
}

Schedule schedule_of(const Case& c, const Topology& topology) {
  Schedule schedule;
  for (Rank rank = 0; rank < c.call.size; ++rank) schedule.push_back(plan(topology, c.tuning, rank, c.call.view(rank)));
  return schedule;
}

void holds(Collective collective) {
  const Case c = random_case(collective);
  const Layout layout(c.paths);
  const Topology topology{layout, Network(layout.sites(), Link{10'000'000, 12'500'000, 0})};
  const Verdict verdict = verify(schedule_of(c, topology), c.call, layout);
  std::ostringstream text;
  text << c;
  for (const auto& defect : verdict.defects) text << defect << '\n';
  RC_LOG() << text.str();
  RC_ASSERT(verdict.is_correct());
  RC_ASSERT(verdict.latencies <= 1);
  RC_ASSERT(verdict.repeated_units == 0);
}

class Schedules : public testing::TestWithParam<CollectiveTraits> {};

TEST_P(Schedules, AreCorrectAndWideAreaOptimal) {
  EXPECT_TRUE(rc::check(std::string(GetParam().name), [] { holds(GetParam().collective); }));
}

INSTANTIATE_TEST_SUITE_P(Every, Schedules, testing::ValuesIn(all_collectives().begin(), all_collectives().end()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace wan
