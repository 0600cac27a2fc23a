// SPDX-License-Identifier: BSD-3-Clause
// When the ranks of a communicator tell each other what they have learnt of links, and from which call on
// they plan by it. MPI has all of them make the same calls in the same order, so they count calls: at one
// call a round begins, in the background, and at a later one they go by what has come of it. In between the
// round's messages have as many calls' time to arrive. A rank that runs ahead of the others would wait for
// them there, so the ranks also tell how many calls they made while the latest round was under way, and the
// next ones get twice as many. While nothing changes, rounds become rarer, up to a limit that each sets. A
// long call takes longer than a round's messages, and may show what short ones have not: with one a round
// begins soon, and has little time.
//
// Threads: one at a time. Tested by: tests/unit/learn_rounds.cc.
#pragma once

#include <algorithm>
#include <cstdint>

namespace wan {

class Rounds {
 public:
  /// What a rank does before a call.
  enum class Turn : std::uint8_t {
    none,
    begin,  ///< a round
    adopt   ///< goes by what has come of the one that is under way
  };
  static constexpr std::int32_t kShortest = 2;  ///< calls that a round has time
  static constexpr std::int32_t kLongest = 1 << 20;
  /// Calls between two rounds at most: when something has changed or is about to be seen, while something may
  /// change back, and otherwise.
  static constexpr std::int32_t kSoon = 2, kOften = 8, kRarest = 16;

  /// Has the round that is under way to be over, and heard(), before the next call?
  bool is_due() const { return is_under_way_ && calls_ + 1 == adopted_at_; }
  /// Of the next call; equal on all ranks if what they heard was. is_long: it takes as long as the messages
  /// of a round, or longer.
  Turn next(bool is_long = false) {
    ++calls_;
    if (is_under_way_) return calls_ == adopted_at_ ? adopt() : Turn::none;
    const std::int64_t begins_at = is_long ? std::min(begins_at_, adopted_at_ + kSoon) : begins_at_;
    return calls_ >= begins_at ? begin(is_long ? 1 : time_) : Turn::none;
  }
  /// How many calls have been made since the latest round began.
  std::int32_t since_begun() const {
    return static_cast<std::int32_t>(std::min<std::int64_t>(calls_ - begun_at_, kLongest));
  }
  /// What has come of a round. most: the highest of what all ranks told, which is since_begun() at the end of
  /// the round before. rarest: calls between this round and the next at most.
  void heard(std::int32_t most, std::int32_t rarest) {
    time_ = std::clamp(2 * std::min(most, kLongest / 2), kShortest, kLongest);
    pause_ = std::min(2 * pause_, rarest);
  }

 private:
  Turn begin(std::int32_t time) {
    is_under_way_ = true;
    begun_at_ = calls_;
    adopted_at_ = calls_ + time;
    return Turn::begin;
  }
  Turn adopt() {
    is_under_way_ = false;
    begins_at_ = calls_ + pause_;
    return Turn::adopt;
  }

  std::int64_t calls_ = 0, begun_at_ = 0, adopted_at_ = 0, begins_at_ = 3;
  std::int32_t time_ = kShortest, pause_ = 1;
  bool is_under_way_ = false;
};

}  // namespace wan
