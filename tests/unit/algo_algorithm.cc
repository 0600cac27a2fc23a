// SPDX-License-Identifier: BSD-3-Clause
// algo/algorithm.h: names, what there is to choose, and that what is forced is what is planned.
#include <gtest/gtest.h>

#include "algo/algorithm.h"
#include "algo/choice/choice.h"
#include "algo/choice/segments.h"
#include "algo/schedule.h"
#include "check/verify.h"
#include "tests/support/layouts.h"

namespace wan {
namespace {

TEST(Algorithm, EveryCollectiveHasAtLeastTheAutomaticOne) {
  for (const CollectiveTraits& each : all_collectives()) {
    EXPECT_EQ(algorithms_of(each.collective).front(), Algorithm::automatic) << each.name;
    EXPECT_EQ(algorithm_named("auto", each.collective), Algorithm::automatic) << each.name;
    EXPECT_EQ(algorithm_named("oak", each.collective), std::nullopt) << each.name;
    EXPECT_EQ(AlgorithmChoice().of(each.collective), Algorithm::automatic) << each.name;
  }
}

TEST(Algorithm, IsKnownWhereItExists) {
  EXPECT_EQ(algorithm_named("spread", Collective::bcast), Algorithm::spread);
  EXPECT_EQ(algorithm_named("aggregate", Collective::bcast), std::nullopt);
  EXPECT_EQ(algorithm_named("aggregate", Collective::alltoallw), Algorithm::aggregate);
  EXPECT_EQ(algorithm_named("direct", Collective::barrier), std::nullopt);
}

TEST(Algorithm, EveryRowCanBePlanned) {
  for (const CollectiveTraits& each : all_collectives())
    EXPECT_FALSE(rows_of(each.collective).empty()) << each.name;
}

std::string remedy_for(const char* text) {
  const auto parsed = parse_algorithms(text, "coll_wan_algorithms");
  return parsed ? "" : parsed.error().message();
}

TEST(AlgorithmList, ForcesWhatItNames) {
  const auto parsed = parse_algorithms("bcast:tree,alltoall:direct,neighbor:aggregate", "p");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->of(Collective::bcast), Algorithm::tree);
  EXPECT_EQ(parsed->of(Collective::alltoall), Algorithm::direct);
  EXPECT_EQ(parsed->of(Collective::alltoallv), Algorithm::automatic);
  EXPECT_EQ(parsed->of_neighbors(), Algorithm::aggregate);
  EXPECT_EQ(parse_algorithms("", "p")->of(Collective::bcast), Algorithm::automatic);
  EXPECT_EQ(parse_algorithms("bcast:auto", "p")->of(Collective::bcast), Algorithm::automatic);
}

TEST(AlgorithmList, NamesTheWrongEntryAndTheRemedy) {
  EXPECT_NE(remedy_for("bcast:oak").find("bcast takes one of auto, direct"), std::string::npos);
  EXPECT_NE(remedy_for("alltoall:direct,bcst:tree").find("did you mean bcast?"), std::string::npos);
  EXPECT_NE(remedy_for("tree").find("COLLECTIVE:ALGORITHM"), std::string::npos);
  EXPECT_NE(remedy_for("bcast:tree,,").find("COLLECTIVE:ALGORITHM"), std::string::npos);
  EXPECT_NE(remedy_for("barrier:direct").find("barrier"), std::string::npos);
  EXPECT_NE(remedy_for("bcast:oak").find("coll_wan_algorithms"), std::string::npos);
}

TEST(AlgorithmList, TellsAllThereIs) {
  const std::string known = known_algorithms();
  EXPECT_NE(known.find("bcast:auto|direct|relayed|spread|tree"), std::string::npos);
  EXPECT_NE(known.find("neighbor:auto|direct|aggregate"), std::string::npos);
  EXPECT_EQ(known.find("barrier"), std::string::npos);
}

TEST(AlgorithmDeath, WhatACollectiveHasNotCannotBeForced) {
  EXPECT_DEATH(AlgorithmChoice().force(Collective::barrier, Algorithm::direct),
               "an algorithm that the collective has not");
}

/// The verdict on a call with a forced algorithm, on three sites of two ranks, the root on site 0; links of
/// 10 ms and 1 kB/s.
Verdict forced(Collective collective, Algorithm algorithm, Count block) {
  GlobalCall call{collective, 6, 0, OperandOrder::any, block, {}, {}};
  if (has_count_matrix(collective)) call.counts.assign(36, block);
  const Layout layout = layout_of("a a b b c c");
  const Topology topology{layout, Network(3, Link{10'000'000, 1'000, 0})};
  Tuning tuning;
  tuning.aggregate_limit = tuning.alltoall_aggregate_limit = 10;
  tuning.segment = 8;
  tuning.algorithms.force(collective, algorithm);
  Verdict verdict = verify(plan_all(topology, tuning, call), call, layout);
  const Algorithm used = choose(topology, tuning, call.view(0)).algorithm();
  EXPECT_EQ(used == Algorithm::spread, verdict.latencies == 2);
  if (algorithm != Algorithm::automatic) {
    EXPECT_EQ(used, algorithm);
  }
  EXPECT_TRUE(verdict.is_correct());
  return verdict;
}

/// Lengths of the messages of a broadcast of 100 MB over a link of 150 ms.
std::vector<Count> lengths_over(BytesPerSecond rate) {
  const Topology topology{layout_of("a b"), Network(2, Link{150'000'000, rate, 0})};
  Call call;
  call.collective = Collective::bcast;
  call.block = 100'000'000;
  const Program program = plan(topology, {}, 0, call);
  std::vector<Count> lengths;
  for (StepIndex i = 0; i < program.size(); ++i) lengths.push_back(program.step(i).length());
  return lengths;
}

TEST(Segments, AreEagerInTheWindowAndThenLongEnoughToFillTheLink) {
  const auto slow = lengths_over(1'000'000), fast = lengths_over(1'250'000'000);
  EXPECT_EQ(slow[0], 32'768);
  EXPECT_EQ(slow[127], 32'768);  // 4 MiB in segments of 32 KiB
  EXPECT_EQ(slow[128], 262'144);
  EXPECT_EQ(fast[127], 32'768);
  EXPECT_EQ(fast[128], 11'718'750);  // 64 of them: twice what is under way in a round trip
}

/// Between two sites of four ranks.
Count first_segment(Collective collective, Count block, Bytes longest = 32'768, Bytes unit_bytes = 1) {
  const Topology topology{layout_of("a a a a b b b b"), Network(2, Link{10'000'000, 12'500'000, 0})};
  Call call;
  call.collective = collective;
  call.block = block;
  call.unit_bytes = unit_bytes;
  Tuning tuning;
  tuning.segment = longest;
  return segmentation_of(topology, tuning, call).segment;
}

TEST(Segments, GrowWithTheRootOfWhatASiteSendsToAnother) {
  EXPECT_EQ(first_segment(Collective::bcast, 16 << 10), 8'192);  // none is shorter
  EXPECT_EQ(first_segment(Collective::bcast, 256 << 10), 16'384);
  EXPECT_EQ(first_segment(Collective::allreduce, 64 << 10, 32'768, 4), 16'384 / 4);
  EXPECT_EQ(first_segment(Collective::allgather, 64 << 10), 16'384);  // four blocks
  EXPECT_EQ(first_segment(Collective::bcast, 1 << 20), 32'768);
}

TEST(Segments, OfALaneThatDoesNotLeaveAtOnceAfterAPauseTheFirstIsShort) {
  const Topology topology{layout_of("a a a a b b b b"), Network(2, Link{75'000'000, 2'500'000, 0})};
  Call call;
  call.collective = Collective::allgather;
  call.unit_bytes = 4;
  Tuning tuning;
  tuning.idle_window = 10'000;
  const auto segments = [&](Count elements, int lanes) {
    call.block = elements;
    const Segmentation cut =
        segmentation_of_lanes(segmentation_of(topology, tuning, call), topology, tuning, call, lanes);
    return std::pair(cut.length_at(0, 1 << 20), cut.length_at(cut.length_at(0, 1 << 20), 1 << 20));
  };
  const auto cut = [&](Count elements) {
    call.block = elements;
    return segmentation_of(topology, tuning, call).segment;
  };
  EXPECT_EQ(segments(16'384, 16), std::pair(Count{512}, cut(16'384)));  // 16 KiB a lane
  EXPECT_EQ(segments(16'384, 1), std::pair(cut(16'384), cut(16'384)));
  EXPECT_EQ(segments(8'192, 16), std::pair(cut(8'192), cut(8'192)));     // it leaves at once
  EXPECT_EQ(segments(65'536, 16), std::pair(cut(65'536), cut(65'536)));  // more than some windows
  tuning.idle_window = 0;
  EXPECT_EQ(segments(16'384, 16), std::pair(cut(16'384), cut(16'384)));
}

/// How many messages to one process of another site may be under way.
SendLimit sends(BytesPerSecond rate, Bytes flow_window) {
  const Topology topology{layout_of("a b"), Network(2, Link{150'000'000, rate, 0})};
  Call call;
  call.collective = Collective::bcast;
  call.block = 100'000'000;
  Tuning tuning;
  tuning.flow_window = flow_window;
  return segmentation_of(topology, tuning, call).sends;
}

TEST(Segments, UnderWayAreAsManyAsFillTheConnectionAndAFewMore) {
  EXPECT_EQ(sends(1'000'000, 4 << 20), (SendLimit{16 + 8, 16 + 8}));      // long segments of 256 KiB
  EXPECT_EQ(sends(1'250'000'000, 4 << 20), (SendLimit{32 + 8, 32 + 8}));  // 375 MB in a round trip
  EXPECT_EQ(sends(1'000'000, 1 << 30), SendLimit{});                      // no more than may be asked about
  EXPECT_EQ(sends(1'000'000, 0), SendLimit{});                            // not known
}

TEST(Segments, OverStreamsAreSoFewThatAllTicketsLeaveAtOnceAfterAPause) {
  const auto segment = [](Bytes bytes, Cut cut, Count flows, Nanoseconds latency = 150'000'000) {
    const Topology topology{layout_of("a b c d"), Network(4, Link{latency, 2'500'000, 0})};
    Call call;
    call.collective = Collective::allreduce;
    call.block = bytes;
    Tuning tuning;
    tuning.streams = 16;
    const Count over_streams = segmentation_of(topology, tuning, call, cut, flows).segment;
    tuning.streams = 0;
    EXPECT_GE(over_streams, segmentation_of(topology, tuning, call, cut, flows).segment);
    return over_streams;
  };
  EXPECT_EQ(segment(65'536, Cut::shards, 1), 65'536 / 8);
  EXPECT_EQ(segment(65'536, Cut::shards, 3), 3 * 65'536 / 8);
  EXPECT_EQ(segment(524'288, Cut::whole, 1), 524'288 / 8);
  EXPECT_EQ(segment(64 << 20, Cut::whole, 1), 750'000 / 8) << "that fills the link for a round trip";
  EXPECT_EQ(segment(64 << 20, Cut::whole, 1, 1'500'000'000), 4 * 32'768) << "four times what the user allows";
  EXPECT_EQ(segment(1'024, Cut::shards, 1), 2'048) << "short as it is without";
}

TEST(Segments, AreNoLongerThanTheUserAllows) {
  EXPECT_EQ(first_segment(Collective::bcast, 256 << 10, 10'000), 10'000);
  EXPECT_EQ(first_segment(Collective::bcast, 64 << 10, 24), 24);
  EXPECT_EQ(first_segment(Collective::bcast, 1 << 30, 1 << 19), 1 << 19);
}

TEST(Segments, OfAVectorFormAreWhatTheUserAllows) {
  EXPECT_EQ(first_segment(Collective::allgatherv, 0), 32'768);  // nobody knows all lengths of some
}

TEST(ForcedAlgorithm, OfVectors) {
  for (const Collective collective :
       {Collective::bcast, Collective::reduce, Collective::allreduce, Collective::scan, Collective::exscan}) {
    EXPECT_EQ(forced(collective, Algorithm::automatic, 2).latencies, 1);
    EXPECT_EQ(forced(collective, Algorithm::automatic, 200).latencies, 2);
    EXPECT_EQ(forced(collective, Algorithm::direct, 200).latencies, 1);
    EXPECT_EQ(forced(collective, Algorithm::spread, 64).latencies, 2);
  }
}

TEST(ForcedAlgorithm, OfBlocks) {
  for (const Collective collective :
       {Collective::gather, Collective::alltoall, Collective::alltoallv, Collective::alltoallw}) {
    const std::int64_t direct = collective == Collective::gather ? 2 : 4;
    const auto messages = [&](Algorithm algorithm, Count block) {
      return forced(collective, algorithm, block).between_sites.at({1, 0}).messages;
    };
    EXPECT_EQ(messages(Algorithm::automatic, 2), 1);
    EXPECT_EQ(messages(Algorithm::direct, 2), direct);
    EXPECT_EQ(messages(Algorithm::automatic, 12), 2 * direct);       // two segments each
    EXPECT_EQ(messages(Algorithm::aggregate, 12), direct * 12 / 8);  // segments of 8
  }
}

}  // namespace
}  // namespace wan
