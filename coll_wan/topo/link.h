// SPDX-License-Identifier: BSD-3-Clause
// What is known of the directed wide-area link between two sites.
#pragma once

#include "base/types.h"

namespace wan {

/// A directed link between two sites (blueprint, section 7).
struct Link {
  Nanoseconds latency_ns = 0;                ///< one way
  BytesPerSecond bandwidth_bytes_per_s = 0;  ///< of the pair of sites, in this direction
  int loss_ppm = 0;  ///< packets lost per million; emulated by the lab, ignored by the component

  friend bool operator==(const Link&, const Link&) = default;
};

/// What is assumed between sites whose links nobody describes.
inline constexpr Link kUnknownLink{10'000'000, 125'000'000, 0};

}  // namespace wan
