// SPDX-License-Identifier: BSD-3-Clause
// A buffer, or a part of one, that is cut into one block per rank.
#pragma once

#include <span>
#include <vector>

#include "plan/builder.h"
#include "plan/program.h"
#include "plan/segmentation.h"

namespace wan {

/// Collects ranges, joining those that continue each other.
class RangeList {
 public:
  void add(Range range);
  void add(const RangeList& other) {
    for (const Range& range : other.ranges_) add(range);
  }
  Count length() const { return length_; }
  bool empty() const { return length_ == 0; }
  operator std::span<const Range>() const { return ranges_; }

 private:
  std::vector<Range> ranges_;
  Count length_ = 0;
};

/// What comes from several places, or goes to several, at the same time: the streams' segments in turn.
struct Turn {
  std::size_t stream;
  RangeList segment;
};
std::vector<Turn> turns_of(std::span<const RangeList> streams, const Segmentation& segmentation);
/// The order in which what comes from several places goes on inside a site: in turn, but as one message what
/// is no longer than a segment inside the site.
std::vector<RangeList> in_turn(std::span<const RangeList> streams, const Segmentation& segmentation,
                               const Segmentation& inside);

/// All ranks of 0..size-1 but these (ascending).
std::vector<Rank> ranks_but(Rank size, std::span<const Rank> these);

class Blocks {
 public:
  /// One block of `length` units for each of ranks 0..size-1, from the beginning of `whole`.
  Blocks(Range whole, Count length, Rank size);
  /// counts[r] units for rank r.
  Blocks(Range whole, std::span<const Count> counts);

  Rank size() const { return static_cast<Rank>(offsets_.size()) - 1; }
  Range of(Rank rank) const { return of(rank, whole_); }
  RangeList of(std::span<const Rank> ranks) const { return of(ranks, whole_); }
  /// The same blocks of another vector of this length.
  Range of(Rank rank, const Range& other) const;
  RangeList of(std::span<const Rank> ranks, const Range& other) const;

 private:
  Range whole_;
  std::vector<Count> offsets_;  ///< size + 1
};

/// The blocks of some ranks of a site as they pass through one rank of its tree: the own one stands where the
/// caller says, the others in new scratch.
class SubtreeBlocks {
 public:
  /// subtree: ascending, with `b.me()` in it; counts[r]: units of rank r's block (own.length ==
  /// counts[b.me()]).
  SubtreeBlocks(Builder& b, Range own, std::vector<Rank> subtree, std::span<const Count> counts);

  Range of(Rank rank) const;
  RangeList of(std::span<const Rank> ranks) const;
  RangeList all() const { return of(subtree_); }

 private:
  std::vector<Rank> subtree_;
  std::vector<Range> places_;  ///< of each rank of subtree_
};

}  // namespace wan
