// SPDX-License-Identifier: BSD-3-Clause
// check/verify.h: what it accepts, and that it finds each kind of defect, on Schedules written by hand.
#include <gtest/gtest.h>

#include <algorithm>

#include "check/verify.h"
#include "plan/text.h"
#include "tests/support/layouts.h"
#include "tests/support/program_editor.h"

namespace wan {
namespace {

Schedule schedule(const std::string& text) {
  const auto parsed = parse_schedule(text, "test");
  if (!parsed) ADD_FAILURE() << parsed.error().message();
  return parsed.value_or(Schedule{});
}

GlobalCall call(Collective collective, Rank size, Count block, OperandOrder order = OperandOrder::rank) {
  return {collective, size, 0, order, block, {}, {}};
}

Verdict judge(const std::string& text, const GlobalCall& what, const std::string& words) {
  return verify(schedule(text), what, layout_of(words));
}

bool complains(const Verdict& verdict, std::string_view what) {
  return std::ranges::any_of(verdict.defects,
                             [&](const std::string& defect) { return defect.find(what) != defect.npos; });
}

/// Broadcast of two units from 0 to 1 by one message each.
const std::string kBcastRoot = "rank 0 of 2 bytes input 0 output 2 scratch 0\n";
const std::string kBcastOther = "rank 1 of 2 bytes input 0 output 2 scratch 0\n";

TEST(Verify, AcceptsABroadcastAndCountsIt) {
  const Verdict verdict =
      judge(kBcastRoot + "0 send output[0,2) to 1\n" + kBcastOther + "0 receive output[0,2) from 0\n",
            call(Collective::bcast, 2, 2), "a b");
  EXPECT_TRUE(verdict.is_correct());
  EXPECT_EQ(verdict.latencies, 1);
  EXPECT_EQ(verdict.repeated_units, 0);
  EXPECT_EQ(verdict.between_sites, (TrafficMatrix{{{0, 1}, {1, 2}}}));
  EXPECT_TRUE(verdict.between_hosts.empty());
}

TEST(Verify, CountsWhatGoesBetweenHostsOfASite) {
  const Verdict verdict =
      judge(kBcastRoot + "0 send output[0,2) to 1\n" + kBcastOther + "0 receive output[0,2) from 0\n",
            call(Collective::bcast, 2, 2), "a1 a2");
  EXPECT_TRUE(verdict.between_sites.empty());
  EXPECT_EQ(verdict.between_hosts, (TrafficMatrix{{{0, 1}, {1, 2}}}));
  EXPECT_EQ(verdict.latencies, 0);
}

TEST(Verify, FindsAMessageOfAnotherLength) {
  EXPECT_TRUE(complains(
      judge(kBcastRoot + "0 send output[0,2) to 1\n" + kBcastOther + "0 receive output[0,1) from 0\n",
            call(Collective::bcast, 2, 2), "a b"),
      "rank 1: step 0 receives a message of another length"));
}

TEST(Verify, FindsWhatIsMissing) {
  EXPECT_TRUE(complains(
      judge(kBcastRoot + "0 send output[0,1) to 1\n" + kBcastOther + "0 receive output[0,1) from 0\n",
            call(Collective::bcast, 2, 2), "a b"),
      "rank 1: output unit 1 is undefined"));
}

TEST(Verify, FindsBuffersThatAreNotTheCalls) {
  EXPECT_TRUE(complains(
      judge(kBcastRoot + "0 send output[0,2) to 1\n" + kBcastOther + "0 receive output[0,2) from 0\n",
            call(Collective::bcast, 2, 3), "a b"),
      "buffer lengths differ"));
}

TEST(Verify, PairsTheMessagesOfALaneInStepOrder) {
  const std::string root = kBcastRoot + "0 send output[0,1) to 1\n1 send output[1,2) to 1\n";
  EXPECT_TRUE(judge(root + kBcastOther + "0 receive output[0,1) from 0\n1 receive output[1,2) from 0\n",
                    call(Collective::bcast, 2, 2), "a b")
                  .is_correct());
  EXPECT_TRUE(
      complains(judge(root + kBcastOther + "0 receive output[1,2) from 0\n1 receive output[0,1) from 0\n",
                      call(Collective::bcast, 2, 2), "a b"),
                "rank 1: output unit 0 is 0.1"));
}

// Rank 1 may take the second message only when it has answered the first, but the lane keeps the order of the
// steps.
TEST(Verify, AMessageWaitsForThoseBeforeItInItsLane) {
  const std::string text =
      "rank 0 of 2 bytes input 0 output 2 scratch 1\n"
      "0 receive scratch[0,1) from 1\n1 send output[0,1) to 1 after 0\n2 send output[1,2) to 1\n"
      "rank 1 of 2 bytes input 0 output 2 scratch 0\n"
      "0 receive output[0,1) from 0\n1 receive output[1,2) from 0\n2 send output[1,2) to 0 after 1\n";
  EXPECT_TRUE(complains(judge(text, call(Collective::bcast, 2, 2), "a b"), "never completes"));
}

const std::string kAllgather0 =
    "rank 0 of 2 bytes input 1 output 2 scratch 0\n0 copy input[0,1) to output[0,1)\n";
const std::string kAllgather1 =
    "rank 1 of 2 bytes input 1 output 2 scratch 0\n0 copy input[0,1) to output[1,2)\n";

TEST(Verify, FindsADeadlock) {
  EXPECT_TRUE(
      complains(judge(kAllgather0 + "1 receive output[1,2) from 1\n2 send input[0,1) to 1 after 1\n" +
                          kAllgather1 + "1 receive output[0,1) from 0\n2 send input[0,1) to 0 after 1\n",
                      call(Collective::allgather, 2, 1), "a b"),
                "rank 0: step 1 never completes"));
}

TEST(Verify, FindsADeadlockOfSynchronousSends) {
  EXPECT_TRUE(
      complains(judge(kAllgather0 + "1 send input[0,1) to 1\n2 receive output[1,2) from 1 after 1\n" +
                          kAllgather1 + "1 send input[0,1) to 0\n2 receive output[0,1) from 0 after 1\n",
                      call(Collective::allgather, 2, 1), "a b"),
                "rank 1: step 1 never completes"));
  EXPECT_TRUE(judge(kAllgather0 + "1 send input[0,1) to 1\n2 receive output[1,2) from 1\n" + kAllgather1 +
                        "1 send input[0,1) to 0\n2 receive output[0,1) from 0\n",
                    call(Collective::allgather, 2, 1), "a b")
                  .is_correct());
}

TEST(Verify, FindsAMessageThatNobodyTakes) {
  EXPECT_TRUE(complains(judge(kBcastRoot + "0 send output[0,2) to 1\n1 send output[0,2) to 1\n" +
                                  kBcastOther + "0 receive output[0,2) from 0\n",
                              call(Collective::bcast, 2, 2), "a b"),
                        "rank 0: step 1 never completes"));
}

/// Reduce of one unit of each of two ranks to rank 0, where `steps` follow the receive of rank 1's into
/// scratch.
std::string reduce(const std::string& steps) {
  return "rank 0 of 2 elements input 1 output 1 scratch 1\n0 receive scratch[0,1) from 1\n" + steps +
         "rank 1 of 2 elements input 1 output 0 scratch 0\n0 send input[0,1) to 0\n";
}

TEST(Verify, AcceptsAReductionInRankOrder) {
  const std::string text =
      reduce("1 reduce input[0,1) into scratch[0,1)\n2 copy scratch[0,1) to output[0,1)\n");
  EXPECT_TRUE(judge(text, call(Collective::reduce, 2, 1), "a b").is_correct());
}

TEST(Verify, FindsOperandsInTheWrongOrder) {
  const std::string text =
      reduce("1 copy input[0,1) to output[0,1)\n2 reduce scratch[0,1) into output[0,1)\n");
  EXPECT_TRUE(
      complains(judge(text, call(Collective::reduce, 2, 1), "a b"), "rank 0: output unit 0 is 1.0 0.0"));
  EXPECT_TRUE(judge(text, call(Collective::reduce, 2, 1, OperandOrder::any), "a b").is_correct());
}

TEST(Verify, FindsOtherBracketsInFixedOrder) {
  const auto reduce = [](const std::string& steps) {
    return "rank 0 of 3 elements input 1 output 1 scratch 2\n0 receive scratch[0,1) from 1\n1 receive "
           "scratch[1,2) from 2\n" +
           steps +
           "4 copy scratch[1,2) to output[0,1)\nrank 1 of 3 elements input 1 output 0 scratch 0\n0 send "
           "input[0,1) to 0\n"
           "rank 2 of 3 elements input 1 output 0 scratch 0\n0 send input[0,1) to 0\n";
  };
  const std::string left =
      reduce("2 reduce input[0,1) into scratch[0,1)\n3 reduce scratch[0,1) into scratch[1,2)\n");
  const std::string right =
      reduce("2 reduce scratch[0,1) into scratch[1,2)\n3 reduce input[0,1) into scratch[1,2)\n");
  EXPECT_TRUE(judge(left, call(Collective::reduce, 3, 1, OperandOrder::fixed), "a b c").is_correct());
  EXPECT_TRUE(judge(right, call(Collective::reduce, 3, 1, OperandOrder::rank), "a b c").is_correct());
  EXPECT_TRUE(complains(judge(right, call(Collective::reduce, 3, 1, OperandOrder::fixed), "a b c"),
                        "output unit 0 is 0.0 1.0 2.0"));
}

TEST(Verify, FindsAContributionAddedTwice) {
  const std::string text = reduce(
      "1 reduce input[0,1) into scratch[0,1)\n2 reduce input[0,1) into scratch[0,1)\n3 copy scratch[0,1) to "
      "output[0,1)\n");
  for (const OperandOrder order : {OperandOrder::any, OperandOrder::rank})
    EXPECT_TRUE(complains(judge(text, call(Collective::reduce, 2, 1, order), "a b"),
                          "rank 0: output unit 0 is 0.0 0.0 1.0"));
}

TEST(Verify, FindsAContributionLeftOut) {
  const std::string text = reduce("1 copy scratch[0,1) to output[0,1)\n");
  EXPECT_TRUE(complains(judge(text, call(Collective::reduce, 2, 1, OperandOrder::any), "a b"),
                        "output unit 0 is 1.0"));
}

TEST(Verify, FindsResultsThatAreNotTheSameBits) {
  const auto rank = [](const std::string& me, const std::string& other, const std::string& steps) {
    return "rank " + me + " of 2 elements input 1 output 1 scratch 1\n0 send input[0,1) to " + other +
           "\n1 receive scratch[0,1) from " + other + "\n" + steps;
  };
  const std::string left =
      "2 copy scratch[0,1) to output[0,1)\n3 reduce input[0,1) into output[0,1)\n";  // own (op) other
  const std::string right =
      "2 copy input[0,1) to output[0,1)\n3 reduce scratch[0,1) into output[0,1)\n";  // other (op) own
  const GlobalCall allreduce = call(Collective::allreduce, 2, 1, OperandOrder::any);
  EXPECT_TRUE(judge(rank("0", "1", left) + rank("1", "0", right), allreduce, "a b").is_correct());
  EXPECT_TRUE(complains(judge(rank("0", "1", left) + rank("1", "0", left), allreduce, "a b"),
                        "rank 1: not the same bits"));
}

std::string rank_of_3(int rank, const std::string& steps) {
  return "rank " + std::to_string(rank) + " of 3 bytes input 0 output 1 scratch 0\n" + steps;
}

TEST(Verify, CountsEachLatencyOfAChain) {
  const std::string text = rank_of_3(0, "0 send output[0,1) to 1\n") +
                           rank_of_3(1, "0 receive output[0,1) from 0\n1 send output[0,1) to 2\n") +
                           rank_of_3(2, "0 receive output[0,1) from 1\n");
  EXPECT_EQ(judge(text, call(Collective::bcast, 3, 1), "a b c").latencies, 2);
  EXPECT_EQ(judge(text, call(Collective::bcast, 3, 1), "a b b").latencies, 1);
}

TEST(Verify, CountsThatASendMustWaitForTheFarSide) {
  const std::string both =
      rank_of_3(1, "0 receive output[0,1) from 0\n") + rank_of_3(2, "0 receive output[0,1) from 0\n");
  const GlobalCall bcast = call(Collective::bcast, 3, 1);
  EXPECT_EQ(judge(rank_of_3(0, "0 send output[0,1) to 1\n1 send output[0,1) to 2\n") + both, bcast, "a b c")
                .latencies,
            1);
  EXPECT_EQ(
      judge(rank_of_3(0, "0 send output[0,1) to 1\n1 send output[0,1) to 2 after 0\n") + both, bcast, "a b c")
          .latencies,
      2);
}

TEST(Verify, CountsWhatEntersASiteTwice) {
  const std::string text = rank_of_3(0, "0 send output[0,1) to 1\n1 send output[0,1) to 2\n") +
                           rank_of_3(1, "0 receive output[0,1) from 0\n") +
                           rank_of_3(2, "0 receive output[0,1) from 0\n");
  EXPECT_EQ(judge(text, call(Collective::bcast, 3, 1), "a b b").repeated_units, 1);
  EXPECT_EQ(judge(text, call(Collective::bcast, 3, 1), "a b c").repeated_units, 0);
}

const std::string kBarrier0 = "rank 0 of 2 bytes input 0 output 0 scratch 0\n";
const std::string kBarrier1 = "rank 1 of 2 bytes input 0 output 0 scratch 0\n";

TEST(Verify, AcceptsABarrierWhereEachHearsFromTheOther) {
  EXPECT_TRUE(judge(kBarrier0 + "0 send nothing to 1\n1 receive nothing from 1\n" + kBarrier1 +
                        "0 send nothing to 0\n1 receive nothing from 0\n",
                    call(Collective::barrier, 2, 0), "a b")
                  .is_correct());
}

TEST(Verify, FindsABarrierThatSomebodyLeavesEarly) {
  const GlobalCall barrier = call(Collective::barrier, 2, 0);
  EXPECT_TRUE(complains(judge(kBarrier0 + kBarrier1, barrier, "a b"),
                        "rank 0: leaves the barrier before rank 1 has entered"));
  // That rank 0's message has left does not tell it that rank 1 is there.
  const Verdict verdict =
      judge(kBarrier0 + "0 send nothing to 1\n" + kBarrier1 + "0 receive nothing from 0\n", barrier, "a b");
  EXPECT_EQ(verdict.defects,
            std::vector<std::string>{"rank 0: leaves the barrier before rank 1 has entered"});
}

TEST(Verify, FindsAHazard) {
  Schedule wrong =
      schedule(reduce("1 reduce input[0,1) into scratch[0,1)\n2 copy scratch[0,1) to output[0,1)\n"));
  EditedProgram edited = ProgramEditor::edited(wrong[0]);
  edited.step(2).after.clear();
  wrong[0] = ProgramEditor::program(edited);
  const Verdict verdict = verify(wrong, call(Collective::reduce, 2, 1), layout_of("a b"));
  EXPECT_TRUE(complains(verdict, "rank 0: steps 0 and 2 touch the same units unordered"));
  EXPECT_TRUE(complains(verdict, "rank 0: steps 1 and 2 touch the same units unordered"));
}

Range out(Count offset, Count length) {
  return {Buffer::output, offset, length};
}

std::vector<std::string> hazards_of(std::vector<EditedStep> steps) {
  return hazards(ProgramEditor::program({Unit::bytes, {10, 10, 0}, std::move(steps)}));
}

TEST(Hazards, AreUnorderedTouchesOneOfThemWriting) {
  const EditedStep write{StepKind::receive, 1, {}, {out(0, 5)}, {}},
      read{StepKind::send, 1, {out(4, 5)}, {}, {}};
  const EditedStep beside{StepKind::receive, 1, {}, {out(5, 5)}, {}};
  EXPECT_EQ(hazards_of({write, write}).size(), 1u);
  EXPECT_EQ(hazards_of({write, read}).size(), 1u);
  EXPECT_EQ(hazards_of({read, write}).size(), 1u);
  EXPECT_EQ(hazards_of({read, read}).size(), 0u);
  EXPECT_EQ(hazards_of({write, beside}).size(), 0u);
}

TEST(Hazards, AreNoneWhereStepsAreOrderedAlsoThroughOthers) {
  EditedStep write{StepKind::receive, 1, {}, {out(0, 5)}, {}}, between{StepKind::send, 1, {}, {}, {0}};
  EditedStep again = write;
  again.after = {1};
  EXPECT_TRUE(hazards_of({write, between, again}).empty());
  EXPECT_FALSE(hazards_of({write, {StepKind::send, 1, {}, {}, {}}, again}).empty());
}

TEST(Hazards, AreAUnitWrittenTwiceByOneStepAndAWriteToTheInput) {
  EXPECT_EQ(hazards_of({{StepKind::receive, 1, {}, {out(0, 5), out(4, 2)}, {}}}).size(), 1u);
  EXPECT_EQ(hazards_of({{StepKind::receive, 1, {}, {{Buffer::input, 0, 1}}, {}}}),
            std::vector<std::string>{"step 0 writes the input"});
}

}  // namespace
}  // namespace wan
