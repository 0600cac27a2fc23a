// SPDX-License-Identifier: BSD-3-Clause
// algo/services/trial.h: what is sent and received, and in which order.
#include <gtest/gtest.h>

#include "algo/services/trial.h"
#include "check/verify.h"
#include "tests/support/layouts.h"

namespace wan {
namespace {

constexpr TrialMessage kMessage{3, 1, 100'000};

Program part_of(Rank me) {
  return plan_trial(topology_of("a b a b c"), {}, me, kMessage);
}

TEST(Trial, AMessageIsSentWithoutAskingAndItsAnswerAwaited) {
  const Program sender = part_of(3);
  EXPECT_EQ(sender.senders(), 1);
  EXPECT_EQ(sender.lengths().input, 100'000);
  EXPECT_TRUE(hazards(sender).empty());
  Count sent = 0;
  int answers = 0;
  for (StepIndex i = 0; i < sender.size(); ++i) {
    const Step step = sender.step(i);
    EXPECT_EQ(step.peer, 1);
    EXPECT_TRUE(step.after.empty());
    if (step.kind == StepKind::receive)
      ++answers;
    else
      sent += step.length();
  }
  EXPECT_EQ(sent, 100'000);
  EXPECT_EQ(answers, 1);
}

TEST(Trial, TheAnswerComesAfterAllOfTheMessage) {
  const Program receiver = part_of(1);
  EXPECT_EQ(receiver.lengths().output, 100'000);
  EXPECT_TRUE(hazards(receiver).empty());
  Count received = 0, awaited = 0;
  int answers = 0;
  for (StepIndex i = 0; i < receiver.size(); ++i) {
    const Step step = receiver.step(i);
    EXPECT_EQ(step.peer, 3);
    if (step.kind == StepKind::receive) {
      received += step.length();
      continue;
    }
    ++answers;
    for (const StepIndex earlier : step.after) awaited += receiver.step(earlier).length();
  }
  EXPECT_EQ(received, 100'000);
  EXPECT_EQ(awaited, received);
  EXPECT_EQ(answers, 1);
}

}  // namespace
}  // namespace wan
