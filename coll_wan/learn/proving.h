// SPDX-License-Identifier: BSD-3-Clause
// Whether another belief about links is adopted, and whether it is kept. What processes see of links is
// noisy, and of some links they see nothing before a plan uses them. So
//  - while calls take about what the links that are believed in let a plan take, only links that have proved
//    to be better change anything;
//  - while what calls take is changing, nothing is changed until it is known what they take by the belief
//    that is held;
//  - a new belief has to prove itself: if calls take longer by it than before, that before is believed again,
//    and nothing new for a number of rounds, which doubles with each failure. If calls take as long by that
//    before as they took by the new one, links have become slower meanwhile, and that was none.
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
    seen,   ///< plausible, and of what has just been seen: it waits for no further round
    proved  ///< all of it: surely_better()
  };

  /// After a round. slowness: of the calls since the round before, or since the belief was adopted.
  Decision decide(Slowness slowness, Proposal proposal);
  /// Can the belief that is held be right, by what calls take?
  static bool is_right(Slowness slowness);
  /// Will the next round show what this one left open: of a belief that is on trial, or of a change?
  bool is_under_way() const { return is_on_trial() || is_changing_; }

 private:
  static constexpr int kMostBlocked = 256;  ///< rounds
  static constexpr int kLongest = 8;        ///< rounds without calls

  bool is_on_trial() const { return before_ > 0; }
  Decision judge(Slowness slowness);
  void unblock_unless_less_than_failed(Slowness slowness);

  // All of them as stated; 0: there is none.
  std::int32_t latest_ = 0;  ///< in the round before, by the belief that is held
  std::int32_t before_ = 0;  ///< by the belief before the one that is on trial
  std::int32_t failed_ = 0;  ///< by the belief that has been given up, until it is known what calls take then
  bool is_changing_ = false;
  int rounds_ = 0;  ///< for which a belief has been on trial
  int blocked_ = 0, next_blocked_ = 0;
};

}  // namespace wan
