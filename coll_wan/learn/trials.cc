// SPDX-License-Identifier: BSD-3-Clause
#include "learn/trials.h"

#include <algorithm>
#include <utility>

#include "base/rate.h"

namespace wan {
namespace {

/// A message is as long as so many round trips at the rate that is believed: over a link that is ten times as
/// quick, most of the time until it is answered is one round trip.
constexpr int kRoundTrips = 6;
constexpr Bytes kLeastBytes = 64 << 10, kMostBytes = 16 << 20;
/// Between trials: their own time, so often.
constexpr int kPartOfTime = 6;
constexpr Nanoseconds kShortestWait = kSecond, kLongestWait = 60 * kSecond;

}  // namespace

Bytes Trials::due(Nanoseconds now, Slowdown slowdown, BytesPerSecond held, Nanoseconds round_trip) {
  const bool is_slow = slowdown != Slowdown::none;
  const bool has_become_slow = is_slow && !was_slow_;
  was_slow_ = is_slow;
  if (!is_slow) return 0;
  const Bytes bytes = std::clamp(passed(held, kRoundTrips * round_trip), kLeastBytes, kMostBytes);
  const Nanoseconds least = std::max(
      kShortestWait, kPartOfTime * kMessagesOfTrial * time_of(bytes, std::max<BytesPerSecond>(held, 1)));
  // One that was quick for long begins anew; of communicators one may believe in it and another not.
  if (has_become_slow && (!next_ || now >= *next_ + std::max(wait_, least))) {
    wait_ = 0;
    latest_ = now;
    next_ = now + least;
  }
  if (now < *next_) return 0;
  const bool is_filled = std::exchange(filled_, 0) >= held / 2;
  if (slowdown == Slowdown::of_all && is_filled && now < latest_ + kLongestWait) {
    next_ = now + least;
    return 0;
  }
  latest_ = now;
  wait_ = std::clamp(wait_ + wait_ / 2, least, std::max(least, kLongestWait));
  next_ = now + wait_;
  return bytes;
}

}  // namespace wan
