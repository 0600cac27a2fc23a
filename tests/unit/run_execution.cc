// SPDX-License-Identifier: BSD-3-Clause
// run/execution.h over a transport that writes down what it is asked and completes what the test says: order
// of issue, completions at any time, errors, restart.
#include <gtest/gtest.h>

#include <memory>
#include <set>

#include "plan/text.h"
#include "run/execution.h"
#include "tests/support/program_editor.h"

namespace wan {
namespace {

using Log = std::vector<std::string>;

Program program(const std::string& steps,
                const std::string& head = "rank 0 of 4 bytes input 10 output 10 scratch 10\n") {
  auto parsed = parse_programs(head + steps, "test");
  if (!parsed) ADD_FAILURE() << parsed.error().message();
  return std::move(parsed->front().program);
}

/// Completes a message inside the call that starts it (with what `inside` says of it), otherwise when the
/// test says.
class Recorder : public Transport {
 public:
  bool admits(StepIndex index, const Step&) override { return !refused.contains(index); }
  void wake_later() override { log.push_back("wake"); }
  void send(StepIndex index, const Step&) override { start("send ", index); }
  void receive(StepIndex index, const Step&) override { start("receive ", index); }
  int copy(const Step& step) override { return local("copy", step); }
  int reduce(const Step& step) override { return local("reduce", step); }
  void cancel(StepIndex index) override {
    log.push_back("cancel " + std::to_string(index));
    if (completes_cancelled) execution->completed(index, kCancelled);
  }

  static constexpr int kCancelled = 99;
  Log log;
  Execution* execution = nullptr;
  std::map<StepIndex, int> inside;  ///< messages that complete inside the call, and their status
  std::set<StepIndex> refused;      ///< sends that are not admitted now
  bool completes_all = false;       ///< all do, with 0
  bool completes_cancelled = false;
  int local_status = 0;

 private:
  void start(const char* what, StepIndex index) {
    log.push_back(what + std::to_string(index));
    const auto found = inside.find(index);
    if (completes_all || found != inside.end())
      execution->completed(index, completes_all ? 0 : found->second);
  }
  int local(const char* what, const Step& step) {
    log.push_back(std::string(what) + " of " + std::to_string(step.length()));
    return local_status;
  }
};

/// An Execution, what its transport saw and what it ended with.
class ExecutionTest : public testing::Test {
 protected:
  void start(const std::string& steps) { start(program(steps)); }
  void start(Program program, Lead lead = Lead::brief) {
    program_ = std::make_unique<Program>(std::move(program));
    execution_ = std::make_unique<Execution>(
        *program_, recorder_, [this](int status) { ended_.push_back(status); }, lead);
    recorder_.execution = execution_.get();
    execution_->start();
  }
  void complete(StepIndex index, int status = 0) { execution_->completed(index, status); }
  /// What was logged since the last question.
  Log news() { return std::exchange(recorder_.log, {}); }

  Recorder recorder_;
  std::unique_ptr<Program> program_;
  std::unique_ptr<Execution> execution_;
  std::vector<int> ended_;
};

TEST_F(ExecutionTest, WithoutStepsEndsAtOnce) {
  start("");
  EXPECT_EQ(ended_, std::vector<int>{0});
  execution_->start();
  EXPECT_EQ(ended_, (std::vector<int>{0, 0}));
}

TEST_F(ExecutionTest, IssuesAStepWhenWhatItWaitsForHasCompleted) {
  start("0 receive output[0,1) from 1\n1 send output[0,1) to 2\n2 send output[0,1) to 3\n");
  EXPECT_EQ(news(), Log{"receive 0"});
  complete(0);
  EXPECT_EQ(news(), (Log{"send 1", "send 2"}));
  complete(2);
  EXPECT_TRUE(ended_.empty());
  complete(1);
  EXPECT_EQ(ended_, std::vector<int>{0});
  EXPECT_EQ(news(), Log{});
}

TEST_F(ExecutionTest, KeepsTheOrderOfMessagesToOnePeerWhateverIsReadyFirst) {
  start(
      "0 receive output[0,1) from 1\n1 send output[0,1) to 2\n2 send input[0,1) to 2\n3 send input[0,1) to "
      "3\n");
  EXPECT_EQ(news(), (Log{"receive 0", "send 3"}));  // 2 is ready but must not overtake 1
  complete(0);
  EXPECT_EQ(news(), (Log{"send 1", "send 2"}));
}

TEST_F(ExecutionTest, KeepsTheOrderOfReceivesFromOnePeer) {
  start(
      "0 receive scratch[0,1) from 1\n1 receive output[0,1) from 2 after 0\n2 receive output[1,2) from 2\n");
  EXPECT_EQ(news(), Log{"receive 0"});
  complete(0);
  EXPECT_EQ(news(), (Log{"receive 1", "receive 2"}));
}

TEST_F(ExecutionTest, AMessageNeedNotCompleteForTheNextOneToBeIssued) {
  start("0 send input[0,1) to 1\n1 send input[1,2) to 1\n2 receive output[0,1) from 1\n");
  EXPECT_EQ(news(), (Log{"send 0", "send 1", "receive 2"}));
}

TEST_F(ExecutionTest, SoManySendsOfALaneAreUnderWayAtOnceAndNoMore) {
  std::string steps;
  const auto most = StepIndex{SendLimit::kMost};
  for (StepIndex i = 0; i < most + 2; ++i) steps += std::to_string(i) + " send input[0,1) to 1\n";
  steps += std::to_string(most + 2) + " send input[0,1) to 2\n";
  start(steps);
  EXPECT_EQ(recorder_.log.size(), static_cast<std::size_t>(most) + 1);
  EXPECT_EQ(news().back(), "send " + std::to_string(most + 2));
  complete(3);
  EXPECT_EQ(news(), Log{"send " + std::to_string(most)});
  complete(0);
  EXPECT_EQ(news(), Log{"send " + std::to_string(most + 1)});
}

Program five_sends(SendLimit limit) {
  EditedProgram edited =
      ProgramEditor::edited(program("0 send input[0,1) to 1\n1 send input[0,1) to 1\n2 send input[0,1) to "
                                    "1\n3 send input[0,1) to 1\n4 send input[0,1) to 1\n"));
  edited.sends = limit;
  return ProgramEditor::program(edited);
}

TEST_F(ExecutionTest, WithEachSendThatCompletesOneMoreIsUnderWayAtOnce) {
  start(five_sends({1, 2}));
  EXPECT_EQ(news(), Log{"send 0"});
  complete(0);
  EXPECT_EQ(news(), (Log{"send 1", "send 2"}));
  complete(1);
  EXPECT_EQ(news(), Log{"send 3"});
}

TEST_F(ExecutionTest, HearingOfCompletionsSeldomItBeginsWithAsManySendsAsAreAllowed) {
  start(five_sends({1, 2}), Lead::full);
  EXPECT_EQ(news(), (Log{"send 0", "send 1"}));
  complete(0);
  EXPECT_EQ(news(), Log{"send 2"});
}

TEST_F(ExecutionTest, ASendThatIsNotAdmittedHoldsItsLaneUntilTheExecutionIsWoken) {
  recorder_.refused = {0};
  start("0 send input[0,1) to 1\n1 send input[1,2) to 1\n2 send input[0,1) to 2\n");
  EXPECT_EQ(news(), (Log{"wake", "send 2"}));
  complete(2);
  EXPECT_EQ(news(), Log{});
  execution_->woken();
  EXPECT_EQ(news(), Log{"wake"});  // once more
  recorder_.refused = {1};
  execution_->woken();
  EXPECT_EQ(news(), (Log{"send 0", "wake"}));
  complete(0);
  EXPECT_EQ(news(), Log{});
  EXPECT_TRUE(ended_.empty());
  recorder_.refused = {};
  execution_->woken();
  EXPECT_EQ(news(), Log{"send 1"});
  complete(1);
  EXPECT_EQ(ended_, std::vector<int>{0});
}

TEST_F(ExecutionTest, AsksToBeWokenOnceForAllThatIsHeld) {
  recorder_.refused = {0, 1};
  start("0 send input[0,1) to 1\n1 send input[1,2) to 2\n");
  EXPECT_EQ(news(), Log{"wake"});
  recorder_.refused = {};
  execution_->woken();
  EXPECT_EQ(news(), (Log{"send 0", "send 1"}));
}

TEST_F(ExecutionTest, OfWhatIsHeldTheEarlierStepsGoFirst) {
  recorder_.refused = {0, 1, 2, 3};
  start("0 send input[0,1) to 1\n1 send input[1,2) to 2\n2 send input[2,3) to 1\n3 send input[3,4) to 2\n");
  EXPECT_EQ(news(), Log{"wake"});
  recorder_.refused = {3};
  execution_->woken();
  EXPECT_EQ(news(), (Log{"send 0", "send 1", "send 2", "wake"}));
  recorder_.refused = {};
  execution_->woken();
  EXPECT_EQ(news(), Log{"send 3"});
}

TEST_F(ExecutionTest, AfterAnErrorEndsNoEarlierThanTheWakingThatItAskedFor) {
  recorder_.refused = {1};
  start("0 send input[0,1) to 1\n1 send input[1,2) to 2\n");
  EXPECT_EQ(news(), (Log{"send 0", "wake"}));
  complete(0, 7);
  EXPECT_TRUE(ended_.empty());
  execution_->woken();
  EXPECT_EQ(news(), Log{});
  EXPECT_EQ(ended_, std::vector<int>{7});
}

TEST_F(ExecutionTest, SendsThatCompleteAtOnceAreNotUnderWay) {
  recorder_.completes_all = true;
  std::string steps;
  for (StepIndex i = 0; i < 200; ++i) steps += std::to_string(i) + " send input[0,1) to 1\n";
  start(steps);
  EXPECT_EQ(news().size(), 200);
  EXPECT_EQ(ended_, std::vector<int>{0});
}

TEST_F(ExecutionTest, RunsLocalStepsInStepOrderAndIssuesMessagesAsSoonAsTheyAreReady) {
  start(
      "0 copy input[0,1) to output[0,1)\n1 copy input[0,2) to output[1,3)\n2 reduce input[0,3) into "
      "scratch[0,3)\n"
      "3 send output[0,3) to 1\n");
  EXPECT_EQ(news(), (Log{"copy of 1", "copy of 2", "send 3", "reduce of 3"}));
}

TEST_F(ExecutionTest, MessagesThatAreReadyGoBeforeLocalWork) {
  start("0 copy input[0,1) to output[0,1)\n1 send input[0,1) to 1\n");
  EXPECT_EQ(news(), (Log{"send 1", "copy of 1"}));
}

TEST_F(ExecutionTest, TakesCompletionsInsideTheCall) {
  recorder_.completes_all = true;
  start(
      "0 receive output[0,1) from 1\n1 send output[0,1) to 2\n2 copy output[0,1) to output[1,2)\n3 send "
      "output[1,2) to 2\n");
  EXPECT_EQ(news(), (Log{"receive 0", "send 1", "copy of 1", "send 3"}));
  EXPECT_EQ(ended_, std::vector<int>{0});
}

TEST_F(ExecutionTest, EndsOnceAndCanBeStartedAgain) {
  recorder_.completes_all = true;
  start("0 send input[0,1) to 1\n1 receive output[0,1) from 1\n");
  for (int i = 0; i < 3; ++i) execution_->start();
  EXPECT_EQ(ended_, (std::vector<int>{0, 0, 0, 0}));
  EXPECT_EQ(news().size(), 8u);
}

TEST_F(ExecutionTest, CanBeStartedAgainFromItsEnd) {
  recorder_.completes_all = true;
  program_ = std::make_unique<Program>(program("0 send input[0,1) to 1\n"));
  int left = 1000;
  execution_ = std::make_unique<Execution>(*program_, recorder_, [&](int) {
    if (--left > 0) execution_->start();
  });
  recorder_.execution = execution_.get();
  execution_->start();
  EXPECT_EQ(left, 0);
  EXPECT_EQ(news().size(), 1000u);
}

TEST_F(ExecutionTest, CanBeDestroyedFromItsEnd) {
  program_ = std::make_unique<Program>(program("0 send input[0,1) to 1\n"));
  bool is_over = false;
  execution_ = std::make_unique<Execution>(*program_, recorder_, [&](int) {
    execution_.reset();
    is_over = true;
  });
  execution_->start();
  execution_->completed(0, 0);
  EXPECT_TRUE(is_over);
  EXPECT_EQ(execution_, nullptr);
}

TEST_F(ExecutionTest, AfterAnErrorCancelsAndAwaitsWhatIsUnderWay) {
  start(
      "0 receive output[0,1) from 1\n1 receive output[1,2) from 2\n2 send output[0,1) to 3\n3 copy "
      "output[1,2) to scratch[0,1)\n");
  EXPECT_EQ(news(), (Log{"receive 0", "receive 1"}));
  complete(0, 7);
  EXPECT_EQ(news(), Log{"cancel 1"});
  EXPECT_TRUE(ended_.empty());
  complete(1, Recorder::kCancelled);
  EXPECT_EQ(news(), Log{});
  EXPECT_EQ(ended_, std::vector<int>{7});
}

TEST_F(ExecutionTest, AfterAnErrorAMessageThatCompletesAllTheSameReleasesNothing) {
  start("0 receive output[0,1) from 1\n1 receive output[1,2) from 2\n2 send output[1,2) to 3\n");
  complete(0, 7);
  complete(1, 0);
  EXPECT_EQ(news(), (Log{"receive 0", "receive 1", "cancel 1"}));
  EXPECT_EQ(ended_, std::vector<int>{7});
}

TEST_F(ExecutionTest, TakesCancelledCompletionsInsideTheCancellation) {
  recorder_.completes_cancelled = true;
  start("0 receive output[0,1) from 1\n1 receive output[1,2) from 2\n2 receive output[2,3) from 3\n");
  complete(1, 5);
  EXPECT_EQ(ended_, std::vector<int>{5});
  EXPECT_EQ(news(), (Log{"receive 0", "receive 1", "receive 2", "cancel 0", "cancel 2"}));
}

TEST_F(ExecutionTest, AFailedCopyOrReductionEndsTheCall) {
  recorder_.local_status = 3;
  start(
      "0 receive output[0,1) from 1\n1 reduce input[0,1) into scratch[0,1)\n2 copy scratch[0,1) to "
      "scratch[1,2)\n3 send scratch[1,2) to 2\n");
  EXPECT_EQ(news(), (Log{"receive 0", "reduce of 1", "cancel 0"}));
  complete(0, Recorder::kCancelled);
  EXPECT_EQ(ended_, std::vector<int>{3});
}

TEST_F(ExecutionTest, AnErrorInsideTheFirstCallEndsTheCall) {
  recorder_.inside = {{0, 4}};
  start("0 send input[0,1) to 1\n1 receive output[0,1) from 1 after 0\n");
  EXPECT_EQ(news(), Log{"send 0"});
  EXPECT_EQ(ended_, std::vector<int>{4});
}

TEST_F(ExecutionTest, TheFirstOfSeveralErrorsIsTheStatus) {
  recorder_.inside = {{0, 4}, {1, 5}};
  start("0 send input[0,1) to 1\n1 send input[0,1) to 2\n");
  EXPECT_EQ(ended_, std::vector<int>{4});
}

TEST_F(ExecutionTest, StartsAfreshAfterAnError) {
  recorder_.inside = {{0, 4}};
  start("0 send input[0,1) to 1\n1 copy input[0,1) to output[0,1) after 0\n");
  recorder_.inside = {{0, 0}};
  execution_->start();
  EXPECT_EQ(news(), (Log{"send 0", "send 0", "copy of 1"}));
  EXPECT_EQ(ended_, (std::vector<int>{4, 0}));
}

TEST_F(ExecutionTest, RefusesACompletionThatItDidNotAskFor) {
  start("0 receive output[0,1) from 1\n1 send output[0,1) to 2\n");
  EXPECT_DEATH(complete(1), "a message completed twice or unasked");
  complete(0);
  EXPECT_DEATH(complete(0), "a message completed twice or unasked");
}

}  // namespace
}  // namespace wan
