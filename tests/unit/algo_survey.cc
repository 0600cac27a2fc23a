// SPDX-License-Identifier: BSD-3-Clause
// algo/survey.h: when there is one, who hears of whom, that every entry arrives in its place, and what is
// made of entries.
#include <gtest/gtest.h>

#include "algo/survey.h"
#include "check/verify.h"
#include "tests/support/layouts.h"
#include "tests/support/machine.h"

namespace wan {
namespace {

using Memory = Machine::Memory;
using Ranks = std::vector<Rank>;

Call call_of(Collective collective) {
  Call call;
  call.collective = collective;
  return call;
}

TEST(Survey, ComesBeforeAlltoallvAndAlltoallwOverSeveralSites) {
  const Tuning none{TreeShape::knomial, 8, 0, 0};
  for (const CollectiveTraits& each : all_collectives()) {
    EXPECT_EQ(needs_survey(topology_of("a b"), {}, call_of(each.collective)),
              has_count_matrix(each.collective))
        << each.name;
    EXPECT_FALSE(needs_survey(topology_of("a a"), {}, call_of(each.collective))) << each.name;
    EXPECT_FALSE(needs_survey(topology_of("a b"), none, call_of(each.collective))) << each.name;
  }
}

/// The entry of a rank among `size`, byte by byte.
Memory entry(Rank rank, Rank size) {
  Memory bytes;
  for (std::size_t i = 0; i < 16U * static_cast<std::size_t>(size); ++i)
    bytes.push_back(std::to_string(rank) + "." + std::to_string(i));
  return bytes;
}

TEST(Survey, TellsEveryEntryToAllAboveInTheTreeOfTheSite) {
  const Topology topology = topology_of("a1 b1 a1 a2 b1 a2");
  const std::vector<Ranks> expected{{0, 2, 3, 5}, {1, 4}, {2}, {3, 5}, {4}, {5}};
  Machine machine;
  for (Rank me = 0; me < 6; ++me) {
    const Survey survey = plan_survey(topology, {}, me);
    EXPECT_EQ(survey.ranks, expected[static_cast<std::size_t>(me)]) << "rank " << me;
    EXPECT_TRUE(hazards(survey.program).empty());
    machine.add(ProgramEditor::edited(survey.program), entry(me, 6), {});
  }
  ASSERT_TRUE(machine.run(1));
  for (Rank me = 0; me < 6; ++me) {
    Memory heard;
    for (const Rank rank : expected[static_cast<std::size_t>(me)]) {
      const Memory one = entry(rank, 6);
      heard.insert(heard.end(), one.begin(), one.end());
    }
    EXPECT_EQ(machine.output(me), heard) << "rank " << me;
  }
}

TEST(Survey, EntriesBecomeMembers) {
  Call call = call_of(Collective::alltoallv);
  call.send_counts = {1, 2};
  call.receive_counts = {3, 4};
  std::vector<Count> entries = survey_entry(call);
  entries.insert(entries.end(), {5, 6, 7, 8});
  const Ranks ranks{0, 1};
  const auto members = members_of(ranks, entries);
  ASSERT_EQ(members.size(), 2U);
  EXPECT_EQ(members[0].send_counts, (std::vector<Count>{1, 2}));
  EXPECT_EQ(members[0].receive_counts, (std::vector<Count>{3, 4}));
  EXPECT_EQ(members[1].rank, 1);
  EXPECT_EQ(members[1].send_counts, (std::vector<Count>{5, 6}));
  EXPECT_EQ(members[1].receive_counts, (std::vector<Count>{7, 8}));
}

}  // namespace
}  // namespace wan
