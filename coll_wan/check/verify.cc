// SPDX-License-Identifier: BSD-3-Clause
#include "check/verify.h"

#include <algorithm>
#include <optional>

#include "base/index.h"
#include "check/entries.h"

namespace wan {

namespace {

bool is_message(StepKind kind) {
  return kind == StepKind::send || kind == StepKind::receive;
}

/// One rank's memory, on symbolic values.
class Memory {
 public:
  Memory(Contents before, Count scratch) : buffers_{std::move(before.input), std::move(before.output), {}} {
    buffers_[2].assign(at(scratch), kUndefined);
  }
  std::vector<Value> read(std::span<const Range> ranges) const {
    std::vector<Value> values;
    for (const Range& range : ranges) {
      const auto begin = of(range).begin() + range.offset;
      values.insert(values.end(), begin, begin + range.length);
    }
    return values;
  }
  void write(std::span<const Range> ranges, std::span<const Value> values) {
    for (const Range& range : ranges) {
      std::ranges::copy(values.first(at(range.length)), buffers_[at(range.buffer)].begin() + range.offset);
      values = values.subspan(at(range.length));
    }
  }
  const std::vector<Value>& output() const { return buffers_[1]; }

 private:
  const std::vector<Value>& of(const Range& range) const { return buffers_[at(range.buffer)]; }
  std::vector<Value> buffers_[3];
};

/// The messages from one rank to another: steps of the sender and the receiver, in step order, and how many
/// have started.
struct Channel {
  std::vector<StepIndex> sends, receives;
  std::size_t sent = 0, received = 0, matched = 0;
};

class SymbolicRun {
 public:
  SymbolicRun(const Schedule& schedule, const GlobalCall& call, const Layout& layout)
      : schedule_(schedule), call_(call), layout_(layout) {
    for (Rank rank = 0; rank < call.size; ++rank) add_rank(rank);
    if (call.collective == Collective::barrier) entries_.emplace(schedule);
  }

  Verdict verdict() {
    for (Rank rank = 0; rank < call_.size; ++rank)
      for (const std::string& hazard : hazards(schedule_[at(rank)])) defect(rank, hazard);
    for (Rank rank = 0; rank < call_.size; ++rank)
      for (StepIndex step = 0; step < program(rank).size(); ++step)
        if (program(rank).step(step).after.empty()) ready_.push_back({rank, step});
    run();
    check_all_done();
    if (verdict_.is_correct()) check_results();
    count_repeated();
    return std::move(verdict_);
  }

 private:
  struct State {
    explicit State(StepIndex steps)
        : waits(at(steps)), dependents(at(steps)), is_ready(at(steps)), is_done(at(steps)), hops(at(steps)) {}
    std::vector<std::int32_t> waits;  ///< dependencies not yet completed
    std::vector<std::vector<StepIndex>> dependents;
    std::vector<char> is_ready, is_done;
    std::vector<int>
        hops;  ///< inter-site messages on the longest path to the start, then the end, of each step
  };

  const Program& program(Rank rank) const { return schedule_[at(rank)]; }
  Step step(Place place) const { return program(place.rank).step(place.step); }
  bool is_inter_site(Rank a, Rank b) const { return layout_.site_of(a) != layout_.site_of(b); }

  void defect(Rank rank, const std::string& what) {
    verdict_.defects.push_back("rank " + std::to_string(rank) + ": " + what);
  }

  void add_rank(Rank rank) {
    const Program& mine = program(rank);
    Contents before = contents_before(call_, rank, expressions_);
    if (mine.lengths().input != static_cast<Count>(before.input.size()) ||
        mine.lengths().output != static_cast<Count>(before.output.size()))
      defect(rank, "buffer lengths differ from the call's");
    before.input.resize(at(mine.lengths().input), kUndefined);
    before.output.resize(at(mine.lengths().output), kUndefined);
    memory_.emplace_back(std::move(before), mine.lengths().scratch);
    State state(mine.size());
    for (StepIndex i = 0; i < mine.size(); ++i) {
      const Step each = mine.step(i);
      state.waits[at(i)] = static_cast<std::int32_t>(each.after.size());
      for (const StepIndex earlier : each.after) state.dependents[at(earlier)].push_back(i);
      if (each.kind == StepKind::send) channels_[{rank, each.peer}].sends.push_back(i);
      if (each.kind == StepKind::receive) channels_[{each.peer, rank}].receives.push_back(i);
    }
    states_.push_back(std::move(state));
  }

  void run() {
    while (!ready_.empty()) {
      const Place place = ready_.back();
      ready_.pop_back();
      states_[at(place.rank)].is_ready[at(place.step)] = 1;
      if (is_message(step(place).kind))
        post(place);
      else
        run_local(place);
    }
  }

  void run_local(Place place) {
    const Step local = step(place);
    Memory& memory = memory_[at(place.rank)];
    std::vector<Value> values = memory.read(local.from);
    if (local.kind == StepKind::reduce) {
      const std::vector<Value> right = memory.read(local.to);
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = expressions_.combine(values[i], right[i]);
    }
    memory.write(local.to, values);
    finish(place, 0);
  }

  /// Starts the messages of the channel that may start now, in step order, and matches what has met.
  void post(Place place) {
    const Step message = step(place);
    const bool is_send = message.kind == StepKind::send;
    const auto key = is_send ? std::pair(place.rank, message.peer) : std::pair(message.peer, place.rank);
    Channel& channel = channels_[key];
    advance(channel.sends, channel.sent, key.first);
    advance(channel.receives, channel.received, key.second);
    while (channel.matched < std::min(channel.sent, channel.received)) {
      const std::size_t k = channel.matched++;
      transfer({key.first, channel.sends[k]}, {key.second, channel.receives[k]});
    }
  }

  void advance(const std::vector<StepIndex>& steps, std::size_t& started, Rank rank) const {
    while (started < steps.size() && states_[at(rank)].is_ready[at(steps[started])]) ++started;
  }

  void transfer(Place from, Place to) {
    const std::vector<Value> values = memory_[at(from.rank)].read(step(from).from);
    if (static_cast<Count>(values.size()) != total(step(to).to))
      return defect(to.rank, "step " + std::to_string(to.step) + " receives a message of another length");
    memory_[at(to.rank)].write(step(to).to, values);
    count(from.rank, to.rank, values);
    const int hop = is_inter_site(from.rank, to.rank) ? 1 : 0;
    int& arrival = hops(to);
    arrival = std::max(arrival, hops(from) + hop);
    follow(from, to);
    finish(from, hop);
    finish(to, 0);
  }

  static Count total(std::span<const Range> ranges) {
    Count sum = 0;
    for (const Range& range : ranges) sum += range.length;
    return sum;
  }

  int& hops(Place place) { return states_[at(place.rank)].hops[at(place.step)]; }

  void count(Rank from, Rank to, std::span<const Value> values) {
    const auto add = [&](TrafficMatrix& matrix, std::int32_t source, std::int32_t target) {
      Traffic& traffic = matrix[{source, target}];
      ++traffic.messages;
      traffic.units += static_cast<Count>(values.size());
    };
    if (is_inter_site(from, to)) {
      add(verdict_.between_sites, layout_.site_of(from), layout_.site_of(to));
      for (const Value value : values)
        for (const Leaf& leaf : expressions_.leaves(value)) entered_[layout_.site_of(to)].push_back(leaf);
    } else if (layout_.levels() > 0 && layout_.group_of(0, from) != layout_.group_of(0, to)) {
      add(verdict_.between_hosts, layout_.group_of(0, from), layout_.group_of(0, to));
    }
  }

  void finish(Place place, int wait_for_far_side) {
    State& state = states_[at(place.rank)];
    state.is_done[at(place.step)] = 1;
    const int reached = state.hops[at(place.step)];
    verdict_.latencies = std::max(verdict_.latencies, reached);
    for (const StepIndex next : state.dependents[at(place.step)]) {
      follow(place, {place.rank, next});
      release({place.rank, next}, reached + wait_for_far_side);
    }
  }

  void follow(Place earlier, Place later) {
    if (entries_) entries_->follow(earlier, later);
  }

  void release(Place place, int reached) {
    State& state = states_[at(place.rank)];
    int& start = state.hops[at(place.step)];
    start = std::max(start, reached);
    if (--state.waits[at(place.step)] == 0) ready_.push_back(place);
  }

  void check_all_done() {
    for (Rank rank = 0; rank < call_.size; ++rank)
      for (StepIndex i = 0; i < program(rank).size(); ++i)
        if (!states_[at(rank)].is_done[at(i)]) defect(rank, "step " + std::to_string(i) + " never completes");
  }

  void check_results() {
    for (Rank rank = 0; rank < call_.size; ++rank) check_output(rank);
    if (entries_)
      for (Rank rank = 0; rank < call_.size; ++rank)
        for (const Rank other : entries_->missing_at(rank))
          if (call_.partners(rank).contains(other))
            defect(rank, "leaves the barrier before rank " + std::to_string(other) + " has entered");
    if (call_.collective == Collective::allreduce)
      for (Rank rank = 0; rank < call_.size; ++rank)
        if (const Rank first = group_of(rank, call_.split, call_.size).first;
            memory_[at(rank)].output() != memory_[at(first)].output())
          defect(rank, "not the same bits as rank " + std::to_string(first));
  }

  void check_output(Rank rank) {
    const auto wanted = wanted_output(call_, rank);
    const std::vector<Value>& output = memory_[at(rank)].output();
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (wanted[i] && !is_as_wanted(output[i], *wanted[i]))
        defect(rank, "output unit " + std::to_string(i) + " is " + text(output[i]));
  }

  bool is_as_wanted(Value value, Wanted wanted) {
    if (call_.order == OperandOrder::fixed) return value == in_fixed_order(expressions_, wanted);
    const auto leaves = expressions_.leaves(value);
    std::vector<Leaf> found(leaves.begin(), leaves.end());
    if (call_.order == OperandOrder::any) std::ranges::sort(found);
    if (static_cast<Rank>(found.size()) != wanted.last - wanted.first + 1) return false;
    for (std::size_t i = 0; i < found.size(); ++i)
      if (found[i] != Leaf{wanted.first + static_cast<Rank>(i), wanted.index}) return false;
    return true;
  }

  std::string text(Value value) const {
    if (value == kUndefined) return "undefined";
    std::string text;
    for (const Leaf& leaf : expressions_.leaves(value))
      text += (text.empty() ? "" : " ") + std::to_string(leaf.rank) + "." + std::to_string(leaf.index);
    return text;
  }

  void count_repeated() {
    for (auto& [site, leaves] : entered_) {
      std::ranges::sort(leaves);
      const auto repeated = std::ranges::unique(leaves);
      verdict_.repeated_units += static_cast<std::int64_t>(repeated.size());
    }
  }

  const Schedule& schedule_;
  const GlobalCall& call_;
  const Layout& layout_;
  Expressions expressions_;
  std::vector<Memory> memory_;
  std::vector<State> states_;
  std::map<std::pair<Rank, Rank>, Channel> channels_;
  std::map<SiteIndex, std::vector<Leaf>> entered_;
  std::optional<Entries> entries_;  ///< of a barrier
  std::vector<Place> ready_;
  Verdict verdict_;
};

}  // namespace

Verdict verify(const Schedule& schedule, const GlobalCall& call, const Layout& layout) {
  return SymbolicRun(schedule, call, layout).verdict();
}

}  // namespace wan
