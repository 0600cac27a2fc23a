// SPDX-License-Identifier: BSD-3-Clause
// algo/exchange/relaying.h: both ends of every pair of ranks see the same messages in the same order, every
// unit takes one way, and over a slow link each collective that can be relayed is, correctly and sooner than
// directly.
#include <gtest/gtest.h>

#include <map>

#include "algo/choice/choice.h"
#include "algo/exchange/relaying.h"
#include "algo/schedule.h"
#include "base/time.h"
#include "check/simulate.h"
#include "check/verify.h"
#include "tests/support/free_machine.h"
#include "tests/support/layouts.h"

namespace wan {
namespace {

/// Three sites of two ranks; the link from a to c, or from c to a, is slow.
Topology slow_between(SiteIndex from, SiteIndex to) {
  std::vector<Link> links(9, Link{10 * kMillisecond, 100'000, 0});
  links[static_cast<std::size_t>(from * 3 + to)].bandwidth_bytes_per_s = 4'000;
  return {layout_of("a a b b c c"), Network(3, links, {{}, {}, {}}, {{}, {}, {}})};
}

/// On six ranks, with blocks of 2,000 units.
GlobalCall call_on_six(Collective collective) {
  GlobalCall call{collective, 6, 0, OperandOrder::any, 2'000, {}, {}};
  if (traits(collective).vector) call.counts.assign(6, 2'000);
  return call;
}

class Relayed : public testing::TestWithParam<Collective> {};

TEST_P(Relayed, IsCorrectAndSoonerThanDirectly) {
  const GlobalCall call = call_on_six(GetParam());
  const bool is_to_root = GetParam() == Collective::gather;
  const Topology topology = is_to_root ? slow_between(2, 0) : slow_between(0, 2);
  Tuning tuning;
  tuning.segment = 500;
  tuning.algorithms.force(GetParam(), Algorithm::relayed);
  ASSERT_EQ(choose(topology, tuning, call.view(0)).algorithm(), Algorithm::relayed);
  const Schedule relayed = plan_all(topology, tuning, call);
  EXPECT_TRUE(verify(relayed, call, topology.layout).is_correct());
  tuning.algorithms.force(GetParam(), Algorithm::direct);
  const Schedule direct = plan_all(topology, tuning, call);
  const Model model(topology, free_machine());
  EXPECT_LT(simulate(relayed, model, call.unit_bytes).end,
            simulate(direct, model, call.unit_bytes).end * 6 / 10);
}

INSTANTIATE_TEST_SUITE_P(Every, Relayed,
                         testing::Values(Collective::gather, Collective::scatter, Collective::alltoall,
                                         Collective::allgather, Collective::allgatherv,
                                         Collective::reduce_scatter, Collective::reduce_scatter_block,
                                         Collective::allreduce, Collective::scan, Collective::exscan,
                                         Collective::bcast),
                         [](const auto& each) { return std::string(traits(each.param).name); });

/// Four sites of two ranks. Only b is quick to d, and what a sends to either of b and c, half of its vector,
/// they can tell each other sooner than a tells both everything.
Topology quick_to_d_from_b_alone() {
  constexpr SiteIndex a = 0, b = 1, c = 2, d = 3, kSites = 4;
  constexpr BytesPerSecond kSlow = 4'000, kHalf = 50'000, kQuick = 100'000;
  std::vector<Link> links(kSites * kSites, Link{kMillisecond, kQuick, 0});
  const auto set = [&](SiteIndex from, SiteIndex to, BytesPerSecond rate) {
    links[static_cast<std::size_t>(from * kSites + to)].bandwidth_bytes_per_s = rate;
  };
  set(a, b, kHalf), set(a, c, kHalf), set(a, d, kSlow), set(c, d, kSlow);
  const std::vector<std::optional<BytesPerSecond>> no_caps(kSites);
  return {layout_of("a a b b c c d d"), Network(kSites, links, no_caps, no_caps)};
}

Tuning with_short_segments(Algorithm forced = Algorithm::automatic) {
  Tuning tuning;
  tuning.segment = 1'000;
  tuning.algorithms.force(Collective::bcast, forced);
  return tuning;
}

Nanoseconds time_of_bcast(const GlobalCall& call, Algorithm forced) {
  const Topology topology = quick_to_d_from_b_alone();
  const Schedule schedule = plan_all(topology, with_short_segments(forced), call);
  EXPECT_TRUE(verify(schedule, call, topology.layout).is_correct());
  return simulate(schedule, Model(topology, free_machine()), 1).end;
}

TEST(RelayedBcast, IsChosenWhereStripesMustGoOnByDifferentSites) {
  const GlobalCall call{Collective::bcast, 8, 0, OperandOrder::any, 40'000, {}, {}};
  EXPECT_EQ(choose(quick_to_d_from_b_alone(), with_short_segments(), call.view(0)).algorithm(),
            Algorithm::relayed);
  const Nanoseconds relayed = time_of_bcast(call, Algorithm::automatic);
  for (const Algorithm other : {Algorithm::direct, Algorithm::spread, Algorithm::tree})
    EXPECT_LT(relayed, time_of_bcast(call, other) * 8 / 10) << name_of(other);
}

TEST(RelayedBcast, GivesWayToOthersThatAreNoTwentiethSlower) {
  Call call;
  call.collective = Collective::bcast;
  call.block = 200'000;
  EXPECT_EQ(choose(topology_of("a b c d"), {}, call).algorithm(), Algorithm::spread);
  call.block = 2'000;
  Tuning tuning;
  EXPECT_NE(choose(slow_between(0, 2), tuning, call).algorithm(), Algorithm::relayed)
      << "a detour of one tree";
  tuning.algorithms.force(Collective::bcast, Algorithm::relayed);
  EXPECT_EQ(choose(slow_between(0, 2), tuning, call).algorithm(), Algorithm::relayed);
}

TEST(RelayedBcast, IsNotForWhatGoesInOnePiece) {
  Call call;
  call.collective = Collective::bcast;
  const auto chosen = [&](Count bytes) {
    call.block = bytes;
    return choose(quick_to_d_from_b_alone(), with_short_segments(), call).algorithm();
  };
  EXPECT_NE(chosen(1'000), Algorithm::relayed);
  EXPECT_EQ(chosen(10'000), Algorithm::relayed);
}

/// Of a relayed collective.
int senders_of(Collective collective, Rank me) {
  const GlobalCall call = call_on_six(collective);
  Tuning tuning;
  tuning.algorithms.force(collective, Algorithm::relayed);
  return plan(collective == Collective::gather ? slow_between(2, 0) : slow_between(0, 2), tuning, me,
              call.view(me))
      .senders();
}

TEST(Relaying, OfAGatherOrScatterLoadsProcessesUnequally) {
  EXPECT_EQ(senders_of(Collective::scatter, 0), 1) << "the root alone has anything to send from its site";
  EXPECT_EQ(senders_of(Collective::scatter, 2), 1);
  EXPECT_EQ(senders_of(Collective::gather, 2), 1);
  EXPECT_EQ(senders_of(Collective::alltoall, 2), 2);
}

TEST(Relaying, IsNotWhatARankOrderAllows) {
  GlobalCall call = call_on_six(Collective::reduce_scatter_block);
  call.order = OperandOrder::rank;
  EXPECT_EQ(choose(slow_between(0, 2), {}, call.view(0)).algorithm(), Algorithm::direct);
}

TEST(Legs, AreTheSameAtBothEndsAndCoverAll) {
  const Topology topology = slow_between(0, 2);
  const GlobalCall call = call_on_six(Collective::allgather);
  const Choice choice = choose(topology, {}, call.view(0));
  ASSERT_EQ(choice.algorithm(), Algorithm::relayed);
  const std::vector<Count> lengths(3, 4'000);
  const Segmentation segmentation{300, 100'000, 1'000};
  const auto key = [](const Leg& leg) { return std::tuple(leg.source, leg.offset, leg.length); };
  std::map<std::pair<SiteIndex, SiteIndex>, std::vector<std::tuple<SiteIndex, Count, Count>>> sent, received;
  for (SiteIndex site = 0; site < 3; ++site) {
    const SiteLegs legs = legs_of(std::get<RelayedWay>(choice.way).routes, site, lengths, segmentation);
    Count units = 0;
    for (const Leg& leg : legs.sent) sent[{leg.from, leg.to}].push_back(key(leg));
    for (const Leg& leg : legs.received)
      received[{leg.from, leg.to}].push_back(key(leg)), units += leg.length;
    EXPECT_EQ(units, 8'000);
    const SiteLegs back = mirrored(legs);
    EXPECT_EQ(back.sent.size(), legs.received.size());
    EXPECT_EQ(key(back.sent.front()), key(legs.received.back()));
    EXPECT_EQ(back.sent.front().to, legs.received.back().from);
  }
  EXPECT_EQ(sent, received);
}

TEST(Slice, CrossesRanges) {
  RangeList all;
  all.add({Buffer::input, 0, 10});
  all.add({Buffer::output, 5, 10});
  const RangeList part = slice(all, 8, 4);
  const std::span<const Range> ranges(part);
  ASSERT_EQ(ranges.size(), 2u);
  EXPECT_EQ(ranges[0], (Range{Buffer::input, 8, 2}));
  EXPECT_EQ(ranges[1], (Range{Buffer::output, 5, 2}));
}

}  // namespace
}  // namespace wan
