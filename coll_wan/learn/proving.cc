// SPDX-License-Identifier: BSD-3-Clause
#include "learn/proving.h"

#include <algorithm>
#include <utility>

namespace wan {
namespace {

/// In thousandths: what calls take where the belief is right.
constexpr std::int32_t kLeast = 800, kMost = 1250;
constexpr int kFirstBlocked = 4;

bool is_clearly_more(std::int32_t a, std::int32_t b) {
  return a > b + b / 8;
}

bool are_apart(std::int32_t a, std::int32_t b) {
  return is_clearly_more(a, b) || is_clearly_more(b, a);
}

}  // namespace

Slowness Slowness::of(const Spent& spent) {
  const auto thousandths = [&](Nanoseconds bound) {
    if (bound <= 0) return 0;
    constexpr Wide kHighest = 1 << 30;
    return static_cast<std::int32_t>(std::clamp<Wide>(Wide{spent.took} * 1000 / bound, 1, kHighest));
  };
  return {thousandths(spent.bound_as_stated), thousandths(spent.bound_as_believed)};
}

bool Proving::is_right(Slowness slowness) {
  return slowness.as_believed >= kLeast && slowness.as_believed <= kMost;
}

Proving::Decision Proving::decide(Slowness slowness, Proposal proposal) {
  if (is_on_trial()) {
    const Decision judged = judge(slowness);
    if (judged == Decision::revert || is_on_trial()) return judged;
  }
  unblock_unless_less_than_failed(slowness);
  if (blocked_ > 0) --blocked_;
  const std::int32_t earlier = std::exchange(latest_, slowness.as_stated);
  const bool was_changing = std::exchange(is_changing_, false);
  if (proposal == Proposal::none || blocked_ > 0 || slowness.as_stated == 0) return Decision::keep;
  if (is_right(slowness) && proposal != Proposal::proved) return Decision::keep;
  // Of two rounds after another only the first can be of calls before and after a change.
  is_changing_ =
      proposal != Proposal::seen && !was_changing && earlier > 0 && are_apart(earlier, slowness.as_stated);
  if (is_changing_) return Decision::keep;
  before_ = slowness.as_stated;
  latest_ = 0;
  rounds_ = 0;
  return Decision::adopt;
}

void Proving::unblock_unless_less_than_failed(Slowness slowness) {
  if (failed_ == 0 || slowness.as_stated == 0) return;
  if (!is_clearly_more(failed_, slowness.as_stated)) blocked_ = next_blocked_ = 0;
  failed_ = 0;
}

/// A belief that has been adopted.
Proving::Decision Proving::judge(Slowness slowness) {
  if (slowness.as_stated == 0 && ++rounds_ < kLongest) return Decision::keep;
  const bool is_worse = is_clearly_more(slowness.as_stated, before_),
             is_better = is_clearly_more(before_, slowness.as_stated);
  before_ = 0;
  if (is_better) next_blocked_ = 0;
  if (!is_worse) return Decision::keep;
  failed_ = slowness.as_stated;
  next_blocked_ = std::clamp(2 * next_blocked_, kFirstBlocked, kMostBlocked);
  blocked_ = next_blocked_;
  return Decision::revert;
}

}  // namespace wan
