// SPDX-License-Identifier: BSD-3-Clause
// The doctor's agents, over loopback: tools/doctor/peer_server.h, peer_client.h, agent.h, session.h.
#include <gtest/gtest.h>

#include "tests/support/agent_thread.h"
#include "tools/doctor/agent.h"
#include "tools/doctor/peer_client.h"
#include "tools/doctor/peer_server.h"
#include "tools/doctor/protocol.h"
#include "tools/doctor/session.h"

namespace wan::tools::doctor {
namespace {

using namespace std::chrono_literals;

constexpr const char* kLoopback = "127.0.0.1";

std::vector<Target> targets_of(const PeerServer& server, const std::string& token) {
  std::vector<Target> targets;
  for (const Listener& each : server.listeners())
    targets.push_back({kLoopback, each.port, each.purpose, token});
  return targets;
}

TEST(DoctorAgent, IsReachedAtAllItsPorts) {
  const PeerServer server("right", 20480);
  const auto reaches = reach_all(targets_of(server, "right"));
  ASSERT_EQ(reaches.size(), 8u);
  EXPECT_EQ(reaches[0].purpose, Purpose::messages);
  EXPECT_GE(reaches[0].port, 20480);
  for (const Reach& reach : reaches) {
    EXPECT_EQ(reach.answer, Answer::answered) << reach.port << ": " << reach.error;
    EXPECT_EQ(reach.source, kLoopback);
    EXPECT_EQ(reach.seen, kLoopback);
  }
}

TEST(DoctorAgent, IsToldFromAnother) {
  const PeerServer server("wrong", 20480);
  EXPECT_EQ(reach_all(targets_of(server, "right"))[0].answer, Answer::another_host);
}

TEST(DoctorAgent, IsMissedWhereNobodyListens) {
  int port = 0;
  {
    const auto socket = listen_on(0);
    port = port_of(*socket);
  }
  const auto reaches = reach_all({{kLoopback, port, Purpose::sample, "right"}});
  EXPECT_EQ(reaches[0].answer, Answer::refused);
  EXPECT_EQ(reaches[0].error, "Connection refused");
  EXPECT_EQ(measure({kLoopback, port, Purpose::sample, "right"}).round_trip_ns, 0);
}

TEST(DoctorAgent, IsAnotherHostIfItNeverGreets) {
  const auto mute = listen_on(0);
  const auto reaches = reach_all({{kLoopback, port_of(*mute), Purpose::sample, "right"}});
  EXPECT_EQ(reaches[0].answer, Answer::another_host);
}

TEST(DoctorAgent, MeasuresWhatGoesToIt) {
  const PeerServer server("right", 20480);
  const Measurement measured = measure(targets_of(server, "right")[0]);
  EXPECT_GT(measured.round_trip_ns, 0);
  EXPECT_GT(measured.rate, 1'000'000);
  EXPECT_FALSE(measured.is_stalled);
  EXPECT_LT(std::abs(measured.clock_offset_ns), 500'000'000);
  EXPECT_GT(measured.path_mtu, 0);
  EXPECT_FALSE(measured.congestion_control.empty());
}

TEST(DoctorAgent, SaysWhatItsHostIs) {
  AgentThread agent(run_agent);
  SortedJson order = FactsOrder{{}, {"localhost", "no-such-host.invalid"}, "/nowhere/sites.toml"};
  order["do"] = "facts";
  const auto facts = agent.ask(order.dump()).at("facts").get<HostFacts>();
  EXPECT_FALSE(facts.hostname.empty());
  EXPECT_EQ(facts.token.size(), 16u);
  ASSERT_EQ(facts.peers.size(), 2u);
  EXPECT_EQ(facts.peers[0].addresses, std::vector<std::string>{kLoopback});
  EXPECT_TRUE(facts.peers[1].addresses.empty());
  EXPECT_FALSE(facts.peers[1].error.empty());
  EXPECT_GT(facts.tcp.receive_buffer, 0);
  EXPECT_TRUE(facts.topology.is_missing);
  EXPECT_EQ(facts.listeners.size(), 8u);
}

TEST(DoctorAgent, ComplainsOfWhatItDoesNotUnderstand) {
  AgentThread agent(run_agent);
  EXPECT_TRUE(agent.ask("{").contains("error"));
  EXPECT_TRUE(agent.ask("{}").contains("error"));
  EXPECT_TRUE(agent.ask(R"({"do": "dance"})").contains("error"));
  EXPECT_TRUE(agent.ask(R"({"do": "reach", "targets": [{"port": "x"}]})").contains("error"));
}

/// What a session with such a launcher ends with.
std::string failure_with(const std::string& launcher) {
  Session session(launcher, "b1", "agent");
  try {
    session.order({{"do", "facts"}});
    return session.answer(1s).dump();
  } catch (const SessionError& error) {
    return error.what();
  }
}

TEST(DoctorSession, GivesTheLastWordsOfAnAgentThatFails) {
  EXPECT_EQ(failure_with("sh -c 'read x; echo oh >&2; echo dear me >&2; exit 3'"),
            "its agent has ended: dear me");
  EXPECT_EQ(failure_with("sh -c 'read x'"), "its agent has ended.");
}

TEST(DoctorSession, DoesNotWaitForEver) {
  EXPECT_EQ(failure_with("sh -c 'sleep 3'"), "no answer within 1 s.");
}

TEST(DoctorSession, SkipsWhatTheShellSaysFirst) {
  EXPECT_EQ(failure_with("sh -c 'read x; echo Welcome; echo {\\\"host\\\": \\\"$0 $1\\\"}'"),
            R"({"host":"b1 agent"})");
  EXPECT_EQ(failure_with("sh -c 'read x; echo {nonsense'"), "its agent answers what is no JSON.");
}

}  // namespace
}  // namespace wan::tools::doctor
