// SPDX-License-Identifier: BSD-3-Clause
// The time axis of a drawing. Work on a processor takes microseconds, the way to another site milliseconds:
// where nothing happens for long, the axis is folded, so that both can be seen. Pure; no threads. Tested by
// tests/unit/tools_time_axis.cc.
//
//   |=====linear=====|  9.8 ms  |====linear====|      a fold keeps its place in time, not its length
#pragma once

#include <vector>

#include "base/types.h"

namespace wan::tools {

struct Interval {
  Nanoseconds begin = 0, end = 0;
};

class TimeAxis {
 public:
  /// From 0 to `end` (1 or more) over `width` pixels. The longest gaps between the `busy` intervals are
  /// folded, as few as leave them a third of what is not folded, at most 12; of many alike none.
  TimeAxis(std::vector<Interval> busy, Nanoseconds end, double width);

  /// Pixels from the left; `time` within 0 and end.
  double x(Nanoseconds time) const;

  /// A stretch of the axis.
  struct Piece {
    Interval time;
    double from = 0, to = 0;
    enum class Scale : std::uint8_t { linear, folded } scale = Scale::linear;
  };
  const std::vector<Piece>& pieces() const { return pieces_; }

  struct Ticks {
    Nanoseconds step = 1;  ///< 1, 2 or 5 times a power of ten
    std::vector<Nanoseconds> times;
  };
  /// Round times on the linear pieces, at least `spacing` pixels apart; where a piece has none, its
  /// beginning.
  Ticks ticks(double spacing) const;

 private:
  void cut(std::vector<Interval> folds, Nanoseconds end);
  void stretch(double width);
  void add(Interval time, Piece::Scale scale);

  std::vector<Piece> pieces_;
};

}  // namespace wan::tools
