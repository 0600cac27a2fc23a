// SPDX-License-Identifier: BSD-3-Clause
// wanctl probe's helper over loopback: tools/survey/helper.h, wire_json.h.
#include "tools/survey/helper.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "tools/doctor/facts_json.h"
#include "tools/doctor/sockets.h"
#include "tools/survey/wire_json.h"

namespace wan::tools::survey {
namespace {

using namespace std::chrono_literals;
using probe::Depth;

/// A helper in a thread, and the two ends of its pipes.
class HelperThread {
 public:
  HelperThread() {
    if (::pipe(orders_.data()) != 0 || ::pipe(answers_.data()) != 0) std::abort();
    thread_ = std::thread([this] { run_helper(orders_[0], answers_[1]); });
  }
  ~HelperThread() {
    ::close(orders_[1]);
    thread_.join();
    for (const int fd : {orders_[0], answers_[0], answers_[1]}) ::close(fd);
  }

  void order(const doctor::SortedJson& order) { channel().write(order.dump(), doctor::after(10s)); }
  doctor::SortedJson answer() {
    return doctor::SortedJson::parse(channel().line(doctor::after(60s)).value_or("null"));
  }
  doctor::SortedJson ask(const doctor::SortedJson& what) {
    order(what);
    return answer();
  }

 private:
  doctor::LineChannel channel() const { return doctor::LineChannel(answers_[0], orders_[1]); }

  std::array<int, 2> orders_{}, answers_{};
  std::thread thread_;
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
