// SPDX-License-Identifier: BSD-3-Clause
// The steps of all ranks of a Schedule as one table, for the simulator: what each still waits for, and which
// step is at the other end of a message. Pairing is static (invariant 1): the k-th send from a to b meets the
// k-th receive at b from a. No threads. Tested by tests/unit/check_simulate.cc.
#pragma once

#include <span>
#include <tuple>
#include <vector>

#include "base/types.h"
#include "plan/program.h"

namespace wan {

/// A step of any rank, by its number over all ranks: rank by rank, in step order.
using StepNumber = std::int32_t;
constexpr StepNumber kNoStep = -1;

/// What of a message has come to its receiver.
enum class Arrived : std::uint8_t { nothing, request, all };

struct StepState {
  Rank rank = 0;
  StepIndex step = 0;
  StepKind kind = StepKind::copy;
  Rank peer = -1;
  Bytes bytes = 0;
  std::int32_t waits = 0;        ///< steps not done that it depends on
  SendLimit sends;               ///< of a message: of its queue
  std::int32_t queue = -1;       ///< of a message
  StepNumber next = kNoStep;     ///< of a message: the next of its queue
  StepNumber partner = kNoStep;  ///< of a message: the step at the other end
  Arrived arrived = Arrived::nothing;
};

/// The messages of one direction with one peer.
struct QueueState {
  StepNumber next = kNoStep;  ///< to be issued
  SendLimit sends;
  std::int32_t issued = 0;
  std::int32_t under_way = 0;  ///< issued, not done
};

class StepTable {
 public:
  StepTable(const Schedule& schedule, Bytes element_bytes);

  StepState& operator[](StepNumber number) { return states_[static_cast<std::size_t>(number)]; }
  const StepState& operator[](StepNumber number) const { return states_[static_cast<std::size_t>(number)]; }
  QueueState& queue(std::int32_t number) { return queues_[static_cast<std::size_t>(number)]; }
  StepNumber size() const { return static_cast<StepNumber>(states_.size()); }
  StepNumber number(Rank rank, StepIndex step) const { return first_[static_cast<std::size_t>(rank)] + step; }

 private:
  /// Sender and receiver, then sends before receives, then step order: queues stand next to their partners.
  using Key = std::tuple<std::pair<Rank, Rank>, StepKind, StepIndex>;

  void add_rank(Rank rank, const Program& program, Bytes unit_bytes);
  Key key(StepNumber message) const;
  void pair();
  void pair_queues(std::span<const StepNumber> sends, std::span<const StepNumber> receives);
  void chain(std::span<const StepNumber> queue);

  std::vector<StepState> states_;
  std::vector<QueueState> queues_;
  std::vector<StepNumber> first_;  ///< of each rank
};

}  // namespace wan
