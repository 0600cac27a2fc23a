// SPDX-License-Identifier: BSD-3-Clause
// Releases all ranks at one instant of CLOCK_MONOTONIC, which the hosts of one machine's lab share, and
// collects when each of them had finished. Rank 0 leads; messages are point to point on a communicator of
// their own, and none is under way between the release and the last rank's return, unless a round takes a
// quarter longer than the one before. A rank that waits lets MPI progress and sleeps in between.
#pragma once

#include <mpi.h>

#include <functional>
#include <optional>
#include <vector>

#include "base/types.h"

namespace wan::bench {

/// Now, of CLOCK_MONOTONIC.
Nanoseconds now_ns();
void sleep_until(Nanoseconds instant);

/// What one rank reports of one round.
struct Finish {
  Nanoseconds notice_ns = 0;    ///< how long before the release this rank knew of it; negative: too late
  Nanoseconds lateness_ns = 0;  ///< from the release to its call
  Nanoseconds time_ns = 0;      ///< from the release to its return
  Nanoseconds mpi_ns = 0;       ///< of that, in MPI calls; 0 where it is not measured
  std::int64_t wrong = 0;       ///< 1 if its result was wrong; report() fills it in
};

/// A round that is to be run.
struct Order {
  std::int64_t round = 0;
  Nanoseconds release_ns = 0;
  Nanoseconds rehearsal_ns =
      0;  ///< when the same is run for practice, as an application's loop would have; 0: not at all
  Nanoseconds work_ns = 0;   ///< that every rank computes meanwhile
  Nanoseconds quiet_ns = 0;  ///< from the release: so long nobody reports, as others may still communicate
};

/// Is a round that takes up to 0.1 s run once just before it is measured?
enum class Rehearsal { none, of_short_rounds };

class Release {
 public:
  /// Collective over `comm`.
  explicit Release(MPI_Comm comm, Rehearsal rehearsal = Rehearsal::none);
  ~Release();
  Release(const Release&) = delete;
  Release& operator=(const Release&) = delete;

  bool leads() const { return me_ == 0; }

  /// Leader: has everyone run `round` at an instant that lies as far ahead as the news of it takes.
  Order order(std::int64_t round, Nanoseconds work_ns);
  /// Leader: has everyone return nullopt from next().
  void dismiss();
  /// The others: the next round, or nullopt.
  std::optional<Order> next();

  /// Sleeps until the rehearsal, if the order has one, and runs it; then until the release. Returns how long
  /// before the first of the two it was called, negative if after.
  Nanoseconds await(const Order& order, const std::function<void()>& rehearse = {});

  /// All: reports a round when it should be over; then, once everybody has, finds out whether the own result
  /// `is_right`. Neither takes processors or links from those who still communicate. The leader gets
  /// everybody's reports, in rank order, and learns from them how long a round takes and how far ahead the
  /// next release must lie; the others get nothing.
  std::vector<Finish> report(const Order& order, const Finish& own, const std::function<bool()>& is_right);

 private:
  template <class Value>
  void collect(int tag, std::vector<Value>& all);
  void follow_report(const Finish& own, const std::function<bool()>& is_right);
  void wait_for_message(Rank from);
  void sleep_shortly_before(Nanoseconds instant);
  void be_quiet(const Order& order);
  void send_order(const Order& order);

  MPI_Comm comm_ = MPI_COMM_NULL;
  Rehearsal rehearsal_;
  Rank me_ = 0, size_ = 1;
  Nanoseconds ahead_ns_;      ///< leader: from an order to its release
  Nanoseconds quiet_ns_ = 0;  ///< leader: somewhat longer than the last round took, beyond its work
};

}  // namespace wan::bench
