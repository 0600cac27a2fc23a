// SPDX-License-Identifier: BSD-3-Clause
// plan/call.h: the facts of collectives.def, and the lengths of each collective's buffers, computed by hand
// for rank 1 of 3 (and root 1 or 2), separate and in place.
#include <gtest/gtest.h>

#include <set>

#include "plan/call.h"

namespace wan {

std::ostream& operator<<(std::ostream& out, const BufferLengths& lengths) {
  return out << "input " << lengths.input << " output " << lengths.output << " scratch " << lengths.scratch;
}

namespace {

/// On rank 1 of 3.
BufferLengths lengths_of(const Call& call) {
  return buffer_lengths(call, 1, 3);
}

TEST(Traits, ListEachCollectiveOnceInTheOrderOfTheEnum) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < all_collectives().size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(all_collectives()[i].collective), i);
    names.insert(all_collectives()[i].name);
  }
  EXPECT_EQ(names.size(), 17u);
}

TEST(Traits, SayWhatReducesWhatHasARootAndWhatHasCounts) {
  std::set<std::string_view> reducing, rooted, vector;
  for (const CollectiveTraits& each : all_collectives()) {
    if (each.reduces) reducing.insert(each.name);
    if (each.rooted) rooted.insert(each.name);
    if (each.vector) vector.insert(each.name);
    EXPECT_EQ(unit_of(each.collective), each.reduces ? Unit::elements : Unit::bytes) << each.name;
  }
  using Names = std::set<std::string_view>;
  EXPECT_EQ(reducing,
            (Names{"allreduce", "exscan", "reduce", "reduce_scatter", "reduce_scatter_block", "scan"}));
  EXPECT_EQ(rooted, (Names{"bcast", "gather", "gatherv", "reduce", "scatter", "scatterv"}));
  EXPECT_EQ(vector, (Names{"allgatherv", "alltoallv", "alltoallw", "gatherv", "reduce_scatter", "scatterv"}));
}

struct ExpectedLengths {
  Call call;
  BufferLengths separate, in_place;
};

class BufferLengthsOf : public testing::TestWithParam<ExpectedLengths> {};

TEST_P(BufferLengthsOf, AreThoseOfTheStandard) {
  Call call = GetParam().call;
  EXPECT_EQ(lengths_of(call), GetParam().separate);
  call.placement = Placement::in_place;
  EXPECT_EQ(lengths_of(call), GetParam().in_place);
}

Call call(Collective collective, Rank root, Count block, std::vector<Count> send = {},
          std::vector<Count> receive = {}) {
  return {collective,        root, Placement::separate, OperandOrder::any, block, std::move(send),
          std::move(receive)};
}

INSTANTIATE_TEST_SUITE_P(
    Every, BufferLengthsOf,
    testing::Values(
        ExpectedLengths{call(Collective::barrier, 0, 0), {0, 0, 0}, {0, 0, 0}},
        ExpectedLengths{call(Collective::gather, 1, 4), {4, 12, 0}, {0, 12, 0}},
        ExpectedLengths{call(Collective::gatherv, 1, 0, {2}, {1, 2, 3}), {2, 6, 0}, {0, 6, 0}},
        ExpectedLengths{call(Collective::scatter, 1, 4), {12, 4, 0}, {12, 0, 0}},
        ExpectedLengths{call(Collective::scatterv, 1, 0, {1, 2, 3}, {2}), {6, 2, 0}, {6, 0, 0}},
        ExpectedLengths{call(Collective::allgather, 0, 4), {4, 12, 0}, {0, 12, 0}},
        ExpectedLengths{call(Collective::allgatherv, 0, 0, {}, {1, 2, 3}), {2, 6, 0}, {0, 6, 0}},
        ExpectedLengths{call(Collective::alltoall, 0, 4), {12, 12, 0}, {0, 12, 0}},
        ExpectedLengths{call(Collective::alltoallv, 0, 0, {1, 2, 3}, {3, 2, 2}), {6, 7, 0}, {0, 7, 0}},
        ExpectedLengths{call(Collective::alltoallw, 0, 0, {1, 2, 3}, {3, 2, 2}), {6, 7, 0}, {0, 7, 0}},
        ExpectedLengths{call(Collective::reduce, 1, 4), {4, 4, 0}, {0, 4, 0}},
        ExpectedLengths{call(Collective::allreduce, 0, 4), {4, 4, 0}, {0, 4, 0}},
        ExpectedLengths{call(Collective::scan, 0, 4), {4, 4, 0}, {0, 4, 0}},
        ExpectedLengths{call(Collective::exscan, 0, 4), {4, 4, 0}, {0, 4, 0}},
        ExpectedLengths{call(Collective::reduce_scatter, 0, 0, {}, {1, 2, 3}), {6, 2, 0}, {0, 6, 0}},
        ExpectedLengths{call(Collective::reduce_scatter_block, 0, 4), {12, 4, 0}, {0, 12, 0}}),
    [](const auto& each) { return std::string(traits(each.param.call.collective).name); });

TEST(BufferLengthsElsewhere, HoldNothingThatTheRootAloneHas) {
  EXPECT_EQ(lengths_of(call(Collective::gather, 2, 4)), (BufferLengths{4, 0, 0}));
  EXPECT_EQ(lengths_of(call(Collective::gatherv, 2, 0, {2})), (BufferLengths{2, 0, 0}));
  EXPECT_EQ(lengths_of(call(Collective::scatter, 2, 4)), (BufferLengths{0, 4, 0}));
  EXPECT_EQ(lengths_of(call(Collective::scatterv, 2, 0, {}, {2})), (BufferLengths{0, 2, 0}));
  EXPECT_EQ(lengths_of(call(Collective::reduce, 2, 4)), (BufferLengths{4, 0, 0}));
}

TEST(BufferLengthsOfBcast, AreOneOutputOnEveryRank) {
  EXPECT_EQ(lengths_of(call(Collective::bcast, 1, 4)), (BufferLengths{0, 4, 0}));
  EXPECT_EQ(lengths_of(call(Collective::bcast, 2, 4)), (BufferLengths{0, 4, 0}));
}

}  // namespace
}  // namespace wan
