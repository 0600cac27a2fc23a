// SPDX-License-Identifier: BSD-3-Clause
// check/simulate.h: cases computed by hand, on links of 10 ms where a byte takes a microsecond. No threads.
#include <gtest/gtest.h>

#include "check/simulate.h"
#include "cost_network.h"
#include "plan/text.h"
#include "tests/support/layouts.h"
#include "tests/support/program_editor.h"

namespace wan {
namespace {

/// No overheads, no headers; hosts of a site at no distance.
Machine free_machine() {
  constexpr BytesPerSecond kWide = 1'000'000'000'000'000;
  Machine machine;
  machine.shared_memory = machine.tcp = {{0, 0}, 0, 0, 1'000'000};
  machine.host_link = machine.site_link = {0, kWide, 0};
  machine.copy_ps_per_byte = machine.reduce_ps_per_byte = 0;
  machine.framing = Framing::none();
  return machine;
}

/// Ranks as tests/support/layouts.h has them, a link of 10 ms and 1 MB/s between any two sites.
class Simulate : public testing::Test {
 protected:
  /// programs[r]: the steps of rank r, a line each.
  const Simulation& run(const std::string& words, const std::vector<std::string>& programs,
                        Bytes element_bytes = 1) {
    const Layout layout = layout_of(words);
    const Topology topology{layout, mesh_.network(), overheads_};
    std::string text;
    for (std::size_t rank = 0; rank < programs.size(); ++rank)
      text += "rank " + std::to_string(rank) + " of " + std::to_string(programs.size()) + " " + unit_ +
              " input 9000 output 9000 scratch 9000\n" + programs[rank];
    const auto schedule = parse_schedule(text, "test");
    if (!schedule) ADD_FAILURE() << schedule.error().message();
    Schedule limited;
    for (const Program& program : schedule.value()) {
      EditedProgram edited = ProgramEditor::edited(program);
      edited.sends = sends_;
      limited.push_back(ProgramEditor::program(edited));
    }
    simulation_ = simulate(limited, Model(topology, machine_), element_bytes);
    return simulation_;
  }
  /// Three sends to the other site, so many under way at once, each of which asks its receiver first.
  void run_three_that_ask(SendLimit sends) {
    machine_.tcp.eager_limit = 0;
    sends_ = sends;
    run("a b", {"0 send input[0,1000) to 1\n1 send input[1000,2000) to 1\n2 send input[2000,3000) to 1\n",
                "0 receive output[0,1000) from 0\n1 receive output[1000,2000) from 0\n2 receive "
                "output[2000,3000) from 0\n"});
  }
  const StepTimes& step(Rank rank, StepIndex index) const {
    return simulation_.steps[static_cast<std::size_t>(rank)][static_cast<std::size_t>(index)];
  }

  Mesh mesh_{2, 10_ms, 1_MBps};
  Machine machine_ = free_machine();
  std::vector<Overheads> overheads_;
  std::string unit_ = "bytes";
  SendLimit sends_;
  Simulation simulation_{{}, {}, 0, {}, SiteMatrix<LinkUse>(1), {}, {}, {}};
};

/// The same, with three sites.
class SimulateThree : public Simulate {
 protected:
  SimulateThree() { mesh_ = Mesh(3, 10_ms, 1_MBps); }
};

TEST_F(Simulate, NothingToDoTakesNoTime) {
  EXPECT_EQ(run("a b", {"", ""}).end, 0);
  EXPECT_TRUE(simulation_.is_finished());
}

TEST_F(Simulate, OneMessageTakesLatencyAndBytesOverRate) {
  const Simulation& simulation =
      run("a b", {"0 send input[0,1000) to 1\n", "0 receive output[0,1000) from 0\n"});
  EXPECT_EQ(simulation.end, 11_ms);
  EXPECT_EQ(simulation.rank_end, (std::vector<Nanoseconds>{0, 11_ms})) << "an eager send is done at once";
  EXPECT_EQ(step(1, 0), (StepTimes{0, 11_ms, 11_ms}));
  EXPECT_EQ(simulation.between_sites.at(0, 1), (LinkUse{1, 1'000, 1'000, 1_ms}));
  EXPECT_EQ(simulation.between_sites.at(1, 0), LinkUse{});
  ASSERT_EQ(simulation.deliveries.size(), 1u);
  EXPECT_EQ(simulation.deliveries[0].arrival, 11_ms);
  EXPECT_EQ(simulation.deliveries[0].left, (Passage{0, 1_ms}));
}

TEST_F(Simulate, AWindowHoldsBackWhatOneConnectionSends) {
  machine_.flow_window = 1'000;
  EXPECT_EQ(run("a b", {"0 send input[0,5000) to 1\n", "0 receive output[0,5000) from 0\n"}).end, 90_ms)
      << "four of five windows wait for a round trip each";
  EXPECT_EQ(run("a b", {"0 send input[0,1000) to 1\n", "0 receive output[0,1000) from 0\n"}).end, 11_ms);
}

TEST_F(Simulate, SeveralConnectionsHaveSeveralWindows) {
  machine_.flow_window = 1'000;
  run("a a b b", {"0 send input[0,2500) to 2\n", "0 send input[0,2500) to 3\n",
                  "0 receive output[0,2500) from 0\n", "0 receive output[0,2500) from 1\n"});
  EXPECT_EQ(simulation_.end, 42'500'000)
      << "what one message of 5,000 bytes has after 90 ms; the link carries one of these after the other";
}

TEST_F(Simulate, AnEmptyMessageTakesTheLatency) {
  EXPECT_EQ(run("a b", {"0 send nothing to 1\n", "0 receive nothing from 0\n"}).end, 10_ms);
}

TEST_F(Simulate, MessagesShareTheLinkOfTheirSites) {
  run("a a b b", {"0 send input[0,1000) to 2\n", "0 send input[0,500) to 3\n",
                  "0 receive output[0,1000) from 0\n", "0 receive output[0,500) from 1\n"});
  EXPECT_EQ(step(2, 0).end, 11_ms);
  EXPECT_EQ(step(3, 0).end, 11'500'000);
  EXPECT_EQ(simulation_.between_sites.at(0, 1).busy_ns, 1'500'000);
}

TEST_F(SimulateThree, LinksOfDifferentPairsAreIndependent) {
  run("a b c", {"0 send input[0,1000) to 1\n1 send input[0,1000) to 2\n", "0 receive output[0,1000) from 0\n",
                "0 receive output[0,1000) from 0\n"});
  EXPECT_EQ(step(1, 0).end, 11_ms);
  EXPECT_EQ(step(2, 0).end, 11_ms);
}

TEST_F(SimulateThree, AnUplinkIsSharedByAllThatLeaves) {
  mesh_.uplinks[0] = 1'000'000;
  run("a b c", {"0 send input[0,1000) to 1\n1 send input[0,1000) to 2\n", "0 receive output[0,1000) from 0\n",
                "0 receive output[0,1000) from 0\n"});
  EXPECT_EQ(step(1, 0).end, 11_ms) << "uplink and link do not add up";
  EXPECT_EQ(step(2, 0).end, 12_ms);
  EXPECT_EQ(simulation_.uplinks[0], (LinkUse{2, 2'000, 2'000, 2_ms}));
}

TEST_F(SimulateThree, ADownlinkIsSharedByAllThatEnters) {
  mesh_.downlinks[0] = 500'000;
  run("a b c", {"0 receive output[0,1000) from 1\n1 receive output[1000,2000) from 2\n",
                "0 send input[0,1000) to 0\n", "0 send input[0,1000) to 0\n"});
  EXPECT_EQ(step(0, 0).end, 12_ms);
  EXPECT_EQ(step(0, 1).end, 14_ms);
  EXPECT_EQ(simulation_.downlinks[0].busy_ns, 4_ms);
}

TEST_F(SimulateThree, AWideDownlinkLetsSlowMessagesPassTogether) {
  mesh_.downlinks[0] = 2'000'000;
  unit_ = "elements";
  run("a b c",
      {"0 receive output[0,1) from 1\n1 receive output[1,2) from 2\n", "0 send input[0,1) to 0\n",
       "0 send input[0,1) to 0\n"},
      32'000);
  EXPECT_EQ(step(0, 0).end, 42_ms);
  EXPECT_EQ(step(0, 1).end, 43_ms) << "a sixteenth of the 16 ms that it takes alone";
  EXPECT_EQ(simulation_.downlinks[0], (LinkUse{2, 64'000, 64'000, 32_ms}));
}

TEST_F(SimulateThree, WhatHasNotComeCannotPassADownlink) {
  mesh_.downlinks[0] = 2'000'000;
  mesh_.link(2, 0).latency_ns = 26_ms;
  mesh_.link(2, 0).bandwidth_bytes_per_s = 2'000'000;
  unit_ = "elements";
  run("a b c",
      {"0 receive output[0,1) from 1\n1 receive output[1,2) from 2\n", "0 send input[0,1) to 0\n",
       "0 send input[0,1) to 0\n"},
      32'000);
  EXPECT_GE(simulation_.end, 50_ms) << "16,000 bytes in 10-26 ms, the other 48,000 at 2 MB/s";
  EXPECT_LE(simulation_.end, 52_ms);
}

TEST_F(SimulateThree, OverheadsOfARankAreOneAfterTheOther) {
  machine_.tcp.overheads = {1_ms, 2_ms};
  run("a b c", {"0 send input[0,1000) to 1\n1 send input[0,1000) to 2\n",
                "0 receive output[0,1000) from 0\n1 send nothing to 2\n",
                "0 receive output[0,1000) from 0\n1 receive nothing from 1\n"});
  EXPECT_EQ(step(0, 0), (StepTimes{0, 0, 1_ms}));
  EXPECT_EQ(step(0, 1), (StepTimes{0, 1_ms, 2_ms}));
  EXPECT_EQ(step(1, 0), (StepTimes{0, 12_ms, 14_ms}));
  EXPECT_EQ(step(2, 1), (StepTimes{0, 11_ms, 13_ms}));
  EXPECT_EQ(step(2, 0), (StepTimes{0, 13_ms, 15_ms})) << "arrived first, seen to first";
}

TEST_F(Simulate, RanksMayHaveTheirOwnOverheads) {
  overheads_ = {{3_ms, 0}, {0, 4_ms}};
  EXPECT_EQ(run("a b", {"0 send nothing to 1\n", "0 receive nothing from 0\n"}).end, 17_ms);
}

TEST_F(Simulate, TheWireTakesWhatTheProcessorHasCopied) {
  machine_.tcp.send_ps_per_byte = 500'000;
  machine_.tcp.receive_ps_per_byte = 100'000;
  run("a b", {"0 send input[0,1000) to 1\n", "0 receive output[0,1000) from 0\n"});
  EXPECT_EQ(step(0, 0).end, 500'000);
  EXPECT_EQ(step(1, 0).end, 11'100'000) << "copying out of the way of the wire costs nothing, taking in does";
  machine_.tcp.send_ps_per_byte = 3'000'000;
  EXPECT_EQ(run("a b", {"0 send input[0,1000) to 1\n", "0 receive output[0,1000) from 0\n"}).end, 13'100'000);
}

TEST_F(Simulate, LocalStepsCostTheirBytes) {
  machine_.copy_ps_per_byte = 1'000'000;
  run("a", {"0 copy input[0,1000) to scratch[0,1000)\n1 copy scratch[0,1000) to output[0,1000)\n"});
  EXPECT_EQ(step(0, 0), (StepTimes{0, 0, 1_ms}));
  EXPECT_EQ(step(0, 1), (StepTimes{1_ms, 1_ms, 2_ms}));
}

TEST_F(Simulate, ReductionsCountElements) {
  machine_.reduce_ps_per_byte = 1'000'000;
  unit_ = "elements";
  run("a b",
      {"0 send input[0,100) to 1\n",
       "0 receive scratch[0,100) from 0\n1 reduce scratch[0,100) into output[0,100)\n"},
      8);
  EXPECT_EQ(step(1, 0).end, 10'800'000);
  EXPECT_EQ(step(1, 1), (StepTimes{10'800'000, 10'800'000, 11'600'000}));
}

TEST_F(Simulate, MessagesAreIssuedBeforeLocalStepsBegin) {
  machine_.copy_ps_per_byte = 1'000'000;
  run("a b", {"0 copy input[0,1000) to scratch[0,1000)\n1 send input[0,1000) to 1\n",
              "0 receive output[0,1000) from 0\n"});
  EXPECT_EQ(step(0, 1).start, 0);
  EXPECT_EQ(simulation_.end, 11_ms);
}

TEST_F(Simulate, MessagesOfALaneKeepTheirOrder) {
  machine_.copy_ps_per_byte = 1'000'000;
  run("a b",
      {"0 copy input[0,1000) to scratch[0,1000)\n1 send scratch[0,1000) to 1\n2 send input[0,1000) to 1\n",
       "0 receive output[0,1000) from 0\n1 receive output[1000,2000) from 0\n"});
  EXPECT_EQ(step(0, 2), (StepTimes{1_ms, 1_ms, 1_ms}))
      << "waits for its turn behind a send that waits for the copy";
  EXPECT_EQ(step(1, 0).end, 12_ms);
  EXPECT_EQ(step(1, 1).end, 13_ms);
}

TEST_F(Simulate, SendsOfALaneUnderWayAreLimited) {
  run_three_that_ask({2, 2});
  EXPECT_EQ(step(0, 0).end, 21_ms) << "asked, answered, sent";
  EXPECT_EQ(step(0, 1).end, 22_ms);
  EXPECT_EQ(step(0, 2), (StepTimes{21_ms, 21_ms, 43_ms})) << "its question follows the second's bytes";
}

TEST_F(Simulate, WithEachSendThatIsDoneOneMoreIsUnderWay) {
  run_three_that_ask({1, 2});
  EXPECT_EQ(step(0, 0).end, 21_ms);
  EXPECT_EQ(step(0, 1), (StepTimes{21_ms, 21_ms, 42_ms}));
  EXPECT_EQ(step(0, 2), (StepTimes{21_ms, 21_ms, 43_ms})) << "asked at the same time as the one before";
}

TEST_F(SimulateThree, ARelaySendsOnWhatHasArrived) {
  const std::vector<std::string> whole{"0 send input[0,2000) to 1\n",
                                       "0 receive output[0,2000) from 0\n1 send output[0,2000) to 2\n",
                                       "0 receive output[0,2000) from 1\n"};
  EXPECT_EQ(run("a b c", whole).end, 24_ms);
  const std::vector<std::string> halves{
      "0 send input[0,1000) to 1\n1 send input[1000,2000) to 1\n",
      "0 receive output[0,1000) from 0\n1 receive output[1000,2000) from 0\n2 send "
      "output[0,1000) to 2\n3 send output[1000,2000) to 2\n",
      "0 receive output[0,1000) from 1\n1 receive output[1000,2000) from 1\n"};
  EXPECT_EQ(run("a b c", halves).end, 23_ms)
      << "the second half is on the first link while the first is on the second";
}

TEST_F(Simulate, AboveTheEagerLimitTheRestWaitsForTheReceiver) {
  machine_.tcp.eager_limit = 1'000;
  machine_.copy_ps_per_byte = 50'000'000;
  run("a b", {"0 send input[0,3000) to 1\n",
              "0 copy input[0,1000) to output[0,1000)\n1 receive output[0,3000) from 0\n"});
  EXPECT_EQ(step(1, 1).ready, 50_ms);
  EXPECT_EQ(step(0, 0).end, 62_ms) << "request 0-11, posted 50, answer 50-60, 2,000 bytes leave until 62";
  EXPECT_EQ(step(1, 1), (StepTimes{50_ms, 72_ms, 72_ms}));
  EXPECT_EQ(simulation_.between_sites.at(0, 1), (LinkUse{2, 3'000, 3'000, 3_ms}));
  EXPECT_EQ(simulation_.between_sites.at(1, 0).transmissions, 1);
}

TEST_F(Simulate, AnEagerMessageWaitsAtTheReceiver) {
  machine_.tcp.overheads.receive_ns = 1_ms;
  machine_.copy_ps_per_byte = 50'000'000;
  run("a b", {"0 send input[0,1000) to 1\n",
              "0 copy input[0,1000) to output[0,1000)\n1 receive output[0,1000) from 0\n"});
  EXPECT_EQ(step(0, 0).end, 0);
  EXPECT_EQ(step(1, 1), (StepTimes{50_ms, 50_ms, 51_ms}));
}

TEST_F(Simulate, RanksMayShareProcessors) {
  machine_.copy_ps_per_byte = 1'000'000;
  const std::string copy = "0 copy input[0,1000) to output[0,1000)\n";
  const std::vector<std::string> programs{copy, copy + "1 copy input[0,1000) to output[1000,2000)\n", copy,
                                          ""};
  EXPECT_EQ(run("a a b b", programs).rank_end, (std::vector<Nanoseconds>{1_ms, 2_ms, 1_ms, 0}))
      << "each its own";
  machine_.processors = 1;
  EXPECT_EQ(run("a a b b", programs).rank_end, (std::vector<Nanoseconds>{1_ms, 3_ms, 4_ms, 0}))
      << "each until it is done";
  machine_.processors = 2;
  EXPECT_EQ(run("a a b b", programs).rank_end, (std::vector<Nanoseconds>{1_ms, 2_ms, 2_ms, 0}));
  machine_.turn_ns = 3_ms;
  EXPECT_EQ(run("a a b b", programs).rank_end, (std::vector<Nanoseconds>{4_ms, 5_ms, 5_ms, 0}))
      << "a processor looks for work";
}

TEST_F(Simulate, WhoeverWaitsForAMessageLeavesTheProcessor) {
  machine_.processors = 1;
  machine_.turn_ns = 1_ms;
  machine_.tcp.overheads = {2_ms, 3_ms};
  EXPECT_EQ(run("a b", {"0 send nothing to 1\n1 receive nothing from 1\n",
                        "0 receive nothing from 0\n1 send nothing to 0 after 0\n"})
                .end,
            1_ms + 2_ms + 10_ms + 1_ms + 3_ms + 2_ms + 10_ms + 1_ms + 3_ms);
}

TEST_F(Simulate, HeadersOnTheWire) {
  machine_.framing = {1'000, 50, 20, 40};
  EXPECT_EQ(run("a b", {"0 send input[0,1000) to 1\n", "0 receive output[0,1000) from 0\n"}).end, 11'120'000);
  EXPECT_EQ(simulation_.between_sites.at(0, 1), (LinkUse{1, 1'000, 1'120, 1'120'000}));
}

TEST_F(Simulate, AMessageAloneTakesWhatTheModelSays) {
  machine_ = Machine{};
  mesh_.uplinks[0] = 700'000;
  mesh_.downlinks[1] = 600'000;
  unit_ = "elements";
  for (const Bytes size : {1, 500, 4'040, 4'041, 65'480, 65'481, 1'000'000})
    for (const Rank to : {1, 2, 3}) {
      std::vector<std::string> programs(4);
      programs[0] = "0 send input[0,1) to " + std::to_string(to) + "\n";
      programs[static_cast<std::size_t>(to)] = "0 receive output[0,1) from 0\n";
      const Topology topology{layout_of("a1 a1 a2 b1"), mesh_.network()};
      constexpr double kRounding = 16;  // a nanosecond for each piece of what is cut
      EXPECT_NEAR(static_cast<double>(run("a1 a1 a2 b1", programs, size).end),
                  static_cast<double>(Model(topology, machine_).message_ns(0, to, size)), kRounding)
          << size << " to " << to;
    }
}

TEST_F(Simulate, WhatCannotFinishIsReported) {
  run("a b", {"0 receive output[0,1) from 1\n1 send output[0,1) to 1\n",
              "0 receive output[0,1) from 0\n1 send output[0,1) to 0\n"});
  EXPECT_FALSE(simulation_.is_finished());
  EXPECT_EQ(simulation_.stuck.size(), 4u);
  EXPECT_EQ(step(0, 0), (StepTimes{0, std::nullopt, std::nullopt}));
}

TEST_F(Simulate, AMessageThatNobodyTakesHoldsNobodyUp) {
  run("a b", {"0 send input[0,1) to 1\n", ""});
  EXPECT_TRUE(simulation_.is_finished());
  machine_.tcp.eager_limit = 1;
  run("a b", {"0 send input[0,2) to 1\n", ""});
  EXPECT_EQ(simulation_.stuck.size(), 1u) << "unless it asks first";
}

}  // namespace
}  // namespace wan
