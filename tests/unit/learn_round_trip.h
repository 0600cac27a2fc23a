// SPDX-License-Identifier: BSD-3-Clause
// The link that the tests of learn/ see: its least round trip.
#pragma once

#include "base/time.h"

namespace wan {

constexpr Nanoseconds kRoundTrip = 20 * kMillisecond;

}  // namespace wan
