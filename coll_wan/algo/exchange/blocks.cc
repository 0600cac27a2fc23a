// SPDX-License-Identifier: BSD-3-Clause
#include "algo/exchange/blocks.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "base/invariant.h"

namespace wan {

void RangeList::add(Range range) {
  if (range.length == 0) return;
  length_ += range.length;
  if (!ranges_.empty()) {
    Range& last = ranges_.back();
    if (last.buffer == range.buffer && last.offset + last.length == range.offset) {
      last.length += range.length;
      return;
    }
  }
  ranges_.push_back(range);
}

namespace {

RangeList together(std::span<const RangeList> streams) {
  RangeList all;
  for (const RangeList& stream : streams) all.add(stream);
  return all;
}

}  // namespace

std::vector<Turn> turns_of(std::span<const RangeList> streams, const Segmentation& segmentation) {
  std::vector<RangeCutter> cutters(streams.begin(), streams.end());
  std::vector<Count> taken(streams.size(), 0);
  std::vector<Turn> turns;
  for (Count left = together(streams).length(); left > 0;) {
    for (std::size_t i = 0; i < streams.size(); ++i) {
      const Count length = segmentation.length_at(taken[i], streams[i].length());
      if (length == 0) continue;
      turns.push_back({i, {}});
      for (const Range& range : cutters[i].take(length)) turns.back().segment.add(range);
      taken[i] += length;
      left -= length;
    }
  }
  return turns;
}

std::vector<RangeList> in_turn(std::span<const RangeList> streams, const Segmentation& segmentation,
                               const Segmentation& inside) {
  RangeList all = together(streams);
  if (streams.size() == 1 || all.length() <= inside.segment) return {std::move(all)};
  std::vector<RangeList> segments;
  for (Turn& turn : turns_of(streams, segmentation)) {
    if (!segments.empty() && segments.back().length() + turn.segment.length() <= inside.segment)
      segments.back().add(turn.segment);
    else
      segments.push_back(std::move(turn.segment));
  }
  return segments;
}

std::vector<Rank> ranks_but(Rank size, std::span<const Rank> these) {
  std::vector<Rank> all(static_cast<std::size_t>(size)), rest;
  std::iota(all.begin(), all.end(), 0);
  std::ranges::set_difference(all, these, std::back_inserter(rest));
  return rest;
}

Blocks::Blocks(Range whole, Count length, Rank size)
    : Blocks(whole, std::vector<Count>(static_cast<std::size_t>(size), length)) {}

Blocks::Blocks(Range whole, std::span<const Count> counts) : whole_(whole), offsets_{0} {
  offsets_.reserve(counts.size() + 1);
  for (const Count count : counts) offsets_.push_back(offsets_.back() + count);
  invariant(offsets_.back() <= whole.length, "blocks larger than their buffer");
}

Range Blocks::of(Rank rank, const Range& other) const {
  const auto i = static_cast<std::size_t>(rank);
  return other.slice(offsets_[i], offsets_[i + 1] - offsets_[i]);
}

RangeList Blocks::of(std::span<const Rank> ranks, const Range& other) const {
  RangeList list;
  for (const Rank rank : ranks) list.add(of(rank, other));
  return list;
}

SubtreeBlocks::SubtreeBlocks(Builder& b, Range own, std::vector<Rank> subtree, std::span<const Count> counts)
    : subtree_(std::move(subtree)) {
  for (const Rank rank : subtree_)
    places_.push_back(rank == b.me() ? own : b.scratch(counts[static_cast<std::size_t>(rank)]));
}

Range SubtreeBlocks::of(Rank rank) const {
  const auto found = std::ranges::lower_bound(subtree_, rank);
  invariant(found != subtree_.end() && *found == rank, "a block of another subtree");
  return places_[static_cast<std::size_t>(found - subtree_.begin())];
}

RangeList SubtreeBlocks::of(std::span<const Rank> ranks) const {
  RangeList list;
  for (const Rank rank : ranks) list.add(of(rank));
  return list;
}

}  // namespace wan
