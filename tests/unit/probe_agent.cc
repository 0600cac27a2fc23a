// SPDX-License-Identifier: BSD-3-Clause
// probe/agent.h: agents over loopback, each in a thread.
#include "probe/agent.h"

#include <gtest/gtest.h>

#include <thread>

#include "probe/budget.h"

namespace wan::probe {
namespace {

/// Agents of so many hosts, all on this one.
struct Job {
  explicit Job(int hosts) {
    for (int host = 0; host < hosts; ++host) {
      listeners.push_back(Listener::open({"127.0.0.1"}));
      endpoints.push_back(listeners.back()->endpoint);
    }
  }
  /// Explores, with the agents of hosts 1, 2, ... serving but those that are left out.
  Exploration explore(const std::vector<Host>& left_out = {}) {
    std::vector<std::jthread> threads;
    for (Host host = 1; host < static_cast<Host>(endpoints.size()); ++host)
      if (std::ranges::count(left_out, host) == 0)
        threads.emplace_back([this, host] { Agent(take(host), host, endpoints).serve(); });
    Agent leader(take(0), 0, endpoints);
    const Nanoseconds begin = now();
    Exploration found = probe::explore(static_cast<int>(endpoints.size()), labels, leader);
    elapsed = now() - begin;
    leader.finish();
    threads.clear();
    all_over = now() - begin;
    return found;
  }
  Listener take(Host host) { return std::move(*listeners[static_cast<std::size_t>(host)]); }

  std::vector<std::optional<Listener>> listeners;
  std::vector<Endpoint> endpoints;
  std::optional<std::vector<int>> labels;
  Nanoseconds elapsed = 0, all_over = 0;
};

TEST(Agent, FindsThatAllHostsAreInOneSite) {
  Job job(6);
  const Exploration found = job.explore();
  EXPECT_EQ(found.sites.groups, 1);
  EXPECT_TRUE(found.unreached.empty());
  EXPECT_LT(job.elapsed, 500'000'000) << "where all are near, nothing is waited for";
}

TEST(Agent, MeasuresLinksOfSitesThatAreKnown) {
  Job job(4);
  job.labels = std::vector<int>{0, 0, 1, 1};
  const Exploration found = job.explore();
  ASSERT_EQ(found.sites.groups, 2);
  ASSERT_TRUE(found.links.at(0, 1));
  EXPECT_LT(found.links.at(0, 1)->latency_ns, 5'000'000);
}

TEST(Agent, DoesNotWaitForeverForOneThatIsSilent) {
  Job job(4);
  const Exploration found = job.explore({2});
  // Its system accepts connections, so it is reached, though nobody is there to answer.
  EXPECT_TRUE(found.unreached.empty());
  EXPECT_LE(job.elapsed, kLongestExploration);
  EXPECT_LE(job.all_over, kLongestExploration + 200'000'000);
}

TEST(Agent, NamesHostsThatRefuseConnections) {
  Job job(4);
  job.listeners[3].reset();
  const Exploration found = job.explore({3});
  EXPECT_EQ(found.unreached, std::vector<Host>{3});
  EXPECT_EQ(found.sites, partition_by(std::vector<int>{0, 0, 0, 1}));
  EXPECT_LE(job.elapsed, kLongestExploration);
}

TEST(Agent, SurvivesStrangers) {
  Job job(2);
  const std::uint16_t port = job.endpoints[0].port;
  std::jthread stranger([port] {
    for (int i = 0; i < 20; ++i) {
      const Socket socket = Socket::connecting("127.0.0.1", port);
      std::string noise = i % 2 == 0 ? "GET / HTTP/1.1\r\n\r\n" : frame(Kind::report, 1, "wrong key");
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (socket.is_open()) socket.write(noise);
    }
  });
  const Exploration found = job.explore();
  EXPECT_EQ(found.sites.groups, 1);
  EXPECT_TRUE(found.unreached.empty());
}

TEST(Agent, EndsByItselfWithoutALeader) {
  Job job(2);
  job.listeners[0].reset();
  const Nanoseconds begin = now();
  Agent(job.take(1), 1, job.endpoints).serve();
  EXPECT_LE(now() - begin, kLongestExploration + 1'100'000'000);
}

TEST(Agent, TellsProcessesOfItsHostWhenItIsOver) {
  Job job(2);
  std::vector<Nanoseconds> ends(2);
  std::jthread one([&] {
    wait_for_agent(job.endpoints[0]);
    ends[0] = now();
  });
  std::jthread other([&] {
    wait_for_agent(job.endpoints[1]);
    ends[1] = now();
  });
  const Nanoseconds begin = now();
  job.explore();
  const Nanoseconds over = begin + job.all_over;
  one.join();
  other.join();
  EXPECT_GE(ends[0], begin + job.elapsed - 1'000'000);
  EXPECT_LE(std::max(ends[0], ends[1]), over + 500'000'000);
}

TEST(Agent, KeepsNobodyWaitingThatComesLate) {
  Endpoint gone = Listener::open({"127.0.0.1"})->endpoint;
  const Nanoseconds begin = now();
  wait_for_agent(gone);
  EXPECT_LE(now() - begin, 2'500'000'000);
}

/// The next frames of a connection, so many of them; fewer after two seconds.
std::vector<Frame> next_frames(const Socket& socket, std::size_t number) {
  Inbox inbox;
  std::vector<Frame> frames;
  std::string bytes;
  for (const Nanoseconds end = now() + 2'000'000'000; frames.size() < number && now() < end; bytes.clear()) {
    socket.read(bytes);
    EXPECT_TRUE(inbox.take(bytes, now(), frames));
  }
  return frames;
}

TEST(Agent, SaysHowATrainCameAndSendsItsOwn) {
  Job job(2);
  std::jthread other([&] { Agent(job.take(1), 1, job.endpoints).serve(); });
  const Socket socket = Socket::connecting("127.0.0.1", job.endpoints[1].port);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const std::string train = train_frame(Kind::train, 9'000, 9'000);
  std::string first = frame(Kind::visit, 0, job.endpoints[1].key) + train.substr(0, 2'000),
              rest = train.substr(2'000);
  ASSERT_TRUE(socket.write(first));
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  ASSERT_TRUE(socket.write(rest));
  const auto frames = next_frames(socket, 2);
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[0].kind, Kind::seen);
  const auto seen = decode_train(frames[0].bytes);
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->bytes, 7'000);
  EXPECT_NEAR(static_cast<double>(seen->spread_ns), 30e6, 20e6);
  EXPECT_EQ(frames[1].kind, Kind::back);
  job.listeners[0].reset();  // whoever leads is gone: the agent ends by itself
}

TEST(ListenerOf, TakesAPortOfARange) {
  const auto any = Listener::open({"127.0.0.1"});
  ASSERT_TRUE(any);
  const int taken = any->endpoint.port;
  EXPECT_FALSE(Listener::open({"127.0.0.1"}, {taken, 1}));
  const auto next = Listener::open({"127.0.0.1"}, {taken, 20});
  ASSERT_TRUE(next);
  EXPECT_GT(next->endpoint.port, taken);
  EXPECT_LT(next->endpoint.port, taken + 20);
}

}  // namespace
}  // namespace wan::probe
