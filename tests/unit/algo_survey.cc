// SPDX-License-Identifier: BSD-3-Clause
// algo/services/survey.h: when there is one, who hears of whom, that every entry arrives in its place, and
// what is made of entries.
#include <gtest/gtest.h>

#include "algo/choice/aggregation.h"
#include "algo/services/survey.h"
#include "check/verify.h"
#include "tests/support/interpreter.h"
#include "tests/support/layouts.h"

namespace wan {
namespace {

using Memory = Interpreter::Memory;
using Ranks = std::vector<Rank>;

Call empty_call(Collective collective) {
  Call call;
  call.collective = collective;
  return call;
}

TEST(Survey, ComesBeforeAlltoallvAndAlltoallwOverSeveralSites) {
  const Tuning none{TreeShape::knomial, 8, 0, 0};
  for (const CollectiveTraits& each : all_collectives()) {
    EXPECT_EQ(needs_survey(topology_of("a b"), {}, empty_call(each.collective)),
              has_count_matrix(each.collective))
        << each.name;
    EXPECT_FALSE(needs_survey(topology_of("a a"), {}, empty_call(each.collective))) << each.name;
    EXPECT_FALSE(needs_survey(topology_of("a b"), none, empty_call(each.collective))) << each.name;
  }
}

/// The entry of a rank, byte by byte.
Memory entry(Rank rank, Count bytes) {
  Memory entry;
  for (Count i = 0; i < bytes; ++i) entry.push_back(std::to_string(rank) + "." + std::to_string(i));
  return entry;
}

/// What is heard of these ranks.
Memory entries(const Ranks& ranks, const std::vector<Count>& bytes) {
  Memory all;
  for (const Rank rank : ranks) {
    const Memory one = entry(rank, bytes[static_cast<std::size_t>(rank)]);
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

TEST(Survey, TellsEveryEntryToAllAboveInTheTreeOfTheSite) {
  const Topology topology = topology_of("a1 b1 a1 a2 b1 a2");
  const std::vector<Ranks> expected{{0, 2, 3, 5}, {1, 4}, {2}, {3, 5}, {4}, {5}};
  const std::vector<Count> bytes{8, 24, 0, 16, 8, 40};
  Interpreter interpreter;
  for (Rank me = 0; me < 6; ++me) {
    std::vector<Count> of_site;
    for (const Rank rank : topology.layout.ranks_of(topology.layout.site_of(me)))
      of_site.push_back(bytes[static_cast<std::size_t>(rank)]);
    const Survey survey = plan_entries(topology, {}, me, of_site);
    EXPECT_EQ(survey.ranks, expected[static_cast<std::size_t>(me)]) << "rank " << me;
    EXPECT_EQ(ranks_below(topology, {}, me), survey.ranks);
    EXPECT_TRUE(hazards(survey.program).empty());
    interpreter.add(ProgramEditor::edited(survey.program), entry(me, bytes[static_cast<std::size_t>(me)]),
                    {});
  }
  ASSERT_TRUE(interpreter.run(1));
  for (Rank me = 0; me < 6; ++me)
    EXPECT_EQ(interpreter.output(me), entries(expected[static_cast<std::size_t>(me)], bytes))
        << "rank " << me;
}

TEST(Survey, GivesNoticeToTheWholeSite) {
  const Topology topology = topology_of("a1 b1 a1 a2 b1 a2");
  Interpreter interpreter;
  for (Rank me = 0; me < 6; ++me) {
    const Survey survey = plan_notices(topology, {}, me, 8);
    EXPECT_EQ(survey.ranks, (topology.layout.site_of(me) == 0 ? Ranks{0, 2, 3, 5} : Ranks{1, 4}));
    EXPECT_TRUE(hazards(survey.program).empty());
    interpreter.add(ProgramEditor::edited(survey.program), entry(me, 8), {});
  }
  ASSERT_TRUE(interpreter.run(1));
  for (Rank me = 0; me < 6; ++me)
    EXPECT_EQ(
        interpreter.output(me),
        entries(topology.layout.site_of(me) == 0 ? Ranks{0, 2, 3, 5} : Ranks{1, 4}, std::vector<Count>(6, 8)))
        << "rank " << me;
}

TEST(Survey, EntriesTellTheBlocksThatAreNotEmpty) {
  Call call = empty_call(Collective::alltoallv);
  call.send_counts = {1, 2, 0, 0};
  call.receive_counts = {3, 4, 5, 0};
  const std::vector<BlockLength> sends{{0, 1}, {1, 2}}, receives{{0, 3}, {1, 4}, {2, 5}};
  const std::vector<Count> dense = survey_entry(call);
  EXPECT_EQ(member_of(7, 4, dense), (MemberCounts{7, sends, receives}));
  call.send_counts.resize(1'000, 0);
  call.receive_counts.resize(1'000, 0);
  const std::vector<Count> sparse = survey_entry(call);
  EXPECT_EQ(sparse.size(), 11U);
  EXPECT_EQ(member_of(7, 1'000, sparse), (MemberCounts{7, sends, receives}));
  call.send_counts.assign(1'000, 6);
  EXPECT_LE(survey_entry(call).size(), 2'008U);
}

}  // namespace
}  // namespace wan
