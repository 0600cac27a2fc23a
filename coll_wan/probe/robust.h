// SPDX-License-Identifier: BSD-3-Clause
// One value for several measured ones. Pure functions; no threads. Tested by tests/unit/probe_robust.cc.
#pragma once

#include <optional>
#include <span>

#include "probe/measurement.h"

namespace wan::probe {

/// A train whose bytes come over less time than this says little: the receiver's clock and its waking up are
/// a part of it.
inline constexpr Nanoseconds kTellingSpread = 1'000'000;

/// Round trips are the network's, and whatever holds them up on the way: the mean of the lowest eighth, so
/// of fewer than sixteen the least one. nullopt if there is none.
std::optional<Nanoseconds> least_round_trip(std::span<const Nanoseconds> samples);

/// The median rate of the longest trains: those of at least an eighth of the most bytes. nullopt if no train
/// has a spread.
std::optional<BytesPerSecond> train_rate(std::span<const Train> trains);

}  // namespace wan::probe
