// SPDX-License-Identifier: BSD-3-Clause
// Who sends to whom, within a communicator and between two groups: as MPI says, and as the lengths of a
// plan's buffers (plan/call.h) say.
#include "process/parties.h"

#include <gtest/gtest.h>

namespace wan {
namespace {

using Counts = std::vector<Count>;

// The groups {0 1} and {2 3 4}.
constexpr Rank kSplit = 2, kSize = 5;
constexpr Placement kSeparate = Placement::separate;

Parties between_groups(Collective collective, Rank me, Rank root = 0) {
  return {collective, me, kSplit, kSize, root};
}
Parties within_a_group(Collective collective, Rank me, Rank root = 0) {
  return {collective, me, 0, kSize, root};
}

TEST(Parties, WithoutARootEverybodyExchangesWithEverybody) {
  const Parties parties = within_a_group(Collective::alltoall, 3);
  EXPECT_TRUE(parties.is_root() && parties.is_partner() && !parties.is_inter());
  EXPECT_EQ(parties.blocks(), kSize);
  EXPECT_EQ(parties.group().size(), kSize);
}

TEST(Parties, BetweenGroupsEachExchangesWithTheOther) {
  const Parties first = between_groups(Collective::alltoall, 1),
                second = between_groups(Collective::alltoall, 2);
  EXPECT_TRUE(first.is_root() && first.is_partner() && first.is_inter());
  EXPECT_EQ(first.blocks(), 3);
  EXPECT_EQ(first.group().size(), 2);
  EXPECT_EQ(second.blocks(), 2);
  EXPECT_EQ(second.group().first, 2);
}

TEST(Parties, ARootExchangesWithAllAndItself) {
  const Parties root = within_a_group(Collective::gather, 3, 3),
                other = within_a_group(Collective::gather, 1, 3);
  EXPECT_TRUE(root.is_root() && root.is_partner());
  EXPECT_EQ(root.blocks(), kSize);
  EXPECT_TRUE(!other.is_root() && other.is_partner());
  EXPECT_EQ(root.call(kSeparate).root, 3);
  EXPECT_EQ(other.call(Placement::in_place).placement, Placement::in_place);
}

TEST(Parties, BetweenGroupsARootExchangesWithTheOtherGroup) {
  const Parties root = between_groups(Collective::gather, 3, 3),
                other = between_groups(Collective::gather, 1, 3);
  EXPECT_TRUE(root.is_root() && !root.is_partner());
  EXPECT_EQ(root.blocks(), 2);
  EXPECT_TRUE(!other.is_root() && other.is_partner());
  EXPECT_EQ(other.call(kSeparate).root, 3);
}

TEST(Parties, TheCallSaysWhereTheGroupsAre) {
  for (const CollectiveTraits& each : all_collectives()) {
    const Rank split = !is_split_by_groups(each.collective) ? 0 : each.rooted ? 1 : kSplit;
    EXPECT_EQ(between_groups(each.collective, 4, 4).call(kSeparate).split, split) << each.name;
    EXPECT_EQ(within_a_group(each.collective, 4, 4).call(kSeparate).split, 0) << each.name;
    EXPECT_EQ(within_a_group(each.collective, 4, 4).call(kSeparate).root, each.rooted ? 4 : 0) << each.name;
  }
}

TEST(Parties, CountsStandWhereThePartnersAre) {
  EXPECT_EQ(within_a_group(Collective::alltoallv, 1).counts_of_partners({1, 2, 3, 4, 5}),
            (Counts{1, 2, 3, 4, 5}));
  EXPECT_EQ(between_groups(Collective::alltoallv, 1).counts_of_partners({7, 8, 9}), (Counts{0, 0, 7, 8, 9}));
  EXPECT_EQ(between_groups(Collective::alltoallv, 3).counts_of_partners({7, 8}), (Counts{7, 8, 0, 0, 0}));
  EXPECT_EQ(between_groups(Collective::reduce_scatter, 3).counts_of_group({7, 8, 9}),
            (Counts{0, 0, 7, 8, 9}));
}

TEST(Parties, ARootOfAnotherGroupHasNothingItself) {
  const Parties within = within_a_group(Collective::gatherv, 3, 3),
                between = between_groups(Collective::gatherv, 3, 3);
  EXPECT_EQ(between.counts_of_partners({7, 8}), (Counts{0, 7, 8}));
  EXPECT_EQ(between.own_count({0, 7, 8}), 0);
  EXPECT_EQ(within.own_count({1, 2, 3, 4, 5}), 4);
}

/// The lengths of the buffers of a plan: a root has a block for each of its partners, a partner one for each
/// root.
void expect_lengths(const Parties& parties, Collective collective, Rank me, Rank size) {
  constexpr Count kGiven = 3, kTaken = 5;
  Call call = parties.call(kSeparate);
  call.block = kGiven;
  if (parties.is_inter()) call.root = 0;  // as the root is in the plan
  const Count of_root = parties.is_root() ? kGiven * parties.blocks() : 0,
              of_partner = parties.is_partner() ? kGiven : 0;
  const BufferLengths lengths = buffer_lengths(call, me, size);
  if (collective == Collective::gather) {
    EXPECT_EQ(lengths.input, of_partner);
    EXPECT_EQ(lengths.output, of_root);
  } else if (collective == Collective::scatter) {
    EXPECT_EQ(lengths.input, of_root);
    EXPECT_EQ(lengths.output, of_partner);
  } else if (collective == Collective::alltoall) {
    const Count given = parties.is_inter() ? kGiven : kTaken;
    const BufferLengths exchanged =
        buffer_lengths(parties.call_of_blocks(kSeparate, kGiven, kTaken), me, size);
    EXPECT_EQ(exchanged.input, given * parties.blocks());
    EXPECT_EQ(exchanged.output, kTaken * parties.blocks());
  }
}

TEST(Parties, HaveTheBuffersOfTheirPlans) {
  for (const Collective collective : {Collective::gather, Collective::scatter, Collective::alltoall})
    for (Rank me = 0; me < kSize; ++me)
      for (Rank root = 0; root < kSize; ++root) {
        SCOPED_TRACE(std::string(traits(collective).name) + " on " + std::to_string(me) + ", root " +
                     std::to_string(root));
        expect_lengths(within_a_group(collective, me, root), collective, me, kSize);
        const RankInterval others = partners_of(root, kSplit, kSize);
        if (!traits(collective).rooted)
          expect_lengths(between_groups(collective, me), collective, me, kSize);
        else if (me == root || others.contains(me))
          expect_lengths(between_groups(collective, me, root), collective,
                         me == root ? 0 : 1 + me - others.first, 1 + others.size());
      }
}

}  // namespace
}  // namespace wan
