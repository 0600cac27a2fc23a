// SPDX-License-Identifier: BSD-3-Clause
// tools/timeline.h: what is in the picture. (Whether it is a good one is for people to see.) No threads.
#include <gtest/gtest.h>

#include "plan/text.h"
#include "tests/support/layouts.h"
#include "tests/unit/tools_count.h"
#include "tools/timeline.h"

namespace wan::tools {
namespace {

/// Rank 0 sends to one of its own site and one of another, which reduces what it gets.
const char* const kSteps = R"(rank 0 of 3 elements input 9 output 9 scratch 0
0 send input[0,9) to 1
1 send input[0,9) to 2
rank 1 of 3 elements input 9 output 9 scratch 0
0 receive output[0,9) from 0
rank 2 of 3 elements input 9 output 9 scratch 9
0 receive scratch[0,9) from 0
1 reduce scratch[0,9) into output[0,9)
)";

std::string picture(const std::string& steps, const TimelineText& text) {
  const auto schedule = parse_schedule(steps, "test");
  if (!schedule) ADD_FAILURE() << schedule.error().message();
  const Topology topology = topology_of("a1 a2 b1");
  return timeline_svg(*schedule, topology.layout, simulate(*schedule, Model(topology, Machine{}), 8), text);
}

TEST(Timeline, HasABarForEachStepAndALineForEachMessage) {
  const std::string svg = picture(kSteps, {"three & ranks", 9'000'000});
  EXPECT_EQ(count(svg, "<title>rank "), 5u);
  EXPECT_EQ(count(svg, "<title>0 to "), 2u);
  EXPECT_EQ(count(svg, "72 bytes"), 2u);
  EXPECT_EQ(count(svg, ">bound 9.000<"), 1u);
  EXPECT_EQ(count(svg, ">three &amp; ranks<"), 1u);
  EXPECT_EQ(count(svg, "ratio: 1.1"), 1u);
  EXPECT_EQ(count(svg, "</svg>"), 1u);
}

TEST(Timeline, MarksTheEndOfEachRankAndEachArrivalFromAnotherSite) {
  const std::string svg = picture(kSteps, {"", 0});
  EXPECT_EQ(count(svg, "stroke='black'"), 3u);
  EXPECT_EQ(count(svg, "<circle"), 2u) << "one in the legend";
  EXPECT_EQ(count(svg, ">bound "), 0u);
}

TEST(Timeline, SaysThatItNeverEnds) {
  const std::string svg = picture(
      "rank 0 of 3 bytes input 1 output 1 scratch 0\n0 receive output[0,1) from 1\n"
      "rank 1 of 3 bytes input 0 output 0 scratch 0\nrank 2 of 3 bytes input 0 output 0 scratch 0\n",
      {"", 0});
  EXPECT_EQ(count(svg, "1 steps never end"), 1u);
}

}  // namespace
}  // namespace wan::tools
