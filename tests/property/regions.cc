// SPDX-License-Identifier: BSD-3-Clause
// Networks of several levels: sites in regions, near each other in a region and far from other regions. What
// is chosen is correct, keeps its promises, and by the simulator takes no longer than what goes directly.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <sstream>
#include <utility>

#include "algo/schedule.h"
#include "check/simulate.h"
#include "tests/support/promise.h"
#include "tests/support/property_main.h"
#include "tests/support/random_call.h"

namespace wan {

const int kCases = 40;

namespace {

/// The region and the site of each rank.
struct World {
  std::vector<Path> paths;
  std::vector<int> region_of;  ///< by site
};

World random_world() {
  World world;
  const int regions = pick(2, 3);
  for (int region = 0; region < regions; ++region) {
    const int sites = pick(1, 4);
    for (int site = 0; site < sites; ++site, world.region_of.push_back(region)) {
      const int ranks = pick(1, 2);
      for (int rank = 0; rank < ranks; ++rank)
        world.paths.push_back({"r" + std::to_string(region) + "s" + std::to_string(site)});
    }
  }
  return world;
}

Topology random_topology(const World& world) {
  const Link near{pick(1, 5) * 1'000'000, pick(20, 200) * 1'000'000, 0};
  const Link far{pick(10, 100) * 1'000'000, pick(1, 20) * 1'000'000, 0};
  const std::size_t sites = world.region_of.size();
  std::vector<Link> links;
  for (std::size_t from = 0; from < sites; ++from)
    for (std::size_t to = 0; to < sites; ++to)
      links.push_back(world.region_of[from] == world.region_of[to] ? near : far);
  const std::vector<std::optional<BytesPerSecond>> uncapped(sites);
  return {Layout(world.paths), {static_cast<SiteIndex>(sites), std::move(links), uncapped, uncapped}};
}

GlobalCall call_of(Collective collective, Rank size) {
  GlobalCall call;
  call.collective = collective;
  call.size = size;
  if (traits(collective).rooted) call.root = pick(0, size - 1);
  call.unit_bytes = unit_of(collective) == Unit::elements ? 8 : 1;
  call.block = (std::int64_t{1} << pick(6, 16)) / call.unit_bytes * pick(1, 3);
  return call;
}

Nanoseconds simulated_ns(const Topology& topology, const Tuning& tuning, const GlobalCall& call) {
  return simulate(plan_all(topology, tuning, call), Model(topology, Machine{}), call.unit_bytes).end;
}

void is_no_slower_than_directly(Collective collective) {
  const World world = random_world();
  const Topology topology = random_topology(world);
  const GlobalCall call = call_of(collective, topology.layout.size());
  const auto broken = broken_promises(plan_all(topology, {}, call), call, topology, {});
  Tuning direct;
  direct.algorithms.force(collective, Algorithm::direct);
  const Nanoseconds chosen_ns = simulated_ns(topology, {}, call),
                    direct_ns = simulated_ns(topology, direct, call);
  // The choice counts no processor's time, and a relay has to handle what it passes on.
  constexpr Nanoseconds kOfTenths = 11;
  if (broken.empty() && chosen_ns <= direct_ns / 10 * kOfTenths) return;
  std::ostringstream text;
  for (const auto& promise : broken) text << promise << '\n';
  const Link& near = topology.network.link(0, 1);
  text << call.block << " units, root " << call.root << ", " << chosen_ns << " ns instead of " << direct_ns
       << "; link 0-1 " << near.latency_ns << " ns " << near.bandwidth_bytes_per_s << " B/s; regions";
  for (const int region : world.region_of) text << ' ' << region;
  RC_FAIL(text.str());
}

class RegionsOf : public testing::TestWithParam<Collective> {};

TEST_P(RegionsOf, CostNothing) {
  const Collective collective = GetParam();
  EXPECT_TRUE(
      rc::check(std::string(traits(collective).name), [=] { is_no_slower_than_directly(collective); }));
}

constexpr std::array kRelayed{
    Collective::allgather, Collective::allreduce, Collective::alltoall, Collective::bcast,
    Collective::gather,    Collective::reduce,    Collective::scan,     Collective::reduce_scatter_block,
    Collective::scatter};

INSTANTIATE_TEST_SUITE_P(Every, RegionsOf, testing::ValuesIn(kRelayed),
                         [](const auto& each) { return std::string(traits(each.param).name); });

}  // namespace
}  // namespace wan
