// SPDX-License-Identifier: BSD-3-Clause
// plan/builder.h and plan/program.h: dependencies derived from ranges (read after write, write after read,
// write after write), cut where intervals overlap in part; what is dropped; what is illegal aborts.
#include <gtest/gtest.h>

#include <limits>

#include "plan/builder.h"
#include "tests/unit/plan_ranges.h"

namespace wan {
namespace {

using Indices = std::vector<StepIndex>;
using Ranges = std::vector<Range>;

constexpr Rank kMe = 1, kSize = 4;
constexpr BufferLengths kLengths{100, 100, 0};

Builder builder() {
  return Builder(Unit::bytes, kMe, kSize, kLengths);
}

Indices after(const Program& program, StepIndex index) {
  const auto steps = program.step(index).after;
  return {steps.begin(), steps.end()};
}
Indices dependents(const Program& program, StepIndex index) {
  const auto steps = program.dependents(index);
  return {steps.begin(), steps.end()};
}
Ranges from(const Program& program, StepIndex index) {
  const auto ranges = program.step(index).from;
  return {ranges.begin(), ranges.end()};
}
Ranges to(const Program& program, StepIndex index) {
  const auto ranges = program.step(index).to;
  return {ranges.begin(), ranges.end()};
}

TEST(Builder, KnowsItsRankItsBuffersAndNewScratch) {
  Builder b = builder();
  EXPECT_EQ(b.me(), kMe);
  EXPECT_EQ(b.size(), kSize);
  EXPECT_EQ(b.input(), in(0, 100));
  EXPECT_EQ(b.output(), out(0, 100));
  EXPECT_EQ(b.scratch(3), (Range{Buffer::scratch, 0, 3}));
  EXPECT_EQ(b.scratch(4), (Range{Buffer::scratch, 3, 4}));
  const Program program = std::move(b).finish();
  EXPECT_EQ(program.lengths().input, 100);
  EXPECT_EQ(program.lengths().output, 100);
  EXPECT_EQ(program.lengths().scratch, 7);
  EXPECT_EQ(program.unit(), Unit::bytes);
  EXPECT_EQ(program.size(), 0);
}

TEST(Builder, KeepsEachStepAsItWasStated) {
  Builder b(Unit::elements, kMe, kSize, kLengths);
  const Range kept = b.scratch(5);
  b.send(0, Ranges{in(3, 2), in(0, 3)});
  b.receive(2, out(10, 4));
  b.copy(in(5, 5), kept);
  b.reduce(in(20, 5), kept);
  const Program program = std::move(b).finish();
  ASSERT_EQ(program.size(), 4);
  EXPECT_EQ(program.unit(), Unit::elements);
  EXPECT_EQ(program.step(0).kind, StepKind::send);
  EXPECT_EQ(program.step(0).peer, 0);
  EXPECT_EQ(from(program, 0), (Ranges{in(3, 2), in(0, 3)}));
  EXPECT_EQ(to(program, 0), Ranges{});
  EXPECT_EQ(program.step(0).length(), 5);
  EXPECT_EQ(program.step(1).kind, StepKind::receive);
  EXPECT_EQ(program.step(1).peer, 2);
  EXPECT_EQ(from(program, 1), Ranges{});
  EXPECT_EQ(to(program, 1), Ranges{out(10, 4)});
  EXPECT_EQ(program.step(1).length(), 4);
  EXPECT_EQ(program.step(2).kind, StepKind::copy);
  EXPECT_EQ(from(program, 2), Ranges{in(5, 5)});
  EXPECT_EQ(to(program, 2), Ranges{kept});
  EXPECT_EQ(program.step(3).kind, StepKind::reduce);
  EXPECT_EQ(from(program, 3), Ranges{in(20, 5)});
  EXPECT_EQ(to(program, 3), Ranges{kept});
}

TEST(Dependencies, AReadWaitsForTheWrite) {
  Builder b = builder();
  b.receive(0, out(0, 10));
  b.send(2, out(0, 10));
  EXPECT_EQ(after(std::move(b).finish(), 1), Indices{0});
}

TEST(Dependencies, AWriteWaitsForTheReads) {
  Builder b = builder();
  b.send(0, out(0, 10));
  b.send(2, out(5, 10));
  b.receive(3, out(7, 1));
  EXPECT_EQ(after(std::move(b).finish(), 2), (Indices{0, 1}));
}

TEST(Dependencies, AWriteWaitsForTheWrite) {
  Builder b = builder();
  b.receive(0, out(0, 10));
  b.receive(2, out(9, 10));
  EXPECT_EQ(after(std::move(b).finish(), 1), Indices{0});
}

TEST(Dependencies, AReductionWaitsForTheReadsAndTheWriteOfItsTarget) {
  Builder b = builder();
  b.receive(0, out(0, 10));
  b.send(2, out(0, 10));
  b.reduce(in(0, 10), out(0, 10));
  const Program program = std::move(b).finish();
  EXPECT_EQ(after(program, 2), (Indices{0, 1}));
}

TEST(Dependencies, ReadsDoNotWaitForEachOther) {
  Builder b = builder();
  b.send(0, out(0, 10));
  b.send(2, out(0, 10));
  b.send(3, in(0, 10));
  const Program program = std::move(b).finish();
  for (StepIndex i = 0; i < 3; ++i) EXPECT_EQ(after(program, i), Indices{});
}

TEST(Dependencies, NeighboursAndOtherBuffersDoNotTouch) {
  Builder b = builder();
  const Range scratch = b.scratch(100);
  b.receive(0, out(10, 10));
  b.receive(0, out(0, 10));
  b.receive(0, out(20, 10));
  b.receive(0, scratch.slice(10, 10));
  b.send(2, in(10, 10));
  const Program program = std::move(b).finish();
  for (StepIndex i = 0; i < 5; ++i) EXPECT_EQ(after(program, i), Indices{}) << i;
}

TEST(Dependencies, AReadOverSeveralWritesWaitsForAll) {
  Builder b = builder();
  b.receive(0, out(0, 10));
  b.receive(2, out(20, 10));
  b.receive(3, out(40, 10));
  b.send(0, out(5, 20));  // part of the first, what nobody wrote, part of the second
  EXPECT_EQ(after(std::move(b).finish(), 3), (Indices{0, 1}));
}

TEST(Dependencies, APartialWriteCutsTheIntervalInThree) {
  Builder b = builder();
  b.receive(0, out(0, 30));
  b.receive(2, out(10, 10));  // waits for 0
  b.send(0, out(0, 10));      // 0 alone
  b.send(0, out(10, 10));     // 1 alone
  b.send(0, out(20, 10));     // 0 alone
  b.send(0, out(9, 2));       // both
  const Program program = std::move(b).finish();
  EXPECT_EQ(after(program, 1), Indices{0});
  EXPECT_EQ(after(program, 2), Indices{0});
  EXPECT_EQ(after(program, 3), Indices{1});
  EXPECT_EQ(after(program, 4), Indices{0});
  EXPECT_EQ(after(program, 5), (Indices{0, 1}));
}

TEST(Dependencies, AReadInTheMiddleIsSeenByAWriteThereOnly) {
  Builder b = builder();
  b.send(0, out(10, 10));
  b.receive(2, out(0, 10));
  b.receive(2, out(20, 10));
  b.receive(2, out(15, 10));  // overlaps the read and the receive before
  const Program program = std::move(b).finish();
  EXPECT_EQ(after(program, 1), Indices{});
  EXPECT_EQ(after(program, 2), Indices{});
  EXPECT_EQ(after(program, 3), (Indices{0, 2}));
}

TEST(Dependencies, AWriteOverAWriteHidesTheFirst) {
  Builder b = builder();
  b.receive(0, out(0, 10));
  b.receive(2, out(0, 10));
  b.send(3, out(0, 10));
  EXPECT_EQ(after(std::move(b).finish(), 2), Indices{1});
}

TEST(Dependencies, ThoseThatTheDataDoNotShowAreAdded) {
  Builder b = builder();
  const StepIndex heard = b.receive_signal(0);
  b.receive(0, out(0, 1));
  const StepIndex other = b.receive_signal(2);
  b.send_signal(3, Indices{other, heard, other});
  const Program program = std::move(b).finish();
  EXPECT_EQ(after(program, 2), Indices{});
  EXPECT_EQ(after(program, 3), (Indices{0, 2}));
}

TEST(Program, NumbersTheMessagesOfOneDirectionWithOnePeer) {
  Builder b = builder();
  b.send(0, in(0, 1));
  b.receive(0, out(0, 1));
  b.copy(in(0, 1), out(1, 1));
  b.send(0, in(1, 1));
  b.send(2, in(1, 1));
  const Program program = std::move(b).finish();
  EXPECT_EQ(program.queues(), 3);
  const std::int32_t expected[] = {0, 1, -1, 0, 2};
  for (StepIndex i = 0; i < 5; ++i) EXPECT_EQ(program.queue_of(i), expected[i]) << i;
  const auto steps = [&](std::int32_t queue) {
    return Indices(program.queue(queue).begin(), program.queue(queue).end());
  };
  EXPECT_EQ(steps(0), (Indices{0, 3}));
  EXPECT_EQ(steps(1), Indices{1});
  EXPECT_EQ(steps(2), Indices{4});
}

TEST(Program, DependentsAreTheDependenciesTurnedRound) {
  Builder b = builder();
  b.receive(0, out(0, 10));
  b.receive(0, out(10, 10));
  b.send(2, out(0, 20));
  b.send(3, out(5, 1));
  const Program program = std::move(b).finish();
  EXPECT_EQ(dependents(program, 0), (Indices{2, 3}));
  EXPECT_EQ(dependents(program, 1), Indices{2});
  EXPECT_EQ(dependents(program, 2), Indices{});
  EXPECT_EQ(dependents(program, 3), Indices{});
}

TEST(Builder, EmptyRangesAreDroppedAndSignalsAreNot) {
  Builder b = builder();
  b.send(0, Ranges{in(5, 0), in(0, 1), in(100, 0)});
  EXPECT_EQ(b.send_signal(2), 1);
  EXPECT_EQ(b.receive_signal(2), 2);
  const Program program = std::move(b).finish();
  ASSERT_EQ(program.size(), 3);
  EXPECT_EQ(from(program, 0), Ranges{in(0, 1)});
  EXPECT_EQ(program.step(1).kind, StepKind::send);
  EXPECT_EQ(program.step(1).length(), 0);
  EXPECT_EQ(program.step(2).kind, StepKind::receive);
  EXPECT_EQ(program.step(2).length(), 0);
}

TEST(Builder, ThereIsNoStepWhereNothingIsToMove) {
  Builder b = builder();
  b.send(2, in(0, 0));
  b.receive(2, Ranges{});
  b.copy(out(3, 4), out(3, 4));
  b.copy(in(3, 0), out(3, 0));
  b.copy(Ranges{}, Ranges{});
  b.reduce(in(0, 0), out(0, 0));
  EXPECT_EQ(std::move(b).finish().size(), 0);
}

TEST(Builder, ACopyDropsWhatStandsInPlaceAndJoinsTheRest) {
  Builder b = builder();
  // Blocks 0, 1, 2 of ten units; block 1 stands where it belongs.
  b.copy(Ranges{in(0, 10), out(10, 10), in(20, 10)}, Ranges{out(0, 30)});
  // Two neighbours from two neighbours: one range.
  b.copy(Ranges{in(40, 5), in(45, 5)}, Ranges{out(40, 2), out(42, 8)});
  const Program program = std::move(b).finish();
  ASSERT_EQ(program.size(), 2);
  EXPECT_EQ(from(program, 0), (Ranges{in(0, 10), in(20, 10)}));
  EXPECT_EQ(to(program, 0), (Ranges{out(0, 10), out(20, 10)}));
  EXPECT_EQ(from(program, 1), Ranges{in(40, 10)});
  EXPECT_EQ(to(program, 1), Ranges{out(40, 10)});
}

TEST(Builder, ACopyMayCutItsRangesDifferently) {
  Builder b = builder();
  b.copy(Ranges{in(0, 3), in(50, 7)}, Ranges{out(0, 6), out(90, 4)});
  const Program program = std::move(b).finish();
  EXPECT_EQ(program.step(0).length(), 10);
  EXPECT_EQ(from(program, 0), (Ranges{in(0, 3), in(50, 7)}));
  EXPECT_EQ(to(program, 0), (Ranges{out(0, 6), out(90, 4)}));
}

TEST(TotalLength, Adds) {
  EXPECT_EQ(total_length(Ranges{in(0, 3), out(0, 4)}), 7);
}

TEST(BuilderDeath, APeerOutsideTheCommunicatorOrOneself) {
  EXPECT_DEATH(builder().send(kSize, in(0, 1)), "a peer outside the communicator");
  EXPECT_DEATH(builder().send(-1, in(0, 1)), "a peer outside the communicator");
  EXPECT_DEATH(builder().receive(kMe, out(0, 1)), "a peer outside the communicator");
  EXPECT_DEATH(builder().send_signal(kSize), "a peer outside the communicator");
  EXPECT_DEATH(builder().receive_signal(kMe), "a peer outside the communicator");
}

TEST(BuilderDeath, ARangeOutsideItsBuffer) {
  EXPECT_DEATH(builder().send(0, in(91, 10)), "a range outside its buffer");
  EXPECT_DEATH(builder().send(0, in(-1, 10)), "a range outside its buffer");
  EXPECT_DEATH(builder().receive(0, out(0, -1)), "a range outside its buffer");
  EXPECT_DEATH(builder().receive(0, Range{Buffer::scratch, 0, 1}), "a range outside its buffer");
  EXPECT_DEATH(builder().send(0, in(1, std::numeric_limits<Count>::max())), "a range outside its buffer");
}

TEST(BuilderDeath, AWriteToTheInput) {
  EXPECT_DEATH(builder().receive(0, in(0, 1)), "input is never written");
  EXPECT_DEATH(builder().copy(out(0, 1), in(0, 1)), "input is never written");
  EXPECT_DEATH(builder().reduce(out(0, 1), in(0, 1)), "input is never written");
}

TEST(BuilderDeath, ACopyThatLosesAddsOrOverlaps) {
  EXPECT_DEATH(builder().copy(in(0, 2), out(0, 3)), "a copy moves as much as it takes");
  EXPECT_DEATH(builder().copy(out(0, 2), out(1, 2)), "a copy onto itself");
}

TEST(BuilderDeath, AReductionOfUnequalOrOverlappingOperands) {
  EXPECT_DEATH(builder().reduce(in(0, 2), out(0, 3)), "operands of a reduction");
  EXPECT_DEATH(builder().reduce(out(0, 2), out(1, 2)), "operands of a reduction");
}

TEST(BuilderDeath, AUnitWrittenTwiceByOneStep) {
  EXPECT_DEATH(builder().receive(0, Ranges{out(0, 4), out(3, 4)}), "a unit written twice by one step");
  EXPECT_DEATH(builder().copy(Ranges{in(0, 4)}, Ranges{out(0, 2), out(1, 2)}),
               "a unit written twice by one step");
}

TEST(BuilderDeath, ADependencyOnAStepThatIsNotEarlier) {
  EXPECT_DEATH(builder().send_signal(0, Indices{0}), "a dependency on a later step");
  EXPECT_DEATH(builder().send_signal(0, Indices{-1}), "a dependency on a later step");
}

TEST(BuilderDeath, LengthsThatCannotBe) {
  EXPECT_DEATH(Builder(Unit::bytes, 0, 1, {-1, 0, 0}), "buffer lengths");
  EXPECT_DEATH(Builder(Unit::bytes, 0, 1, {0, 0, 1}), "buffer lengths");
  EXPECT_DEATH(builder().scratch(-1), "scratch length");
}

}  // namespace
}  // namespace wan
