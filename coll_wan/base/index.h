// SPDX-License-Identifier: BSD-3-Clause
// A rank, a site, a step or a value of an enumeration as an index of a container.
#pragma once

#include <cstddef>

namespace wan {

/// What the standard library takes as an index; `index` is not below 0.
template <class Index>
constexpr std::size_t at(Index index) {
  return static_cast<std::size_t>(index);
}

}  // namespace wan
