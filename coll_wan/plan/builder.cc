// SPDX-License-Identifier: BSD-3-Clause
#include "plan/builder.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/invariant.h"

namespace wan {

Count total_length(std::span<const Range> ranges) {
  Count total = 0;
  for (const Range& range : ranges) total += range.length;
  return total;
}

Builder::Builder(Unit unit, Rank me, Rank size, BufferLengths lengths, Segmentation segmentation)
    : me_(me), size_(size), segmentation_(segmentation), neighbor_segmentation_(segmentation) {
  check(segmentation);
  invariant(lengths.input >= 0 && lengths.output >= 0 && lengths.scratch == 0, "buffer lengths");
  program_.unit_ = unit;
  program_.lengths_ = lengths;
}

void Builder::set_neighbors(std::span<const Rank> ranks, Segmentation segmentation) {
  check(segmentation);
  invariant(program_.size() == 0, "neighbours are known before the first step");
  neighbors_.assign(ranks.begin(), ranks.end());
  neighbor_segmentation_ = segmentation;
}

const Segmentation& Builder::segmentation_with(Rank peer) const {
  return std::ranges::binary_search(neighbors_, peer) ? neighbor_segmentation_ : segmentation_;
}

Range Builder::scratch(Count length) {
  invariant(length >= 0, "scratch length");
  const Count offset = program_.lengths_.scratch;
  program_.lengths_.scratch += length;
  return {Buffer::scratch, offset, length};
}

/// Calls add_piece(ranges) for each segment of these ranges.
template <class AddPiece>
void Builder::cut(Ranges ranges, const Segmentation& segmentation, AddPiece add_piece) const {
  for (const Range& range : ranges) check(range);
  const Count total = total_length(ranges);
  RangeCutter cutter(ranges);
  for (Count offset = 0, length; offset < total; offset += length) {
    length = segmentation.length_at(offset, total);
    add_piece(cutter.take(length));
  }
}

/// Adds the offsets in `ranges` at which what another step wrote begins, ascending.
void Builder::add_seams(Ranges ranges, std::vector<Count>& seams) const {
  Count before = 0;
  StepIndex last = -1;
  const auto note = [&](Count offset, StepIndex writer) {
    if (std::exchange(last, writer) != writer && offset > 0) seams.push_back(offset);
  };
  for (const Range& range : ranges) {
    const Touches& touches = touches_[static_cast<std::size_t>(range.buffer)];
    const Count end = range.offset + range.length;
    auto touch = touches.upper_bound(range.offset);
    if (touch != touches.begin() && std::prev(touch)->second.end > range.offset) --touch;
    for (Count at = range.offset; at < end;) {
      const bool is_touched = touch != touches.end() && touch->first <= at;
      note(before + at - range.offset, is_touched ? touch->second.writer : -1);
      at = is_touched ? (touch++)->second.end : touch != touches.end() ? touch->first : end;
    }
    before += range.length;
  }
}

/// Calls add_piece(from, to) for pieces of two lists of equal length: like messages to neighbours, or
/// shorter, but not than messages to others, where either list was written in several steps.
template <class AddPiece>
void Builder::cut_as_written(Ranges from, Ranges to, AddPiece add_piece) const {
  const Count total = total_length(to);
  std::vector<Count> seams;
  if (total > segmentation_.segment && neighbor_segmentation_.segment > segmentation_.segment) {
    add_seams(from, seams);
    add_seams(to, seams);
    std::ranges::sort(seams);
  }
  RangeCutter sources(from), targets(to);
  for (Count offset = 0, length; offset < total; offset += length) {
    const Count shortest = segmentation_.length_at(offset, total);
    const Count longest = std::max(shortest, neighbor_segmentation_.length_at(offset, total));
    const auto seam = std::ranges::lower_bound(seams, offset + shortest);
    length = seam == seams.end() ? longest : std::min(longest, *seam - offset);
    add_piece(sources.take(length), targets.take(length));
  }
}

void Builder::send(Rank to, Ranges from) {
  check_peer(to);
  cut(from, segmentation_with(to), [&](Ranges piece) { add(StepKind::send, to, piece, {}); });
}

void Builder::send_in_turn(std::span<const Outgoing> messages) {
  std::vector<std::pair<Rank, std::vector<std::vector<Range>>>> queues;
  std::map<Rank, std::size_t> queue_of;
  for (const auto& [to, from] : messages) {
    check_peer(to);
    const auto [at, is_new] = queue_of.try_emplace(to, queues.size());
    if (is_new) queues.push_back({to, {}});
    cut(from, segmentation_with(to),
        [&](Ranges piece) { queues[at->second].second.emplace_back(piece.begin(), piece.end()); });
  }
  bool is_any_left = true;
  for (std::size_t turn = 0; std::exchange(is_any_left, false); ++turn)
    for (const auto& [to, pieces] : queues) {
      if (turn >= pieces.size()) continue;
      add(StepKind::send, to, pieces[turn], {});
      is_any_left = true;
    }
}

void Builder::receive(Rank from, Ranges to) {
  check_peer(from);
  cut(to, segmentation_with(from), [&](Ranges piece) { add(StepKind::receive, from, {}, piece); });
}

StepIndex Builder::send_signal(Rank to, Steps after) {
  return add(StepKind::send, to, {}, {}, after);
}

StepIndex Builder::receive_signal(Rank from) {
  return add(StepKind::receive, from, {}, {});
}

namespace {

/// Walks two range lists of equal total length piece by piece, each piece as long as both sides allow.
template <class Visit>
void for_each_piece(std::span<const Range> from, std::span<const Range> to, Visit visit) {
  std::size_t i = 0, j = 0;
  Count in_i = 0, in_j = 0;
  while (i < from.size() && j < to.size()) {
    const Count length = std::min(from[i].length - in_i, to[j].length - in_j);
    if (length > 0) visit(from[i].slice(in_i, length), to[j].slice(in_j, length));
    in_i += length;
    in_j += length;
    if (in_i == from[i].length) ++i, in_i = 0;
    if (j < to.size() && in_j == to[j].length) ++j, in_j = 0;
  }
}

/// Appends, extending the last range where the new one continues it.
void append(std::vector<Range>& ranges, const Range& range) {
  if (!ranges.empty()) {
    Range& last = ranges.back();
    if (last.buffer == range.buffer && last.offset + last.length == range.offset) {
      last.length += range.length;
      return;
    }
  }
  ranges.push_back(range);
}

bool overlap(const Range& a, const Range& b) {
  return a.buffer == b.buffer && a.offset < b.offset + b.length && b.offset < a.offset + a.length;
}

}  // namespace

void Builder::copy(Ranges from, Ranges to) {
  invariant(total_length(from) == total_length(to), "a copy moves as much as it takes");
  std::vector<Range> moved_from, moved_to;
  for_each_piece(from, to, [&](Range source, Range target) {
    if (source == target) return;
    append(moved_from, source);
    append(moved_to, target);
  });
  for (const Range& source : moved_from)
    for (const Range& target : moved_to) invariant(!overlap(source, target), "a copy onto itself");
  cut_as_written(moved_from, moved_to,
                 [&](Ranges source, Ranges target) { add(StepKind::copy, -1, source, target); });
}

void Builder::reduce(Range from, Range to) {
  invariant(from.length == to.length && !overlap(from, to), "operands of a reduction");
  check(from);
  check(to);
  cut_as_written(Ranges(&from, 1), Ranges(&to, 1),
                 [&](Ranges source, Ranges target) { add(StepKind::reduce, -1, source, target); });
}

StepIndex Builder::add(StepKind kind, Rank peer, Ranges from, Ranges to, Steps after) {
  const auto index = program_.size();
  if (kind == StepKind::send || kind == StepKind::receive) check_peer(peer);
  waits_.assign(after.begin(), after.end());
  for (const StepIndex earlier : after)
    invariant(earlier >= 0 && earlier < index, "a dependency on a later step");
  Program::Record record{kind, peer, 0, 0, 0, 0, 0};
  record.from = add_ranges(from);
  record.to = add_ranges(to);
  record.end = static_cast<std::uint32_t>(program_.ranges_.size());
  for (const Range& range : from) read(range, index);
  for (const Range& range : to) write(range, index);
  std::ranges::sort(waits_);
  const auto repeated = std::ranges::unique(waits_);
  waits_.erase(repeated.begin(), repeated.end());
  record.after = static_cast<std::uint32_t>(program_.after_.size());
  program_.after_.insert(program_.after_.end(), waits_.begin(), waits_.end());
  record.after_end = static_cast<std::uint32_t>(program_.after_.size());
  program_.steps_.push_back(record);
  return index;
}

std::uint32_t Builder::add_ranges(Ranges ranges) {
  const auto begin = program_.ranges_.size();
  for (const Range& range : ranges) {
    check(range);
    if (range.length > 0) program_.ranges_.push_back(range);
  }
  return static_cast<std::uint32_t>(begin);
}

/// The first touch that begins at or after `at`, having cut the one that spans `at` in two.
Builder::Touches::iterator Builder::split(Touches& touches, Count at) {
  const auto next = touches.lower_bound(at);
  if (next == touches.begin()) return next;
  Touch& before = std::prev(next)->second;
  if (before.end <= at) return next;
  Touch behind = before;
  before.end = at;
  return touches.emplace_hint(next, at, std::move(behind));
}

void Builder::read(Range range, StepIndex step) {
  if (range.length == 0) return;
  Touches& touches = touches_[static_cast<std::size_t>(range.buffer)];
  const Count end = range.offset + range.length;
  auto touch = split(touches, range.offset);
  split(touches, end);
  Count at = range.offset;
  while (at < end) {
    if (touch == touches.end() || touch->first > at) {  // never touched before
      const Count until = touch == touches.end() ? end : std::min(end, touch->first);
      touch = std::next(touches.emplace_hint(touch, at, Touch{until, -1, {step}}));
      at = until;
      continue;
    }
    if (touch->second.writer >= 0) waits_.push_back(touch->second.writer);
    if (touch->second.readers.empty() || touch->second.readers.back() != step)
      touch->second.readers.push_back(step);
    at = touch->second.end;
    ++touch;
  }
}

void Builder::write(Range range, StepIndex step) {
  if (range.length == 0) return;
  invariant(range.buffer != Buffer::input, "input is never written");
  Touches& touches = touches_[static_cast<std::size_t>(range.buffer)];
  const Count end = range.offset + range.length;
  auto touch = split(touches, range.offset);
  split(touches, end);
  while (touch != touches.end() && touch->first < end) {
    invariant(touch->second.writer != step, "a unit written twice by one step");
    if (touch->second.writer >= 0) waits_.push_back(touch->second.writer);
    waits_.insert(waits_.end(), touch->second.readers.begin(), touch->second.readers.end());
    touch = touches.erase(touch);
  }
  touches.emplace_hint(touch, range.offset, Touch{end, step, {}});
}

void Builder::check(const Segmentation& segmentation) {
  invariant(segmentation.segment > 0 && segmentation.window >= 0 && segmentation.long_segment > 0,
            "segment lengths");
  invariant(segmentation.sends.first > 0 && segmentation.sends.most > 0, "sends under way");
}

void Builder::check(Range range) const {
  invariant(range.length >= 0 && range.offset >= 0 &&
                range.length <= program_.lengths_.of(range.buffer) - range.offset,
            "a range outside its buffer");
}

void Builder::check_peer(Rank peer) const {
  invariant(peer >= 0 && peer < size_ && peer != me_, "a peer outside the communicator");
}

void Builder::limit_sends() {
  for (std::int32_t queue = 0; queue < program_.queues(); ++queue)
    program_.send_limits_.push_back(
        segmentation_with(program_.step(program_.queue(queue).front()).peer).sends);
}

Program Builder::finish() && {
  program_.number_queues();
  limit_sends();
  program_.turn_dependencies_round();
  return std::move(program_);
}

}  // namespace wan
