// SPDX-License-Identifier: BSD-3-Clause
#include "plan/program.h"

#include <map>
#include <numeric>

#include "plan/builder.h"

namespace wan {

Count Step::length() const {
  return total_length(from.empty() ? to : from);
}

Step Program::step(StepIndex index) const {
  const Record& record = steps_[static_cast<std::size_t>(index)];
  const std::span ranges(ranges_);
  const std::span after(after_);
  return {record.kind, record.peer, ranges.subspan(record.from, record.to - record.from),
          ranges.subspan(record.to, record.end - record.to),
          after.subspan(record.after, record.after_end - record.after)};
}

namespace {

/// List `which` of those that lie one behind the other.
std::span<const StepIndex> list_at(std::size_t which, const std::vector<StepIndex>& lists,
                                   const std::vector<std::uint32_t>& begin) {
  return std::span(lists).subspan(begin[which], begin[which + 1] - begin[which]);
}

}  // namespace

std::span<const StepIndex> Program::queue(std::int32_t queue) const {
  return list_at(static_cast<std::size_t>(queue), queue_steps_, queue_begin_);
}

std::span<const StepIndex> Program::dependents(StepIndex index) const {
  return list_at(static_cast<std::size_t>(index), dependents_, dependents_begin_);
}

namespace {

template <class Element>
std::size_t bytes_of(const std::vector<Element>& elements) {
  return elements.capacity() * sizeof(Element);
}

}  // namespace

void Program::number_queues() {
  std::map<std::pair<StepKind, Rank>, std::int32_t> numbers;
  for (const Record& record : steps_) {
    const bool is_message = record.kind == StepKind::send || record.kind == StepKind::receive;
    const auto next = static_cast<std::int32_t>(numbers.size());
    queue_of_.push_back(is_message ? numbers.try_emplace({record.kind, record.peer}, next).first->second
                                   : -1);
  }
  queues_ = static_cast<std::int32_t>(numbers.size());
  list_queues();
}

void Program::list_queues() {
  queue_begin_.assign(static_cast<std::size_t>(queues_) + 1, 0);
  for (const std::int32_t queue : queue_of_)
    if (queue >= 0) ++queue_begin_[static_cast<std::size_t>(queue) + 1];
  for (std::size_t i = 1; i < queue_begin_.size(); ++i) queue_begin_[i] += queue_begin_[i - 1];
  queue_steps_.resize(queue_begin_.back());
  std::vector<std::uint32_t> next(queue_begin_.begin(), queue_begin_.end() - 1);
  for (StepIndex index = 0; index < size(); ++index)
    if (const std::int32_t queue = queue_of(index); queue >= 0)
      queue_steps_[next[static_cast<std::size_t>(queue)]++] = index;
}

void Program::turn_dependencies_round() {
  dependents_begin_.assign(steps_.size() + 1, 0);
  for (const StepIndex earlier : after_) ++dependents_begin_[static_cast<std::size_t>(earlier) + 1];
  std::partial_sum(dependents_begin_.begin(), dependents_begin_.end(), dependents_begin_.begin());
  dependents_.resize(after_.size());
  std::vector<std::uint32_t> next(dependents_begin_.begin(), dependents_begin_.end() - 1);
  for (StepIndex index = 0; index < size(); ++index)
    for (const StepIndex earlier : step(index).after)
      dependents_[next[static_cast<std::size_t>(earlier)]++] = index;
}

std::size_t Program::footprint() const {
  return sizeof(Program) + bytes_of(steps_) + bytes_of(ranges_) + bytes_of(after_) + bytes_of(queue_of_) +
         bytes_of(send_limits_) + bytes_of(queue_steps_) + bytes_of(queue_begin_) + bytes_of(dependents_) +
         bytes_of(dependents_begin_);
}

}  // namespace wan
