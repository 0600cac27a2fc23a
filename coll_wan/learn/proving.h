// SPDX-License-Identifier: BSD-3-Clause
// Whether another belief about links is adopted, and whether it is kept. What processes see of links is
// noisy, and of some links they see nothing before a plan uses them. So
//  - while calls take about what the links that are believed in let a plan take, only links that have proved
//    to be better change anything;
//  - a new belief has to prove itself: if calls take longer by it than before, that before is believed again,
//    and nothing new for a number of rounds, which doubles with each failure.
// All ranks decide alike, from what they have told each other. Threads: one at a time. Tested by:
// tests/unit/learn_proving.cc.
#pragma once

#include <cstdint>

#include "learn/slowness.h"

namespace wan {

class Proving {
 public:
  enum class Decision : std::uint8_t { keep, adopt, revert };
  enum class Proposal : std::uint8_t {
    none,
    plausible,
    proved  ///< for a link at least: it is better than is believed (is_surely_better())
  };

  /// After a round. slowness: of the calls since the round before, or since the belief was adopted.
  Decision decide(Slowness slowness, Proposal proposal);
  /// Can the belief that is held be right, by what calls take?
  static bool is_right(Slowness slowness);
  /// Is a belief on trial that the next round may decide about?
  bool is_under_way() const { return before_ > 0; }

 private:
  static constexpr int kMostBlocked = 256;  ///< rounds
  static constexpr int kLongest = 8;        ///< rounds without calls

  Decision judge(Slowness slowness);

  std::int32_t before_ = 0;  ///< as stated, by the belief before; 0: the one that is held is kept
  int rounds_ = 0;           ///< for which a belief has been on trial
  int blocked_ = 0, next_blocked_ = 0;
};

}  // namespace wan
