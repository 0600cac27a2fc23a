// SPDX-License-Identifier: BSD-3-Clause
// What hosts find out about the network between them: who measures to whom, and what was seen. Plain data.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"

namespace wan::probe {

/// Index of a host among the hosts of a job.
using Host = std::int32_t;

/// How much a host finds out about another: round trips only, or the rate in both directions too.
enum class Depth : std::uint8_t { glance, study };

/// `from` measures to `to`, and reports what both have seen.
struct Errand {
  Host from = 0, to = 0;
  Depth depth = Depth::glance;
  Nanoseconds patience_ns = 0;  ///< the trains wait for so long: trains take turns

  friend bool operator==(const Errand&, const Errand&) = default;
};

/// The least train, which is more than one packet.
inline constexpr Bytes kLeastTrain = 3'000;

/// Bytes that were sent at once, as their receiver saw them come.
struct Train {
  Bytes bytes = 0;            ///< that came after the first piece
  Nanoseconds spread_ns = 0;  ///< from the first piece to the last byte

  friend bool operator==(const Train&, const Train&) = default;
};

/// What an errand found.
struct Finding {
  Host from = 0, to = 0;
  std::vector<Nanoseconds> round_trips;  ///< empty: `to` was not reached
  std::vector<Train> there, back;

  friend bool operator==(const Finding&, const Finding&) = default;
};

}  // namespace wan::probe
