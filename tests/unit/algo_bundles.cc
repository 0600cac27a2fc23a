// SPDX-License-Identifier: BSD-3-Clause
// algo/exchange/bundles.h: what the ranks of a site tell each other, what becomes of it, that both sites
// decide alike, and for whom one message is quicker than many.
#include "algo/exchange/bundles.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "check/verify.h"
#include "tests/support/layouts.h"
#include "tests/support/neighborhoods.h"
#include "tests/support/pick.h"

namespace wan {
namespace {

using Counts = std::vector<Count>;

/// A call with these edges on each rank.
std::vector<NeighborCall> calls_with(Rank ranks, const std::vector<Crossing>& edges) {
  std::vector<NeighborCall> calls(static_cast<std::size_t>(ranks));
  for (const auto& [source, destination] : edges) {
    calls[static_cast<std::size_t>(source)].edges.destinations.push_back({destination});
    calls[static_cast<std::size_t>(destination)].edges.sources.push_back({source});
  }
  return calls;
}

/// From each of 0 to n-1 to each of n to 2n-1.
std::vector<Crossing> all_pairs(Rank n) {
  std::vector<Crossing> edges;
  for (Rank source = 0; source < n; ++source)
    for (Rank destination = n; destination < 2 * n; ++destination) edges.push_back({source, destination});
  return edges;
}

Tuning aggregating() {
  Tuning tuning;
  tuning.algorithms.force_neighbors(Algorithm::aggregate);
  return tuning;
}

TEST(Bundles, RanksTellTheirEdgesToOtherSitesFirstByNumberThenByTheirEnds) {
  const Layout layout = layout_of("a a b b c");
  const Neighborhood edges{{{4}, {-1}, {2}, {2}}, {{3}, {0}, {1}, {2}, {-1}, {3}}};
  EXPECT_EQ(crossing_numbers(layout, 0, edges), (Counts{0, 0, 3, 2, 0, 1}));
  // Rank 1 has one edge to site c and none else: the two from c, of one edge each, are not worth a list.
  const Counts numbers{0, 0, 3, 2, 0, 1, 0, 0, 0, 0, 1, 0};
  EXPECT_EQ(crossing_list(layout, 0, edges, numbers), (Counts{2, 3, 3, 2, 2}));
  EXPECT_EQ(list_lengths(layout, 0, numbers), (Counts{5, 0}));
}

TEST(Bundles, HaveAllEdgesWhereDataArePassedOnAndElsewhereOnesOwn) {
  const Topology topology = topology_of("a a a b b b");
  const std::vector<Crossing> edges{{1, 4}, {2, 5}, {2, 4}, {2, 4}, {5, 0}};
  const std::vector<Bundles> bundles = bundles_of_all(topology, aggregating(), calls_with(6, edges));
  const std::vector<Crossing> all{{1, 4}, {2, 4}, {2, 4}, {2, 5}};
  EXPECT_TRUE(bundles[0].empty());
  EXPECT_TRUE(bundles[3].empty());
  for (const std::size_t rank : {1U, 4U}) {
    ASSERT_EQ(bundles[rank].size(), 1U);
    EXPECT_EQ(bundles[rank][0].edges, all);
    EXPECT_EQ(bundles[rank][0].collector, 1);
    EXPECT_EQ(bundles[rank][0].distributor, 4);
  }
  EXPECT_EQ(bundles[2][0].edges, (std::vector<Crossing>{{2, 4}, {2, 4}, {2, 5}}));
  EXPECT_EQ(bundles[5][0].edges, (std::vector<Crossing>{{2, 5}}));
}

RC_GTEST_PROP(Bundles, AreDecidedAlikeByAllWhoHaveAPart, ()) {
  std::string words;
  const int ranks = pick_by_size(2, 10);
  for (int rank = 0; rank < ranks; ++rank)
    words += std::string{static_cast<char>('a' + pick_by_size(0, 2)),
                         static_cast<char>('1' + pick_by_size(0, 1)), ' '};
  Topology topology = topology_of(words);
  topology.network =
      Network(topology.layout.sites(),
              Link{10'000'000, *rc::gen::element<BytesPerSecond>(10'000, 1'000'000, 100'000'000), 0});
  std::vector<Crossing> edges;
  for (int edge = pick_by_size(0, 40); edge > 0; --edge)
    edges.push_back({pick_by_size(0, ranks - 1), pick_by_size(0, ranks - 1)});
  const std::vector<Bundles> bundles = bundles_of_all(topology, {}, calls_with(ranks, edges));
  std::map<std::pair<SiteIndex, SiteIndex>, Bundle> first;
  std::map<std::pair<SiteIndex, SiteIndex>, std::set<Rank>> who;
  for (std::size_t rank = 0; rank < bundles.size(); ++rank)
    for (const Bundle& bundle : bundles[rank]) {
      const Bundle& other = first.try_emplace({bundle.from, bundle.to}, bundle).first->second;
      RC_ASSERT(bundle.collector == other.collector && bundle.distributor == other.distributor &&
                bundle.limit == other.limit);
      RC_ASSERT(bundle.together == other.together);
      who[{bundle.from, bundle.to}].insert(static_cast<Rank>(rank));
    }
  for (const auto& [sites, members] : who) {
    std::set<Rank> ends;
    for (const Crossing& edge : edges)
      if (std::pair(topology.layout.site_of(edge.source), topology.layout.site_of(edge.destination)) == sites)
        ends.insert({edge.source, edge.destination});
    RC_ASSERT(members == ends);
  }
}

/// What rank 0's bundle does with data of this length, on links of so many bytes a second.
bool carries(const std::string& words, BytesPerSecond rate, const std::vector<Crossing>& edges, Bytes length,
             NeighborTraits traits = {}, const Tuning& tuning = {}) {
  Topology topology = topology_of(words);
  topology.network = Network(topology.layout.sites(), Link{10'000'000, rate, 0});
  const std::vector<Bundles> bundles =
      bundles_of_all(topology, tuning, calls_with(topology.layout.size(), edges));
  return !bundles[0].empty() && bundles[0][0].carries(length, traits);
}

constexpr BytesPerSecond kSlowRate = 125'000, kFastRate = 1'250'000'000;

TEST(Bundles, PayOnSlowLinksWhereHeadersTakeLonger) {
  const std::string hosts = "a1 a2 a3 a4 b1 b2 b3 b4";
  EXPECT_TRUE(carries(hosts, kSlowRate, all_pairs(4), 8));
  EXPECT_FALSE(carries(hosts, kFastRate, all_pairs(4), 8));
}

TEST(Bundles, PayInsideAHostWhoseMessagesCostLessThanThoseToOtherSites) {
  EXPECT_TRUE(carries("a1 a1 a1 a1 b1 b1 b1 b1", 125'000'000, all_pairs(4), 8));
  EXPECT_FALSE(carries("a1 a2 a3 a4 b1 b2 b3 b4", 125'000'000, all_pairs(4), 8));
}

TEST(Bundles, OfOneEdgeNeverPay) {
  EXPECT_FALSE(carries("a1 a1 b1 b1", kSlowRate, {{0, 2}}, 8));
  EXPECT_FALSE(carries("a1 a1 b1 b1", kSlowRate, {{0, 2}}, 8, {}, aggregating()));
}

TEST(Bundles, CarryNothingLongerThanTheLimitUnlessItIsTheSameForAll) {
  const std::string hosts = "a1 a1 a1 a1 b1 b1 b1 b1";
  for (const bool is_vector : {false, true}) {
    EXPECT_TRUE(carries(hosts, kSlowRate, all_pairs(4), 1024, {false, is_vector}));
    EXPECT_FALSE(carries(hosts, kSlowRate, all_pairs(4), 1025, {false, is_vector}));
    EXPECT_TRUE(carries(hosts, kSlowRate, all_pairs(4), 1 << 20, {true, is_vector}));
  }
  EXPECT_FALSE(carries(hosts, kSlowRate, all_pairs(4), 0, {true, false}));
}

TEST(Bundles, OfDataThatAreTheSameForAllPayOnFastLinksWhenTheyAreLong) {
  const std::string hosts = "a1 a2 a3 a4 b1 b2 b3 b4";
  EXPECT_FALSE(carries(hosts, kFastRate / 10, all_pairs(4), 8, {true, false}));
  EXPECT_TRUE(carries(hosts, kFastRate / 10, all_pairs(4), 1 << 20, {true, false}));
}

TEST(Bundles, DoNotAskForLengthsWhereNothingWouldGoTogether) {
  Topology topology = topology_of("a1 a2 a3 a4 b1 b2 b3 b4");
  topology.network = Network(topology.layout.sites(), Link{10'000'000, 12'500'000, 0});
  const std::vector<Bundles> bundles = bundles_of_all(topology, {}, calls_with(8, all_pairs(4)));
  ASSERT_EQ(bundles[0].size(), 1U);
  EXPECT_FALSE(bundles[0][0].serves({false, true}));
  EXPECT_TRUE(bundles[0][0].serves({true, true}));
}

TEST(Bundles, MayBeSwitchedOff) {
  EXPECT_TRUE(may_bundle(topology_of("a b"), {}));
  EXPECT_FALSE(may_bundle(topology_of("a a"), {}));
  Tuning direct;
  direct.algorithms.force_neighbors(Algorithm::direct);
  EXPECT_FALSE(may_bundle(topology_of("a b"), direct));
}

TEST(SiteExchange, BringsTheCountsOfASiteToAllItsRanks) {
  const Topology topology = topology_of("a1 b1 a1 a2 b1 a2");
  const auto told = [](Rank rank) {
    return Counts(static_cast<std::size_t>(rank == 2 ? 0 : rank + 1), 100 * rank);
  };
  Interpreter interpreter;
  for (Rank me = 0; me < 6; ++me) {
    Counts numbers;
    for (const Rank rank : topology.layout.ranks_of(topology.layout.site_of(me)))
      numbers.push_back(std::ssize(told(rank)));
    const Program program = plan_site_exchange(topology, {}, me, numbers);
    EXPECT_TRUE(hazards(program).empty());
    interpreter.add(ProgramEditor::edited(program), bytes_of(told(me)), {});
  }
  ASSERT_TRUE(interpreter.run(1));
  for (Rank me = 0; me < 6; ++me)
    EXPECT_EQ(counts_of(interpreter.output(me)), heard_in_site(topology.layout, me, told)) << "rank " << me;
}

}  // namespace
}  // namespace wan
