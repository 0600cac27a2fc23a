// SPDX-License-Identifier: BSD-3-Clause
// Makes Programs. An algorithm states its steps in an order in which they could run one after the other; the
// Builder derives each step's dependencies from the ranges it reads and writes (read after write, write after
// read, write after write), so that what need not wait does not, and a Program without hazards (invariant 7)
// is the only kind there is. It cuts what is long into segments (plan/segmentation.h), each a step with its
// own dependencies: a Program is a pipeline by itself. Copies and reductions are cut where what they wait for
// was cut, and besides like messages between neighbours.
// Tested by tests/unit/plan_builder.cc.
//
//   Builder b(Unit::bytes, me, size, lengths);
//   Range all = b.output();
//   if (parent) b.receive(*parent, all);
//   for (Rank child : children) b.send(child, all);
//   return std::move(b).finish();
#pragma once

#include <initializer_list>
#include <map>
#include <span>
#include <vector>

#include "plan/program.h"
#include "plan/segmentation.h"

namespace wan {

class Builder {
 public:
  /// lengths.scratch must be 0: scratch() allocates. What is longer than a segment becomes several steps.
  Builder(Unit unit, Rank me, Rank size, BufferLengths lengths, Segmentation segmentation = {});

  /// To and from these ranks (ascending, each other's neighbours alike) messages are cut so; no step has been
  /// added yet.
  void set_neighbors(std::span<const Rank> ranks, Segmentation segmentation);
  /// See Program::senders(); nullopt: nobody knows, as without this.
  void set_senders(std::optional<int> senders) { program_.senders_ = senders; }

  Rank me() const { return me_; }
  Rank size() const { return size_; }
  const Segmentation& segmentation() const { return segmentation_; }
  const Segmentation& neighbor_segmentation() const { return neighbor_segmentation_; }
  /// The whole input, the whole output.
  Range input() const { return {Buffer::input, 0, program_.lengths_.input}; }
  Range output() const { return {Buffer::output, 0, program_.lengths_.output}; }
  /// New scratch of `length` units.
  Range scratch(Count length);

  using Ranges = std::span<const Range>;
  using Steps = std::span<const StepIndex>;

  /// Ranges of length 0 are dropped; nothing to move is no step.
  void send(Rank to, Ranges from);
  void send(Rank to, Range from) { send(to, Ranges(&from, 1)); }
  /// Segment by segment in turn, so that everybody soon has a first one to go on with; to one rank as if one
  /// after the other.
  struct Outgoing {
    Rank to;
    std::vector<Range> from;
  };
  void send_in_turn(std::span<const Outgoing> messages);
  void receive(Rank from, Ranges to);
  void receive(Rank from, Range to) { receive(from, Ranges(&to, 1)); }
  /// Equal total lengths; ranges that coincide are dropped.
  void copy(Ranges from, Ranges to);
  void copy(Range from, Range to) { copy(Ranges(&from, 1), Ranges(&to, 1)); }
  /// to := from (op) to
  void reduce(Range from, Range to);

  /// An empty message, sent `after` steps that no data tie it to (a barrier). Both return the index of the
  /// step.
  StepIndex send_signal(Rank to, Steps after = {});
  StepIndex receive_signal(Rank from);

  /// One step, as it is stated; `after` adds to what the ranges show.
  StepIndex add(StepKind kind, Rank peer, Ranges from, Ranges to, Steps after = {});

  Program finish() &&;

 private:
  /// What was last done to an interval [key, end) of a buffer.
  struct Touch {
    Count end = 0;
    StepIndex writer = -1;
    std::vector<StepIndex> readers;
  };
  using Touches = std::map<Count, Touch>;

  std::uint32_t add_ranges(Ranges ranges);
  const Segmentation& segmentation_with(Rank peer) const;
  template <class AddPiece>
  void cut(Ranges ranges, const Segmentation& segmentation, AddPiece add_piece) const;
  void add_seams(Ranges ranges, std::vector<Count>& seams) const;
  template <class AddPiece>
  void cut_as_written(Ranges from, Ranges to, AddPiece add_piece) const;
  Touches::iterator split(Touches& touches, Count at);
  void read(Range range, StepIndex step);
  void write(Range range, StepIndex step);
  static void check(const Segmentation& segmentation);
  void check(Range range) const;
  void check_peer(Rank peer) const;
  void limit_sends();

  Rank me_, size_;
  Segmentation segmentation_, neighbor_segmentation_;
  std::vector<Rank> neighbors_;
  Program program_;
  Touches touches_[3];
  std::vector<StepIndex> waits_;  ///< dependencies of the step being added
};

/// Total length of some ranges.
Count total_length(std::span<const Range> ranges);

}  // namespace wan
