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

/// Whatever holds round trips up on their way makes them longer only, so the least one counts. nullopt if
/// there is none.
std::optional<Nanoseconds> least_round_trip(std::span<const Nanoseconds> samples);

/// Does what holds up round trips on their way vary by so much that more of them are worth their time? The
/// median is a sixty-fourth above the least one, and by more than hosts take to wake up.
bool scatter(std::span<const Nanoseconds> round_trips);

/// What holds up trains or their receiver makes rates too high as well as too low, and often more of one. So
/// trains agree where the closest half of them, those with a spread or not, lie within a fifth. Long trains
/// tell more than others, but delays that change spoil more of them. So the trains of at least an eighth of
/// the most bytes count if they agree, or else all.
///
/// The median of those that are not off by more than a third from the middle of their closest half. nullopt
/// if no train has a spread.
std::optional<BytesPerSecond> train_rate(std::span<const Train> trains);

/// Do these agree?
bool agree_on_rate(std::span<const Train> trains);

}  // namespace wan::probe
