// SPDX-License-Identifier: BSD-3-Clause
// wanctl probe's helper over loopback: tools/survey/helper.h, wire_json.h.
#include "tools/survey/helper.h"

#include <gtest/gtest.h>

#include "tests/support/agent_thread.h"
#include "tools/survey/wire_json.h"

namespace wan::tools::survey {
namespace {

using probe::Depth;

class HelperThread : private doctor::AgentThread {
 public:
  HelperThread() : AgentThread(run_helper) {}

  void order(const doctor::SortedJson& order) { AgentThread::order(order.dump()); }
  using AgentThread::answer;
  doctor::SortedJson ask(const doctor::SortedJson& what) { return AgentThread::ask(what.dump()); }
};

const doctor::SortedJson kGreet{{"do", "greet"}, {"environment", {{"WAN_TEST_SURVEY", "passed on"}}}};

TEST(SurveyHelper, SaysWhoItIs) {
  HelperThread helper;
  const auto answer = helper.ask(kGreet);
  if (answer.contains("error")) GTEST_SKIP() << "this host has no address: " << answer;
  EXPECT_FALSE(answer.at("host").get<std::string>().empty());
  EXPECT_FALSE(answer.at("addresses").empty());
  EXPECT_STREQ(std::getenv("WAN_TEST_SURVEY"), "passed on");
}

TEST(SurveyHelper, MeasuresAgainAndAgain) {
  HelperThread leader, other;
  for (HelperThread* each : {&leader, &other})
    if (each->ask(kGreet).contains("error")) GTEST_SKIP() << "this host has no address";
  for (int round = 0; round < 2; ++round) {
    const doctor::SortedJson hosts{leader.ask({{"do", "listen"}}).at("endpoint"),
                                   other.ask({{"do", "listen"}}).at("endpoint")};
    other.order({{"do", "probe"}, {"me", 1}, {"hosts", hosts}});
    leader.order({{"do", "probe"}, {"me", 0}, {"hosts", hosts}});
    const auto answer = leader.answer();
    const auto errands = answer.at("errands").get<std::vector<probe::Errand>>();
    const auto findings = answer.at("findings").get<std::vector<probe::Finding>>();
    EXPECT_EQ(errands, (std::vector<probe::Errand>{{1, 0, Depth::glance, 0}}));
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_FALSE(findings[0].round_trips.empty());
    EXPECT_TRUE(other.answer().at("findings").empty());
  }
}

TEST(SurveyHelper, ComplainsOfWhatItDoesNotUnderstand) {
  HelperThread helper;
  EXPECT_TRUE(helper.ask({{"do", "dance"}}).contains("error"));
  EXPECT_TRUE(helper.ask(doctor::SortedJson::object()).contains("error"));
  EXPECT_TRUE(helper.ask({{"do", "greet"}}).contains("error"));
  EXPECT_TRUE(helper.ask({{"do", "listen"}}).contains("error")) << "it has not been greeted";
  EXPECT_TRUE(
      helper.ask({{"do", "probe"}, {"me", 0}, {"hosts", doctor::SortedJson::array()}}).contains("error"));
}

}  // namespace
}  // namespace wan::tools::survey
