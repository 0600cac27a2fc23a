// SPDX-License-Identifier: BSD-3-Clause
#include "learn/proving.h"

#include <algorithm>

namespace wan {
namespace {

/// In thousandths: what calls take where the belief is right.
constexpr std::int32_t kLeast = 800, kMost = 1250;
constexpr int kFirstBlocked = 2;

bool is_clearly_more(std::int32_t a, std::int32_t b) {
  return a > b + b / 8;
}

}  // namespace

Slowness Slowness::of(const Spent& spent) {
  const auto thousandths = [&](Nanoseconds bound) {
    if (bound <= 0) return 0;
    constexpr __int128 kHighest = 1 << 30;
    return static_cast<std::int32_t>(
        std::clamp<__int128>(static_cast<__int128>(spent.took) * 1000 / bound, 1, kHighest));
  };
  return {thousandths(spent.bound_as_stated), thousandths(spent.bound_as_believed)};
}

bool Proving::is_right(Slowness slowness) {
  return slowness.as_believed >= kLeast && slowness.as_believed <= kMost;
}

Proving::Decision Proving::decide(Slowness slowness, Proposal proposal) {
  if (is_under_way()) {
    const Decision judged = judge(slowness);
    if (judged == Decision::revert || is_under_way()) return judged;
  }
  if (blocked_ > 0) --blocked_;
  if (proposal == Proposal::none || blocked_ > 0 || slowness.as_stated == 0) return Decision::keep;
  if (is_right(slowness) && proposal != Proposal::proved) return Decision::keep;
  before_ = slowness.as_stated;
  rounds_ = 0;
  return Decision::adopt;
}

/// A belief that has been adopted.
Proving::Decision Proving::judge(Slowness slowness) {
  if (slowness.as_stated == 0 && ++rounds_ < kLongest) return Decision::keep;
  const bool is_worse = is_clearly_more(slowness.as_stated, before_),
             is_better = is_clearly_more(before_, slowness.as_stated);
  before_ = 0;
  if (is_better) next_blocked_ = 0;
  if (!is_worse) return Decision::keep;
  next_blocked_ = std::clamp(2 * next_blocked_, kFirstBlocked, kMostBlocked);
  blocked_ = next_blocked_;
  return Decision::revert;
}

}  // namespace wan
