// SPDX-License-Identifier: BSD-3-Clause
// algo/services/contact.h: who meets whom, that the exchange of empty messages is correct, and that unrooted
// plans send between sites only where processes have met.
#include <gtest/gtest.h>

#include <algorithm>

#include "algo/schedule.h"
#include "algo/services/contact.h"
#include "check/verify.h"
#include "tests/support/layouts.h"

namespace wan {
namespace {

using Ranks = std::vector<Rank>;
constexpr ContactExtent kEveryExtent[] = {ContactExtent::none, ContactExtent::coordinators,
                                          ContactExtent::all, ContactExtent::automatic};
constexpr const char* kLayouts[] = {
    "a",     "a a a",       "a b",           "a b c d",         "a a b b c c",
    "b a a", "a b a c b a", "a1 b1 a2 b2 c", "a b c d e a b c", "a a a a a a b"};

TEST(Contact, CoordinatorsMeetThoseOfTheOtherSites) {
  const Topology topology = topology_of("a a b c b a c");
  const auto meets = [&](Rank me) { return contacts_of(topology, {}, ContactExtent::coordinators, me); };
  EXPECT_EQ(meets(0), (Ranks{2, 3}));
  EXPECT_EQ(meets(2), (Ranks{0, 3}));
  EXPECT_EQ(meets(3), (Ranks{0, 2}));
  for (const Rank other : {1, 4, 5, 6}) EXPECT_EQ(meets(other), Ranks{}) << other;
}

TEST(Contact, ThoseOfEachLaneMeet) {
  const Topology topology = topology_of("a a b c b a c");
  Tuning tuning;
  tuning.lanes = 3;
  const auto meets = [&](Rank me) { return contacts_of(topology, tuning, ContactExtent::coordinators, me); };
  EXPECT_EQ(meets(0), (Ranks{2, 3}));
  EXPECT_EQ(meets(1), (Ranks{4, 6}));
  EXPECT_EQ(meets(5), (Ranks{2, 6}));
  EXPECT_EQ(meets(2), (Ranks{0, 5, 3, 6}));
}

TEST(Contact, NeighboursInTheTreeOfASiteMeetIfTheyLieOnDifferentHosts) {
  const Topology topology = topology_of("a1 a1 a2 a2 a3 b1 b2");
  for (const ContactExtent extent : {ContactExtent::coordinators, ContactExtent::all}) {
    const auto meets = [&](Rank me, Rank other) {
      return std::ranges::count(contacts_of(topology, {}, extent, me), other) == 1;
    };
    EXPECT_TRUE(meets(0, 2) && meets(2, 0));
    EXPECT_TRUE(meets(5, 6) && meets(6, 5));
    EXPECT_FALSE(meets(0, 1) || meets(1, 0) || meets(2, 3) || meets(3, 4) || meets(1, 4));
  }
  EXPECT_EQ(contacts_of(topology, {}, ContactExtent::none, 0), Ranks{});
}

TEST(Contact, AllMeetAllOfOtherSites) {
  const Topology topology = topology_of("a a b c b");
  EXPECT_EQ(contacts_of(topology, {}, ContactExtent::all, 1), (Ranks{2, 4, 3}));
  EXPECT_EQ(contacts_of(topology, {}, ContactExtent::all, 3), (Ranks{0, 1, 2, 4}));
}

TEST(Contact, AFewAllMeetOfItselfAndOfManyTheCoordinators) {
  const auto sites = [](Rank others) {
    std::string words = "a";
    for (Rank i = 0; i < others; ++i) words += i % 2 == 0 ? " b" : " a";
    return topology_of(words);
  };
  const auto meets = [](const Topology& topology, ContactExtent extent) {
    return contacts_of(topology, {}, extent, 3);
  };
  const Topology few = sites(2 * kFewOthers - 1), many = sites(2 * kFewOthers);
  EXPECT_EQ(meets(few, ContactExtent::automatic), meets(few, ContactExtent::all));
  EXPECT_EQ(meets(few, ContactExtent::automatic).size(), static_cast<std::size_t>(kFewOthers));
  EXPECT_EQ(meets(many, ContactExtent::automatic), meets(many, ContactExtent::coordinators));
  EXPECT_EQ(meets(many, ContactExtent::automatic), Ranks{});
}

TEST(Contact, NobodyMeetsAnybody) {
  for (Rank me = 0; me < 3; ++me)
    EXPECT_EQ(contacts_of(topology_of("a b c"), {}, ContactExtent::none, me), Ranks{});
}

TEST(Contact, TheFarthestSiteComesFirst) {
  const Link near{1'000'000, 1'000'000, 0}, far{9'000'000, 1'000'000, 0};
  const Topology topology{layout_of("a b c"),
                          uncapped_network(3, {near, near, far, near, near, near, far, near, near})};
  EXPECT_EQ(contacts_of(topology, {}, ContactExtent::coordinators, 0), (Ranks{2, 1}));
}

/// Every rank's part, with those left out for whom `is_left_out(a, b)`, a < b.
template <class IsLeftOut>
Schedule contact_of(const Topology& topology, ContactExtent extent, IsLeftOut is_left_out) {
  Schedule schedule;
  for (Rank me = 0; me < topology.layout.size(); ++me) {
    Ranks contacts = contacts_of(topology, {}, extent, me);
    std::erase_if(contacts,
                  [&](Rank other) { return is_left_out(std::min(me, other), std::max(me, other)); });
    schedule.push_back(plan_contact(me, topology.layout.size(), contacts));
  }
  return schedule;
}

/// As a collective that moves no data: every message has its partner, nobody waits for ever, one latency.
void expect_correct(const Schedule& schedule, const Layout& layout, const std::string& name) {
  const GlobalCall nothing{Collective::bcast, layout.size(), 0, OperandOrder::any, 0, {}, {}};
  const Verdict verdict = verify(schedule, nothing, layout);
  EXPECT_EQ(verdict.defects, std::vector<std::string>{}) << name;
  EXPECT_LE(verdict.latencies, 1) << name;
}

TEST(Contact, IsACorrectSchedule) {
  for (const char* const words : kLayouts)
    for (const ContactExtent extent : kEveryExtent) {
      const Topology topology = topology_of(words);
      const auto nobody = [](Rank, Rank) { return false; };
      const auto some = [](Rank a, Rank b) { return (a + b) % 3 == 0; };
      expect_correct(contact_of(topology, extent, nobody), topology.layout, words);
      expect_correct(contact_of(topology, extent, some), topology.layout, words);
    }
}

TEST(Contact, IsOneEmptyMessageEachWay) {
  const Topology topology = topology_of("a a b c b");
  const GlobalCall nothing{Collective::bcast, 5, 0, OperandOrder::any, 0, {}, {}};
  const auto nobody = [](Rank, Rank) { return false; };
  const Verdict coordinators =
      verify(contact_of(topology, ContactExtent::coordinators, nobody), nothing, topology.layout);
  ASSERT_EQ(coordinators.between_sites.size(), 6U);
  for (const auto& [pair, traffic] : coordinators.between_sites) EXPECT_EQ(traffic, (Traffic{1, 0}));
  const Verdict all = verify(contact_of(topology, ContactExtent::all, nobody), nothing, topology.layout);
  EXPECT_EQ(all.between_sites.at({0, 1}), (Traffic{4, 0}));
}

/// The ranks of other sites that a plan of `me` has messages with.
Ranks far_peers(const Program& program, const Layout& layout, Rank me) {
  Ranks peers;
  for (StepIndex i = 0; i < program.size(); ++i) {
    const Step step = program.step(i);
    const bool is_message = step.kind == StepKind::send || step.kind == StepKind::receive;
    if (is_message && layout.site_of(step.peer) != layout.site_of(me)) peers.push_back(step.peer);
  }
  return peers;
}

/// A call as all ranks make it, with `block` units for each.
GlobalCall call_with(Collective collective, Rank size, OperandOrder order, Count block) {
  GlobalCall call{collective, size, 0, order, block, {}, {}};
  const auto ranks = static_cast<std::size_t>(size);
  if (traits(collective).vector)
    call.counts.assign(has_count_matrix(collective) ? ranks * ranks : ranks, block);
  return call;
}

void expect_met(const Topology& topology, const Tuning& tuning, const GlobalCall& call,
                const std::string& name) {
  const Schedule schedule = plan_all(topology, tuning, call);
  for (Rank me = 0; me < call.size; ++me) {
    const Ranks met = contacts_of(topology, tuning, ContactExtent::coordinators, me);
    for (const Rank peer : far_peers(schedule[static_cast<std::size_t>(me)], topology.layout, me))
      EXPECT_EQ(std::ranges::count(met, peer), 1) << name << ": " << me << " with " << peer;
  }
}

TEST(Contact, UnrootedPlansUseOnlyThoseWhoHaveMet) {
  for (const char* const words : kLayouts)
    for (const CollectiveTraits& each : all_collectives())
      for (const OperandOrder order : {OperandOrder::any, OperandOrder::rank})
        for (const Count block : {8, 100'000}) {
          const bool is_personal =
              each.collective == Collective::alltoall || has_count_matrix(each.collective);
          if (each.rooted || (is_personal && block > 8)) continue;  // long blocks go from rank to rank
          const Topology topology = topology_of(words);
          for (const int lanes : {1, 3}) {
            Tuning tuning;
            tuning.lanes = lanes;
            expect_met(topology, tuning, call_with(each.collective, topology.layout.size(), order, block),
                       std::string(each.name) + " on " + words + " lanes " + std::to_string(lanes));
          }
        }
}

}  // namespace
}  // namespace wan
