// SPDX-License-Identifier: BSD-3-Clause
#include "plan/segmentation.h"

#include "base/invariant.h"

namespace wan {

std::vector<Range> RangeCutter::take(Count length) {
  std::vector<Range> taken;
  while (length > 0) {
    invariant(next_ < ranges_.size(), "a cut beyond the end");
    const Range& range = ranges_[next_];
    const Count part = std::min(length, range.length - offset_);
    if (part > 0) taken.push_back(range.slice(offset_, part));
    length -= part;
    offset_ += part;
    if (offset_ == range.length) ++next_, offset_ = 0;
  }
  return taken;
}

}  // namespace wan
