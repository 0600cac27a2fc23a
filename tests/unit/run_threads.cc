// SPDX-License-Identifier: BSD-3-Clause
// run/execution.h with completions from several threads at once, also from inside a call of the transport;
// the same Execution again and again, errors among them. Meant to be run under ThreadSanitizer as well.
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <random>
#include <thread>

#include "plan/builder.h"
#include "run/execution.h"

namespace wan {
namespace {

constexpr int kWorkers = 4;

/// Completes messages from a pool of threads in a random order, some inside the call. Memory operations write
/// without a lock what the next one reads, so that a missing order between threads is a data race.
class Pool : public Transport {
 public:
  explicit Pool(int failing_per_mille) : failing_per_mille_(failing_per_mille) {
    for (unsigned seed = 0; seed < kWorkers; ++seed) workers_.emplace_back([this, seed] { work(seed); });
  }
  ~Pool() override {
    {
      const std::scoped_lock lock(mutex_);
      is_over_ = true;
    }
    wake_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

  void send(StepIndex index, const Step&) override { start(index); }
  void receive(StepIndex index, const Step&) override { start(index); }
  int copy(const Step&) override { return ++local_steps, 0; }
  int reduce(const Step&) override { return ++local_steps, 0; }
  void cancel(StepIndex) override { ++cancelled; }

  Execution* execution = nullptr;
  std::int64_t local_steps = 0, messages = 0, cancelled = 0;

 private:
  void start(StepIndex index) {
    if (++messages % 5 == 0) return execution->completed(index, 0);
    {
      const std::scoped_lock lock(mutex_);
      open_.push_back(index);
    }
    wake_.notify_one();
  }

  void work(unsigned seed) {
    std::mt19937 random(seed);
    for (;;) {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return is_over_ || !open_.empty(); });
      if (open_.empty()) return;
      std::swap(open_[random() % open_.size()], open_.front());
      const StepIndex index = open_.front();
      open_.pop_front();
      lock.unlock();
      const bool is_failing = static_cast<int>(random() % 1000) < failing_per_mille_;
      execution->completed(index, is_failing ? 1 : 0);
    }
  }

  int failing_per_mille_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<StepIndex> open_;
  bool is_over_ = false;
  std::vector<std::thread> workers_;
};

/// Many messages to and from 8 peers; what is received is reduced into one value in chains, and sent on.
Program busy_program() {
  constexpr Rank kPeers = 8;
  constexpr int kRounds = 6;
  Builder b(Unit::elements, 0, kPeers + 1, {1, 1, 0});
  for (int round = 0; round < kRounds; ++round) {
    const Range sum = b.scratch(1);
    b.copy(b.input(), sum);
    for (Rank peer = 1; peer <= kPeers; ++peer) {
      const Range theirs = b.scratch(1);
      b.receive(peer, theirs);
      b.reduce(theirs, sum);
    }
    for (Rank peer = 1; peer <= kPeers; ++peer) b.send(peer, sum);
  }
  return std::move(b).finish();
}

struct Outcome {
  int ends = 0, failed = 0;
};

Outcome run(Pool& pool, const Program& program, int times) {
  std::mutex mutex;
  std::condition_variable ended;
  Outcome outcome;
  Execution execution(program, pool, [&](int status) {
    const std::scoped_lock lock(mutex);
    ++outcome.ends;
    outcome.failed += status != 0;
    ended.notify_one();
  });
  pool.execution = &execution;
  for (int i = 1; i <= times; ++i) {
    execution.start();
    std::unique_lock lock(mutex);
    ended.wait(lock, [&] { return outcome.ends == i; });
  }
  return outcome;
}

TEST(Threads, CompleteMessagesInAnyOrderAtOnce) {
  const Program program = busy_program();
  Pool pool(0);
  const Outcome outcome = run(pool, program, 200);
  EXPECT_EQ(outcome.ends, 200);
  EXPECT_EQ(outcome.failed, 0);
  EXPECT_EQ(pool.messages, 200 * 96);
  EXPECT_EQ(pool.local_steps, 200 * (6 + 48));
  EXPECT_EQ(pool.cancelled, 0);
}

TEST(Threads, ReportErrorsAmongTheCompletions) {
  const Program program = busy_program();
  Pool pool(10);
  const Outcome outcome = run(pool, program, 200);
  EXPECT_EQ(outcome.ends, 200);
  EXPECT_GT(outcome.failed, 0);
  EXPECT_LT(outcome.failed, 200);
}

}  // namespace
}  // namespace wan
