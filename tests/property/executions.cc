// SPDX-License-Identifier: BSD-3-Clause
// Every collective executed on all ranks in one process (run/execution.h), over a network that takes,
// delivers and completes messages in a random order, on real data with an operator that does not commute;
// started twice. The results must be those of the contract (check/contract.h).
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <sstream>

#include "base/index.h"
#include "check/contract.h"
#include "plan/builder.h"
#include "run/execution.h"
#include "tests/support/property_main.h"
#include "tests/support/random_call.h"

namespace wan {

const int kCases = 5'000;

namespace {

/// The map x -> factor x + offset modulo 2^64; maps are composed (rank order) or added (any order).
struct Element {
  std::uint64_t factor = 0xbad, offset = 0xbad;
  friend bool operator==(const Element&, const Element&) = default;
};

Element combine(const Element& left, const Element& right, OperandOrder order) {
  if (order == OperandOrder::any) return {left.factor + right.factor, left.offset + right.offset};
  return {left.factor * right.factor, left.factor * right.offset + left.offset};
}

/// Unit `index` of what `rank` contributes.
Element contribution(Rank rank, Count index) {
  const auto number = static_cast<std::uint64_t>(rank) * 1000 + static_cast<std::uint64_t>(index);
  return {2 * number + 3, 0x9e3779b97f4a7c15 * (number + 1)};
}

using Memory = std::vector<Element>;

/// All ranks and the messages between them.
class World {
 public:
  World(const GlobalCall& call, const Schedule& schedule, unsigned seed) : call_(call), random_(seed) {
    for (Rank rank = 0; rank < call.size; ++rank) {
      scratch_.push_back(schedule[at(rank)].lengths().scratch);
      nodes_.push_back(std::make_unique<Node>(*this, rank));
      Node& node = *nodes_.back();
      node.execution = std::make_unique<Execution>(schedule[at(rank)], node, [this](int status) {
        ++ended_;
        failed_ += status != 0;
      });
    }
  }

  /// Runs all to their ends in a random order; false if something never ends.
  bool run() {
    ended_ = failed_ = 0;
    queues_.clear();
    for (Rank rank = 0; rank < call_.size; ++rank) fill(rank);
    std::vector<Rank> order(nodes_.size());
    for (Rank rank = 0; rank < call_.size; ++rank) order[at(rank)] = rank;
    std::ranges::shuffle(order, random_);
    for (const Rank rank : order) {
      nodes_[at(rank)]->execution->start();
      for (unsigned steps = random_() % 4; steps > 0 && step(); --steps) {
      }
    }
    while (step()) {
    }
    return ended_ == call_.size && failed_ == 0;
  }

  const Memory& output(Rank rank) const { return nodes_[at(rank)]->memory[1]; }

 private:
  /// One rank's memory and its side of the network.
  struct Node : Transport {
    Node(World& its_world, Rank its_rank) : world(its_world), rank(its_rank) {}
    bool admits(StepIndex, const Step&) override { return world.random_() % 8 != 0; }
    void wake_later() override { world.asleep_.push_back(rank); }
    void send(StepIndex index, const Step& step) override { world.post_send(rank, index, step); }
    void receive(StepIndex index, const Step& step) override { world.post_receive(rank, index, step); }
    int copy(const Step& step) override { return write(step.to, read(step.from)), 0; }
    int reduce(const Step& step) override {
      Memory values = read(step.from);
      const Memory right = read(step.to);
      for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = combine(values[i], right[i], world.call_.order);
      return write(step.to, values), 0;
    }
    void cancel(StepIndex) override {}

    Memory read(std::span<const Range> ranges) const {
      Memory values;
      for (const Range& range : ranges) {
        const auto begin = memory[at(range.buffer)].begin() + range.offset;
        values.insert(values.end(), begin, begin + range.length);
      }
      return values;
    }
    void write(std::span<const Range> ranges, const Memory& values) {
      auto next = values.begin();
      for (const Range& range : ranges) {
        std::copy(next, next + range.length, memory[at(range.buffer)].begin() + range.offset);
        next += range.length;
      }
    }

    World& world;
    Rank rank;
    Memory memory[3];
    std::unique_ptr<Execution> execution;
  };

  /// A message: posted on neither, one or both sides, its data taken, delivered.
  struct Message {
    StepIndex send = -1, receive = -1;
    std::span<const Range> from, to;
    bool is_eager = false, is_taken = false, is_delivered = false;
    Memory data;
  };
  struct Queue {
    std::vector<Message> messages;
    std::size_t sends = 0, receives = 0;
    Message& at(std::size_t index) {
      if (index >= messages.size()) messages.resize(index + 1);
      return messages[index];
    }
  };
  using Ends = std::pair<Rank, Rank>;

  void fill(Rank rank) {
    Expressions expressions;
    const Contents before = contents_before(call_, rank, expressions);
    const auto elements = [&](const std::vector<Value>& values) {
      Memory memory;
      for (const Value value : values) {
        const auto leaves = expressions.leaves(value);
        memory.push_back(leaves.empty() ? Element{} : contribution(leaves[0].rank, leaves[0].index));
      }
      return memory;
    };
    Node& node = *nodes_[at(rank)];
    node.memory[0] = elements(before.input);
    node.memory[1] = elements(before.output);
    node.memory[2].assign(at(scratch_[at(rank)]), Element{});
  }

  void post_send(Rank rank, StepIndex index, const Step& step) {
    Queue& queue = queues_[{rank, step.peer}];
    Message& message = queue.at(queue.sends++);
    message.send = index;
    message.from = step.from;
    message.is_eager = random_() % 2 == 0;
    if (message.is_eager && random_() % 4 == 0)
      take({rank, step.peer}, message);  // completes inside the call
  }
  void post_receive(Rank rank, StepIndex index, const Step& step) {
    Queue& queue = queues_[{step.peer, rank}];
    Message& message = queue.at(queue.receives++);
    message.receive = index;
    message.to = step.to;
  }

  /// Reads the data: at any time before the send completes.
  void take(Ends ends, Message& message) {
    message.data = nodes_[at(ends.first)]->read(message.from);
    message.is_taken = true;
    if (message.is_eager) nodes_[at(ends.first)]->execution->completed(message.send, 0);
  }
  void deliver(Ends ends, Message& message) {
    Node& receiver = *nodes_[at(ends.second)];
    message.is_delivered = true;
    if (total_length(message.to) != static_cast<Count>(message.data.size())) return;  // never ends
    receiver.write(message.to, message.data);
    const StepIndex send = message.send, receive = message.receive;
    const bool is_eager = message.is_eager;
    receiver.execution->completed(receive, 0);
    if (!is_eager) nodes_[at(ends.first)]->execution->completed(send, 0);
  }

  /// Lets one thing happen to one message; false if nothing can.
  bool step() {
    std::vector<std::pair<Ends, std::size_t>> open;
    for (auto& [ends, queue] : queues_)
      for (std::size_t i = 0; i < queue.messages.size(); ++i) {
        const Message& message = queue.messages[i];
        const bool can_be_taken = message.send >= 0 && !message.is_taken;
        const bool can_be_delivered = message.is_taken && message.receive >= 0 && !message.is_delivered;
        if (can_be_taken || can_be_delivered) open.push_back({ends, i});
      }
    if (open.empty() || (!asleep_.empty() && random_() % 4 == 0)) return wake();
    const auto [ends, index] = open[random_() % open.size()];
    Message& message = queues_[ends].messages[index];
    message.is_taken ? deliver(ends, message) : take(ends, message);
    return true;
  }

  /// Wakes one rank; false if none is asleep.
  bool wake() {
    if (asleep_.empty()) return false;
    std::swap(asleep_[random_() % asleep_.size()], asleep_.back());
    const Rank rank = asleep_.back();
    asleep_.pop_back();
    nodes_[at(rank)]->execution->woken();
    return true;
  }

  const GlobalCall& call_;
  std::vector<Rank> asleep_;    ///< those whose transport has promised to wake them
  std::vector<Count> scratch_;  ///< its length on each rank
  std::mt19937 random_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::map<Ends, Queue> queues_;
  int ended_ = 0, failed_ = 0;
};

Element expected(const Wanted& wanted, OperandOrder order) {
  Element value = contribution(wanted.first, wanted.index);
  for (Rank rank = wanted.first + 1; rank <= wanted.last; ++rank)
    value = combine(value, contribution(rank, wanted.index), order);
  return value;
}

void check_results(const GlobalCall& call, const World& world) {
  for (Rank rank = 0; rank < call.size; ++rank) {
    const auto wanted = wanted_output(call, rank);
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (wanted[i] && !(world.output(rank)[i] == expected(*wanted[i], call.order)))
        RC_FAIL("rank " + std::to_string(rank) + " unit " + std::to_string(i));
  }
}

void computes_the_contract(Collective collective) {
  const RandomCall random = random_call(collective, 1, 14);
  const Schedule schedule = schedule_of(random);
  std::ostringstream text;
  text << random;
  RC_LOG() << text.str();
  World world(random.call, schedule, static_cast<unsigned>(pick(0, 1 << 30)));
  for (int starts = 0; starts < 2; ++starts) {
    RC_ASSERT(world.run());
    check_results(random.call, world);
  }
}

class Executions : public testing::TestWithParam<CollectiveTraits> {};

TEST_P(Executions, ComputeTheContract) {
  EXPECT_TRUE(rc::check(std::string(GetParam().name), [] { computes_the_contract(GetParam().collective); }));
}

INSTANTIATE_TEST_SUITE_P(Every, Executions,
                         testing::ValuesIn(all_collectives().begin(), all_collectives().end()),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace wan
