// SPDX-License-Identifier: BSD-3-Clause
// How long messages, copies and reductions are cut into steps of their own, so that a part goes on while the
// next is on the wire (pipelining) and no part waits for a handshake. Both ends of a message know its length
// and cut it alike.
//
// The first `window` units go in segments that the point-to-point layer sends at once (its eager limit); what
// follows in long segments, each of which asks its receiver first (rendezvous): that bounds what a late
// receiver must store, and the questions travel behind the window's data. Source: blueprint, section 5.
// Tested by tests/unit/plan_segmentation.cc.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "plan/program.h"

namespace wan {

struct Segmentation {
  static constexpr Count kUncut = std::numeric_limits<Count>::max();
  Count segment = kUncut;       ///< units, 1 or more
  Count window = kUncut;        ///< units, 0 or more
  Count long_segment = kUncut;  ///< units, 1 or more
  SendLimit sends = {};         ///< 1 or more

  /// Units of the piece that begins at `offset` of something that is `total` units long.
  Count length_at(Count offset, Count total) const {
    const Count limit = offset < window ? std::min(segment, window - offset) : long_segment;
    return std::min(limit, total - offset);
  }
};

/// Takes a list of ranges piece by piece.
class RangeCutter {
 public:
  explicit RangeCutter(std::span<const Range> ranges) : ranges_(ranges) {}
  /// The next `length` units (0 or more, no more than are left); ranges of length 0 are dropped.
  std::vector<Range> take(Count length);

 private:
  std::span<const Range> ranges_;
  std::size_t next_ = 0;
  Count offset_ = 0;  ///< taken of ranges_[next_]
};

}  // namespace wan
