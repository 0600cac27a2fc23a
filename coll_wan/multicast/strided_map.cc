// SPDX-License-Identifier: BSD-3-Clause
#include "multicast/strided_map.h"

#include <algorithm>
#include <iterator>

#include "base/invariant.h"

namespace wan::multicast {

StridedMap::StridedMap(std::span<const std::int32_t> values)
    : size_(static_cast<std::int32_t>(values.size())) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto index = static_cast<std::int32_t>(i);
    if (!runs_.empty()) {
      Run& last = runs_.back();
      const std::int32_t stride = values[i] - values[i - 1];
      if (index == last.begin + 1) last.stride = stride;
      if (stride == last.stride) continue;
    }
    runs_.push_back({index, values[i], 0});
  }
  runs_.shrink_to_fit();
}

std::int32_t StridedMap::at(std::int32_t index) const {
  invariant(index >= 0 && index < size_, "an index outside the map");
  const auto next = std::ranges::upper_bound(runs_, index, {}, &Run::begin);
  const Run& run = *std::prev(next);
  return run.value + (index - run.begin) * run.stride;
}

}  // namespace wan::multicast
