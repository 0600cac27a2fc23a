// SPDX-License-Identifier: BSD-3-Clause
#include "check/step_table.h"

#include <algorithm>
#include <utility>

namespace wan {

StepTable::StepTable(const Schedule& schedule, Bytes element_bytes) {
  for (std::size_t rank = 0; rank < schedule.size(); ++rank)
    add_rank(static_cast<Rank>(rank), schedule[rank],
             schedule[rank].unit() == Unit::bytes ? 1 : element_bytes);
  pair();
}

void StepTable::add_rank(Rank rank, const Program& program, Bytes unit_bytes) {
  first_.push_back(size());
  for (StepIndex i = 0; i < program.size(); ++i) {
    const Step step = program.step(i);
    const auto waits = static_cast<std::int32_t>(step.after.size());
    const std::int32_t queue = program.queue_of(i);
    const SendLimit sends = queue < 0 ? SendLimit{} : program.send_limit(queue);
    states_.push_back({rank, i, step.kind, step.peer, step.length() * unit_bytes, waits, sends});
  }
}

StepTable::Key StepTable::key(StepNumber message) const {
  const StepState& state = (*this)[message];
  const bool is_send = state.kind == StepKind::send;
  const std::pair ends = is_send ? std::pair(state.rank, state.peer) : std::pair(state.peer, state.rank);
  return {ends, state.kind, state.step};
}

void StepTable::pair() {
  std::vector<std::pair<Key, StepNumber>> messages;
  for (StepNumber i = 0; i < size(); ++i)
    if (const StepKind kind = (*this)[i].kind; kind == StepKind::send || kind == StepKind::receive)
      messages.emplace_back(key(i), i);
  std::ranges::sort(messages);
  std::vector<StepNumber> numbers;
  for (const auto& message : messages) numbers.push_back(message.second);
  const std::span all(numbers);
  for (std::size_t begin = 0, middle = 0, end = 0; begin < messages.size(); begin = middle = end) {
    const auto& ends = std::get<0>(messages[begin].first);
    while (end < messages.size() && std::get<0>(messages[end].first) == ends) ++end;
    while (middle < end && (*this)[numbers[middle]].kind == StepKind::send) ++middle;
    pair_queues(all.subspan(begin, middle - begin), all.subspan(middle, end - middle));
  }
}

void StepTable::pair_queues(std::span<const StepNumber> sends, std::span<const StepNumber> receives) {
  chain(sends);
  chain(receives);
  for (std::size_t k = 0; k < std::min(sends.size(), receives.size()); ++k) {
    (*this)[sends[k]].partner = receives[k];
    (*this)[receives[k]].partner = sends[k];
  }
}

void StepTable::chain(std::span<const StepNumber> queue) {
  if (queue.empty()) return;
  for (std::size_t k = 0; k < queue.size(); ++k) {
    (*this)[queue[k]].queue = static_cast<std::int32_t>(queues_.size());
    if (k > 0) (*this)[queue[k - 1]].next = queue[k];
  }
  queues_.push_back({queue.front(), (*this)[queue.front()].sends});
}

}  // namespace wan
