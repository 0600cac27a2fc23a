// SPDX-License-Identifier: BSD-3-Clause
// Each planner's Program for rank 0 of "a a b" (root 0, block 4 or counts 1 2 3, in rank order), as it
// follows from the description at the top of the planner's file; and the choice between coordinators and
// direct messages.
#include <gtest/gtest.h>

#include "algo/exchange/call_builder.h"
#include "algo/schedule.h"
#include "check/verify.h"
#include "plan/global_call.h"
#include "plan/text.h"
#include "tests/support/layouts.h"

namespace wan {
namespace {

struct Expected {
  Collective collective;
  std::vector<Count> counts;
  std::string program;
};

class Planner : public testing::TestWithParam<Expected> {};

TEST_P(Planner, MakesTheProgramOfItsDescription) {
  const GlobalCall call{GetParam().collective, 3, 0, OperandOrder::rank, 4, GetParam().counts, {}};
  EXPECT_EQ(to_text(plan_all(topology_of("a a b"), {}, call)[0], 0, 3), GetParam().program);
}

INSTANTIATE_TEST_SUITE_P(
    Every, Planner,
    testing::Values(Expected{Collective::allgather,
                             {},
                             "rank 0 of 3 bytes input 4 output 12 scratch 0\n"
                             "  0 copy input[0,4) to output[0,4)\n"
                             "  1 receive output[4,8) from 1\n"
                             "  2 send output[0,8) to 2 after 0 1\n"
                             "  3 receive output[8,12) from 2\n"
                             "  4 send output[0,4) output[8,12) to 1 after 0 3\n"},
                    Expected{Collective::allgatherv,
                             {1, 2, 3},
                             "rank 0 of 3 bytes input 1 output 6 scratch 0\n"
                             "  0 copy input[0,1) to output[0,1)\n"
                             "  1 receive output[1,3) from 1\n"
                             "  2 send output[0,3) to 2 after 0 1\n"
                             "  3 receive output[3,6) from 2\n"
                             "  4 send output[0,1) output[3,6) to 1 after 0 3\n"},
                    Expected{Collective::allreduce,
                             {},
                             "rank 0 of 3 elements input 4 output 4 scratch 8\n"
                             "  0 receive scratch[0,4) from 1\n"
                             "  1 reduce input[0,4) into scratch[0,4) after 0\n"
                             "  2 send scratch[0,4) to 2 after 1\n"
                             "  3 receive scratch[4,8) from 2\n"
                             "  4 reduce scratch[0,4) into scratch[4,8) after 1 3\n"
                             "  5 copy scratch[4,8) to output[0,4) after 4\n"
                             "  6 send output[0,4) to 1 after 5\n"},
                    Expected{Collective::alltoall,
                             {},
                             "rank 0 of 3 bytes input 12 output 12 scratch 8\n"
                             "  0 copy input[0,4) to output[0,4)\n"
                             "  1 receive output[4,8) scratch[0,4) from 1\n"
                             "  2 send input[8,12) scratch[0,4) to 2 after 1\n"
                             "  3 receive output[8,12) scratch[4,8) from 2\n"
                             "  4 send input[4,8) scratch[4,8) to 1 after 3\n"},
                    Expected{Collective::alltoallv,
                             {1, 2, 3, 1, 2, 3, 1, 2, 3},
                             "rank 0 of 3 bytes input 6 output 3 scratch 5\n"
                             "  0 copy input[0,1) to output[0,1)\n"
                             "  1 receive output[1,2) scratch[0,3) from 1\n"
                             "  2 send input[3,6) scratch[0,3) to 2 after 1\n"
                             "  3 receive output[2,3) scratch[3,5) from 2\n"
                             "  4 send input[1,3) scratch[3,5) to 1 after 3\n"},
                    Expected{Collective::alltoallw,
                             {1, 2, 3, 1, 2, 3, 1, 2, 3},
                             "rank 0 of 3 bytes input 6 output 3 scratch 5\n"
                             "  0 copy input[0,1) to output[0,1)\n"
                             "  1 receive output[1,2) scratch[0,3) from 1\n"
                             "  2 send input[3,6) scratch[0,3) to 2 after 1\n"
                             "  3 receive output[2,3) scratch[3,5) from 2\n"
                             "  4 send input[1,3) scratch[3,5) to 1 after 3\n"},
                    Expected{Collective::barrier,
                             {},
                             "rank 0 of 3 bytes input 0 output 0 scratch 0\n"
                             "  0 receive nothing from 1\n"
                             "  1 send nothing to 2 after 0\n"
                             "  2 receive nothing from 2\n"
                             "  3 send nothing to 1 after 0 2\n"},
                    Expected{Collective::bcast,
                             {},
                             "rank 0 of 3 bytes input 0 output 4 scratch 0\n"
                             "  0 send output[0,4) to 2\n"
                             "  1 send output[0,4) to 1\n"},
                    Expected{Collective::exscan,
                             {},
                             "rank 0 of 3 elements input 4 output 4 scratch 12\n"
                             "  0 copy input[0,4) to scratch[0,4)\n"
                             "  1 receive scratch[4,8) from 1\n"
                             "  2 reduce scratch[0,4) into scratch[4,8) after 0 1\n"
                             "  3 copy scratch[4,8) to scratch[8,12) after 2\n"
                             "  4 send scratch[8,12) to 2 after 3\n"
                             "  5 send scratch[0,4) to 1 after 0\n"},
                    Expected{Collective::gather,
                             {},
                             "rank 0 of 3 bytes input 4 output 12 scratch 0\n"
                             "  0 receive output[8,12) from 2\n"
                             "  1 receive output[4,8) from 1\n"
                             "  2 copy input[0,4) to output[0,4)\n"},
                    Expected{Collective::gatherv,
                             {1, 2, 3},
                             "rank 0 of 3 bytes input 1 output 6 scratch 0\n"
                             "  0 receive output[1,3) from 1\n"
                             "  1 receive output[3,6) from 2\n"
                             "  2 copy input[0,1) to output[0,1)\n"},
                    Expected{Collective::reduce,
                             {},
                             "rank 0 of 3 elements input 4 output 4 scratch 8\n"
                             "  0 receive scratch[0,4) from 1\n"
                             "  1 reduce input[0,4) into scratch[0,4) after 0\n"
                             "  2 receive scratch[4,8) from 2\n"
                             "  3 reduce scratch[0,4) into scratch[4,8) after 1 2\n"
                             "  4 copy scratch[4,8) to output[0,4) after 3\n"},
                    Expected{Collective::reduce_scatter,
                             {1, 2, 3},
                             "rank 0 of 3 elements input 6 output 1 scratch 14\n"
                             "  0 receive scratch[0,6) from 1\n"
                             "  1 reduce input[0,6) into scratch[0,6) after 0\n"
                             "  2 send scratch[3,6) to 2 after 1\n"
                             "  3 copy scratch[0,3) to scratch[6,9) after 1\n"
                             "  4 receive scratch[9,12) from 2\n"
                             "  5 reduce scratch[6,9) into scratch[9,12) after 3 4\n"
                             "  6 copy scratch[9,12) to output[0,1) scratch[12,14) after 5\n"
                             "  7 send scratch[12,14) to 1 after 6\n"},
                    Expected{Collective::reduce_scatter_block,
                             {},
                             "rank 0 of 3 elements input 12 output 4 scratch 32\n"
                             "  0 receive scratch[0,12) from 1\n"
                             "  1 reduce input[0,12) into scratch[0,12) after 0\n"
                             "  2 send scratch[8,12) to 2 after 1\n"
                             "  3 copy scratch[0,8) to scratch[12,20) after 1\n"
                             "  4 receive scratch[20,28) from 2\n"
                             "  5 reduce scratch[12,20) into scratch[20,28) after 3 4\n"
                             "  6 copy scratch[20,28) to output[0,4) scratch[28,32) after 5\n"
                             "  7 send scratch[28,32) to 1 after 6\n"},
                    Expected{Collective::scan,
                             {},
                             "rank 0 of 3 elements input 4 output 4 scratch 8\n"
                             "  0 copy input[0,4) to output[0,4)\n"
                             "  1 receive scratch[0,4) from 1\n"
                             "  2 reduce output[0,4) into scratch[0,4) after 0 1\n"
                             "  3 copy scratch[0,4) to scratch[4,8) after 2\n"
                             "  4 send scratch[4,8) to 2 after 3\n"
                             "  5 send output[0,4) to 1 after 0\n"},
                    Expected{Collective::scatter,
                             {},
                             "rank 0 of 3 bytes input 12 output 4 scratch 0\n"
                             "  0 send input[8,12) to 2\n"
                             "  1 send input[4,8) to 1\n"
                             "  2 copy input[0,4) to output[0,4)\n"},
                    Expected{Collective::scatterv,
                             {1, 2, 3},
                             "rank 0 of 3 bytes input 6 output 1 scratch 0\n"
                             "  0 send input[3,6) to 2\n"
                             "  1 send input[1,3) to 1\n"
                             "  2 copy input[0,1) to output[0,1)\n"}),
    [](const auto& each) { return std::string(traits(each.param.collective).name); });

/// Messages between the sites "a a" and "b b" of a call whose blocks have `block` units, the limit being 100.
std::int64_t messages_between_sites(Collective collective, Count block) {
  GlobalCall call{collective, 4, 0, OperandOrder::any, block, {}, {}};
  if (traits(collective).vector) call.counts.assign(has_count_matrix(collective) ? 16 : 4, block);
  const Topology topology = topology_of("a a b b");
  const Verdict verdict =
      verify(plan_all(topology, Tuning{TreeShape::knomial, 8, 100, 100}, call), call, topology.layout);
  std::int64_t messages = 0;
  for (const auto& [pair, traffic] : verdict.between_sites) messages += traffic.messages;
  return messages;
}

TEST(Route, SmallBlocksGoThroughCoordinators) {
  for (const Collective collective : {Collective::gather, Collective::scatter}) {
    EXPECT_EQ(messages_between_sites(collective, 100), 1);
    EXPECT_EQ(messages_between_sites(collective, 101), 2);
  }
  for (const Collective collective : {Collective::alltoall, Collective::alltoallv, Collective::alltoallw}) {
    EXPECT_EQ(messages_between_sites(collective, 100), 2);
    EXPECT_EQ(messages_between_sites(collective, 101), 8);
  }
}

TEST(Route, CountsThatOnlyTheRootKnowsGoDirectly) {
  for (const Collective collective : {Collective::gatherv, Collective::scatterv})
    EXPECT_EQ(messages_between_sites(collective, 1), 2);
}

TEST(Route, TheFarthestSiteIsServedFirst) {
  Topology topology = topology_of("a b c");
  std::vector<Link> links(9, Link{10, 1, 0});
  links[2].latency_ns = 20;
  topology.network = uncapped_network(3, links);
  const GlobalCall call{Collective::bcast, 3, 0, OperandOrder::any, 1, {}, {}};
  const Program program = plan(topology, {}, 0, call.view(0));
  ASSERT_EQ(program.size(), 2);
  EXPECT_EQ(program.step(0).peer, 2);
  EXPECT_EQ(program.step(1).peer, 1);
}

TEST(Planner, NothingToMoveIsNothingToDo) {
  for (const CollectiveTraits& each : all_collectives()) {
    if (each.collective == Collective::barrier) continue;
    const GlobalCall call{each.collective, 3, 0, OperandOrder::any, 0, std::vector<Count>(9, 0), {}};
    GlobalCall cut = call;
    if (!has_count_matrix(each.collective)) cut.counts.resize(3);
    for (const Program& program : plan_all(topology_of("a a b"), {}, cut))
      EXPECT_EQ(program.size(), 0) << each.name;
  }
}

TEST(Planner, AloneSendsNothing) {
  for (const CollectiveTraits& each : all_collectives()) {
    const GlobalCall call{each.collective, 1, 0, OperandOrder::any, 2, {2}, {}};
    const Program program = plan(topology_of("a"), {}, 0, call.view(0));
    for (StepIndex i = 0; i < program.size(); ++i) EXPECT_EQ(program.step(i).peer, -1) << each.name;
  }
}

TEST(Contribution, StandsInTheInputOrInPlace) {
  Call call;
  call.collective = Collective::allreduce;
  Builder separate(Unit::elements, 0, 2, {4, 4, 0});
  EXPECT_EQ(contribution(separate, call), separate.input());
  EXPECT_EQ(kept_contribution(separate, call), separate.input());
  EXPECT_EQ(std::move(separate).finish().size(), 0);
  call.placement = Placement::in_place;
  Builder in_place(Unit::elements, 0, 2, {0, 4, 0});
  EXPECT_EQ(contribution(in_place, call), in_place.output());
  EXPECT_EQ(kept_contribution(in_place, call), (Range{Buffer::scratch, 0, 4}));
  EXPECT_EQ(to_text(std::move(in_place).finish(), 0, 2),
            "rank 0 of 2 elements input 0 output 4 scratch 4\n"
            "  0 copy output[0,4) to scratch[0,4)\n");
}

}  // namespace
}  // namespace wan
