// SPDX-License-Identifier: BSD-3-Clause
// check/contract.h: what buffers hold before and must hold after each collective, by hand for 3 ranks and
// root 1. "1.0" is unit 0 of rank 1, "0-2.1" the combination of unit 1 of ranks 0..2, "?" nothing, "."
// whatever.
#include <gtest/gtest.h>

#include "check/contract.h"

namespace wan {
namespace {

std::string text_before(const GlobalCall& call, Rank rank) {
  Expressions expressions;
  const Contents contents = contents_before(call, rank, expressions);
  std::string text;
  const auto add = [&](const std::vector<Value>& values) {
    for (const Value value : values) {
      const auto leaves = expressions.leaves(value);
      text += leaves.empty() ? "? "
                             : std::to_string(leaves[0].rank) + "." + std::to_string(leaves[0].index) + " ";
    }
  };
  add(contents.input);
  text += "| ";
  add(contents.output);
  return text;
}

std::string text_wanted(const GlobalCall& call, Rank rank) {
  std::string text;
  for (const auto& unit : wanted_output(call, rank)) {
    if (!unit) {
      text += ". ";
      continue;
    }
    text += std::to_string(unit->first);
    if (unit->last != unit->first) text += "-" + std::to_string(unit->last);
    text += "." + std::to_string(unit->index) + " ";
  }
  return text;
}

TEST(InFixedOrder, CombinesHalvesOfBlocksAndBlocksFromTheLeft) {
  Expressions expressions;
  const auto leaf = [&](Rank rank) { return expressions.leaf(rank, 5); };
  const auto both = [&](Value left, Value right) { return expressions.combine(left, right); };
  EXPECT_EQ(in_fixed_order(expressions, {3, 3, 5}), leaf(3));
  const Value first = both(both(leaf(0), leaf(1)), both(leaf(2), leaf(3)));
  EXPECT_EQ(in_fixed_order(expressions, {0, 6, 5}), both(both(first, both(leaf(4), leaf(5))), leaf(6)));
  EXPECT_EQ(in_fixed_order(expressions, {3, 5, 5}), both(both(leaf(3), leaf(4)), leaf(5)))
      << "counted from the group's first rank";
}

struct Example {
  std::string name;
  Collective collective;
  std::vector<Count> counts;
  Rank rank;
  Placement placement;  ///< of `rank`; with alltoall of all
  std::string before, wanted;
};

class Contract : public testing::TestWithParam<Example> {};

TEST_P(Contract, IsThatOfTheStandard) {
  const Example& example = GetParam();
  GlobalCall call{example.collective, 3, 1, OperandOrder::rank, 2, example.counts, {}};
  call.placements.assign(3, Placement::separate);
  call.placements[static_cast<std::size_t>(example.rank)] = example.placement;
  EXPECT_EQ(text_before(call, example.rank), example.before);
  EXPECT_EQ(text_wanted(call, example.rank), example.wanted);
}

constexpr auto kSeparate = Placement::separate;
constexpr auto kInPlace = Placement::in_place;
using Counts = std::vector<Count>;
const Counts kCounts{1, 2, 0};
const Counts kMatrix{1, 2, 0, 0, 1, 1, 2, 0, 1};
const Counts kSymmetric{1, 2, 0, 2, 1, 1, 0, 1, 1};

INSTANTIATE_TEST_SUITE_P(
    Every, Contract,
    testing::Values(
        Example{"Barrier", Collective::barrier, {}, 0, kSeparate, "| ", ""},
        Example{"BcastRoot", Collective::bcast, {}, 1, kSeparate, "| 1.0 1.1 ", "1.0 1.1 "},
        Example{"Bcast", Collective::bcast, {}, 0, kSeparate, "| ? ? ", "1.0 1.1 "},
        Example{"GatherRoot",
                Collective::gather,
                {},
                1,
                kSeparate,
                "1.0 1.1 | ? ? ? ? ? ? ",
                "0.0 0.1 1.0 1.1 2.0 2.1 "},
        Example{"GatherInPlace",
                Collective::gather,
                {},
                1,
                kInPlace,
                "| ? ? 1.0 1.1 ? ? ",
                "0.0 0.1 1.0 1.1 2.0 2.1 "},
        Example{"Gather", Collective::gather, {}, 2, kSeparate, "2.0 2.1 | ", ""},
        Example{"GathervRoot", Collective::gatherv, kCounts, 1, kSeparate, "1.0 1.1 | ? ? ? ",
                "0.0 1.0 1.1 "},
        Example{"GathervInPlace", Collective::gatherv, kCounts, 1, kInPlace, "| ? 1.0 1.1 ", "0.0 1.0 1.1 "},
        Example{"ScatterRoot",
                Collective::scatter,
                {},
                1,
                kSeparate,
                "1.0 1.1 1.2 1.3 1.4 1.5 | ? ? ",
                "1.2 1.3 "},
        Example{"ScatterInPlace", Collective::scatter, {}, 1, kInPlace, "1.0 1.1 1.2 1.3 1.4 1.5 | ", ""},
        Example{"Scatter", Collective::scatter, {}, 2, kSeparate, "| ? ? ", "1.4 1.5 "},
        Example{"ScattervRoot", Collective::scatterv, kCounts, 1, kSeparate, "1.0 1.1 1.2 | ? ? ",
                "1.1 1.2 "},
        Example{"Scatterv", Collective::scatterv, kCounts, 0, kSeparate, "| ? ", "1.0 "},
        Example{"ScattervNothing", Collective::scatterv, kCounts, 2, kSeparate, "| ", ""},
        Example{"Allgather",
                Collective::allgather,
                {},
                2,
                kSeparate,
                "2.0 2.1 | ? ? ? ? ? ? ",
                "0.0 0.1 1.0 1.1 2.0 2.1 "},
        Example{"AllgatherInPlace",
                Collective::allgather,
                {},
                0,
                kInPlace,
                "| 0.0 0.1 ? ? ? ? ",
                "0.0 0.1 1.0 1.1 2.0 2.1 "},
        Example{"Allgatherv", Collective::allgatherv, kCounts, 2, kSeparate, "| ? ? ? ", "0.0 1.0 1.1 "},
        Example{"AllgathervInPlace", Collective::allgatherv, kCounts, 1, kInPlace, "| ? 1.0 1.1 ",
                "0.0 1.0 1.1 "},
        Example{"Alltoall",
                Collective::alltoall,
                {},
                1,
                kSeparate,
                "1.0 1.1 1.2 1.3 1.4 1.5 | ? ? ? ? ? ? ",
                "0.2 0.3 1.2 1.3 2.2 2.3 "},
        Example{"AlltoallInPlace",
                Collective::alltoall,
                {},
                1,
                kInPlace,
                "| 1.0 1.1 1.2 1.3 1.4 1.5 ",
                "0.2 0.3 1.2 1.3 2.2 2.3 "},
        Example{"Alltoallv", Collective::alltoallv, kMatrix, 1, kSeparate, "1.0 1.1 | ? ? ? ",
                "0.1 0.2 1.0 "},
        Example{"Alltoallw", Collective::alltoallw, kMatrix, 0, kSeparate, "0.0 0.1 0.2 | ? ? ? ",
                "0.0 2.0 2.1 "},
        Example{"AlltoallvInPlace", Collective::alltoallv, kSymmetric, 1, kInPlace, "| 1.0 1.1 1.2 1.3 ",
                "0.1 0.2 1.2 2.0 "},
        Example{"ReduceRoot", Collective::reduce, {}, 1, kSeparate, "1.0 1.1 | ? ? ", "0-2.0 0-2.1 "},
        Example{"ReduceInPlace", Collective::reduce, {}, 1, kInPlace, "| 1.0 1.1 ", "0-2.0 0-2.1 "},
        Example{"Reduce", Collective::reduce, {}, 0, kSeparate, "0.0 0.1 | ", ""},
        Example{"Allreduce", Collective::allreduce, {}, 2, kSeparate, "2.0 2.1 | ? ? ", "0-2.0 0-2.1 "},
        Example{"AllreduceInPlace", Collective::allreduce, {}, 2, kInPlace, "| 2.0 2.1 ", "0-2.0 0-2.1 "},
        Example{"ReduceScatter", Collective::reduce_scatter, kCounts, 1, kSeparate, "1.0 1.1 1.2 | ? ? ",
                "0-2.1 0-2.2 "},
        Example{"ReduceScatterInPlace", Collective::reduce_scatter, kCounts, 1, kInPlace, "| 1.0 1.1 1.2 ",
                "0-2.1 0-2.2 . "},
        Example{"ReduceScatterBlock",
                Collective::reduce_scatter_block,
                {},
                2,
                kSeparate,
                "2.0 2.1 2.2 2.3 2.4 2.5 | ? ? ",
                "0-2.4 0-2.5 "},
        Example{"ReduceScatterBlockInPlace",
                Collective::reduce_scatter_block,
                {},
                0,
                kInPlace,
                "| 0.0 0.1 0.2 0.3 0.4 0.5 ",
                "0-2.0 0-2.1 . . . . "},
        Example{"Scan", Collective::scan, {}, 1, kSeparate, "1.0 1.1 | ? ? ", "0-1.0 0-1.1 "},
        Example{"ScanOfRankZero", Collective::scan, {}, 0, kInPlace, "| 0.0 0.1 ", "0.0 0.1 "},
        Example{"Exscan", Collective::exscan, {}, 2, kSeparate, "2.0 2.1 | ? ? ", "0-1.0 0-1.1 "},
        Example{"ExscanOfRankZero", Collective::exscan, {}, 0, kSeparate, "0.0 0.1 | ? ? ", ". . "}),
    [](const auto& each) { return each.param.name; });

/// Between groups {0 1} and {2 3 4}, or, with a root, {0} and {1 2 3}.
struct InterExample {
  std::string name;
  Collective collective;
  Count block;  ///< `back` is one more
  std::vector<Count> counts;
  Rank rank;
  std::string before, wanted;
};

class InterContract : public testing::TestWithParam<InterExample> {};

TEST_P(InterContract, IsThatOfTheStandard) {
  const InterExample& example = GetParam();
  const bool is_rooted = traits(example.collective).rooted;
  GlobalCall call{example.collective, is_rooted ? 4 : 5, 0, OperandOrder::rank,
                  example.block,      example.counts,    {}};
  call.split = is_rooted ? 1 : 2;
  call.back = example.block + 1;
  EXPECT_EQ(text_before(call, example.rank), example.before);
  EXPECT_EQ(text_wanted(call, example.rank), example.wanted);
}

INSTANTIATE_TEST_SUITE_P(
    Every, InterContract,
    testing::Values(
        InterExample{"Barrier", Collective::barrier, 0, {}, 0, "| ", ""},
        InterExample{"GatherRoot", Collective::gather, 1, {}, 0, "| ? ? ? ", "1.0 2.0 3.0 "},
        InterExample{"Gather", Collective::gather, 1, {}, 2, "2.0 | ", ""},
        InterExample{"ScatterRoot", Collective::scatter, 1, {}, 0, "0.0 0.1 0.2 | ", ""},
        InterExample{"Scatter", Collective::scatter, 1, {}, 2, "| ? ", "0.1 "},
        InterExample{"ReduceRoot", Collective::reduce, 1, {}, 0, "| ? ", "1-3.0 "},
        InterExample{"Reduce", Collective::reduce, 1, {}, 3, "3.0 | ", ""},
        InterExample{"AllgatherFirst",
                     Collective::allgather,
                     1,
                     {},
                     1,
                     "1.0 | ? ? ? ? ? ? ",
                     "2.0 2.1 3.0 3.1 4.0 4.1 "},
        InterExample{"AllgatherSecond", Collective::allgather, 1, {}, 3, "3.0 3.1 | ? ? ", "0.0 1.0 "},
        InterExample{"Allgatherv",
                     Collective::allgatherv,
                     0,
                     {1, 2, 0, 1, 3},
                     1,
                     "1.0 1.1 | ? ? ? ? ",
                     "3.0 4.0 4.1 4.2 "},
        InterExample{"AlltoallFirst",
                     Collective::alltoall,
                     1,
                     {},
                     1,
                     "1.0 1.1 1.2 | ? ? ? ? ? ? ",
                     "2.2 2.3 3.2 3.3 4.2 4.3 "},
        InterExample{"AlltoallSecond", Collective::alltoall, 1, {}, 4, "4.0 4.1 4.2 4.3 | ? ? ", "0.2 1.2 "},
        InterExample{"AllreduceFirst", Collective::allreduce, 1, {}, 0, "0.0 | ? ", "2-4.0 "},
        InterExample{"AllreduceSecond", Collective::allreduce, 1, {}, 4, "4.0 | ? ", "0-1.0 "},
        InterExample{"ReduceScatterFirst",
                     Collective::reduce_scatter,
                     0,
                     {1, 2, 0, 1, 2},
                     1,
                     "1.0 1.1 1.2 | ? ? ",
                     "2-4.1 2-4.2 "},
        InterExample{"ReduceScatterSecond",
                     Collective::reduce_scatter,
                     0,
                     {1, 2, 0, 1, 2},
                     3,
                     "3.0 3.1 3.2 | ? ",
                     "0-1.0 "},
        InterExample{"ReduceScatterBlockFirst",
                     Collective::reduce_scatter_block,
                     6,
                     {},
                     1,
                     "1.0 1.1 1.2 1.3 1.4 1.5 | ? ? ? ",
                     "2-4.3 2-4.4 2-4.5 "},
        InterExample{"ReduceScatterBlockSecond",
                     Collective::reduce_scatter_block,
                     6,
                     {},
                     3,
                     "3.0 3.1 3.2 3.3 3.4 3.5 | ? ? ",
                     "0-1.2 0-1.3 "}),
    [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace wan
