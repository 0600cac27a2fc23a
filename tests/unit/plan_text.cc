// SPDX-License-Identifier: BSD-3-Clause
// plan/text.h: what is written is read back; each kind of mistake names its line, its value and a remedy.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "plan/builder.h"
#include "plan/text.h"

namespace wan {
namespace {

using Ranges = std::vector<Range>;

constexpr std::string_view kGather =
    "rank 0 of 3 bytes input 4 output 12 scratch 0\n"
    "  0 receive output[4,8) from 1\n"
    "  1 receive output[8,12) from 2\n"
    "  2 copy input[0,4) to output[0,4)\n"
    "  3 send output[0,4) output[8,12) to 1 after 1 2\n";

TEST(Text, ShowsEachStep) {
  Builder b(Unit::elements, 1, 4, {10, 20, 0});
  const Range scratch = b.scratch(10);
  const StepIndex heard = b.receive_signal(2);
  b.copy(Range{Buffer::input, 0, 5}, Range{Buffer::output, 5, 5});
  b.receive(0, scratch);
  b.reduce(scratch, b.output().slice(0, 10));
  b.send_signal(3, {&heard, 1});
  EXPECT_EQ(to_text(std::move(b).finish(), 1, 4),
            "rank 1 of 4 elements input 10 output 20 scratch 10\n"
            "  0 receive nothing from 2\n"
            "  1 copy input[0,5) to output[5,10)\n"
            "  2 receive scratch[0,10) from 0\n"
            "  3 reduce scratch[0,10) into output[0,10) after 1 2\n"
            "  4 send nothing to 3 after 0\n");
}

TEST(Text, OfProgramsIsReadBack) {
  const auto programs = parse_programs(kGather, "f");
  ASSERT_TRUE(programs) << programs.error().message();
  ASSERT_EQ(programs->size(), 1u);
  EXPECT_EQ(programs->front().me, 0);
  EXPECT_EQ(programs->front().size, 3);
  EXPECT_EQ(to_text(programs->front().program, 0, 3), kGather);
}

TEST(Text, NeedNotNameTheDependenciesThatTheRangesShow) {
  std::string text(kGather);
  text.replace(text.find(" after 1 2"), 10, "  # waits all the same");
  const auto programs = parse_programs("\n# a comment\n" + text + "\t\r\n", "f");
  ASSERT_TRUE(programs) << programs.error().message();
  EXPECT_EQ(to_text(programs->front().program, 0, 3), kGather);
}

TEST(Text, OfAnIntercommunicatorHasPeersInTheRemoteGroup) {
  const auto programs =
      parse_programs("rank -1 of 1 bytes input 1 output 0 scratch 0\n0 send input[0,1) to 0", "f");
  ASSERT_TRUE(programs) << programs.error().message();
  EXPECT_EQ(programs->front().program.step(0).peer, 0);
}

TEST(Text, OfAScheduleHasEveryRank) {
  const std::string text =
      "rank 0 of 2 bytes input 1 output 0 scratch 0\n  0 send input[0,1) to 1\n"
      "rank 1 of 2 bytes input 0 output 1 scratch 0\n  0 receive output[0,1) from 0\n";
  const auto schedule = parse_schedule(text, "f");
  ASSERT_TRUE(schedule) << schedule.error().message();
  EXPECT_EQ(to_text(*schedule), text);
}

TEST(Text, OfAScheduleWithoutOneRankIsRefused) {
  EXPECT_EQ(parse_schedule(kGather, "f").error().message(), "f: \"1 ranks\": expected all 3");
  const auto wrong = parse_schedule("rank 1 of 2 bytes input 0 output 0 scratch 0\n", "f");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().remedy, "expected rank 0 of 2 next");
}

struct Mistake {
  const char* name;
  std::string from, to;  ///< what of kGather is replaced by what
  int line;
  std::string value, remedy;  ///< remedy: the beginning
};

class TextMistake : public testing::TestWithParam<Mistake> {};

TEST_P(TextMistake, IsNamedWithLineValueAndRemedy) {
  const Mistake& mistake = GetParam();
  std::string text(kGather);
  text.replace(text.find(mistake.from), mistake.from.size(), mistake.to);
  const auto programs = parse_programs(text, "f");
  ASSERT_FALSE(programs);
  EXPECT_EQ(programs.error().file, "f");
  EXPECT_EQ(programs.error().line, mistake.line);
  EXPECT_EQ(programs.error().value, mistake.value);
  EXPECT_EQ(programs.error().remedy.substr(0, mistake.remedy.size()), mistake.remedy);
}

INSTANTIATE_TEST_SUITE_P(
    Every, TextMistake,
    testing::Values(
        Mistake{"NoHead", "rank 0 of 3 bytes input 4 output 12 scratch 0\n", "", 1, "0",
                "a step before the first"},
        Mistake{"HeadCutShort", " scratch 0", "", 1, "12", "expected \"rank R of P bytes|elements"},
        Mistake{"AnotherUnit", "bytes", "bits", 1, "0", "expected \"rank R of P bytes|elements"},
        Mistake{"ARankThatIsNone", "rank 0", "rank 3", 1, "3", "expected a rank from 0"},
        Mistake{"ALengthThatIsNone", "input 4", "input -4", 1, "-4", "expected a number of units"},
        Mistake{"ANumberTooLarge", "input 4", "input 99999999999999999999", 1, "99999999999999999999",
                "expected a number"},
        Mistake{"AStepLeftOut", "  1 receive", "  2 receive", 3, "2", "expected step 1"},
        Mistake{"AnotherVerb", "copy", "move", 4, "move", "expected send, receive, copy or reduce"},
        Mistake{"NoVerb", "copy input[0,4) to output[0,4)", "", 4, "2",
                "expected send, receive, copy or reduce"},
        Mistake{"ARangeTurnedRound", "[4,8)", "[8,4)", 2, "output[8,4)", "expected a range such as"},
        Mistake{"AnEmptyRange", "[4,8)", "[8,8)", 2, "output[8,8)", "expected a range such as"},
        Mistake{"ARangeOutsideItsBuffer", "output[8,12) from", "output[8,13) from", 3, "output[8,13)",
                "a range outside its buffer of 12 units"},
        Mistake{"ARangeOfAnotherBuffer", "input[0,4)", "memory[0,4)", 4, "memory[0,4)",
                "expected a range such as"},
        Mistake{"NoPreposition", " from 1", "", 2, "output[4,8)",
                "expected a range such as output[0,4), or \"from\""},
        Mistake{"OneselfAsPeer", "from 1", "from 0", 2, "0", "expected another rank, below 3"},
        Mistake{"APeerThatIsNone", "from 1", "from 3", 2, "3", "expected another rank, below 3"},
        Mistake{"WordsLeftOver", "from 1", "from 1 now", 2, "now", "expected \"after\" and numbers"},
        Mistake{"AfterNothing", "after 1 2", "after", 5, "after", "expected \"after\" and numbers"},
        Mistake{"AfterItself", "after 1 2", "after 3", 5, "3", "expected the number of an earlier step"},
        Mistake{"TheInputWritten", "to output[0,4)", "to input[0,4)", 4, "copy",
                "the input is never written"},
        Mistake{"AUnitWrittenTwice", "output[4,8) from", "output[4,8) output[7,9) from", 2, "receive",
                "a step writes each unit once"},
        Mistake{"ACopyThatLoses", "input[0,4) to", "input[0,3) to", 4, "copy", "expected two equal lengths"},
        Mistake{"ACopyOntoItself", "input[0,4) to", "output[2,6) to", 4, "copy", "expected two places"},
        Mistake{"AReductionOfTwoRanges", "copy input[0,4) to", "reduce input[0,2) input[2,4) into", 4,
                "reduce", "a reduction takes one range"}),
    [](const auto& each) { return std::string(each.param.name); });

TEST(TextMistake, IsAnEmptyText) {
  const auto programs = parse_programs("# nothing\n", "f");
  ASSERT_FALSE(programs);
  EXPECT_EQ(programs.error().remedy.substr(0, 8), "expected");
}

/// `text` with one place replaced: a byte, a cut, a repetition.
std::string mutated(std::string text) {
  const auto begin = *rc::gen::inRange<std::size_t>(0, text.size());
  const auto length = *rc::gen::inRange<std::size_t>(0, 12);
  const std::string part = text.substr(begin, length);
  const auto put =
      *rc::gen::oneOf(rc::gen::just(std::string()), rc::gen::just(part + part),
                      rc::gen::container<std::string>(rc::gen::arbitrary<char>()),
                      rc::gen::container<std::string>(rc::gen::elementOf(std::string("[,)0123456789 \n#"))));
  return text.replace(begin, length, put);
}

RC_GTEST_PROP(TextProperty, AMutatedTextIsReadOrRefusedWithPlaceAndRemedy, ()) {
  std::string text(kGather);
  const auto mutations = *rc::gen::inRange(1, 4);
  for (int i = 0; i < mutations && !text.empty(); ++i) text = mutated(text);
  const auto programs = parse_programs(text, "f");
  if (!programs) {
    RC_ASSERT(programs.error().line >= 0 && programs.error().line <= 1 + std::ranges::count(text, '\n'));
    RC_ASSERT(!programs.error().remedy.empty());
    return;
  }
  for (const RankProgram& each : *programs) {
    const std::string written = to_text(each.program, each.me, each.size);
    const auto again = parse_programs(written, "f");
    RC_ASSERT(again.has_value());
    RC_ASSERT(to_text(again->front().program, each.me, each.size) == written);
  }
}

}  // namespace
}  // namespace wan
