// SPDX-License-Identifier: BSD-3-Clause
// What a process has learnt of the link to another site, from Sights of its own sockets.
//
// The rate. A byte has waited if it was delivered clearly later than a round trip after it was handed over:
// then the link, or what TCP makes of it, was busy. A run is a time in which all that is delivered has
// waited. What is delivered in it, over its length, is the share of this process of a full link, if
//  - the run ended because the process had nothing more to hand over, and pacing held nothing back either; of
//    a piece of a long one: if nothing was held back, or clearly more was handed over than delivered,
//  - the round trip was longer than the least one, or segments had to be sent again, and
//  - no buffer of either host held the sockets back.
// What a process gets of a full link for a while says more of how it was paced than of the link. But where
// all processes of a site send as much at the same time, none gets less than its share until it has
// everything through, and the last to finish gets no more. So the share times the senders is at least the
// link's rate: measured(), the median of the latest full runs, so that a stall of TCP counts for little.
// Of several processes the least is right. Where nobody knows how many send, a full run says nothing of
// the link.
//
// What is delivered in any time, also between the first answer and the last, says that the link gives at
// least so much: demonstrated(), and, where all send as much, demonstrated_together(), of which again the
// least of several processes holds. A belief never falls because little was sent.
//
// Pacing can take that: it tries what it doubts. A plan cannot, and a process that had no processor for a
// while, or whose TCP was still slow, gets less than its share of a link that is not full. So for plans
// there is congested(): what is delivered while there is a queue, seen by a round trip that stays half again
// as long as the least one for two round trips or more, is this process's share of a full link. A busy host
// only makes it less, so the highest of the latest five counts.
//
// The round trip. TCP remembers the least one, which no queue has lengthened, and forgets it after minutes.
// Whether it has become longer shows at the beginning of what is sent over an empty link: the first answer
// comes after one round trip, and only the queues of others can delay it. The least of the latest few
// beginnings counts. What was taken for a queue before is forgotten then.
//
// Source: K. Lai, M. Baker, "Measuring bandwidth" (Infocom 1999) for filtering by potential; N. Cardwell et
// al., "BBR" (ACM Queue 14/5, 2016) for application-limited samples. Time is an argument. Threads: one at a
// time. Tested by: tests/unit/learn_link_estimate.cc.
#pragma once

#include <deque>
#include <optional>

#include "learn/latest.h"
#include "learn/sight.h"

namespace wan {

class LinkEstimate {
 public:
  /// Sights come in the order of their times.
  void see(const Sight& now, PaceDemand demand);
  /// Nothing was under way until then, though nobody looked.
  void stayed_empty_until(Nanoseconds time);
  /// One message alone was delivered at this rate, by other means than Sights.
  void attained(BytesPerSecond rate) { alone_.attain(rate); }
  /// The link is quicker than this: what was got of a full one that gave less is forgotten.
  void forget_full_below(BytesPerSecond rate);

  /// Is the round trip clearly longer than it has to be?
  bool has_queue(const Sight& now) const;
  /// Without queues; nullopt: nothing is known.
  std::optional<Nanoseconds> round_trip() const { return round_trip_; }
  /// The most that the link's rate is, where it has been full often enough.
  std::optional<BytesPerSecond> measured() const;
  /// The link's rate by what this process got of it while there was a queue, which other processes may see
  /// otherwise; nullopt: there was none, or hardly.
  std::optional<BytesPerSecond> congested() const;
  /// The link gives at least so much; 0: nothing is known.
  BytesPerSecond demonstrated() const { return alone_.rate(); }
  BytesPerSecond demonstrated_together() const { return together_.rate(); }
  /// The link's rate by the latest use that the link, or pacing, made wait, if that has ended with the latest
  /// sight; 0: none has.
  BytesPerSecond filled() const { return filled_; }
  /// Full runs so far, and the link's rate by the latest of them; 0: there was none.
  int full_runs() const { return full_runs_; }
  BytesPerSecond latest_full() const { return latest_full_; }

 private:
  static constexpr int kFullKept = 5, kFullNeeded = 3;
  static constexpr int kCongestedKept = 5, kCongestedNeeded = 3;
  static constexpr int kBeginnings = 4;
  static constexpr int kShares = 3;

  /// The highest rate that was attained twice: answers that were late count for the piece in which they come.
  class Bound {
   public:
    BytesPerSecond rate() const { return twice_; }
    void attain(BytesPerSecond rate);
    /// The link has been full at less: it counts when that has happened several times in a row. Does it?
    bool refute(BytesPerSecond rate);

   private:
    BytesPerSecond twice_ = 0, once_ = 0;
    int refuted_ = 0;
  };
  /// So much is being sent over a link that was empty that its first answer is not put off; that has not come
  /// yet.
  struct Beginning {
    Nanoseconds before, seen_at;  ///< in between it was handed over
    Bytes delivered;
    std::int64_t sent_again;
  };
  /// What was handed over at one time.
  struct Handing {
    Nanoseconds at;
    Bytes until;              ///< of all bytes
    bool held_after = false;  ///< pacing held back what came next
  };
  /// See above; or any time in which something is under way.
  struct Stretch {
    Sight first;
    Sight last;  ///< when something was last delivered
    bool has_delay = false, was_held = false;
    int senders;  ///< 0: not known, or not always the same

    Nanoseconds length() const { return last.at - first.at; }
    Bytes delivered() const { return last.delivered - first.delivered; }
    bool was_held_by_hosts() const { return last.held_by_hosts - first.held_by_hosts > length() / 10; }
  };
  void begin_anew(const Sight& now);
  void lower_round_trip(const Sight& now);
  void follow_beginning(const Sight& now);
  void answered(Nanoseconds at_least, Nanoseconds at_most);
  void forget_queues();
  void follow_handing(const Sight& now, bool held);
  std::deque<Handing>::const_iterator handing_of(Bytes byte) const;
  bool has_waited(const Sight& now) const;
  void begin_run(const Sight& now, PaceDemand demand);
  bool has_run_out() const;
  bool is_long(const Stretch& stretch, Nanoseconds piece) const;
  void extend(std::optional<Stretch>& stretch, const Sight& now, PaceDemand demand) const;
  void follow_run(const Sight& now, PaceDemand demand);
  void end_run(bool is_full);
  void follow_use(const Sight& now, PaceDemand demand);
  void end_use();
  void follow_queue(const Sight& now, PaceDemand demand);
  void end_queue();
  void learn_full(BytesPerSecond share, int senders);
  void refute_bounds(BytesPerSecond rate);
  void learn_bounds(BytesPerSecond rate, int senders);

  std::optional<Sight> last_;
  std::deque<Handing> handed_;    ///< what has not been delivered, and one that has
  Nanoseconds delivered_at_ = 0;  ///< when something was last seen to be
  std::optional<Stretch> run_, use_, queue_;
  std::optional<Sight> answers_;  ///< the first of use_
  std::optional<Nanoseconds> round_trip_;
  BytesPerSecond filled_ = 0;
  Nanoseconds remembered_ = 0;  ///< by TCP, of a time when the round trip was shorter
  Nanoseconds smoothed_ = 0;    ///< by TCP, in the latest sight that says so
  std::optional<Beginning> beginning_;
  bool is_unanswered_ = false;  ///< all that is under way over a link that was empty
  Latest<Nanoseconds, kBeginnings> first_answers_;
  Latest<BytesPerSecond, kFullKept> full_;
  Latest<BytesPerSecond, kCongestedKept> congested_;
  int full_runs_ = 0;
  BytesPerSecond latest_full_ = 0;
  /// Of the link, as if all had sent as much meanwhile: now and then one gets more than its share.
  Latest<BytesPerSecond, kShares> shares_;
  Bound alone_, together_;
};

}  // namespace wan
