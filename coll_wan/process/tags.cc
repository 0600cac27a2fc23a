// SPDX-License-Identifier: BSD-3-Clause
#include "process/tags.h"

#include <algorithm>
#include <bit>

namespace wan {

int TagStreams::tags_in_stream(int max_tag, int left_out) {
  constexpr int kFirst = 27;    // tags before it are those of blocking collectives
  constexpr int kReserved = 2;  // on an intercommunicator, one for each of its communicators
  constexpr int kLeast = 64, kMost = 1 << 16;
  const int each = ((max_tag - max_tag / 4 - kFirst) / kReserved - left_out) / kStreams;
  return each < kLeast ? 0 : std::min(kMost, static_cast<int>(std::bit_floor(static_cast<unsigned>(each))));
}

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
