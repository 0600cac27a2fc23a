// SPDX-License-Identifier: BSD-3-Clause
// The Program: one rank's steps for one collective call, as a dependency graph. No pointers, no MPI types, no
// clock: the same Program serves the blocking, nonblocking and persistent form, the verifier, the simulator
// and the drawings.
//
// Invariants (checked on construction; plan/builder.h is the only way to make one):
//  - a step depends on earlier steps only;
//  - every range lies inside its buffer; a copy or reduction moves as many units as it takes; no step writes
//    a unit twice;
//  - a peer is a rank of the communicator other than one's own.
// Pairing: the k-th send from a to b of a call matches the k-th receive at b from a, both counted in step
// order, whatever becomes ready first. The messages of one direction with one peer, in step order, are a
// queue.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "base/types.h"

namespace wan {

enum class Unit : std::uint8_t {
  bytes,    ///< of the packed message: data movement
  elements  ///< of the call's datatype: reductions
};

/// Scratch is private to a call. Input is never written. With MPI_IN_PLACE there is no input (length 0): see
/// plan/call.h.
enum class Buffer : std::uint8_t { input, output, scratch };

/// `length` consecutive units of a buffer from `offset`. Input and output are addressed in their packed
/// order: block by block, as the call lists them, without gaps.
struct Range {
  Buffer buffer = Buffer::scratch;
  Count offset = 0;
  Count length = 0;

  Range slice(Count from, Count count) const { return {buffer, offset + from, count}; }
  friend bool operator==(const Range&, const Range&) = default;
};

enum class StepKind : std::uint8_t {
  send,     ///< the units of `from`, in that order, as one message to `peer`
  receive,  ///< one message of exactly the length of `to` from `peer`
  copy,     ///< `from` to `to`, same total length, no overlap
  reduce    ///< to := from (op) to, element by element: one range each, equal lengths, no overlap
};

using StepIndex = std::int32_t;

/// A view of one step; valid as long as its Program.
struct Step {
  StepKind kind;
  Rank peer = -1;                    ///< of a send or receive
  std::span<const Range> from;       ///< what is read: send, copy, reduce (reduce reads `to` as well)
  std::span<const Range> to;         ///< what is written: receive, copy, reduce
  std::span<const StepIndex> after;  ///< the steps that must have completed before this one may start

  Count length() const;  ///< units that the step moves
};

/// How many sends to one peer may be under way at once.
struct SendLimit {
  static constexpr std::int32_t kMost = 64;  ///< what a late receiver may be asked about
  std::int32_t first = kMost;                ///< until one has completed; with each that does, one more
  std::int32_t most = kMost;

  /// May another be issued after `issued`, of which `under_way` have not completed?
  bool allows(std::int32_t issued, std::int32_t under_way) const {
    return under_way < std::min(most, first + issued - under_way);
  }
  friend bool operator==(const SendLimit&, const SendLimit&) = default;
};

/// Lengths of the three buffers, in units.
struct BufferLengths {
  Count input = 0, output = 0, scratch = 0;
  Count of(Buffer buffer) const {
    return buffer == Buffer::input ? input : buffer == Buffer::output ? output : scratch;
  }
  friend bool operator==(const BufferLengths&, const BufferLengths&) = default;
};

class Program {
 public:
  Unit unit() const { return unit_; }
  const BufferLengths& lengths() const { return lengths_; }
  /// Processes of this rank's site that send to the same other sites at the same time, as much as each other:
  /// they share the links between them. 1: it sends alone, or nobody knows who sends how much.
  int senders() const { return senders_.value_or(1); }
  bool knows_senders() const { return senders_.has_value(); }
  StepIndex size() const { return static_cast<StepIndex>(steps_.size()); }
  Step step(StepIndex index) const;
  /// Number of queues; the queue of a message, -1 of a local step.
  std::int32_t queues() const { return queues_; }
  std::int32_t queue_of(StepIndex index) const { return queue_of_[static_cast<std::size_t>(index)]; }
  const SendLimit& send_limit(std::int32_t queue) const {
    return send_limits_[static_cast<std::size_t>(queue)];
  }
  /// The messages of a queue, in their order.
  std::span<const StepIndex> queue(std::int32_t queue) const;
  /// The steps that name `index` in their `after`.
  std::span<const StepIndex> dependents(StepIndex index) const;
  /// What the Program takes up in memory: bytes.
  std::size_t footprint() const;

 private:
  friend class Builder;
  friend class ProgramEditor;  ///< tests alone have one: it makes the illegal Programs that the checks must
                               ///< find
  struct Record {
    StepKind kind;
    Rank peer;
    std::uint32_t from, to, end, after, after_end;  ///< offsets into ranges_ and after_
  };
  /// From the steps: queues are numbered in the order of their first messages.
  void number_queues();
  void list_queues();
  /// From what each step waits for: what waits for each step.
  void turn_dependencies_round();

  Unit unit_ = Unit::bytes;
  BufferLengths lengths_;
  std::optional<int> senders_;  ///< nullopt: nobody knows
  std::vector<Record> steps_;
  std::vector<Range> ranges_;
  std::vector<StepIndex> after_;
  std::int32_t queues_ = 0;
  std::vector<std::int32_t> queue_of_;
  std::vector<SendLimit> send_limits_;  ///< of the queues
  std::vector<StepIndex> queue_steps_;
  std::vector<std::uint32_t> queue_begin_;  ///< queues() + 1 offsets into queue_steps_
  std::vector<StepIndex> dependents_;
  std::vector<std::uint32_t> dependents_begin_;  ///< size() + 1 offsets into dependents_
};

/// The p Programs of one call on a communicator; only checks, tests and tools ever hold one.
using Schedule = std::vector<Program>;

}  // namespace wan
