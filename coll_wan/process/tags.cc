// SPDX-License-Identifier: BSD-3-Clause
#include "process/tags.h"

namespace wan {
Tags TagStreams::next(int stream) {
  const std::uint32_t number = drawn_[stream].fetch_add(1, std::memory_order_relaxed);
  return {tag(first_across_, stream, number), tag(first_inside_, stream, number)};
}

Tags TagStreams::with_root(Collective collective, Rank root, bool root_is_in_first_group) {
  const int stream = stream_of(collective) + (root_is_in_first_group ? 0 : kCollectives);
  std::uint32_t number = 0;
  {
    std::lock_guard lock(mutex_);
    number = drawn_with_root_[{stream, root}]++;
  }
  return {tag(first_across_, stream, number), next(stream).inside};
}

}  // namespace wan
