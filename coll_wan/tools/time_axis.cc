// SPDX-License-Identifier: BSD-3-Clause
#include "tools/time_axis.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace wan::tools {
namespace {

constexpr Nanoseconds kGaps = 2;  ///< times the busy time may stay unfolded
constexpr std::size_t kMostFolds = 12;
constexpr double kApart =
    1.5;  ///< times the longest gap that stays, every folded one is, where some must stay
constexpr double kLeastFold = 50, kMostFold = 120;  ///< pixels
constexpr double kMostFolded = 0.6;                 ///< of the width

double length(const Interval& interval) {
  return static_cast<double>(interval.end - interval.begin);
}

bool is_folded(const TimeAxis::Piece& piece) {
  return piece.scale == TimeAxis::Piece::Scale::folded;
}

/// 1, 2 or 5 times a power of ten, at least `least`.
Nanoseconds round_step(double least) {
  for (Nanoseconds power = 1;; power *= 10)
    for (const Nanoseconds digit : {1, 2, 5})
      if (static_cast<double>(digit * power) >= least) return digit * power;
}

/// Between the busy intervals and up to the end.
std::vector<Interval> gaps_of(std::vector<Interval> busy, Nanoseconds end) {
  std::ranges::sort(busy, {}, &Interval::begin);
  busy.push_back({end, end});
  std::vector<Interval> gaps;
  Nanoseconds reached = 0;
  for (const Interval& interval : busy) {
    if (interval.begin > reached) gaps.push_back({reached, interval.begin});
    reached = std::max(reached, interval.end);
  }
  return gaps;
}

/// The gaps to fold, in order of time.
std::vector<Interval> folds_of(std::vector<Interval> gaps, Nanoseconds end) {
  Nanoseconds unfolded = 0;
  for (const Interval& gap : gaps) unfolded += gap.end - gap.begin;
  const Nanoseconds most = (end - unfolded) * kGaps;
  std::ranges::stable_sort(gaps, std::ranges::greater(), length);
  std::size_t folds = 0;
  for (; folds < std::min(gaps.size(), kMostFolds) && unfolded > most; ++folds)
    unfolded -= gaps[folds].end - gaps[folds].begin;
  while (folds > 0 && folds < gaps.size() && unfolded > most &&
         length(gaps[folds - 1]) < kApart * length(gaps[folds]))
    --folds;
  gaps.resize(folds);
  std::ranges::sort(gaps, {}, &Interval::begin);
  return gaps;
}

}  // namespace

TimeAxis::TimeAxis(std::vector<Interval> busy, Nanoseconds end, double width) {
  cut(folds_of(gaps_of(std::move(busy), end), end), end);
  stretch(width);
}

void TimeAxis::add(Interval time, Piece::Scale scale) {
  if (time.end > time.begin) pieces_.push_back({time, 0, 0, scale});
}

void TimeAxis::cut(std::vector<Interval> folds, Nanoseconds end) {
  Nanoseconds begin = 0;
  for (const Interval& fold : folds) {
    add({begin, fold.begin}, Piece::Scale::linear);
    add(fold, Piece::Scale::folded);
    begin = fold.end;
  }
  add({begin, end}, Piece::Scale::linear);
}

/// Folds get a little width each, more if they are longer; what is linear shares the rest.
void TimeAxis::stretch(double width) {
  double longest = 0, linear = 0, folded = 0;
  for (const Piece& piece : pieces_)
    if (is_folded(piece))
      longest = std::max(longest, length(piece.time));
    else
      linear += length(piece.time);
  const auto wanted = [&](const Piece& piece) {
    return kLeastFold + (kMostFold - kLeastFold) * std::sqrt(length(piece.time) / longest);
  };
  for (const Piece& piece : pieces_) folded += is_folded(piece) ? wanted(piece) : 0;
  const double most = linear > 0 ? kMostFolded * width : width;
  const double shrink = folded > most || linear == 0 ? most / folded : 1;
  const double each = linear > 0 ? (width - folded * shrink) / linear : 0;
  double x = 0;
  for (Piece& piece : pieces_) {
    piece.from = x;
    x = piece.to = x + (is_folded(piece) ? wanted(piece) * shrink : length(piece.time) * each);
  }
}

double TimeAxis::x(Nanoseconds time) const {
  const auto found =
      std::ranges::find_if(pieces_, [&](const Piece& piece) { return time <= piece.time.end; });
  const Piece& piece = found == pieces_.end() ? pieces_.back() : *found;
  return piece.from + (piece.to - piece.from) * length({piece.time.begin, time}) / length(piece.time);
}

TimeAxis::Ticks TimeAxis::ticks(double spacing) const {
  double scale = 0;  // nanoseconds a pixel
  for (const Piece& piece : pieces_)
    if (!is_folded(piece)) scale = length(piece.time) / (piece.to - piece.from);
  Ticks ticks{round_step(scale * spacing), {}};
  double last = -spacing;
  const auto add_tick = [&](Nanoseconds time) {
    if (x(time) - last < spacing) return;
    ticks.times.push_back(time);
    last = x(time);
  };
  for (const Piece& piece : pieces_) {
    if (is_folded(piece)) continue;
    const Nanoseconds first = (piece.time.begin + ticks.step - 1) / ticks.step * ticks.step;
    if (first > piece.time.end) add_tick(piece.time.begin);
    for (Nanoseconds time = first; time <= piece.time.end; time += ticks.step) add_tick(time);
  }
  return ticks;
}

}  // namespace wan::tools
