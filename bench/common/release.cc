// SPDX-License-Identifier: BSD-3-Clause
#include "bench/common/release.h"

#include <sched.h>
#include <time.h>

#include <algorithm>

#include "base/time.h"

namespace wan::bench {
namespace {

constexpr Nanoseconds kFirstAhead = 100 * kMillisecond;
constexpr Nanoseconds kSpareNotice =
    15 * kMillisecond;  ///< aimed at: the busiest rank's wait for a processor
constexpr Nanoseconds kPoll = 200'000;
constexpr Nanoseconds kAwake =
    200'000;  ///< before a release: a processor that sleeps takes its time to wake up
constexpr Nanoseconds kQuietPoll =
    kMillisecond;  ///< of a rank that has returned, while others may still communicate
constexpr Nanoseconds kLongestSpare = 50 * kMillisecond;
constexpr std::int64_t kDismissed = -1;
constexpr Nanoseconds kLongestRehearsal =
    100 * kMillisecond;  ///< what takes longer does not depend on what is in a cache
constexpr Nanoseconds kAfterRehearsal = 2 * kMillisecond;
constexpr int kOrderTag = 1, kReportTag = 2, kAllFinishedTag = 3, kVerdictTag = 4;

timespec to_timespec(Nanoseconds time) {
  return {time / kSecond, time % kSecond};
}

void let_progress(MPI_Comm comm) {
  int flag = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, MPI_STATUS_IGNORE);
}

}  // namespace

void sleep_until(Nanoseconds instant) {
  const timespec at = to_timespec(instant);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nullptr) != 0) {
  }
}

Nanoseconds now_ns() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * kSecond + time.tv_nsec;
}

Release::Release(MPI_Comm comm, Rehearsal rehearsal) : rehearsal_(rehearsal), ahead_ns_(kFirstAhead) {
  MPI_Comm_dup(comm, &comm_);
  MPI_Comm_rank(comm_, &me_);
  MPI_Comm_size(comm_, &size_);
}

Release::~Release() {
  MPI_Comm_free(&comm_);
}

void Release::wait_for_message(Rank from) {
  for (int flag = 0;;) {
    MPI_Iprobe(from, MPI_ANY_TAG, comm_, &flag, MPI_STATUS_IGNORE);
    if (flag) return;
    sleep_until(now_ns() + kPoll);
  }
}

void Release::send_order(const Order& order) {
  for (Rank to = 1; to < size_; ++to) MPI_Send(&order, sizeof order, MPI_BYTE, to, kOrderTag, comm_);
}

Order Release::order(std::int64_t round, Nanoseconds work_ns) {
  const Nanoseconds round_ns = work_ns + quiet_ns_;
  const bool rehearses =
      rehearsal_ == Rehearsal::of_short_rounds && quiet_ns_ > 0 && round_ns <= kLongestRehearsal;
  const Nanoseconds begin = now_ns() + ahead_ns_;
  const Order order{.round = round,
                    .release_ns = rehearses ? begin + round_ns + kAfterRehearsal : begin,
                    .rehearsal_ns = rehearses ? begin : 0,
                    .work_ns = work_ns,
                    .quiet_ns = round_ns};
  send_order(order);
  return order;
}

void Release::dismiss() {
  send_order({kDismissed});
}

std::optional<Order> Release::next() {
  Order order;
  wait_for_message(0);
  MPI_Recv(&order, sizeof order, MPI_BYTE, 0, kOrderTag, comm_, MPI_STATUS_IGNORE);
  return order.round == kDismissed ? std::nullopt : std::optional(order);
}

void Release::sleep_shortly_before(Nanoseconds instant) {
  while (instant - now_ns() > 2 * kPoll) {
    let_progress(comm_);
    sleep_until(std::min(now_ns() + kPoll, instant - kPoll));
  }
  sleep_until(instant - kAwake);
}

Nanoseconds Release::await(const Order& order, const std::function<void()>& rehearse) {
  const bool rehearses = order.rehearsal_ns > 0;
  const Nanoseconds notice = (rehearses ? order.rehearsal_ns : order.release_ns) - now_ns();
  if (rehearses) {
    sleep_shortly_before(order.rehearsal_ns);
    rehearse();
  }
  sleep_shortly_before(order.release_ns);
  while (now_ns() < order.release_ns) sched_yield();
  return notice;
}

void Release::be_quiet(const Order& order) {
  const Nanoseconds end = order.release_ns + order.quiet_ns;
  while (now_ns() < end) {
    sleep_until(std::min(now_ns() + kQuietPoll, end));
    let_progress(comm_);
  }
}

template <class Value>
void Release::collect(int tag, std::vector<Value>& all) {
  for (Rank from = 1; from < size_; ++from) {
    wait_for_message(from);
    MPI_Recv(&all[static_cast<std::size_t>(from)], sizeof(Value), MPI_BYTE, from, tag, comm_,
             MPI_STATUS_IGNORE);
  }
}

void Release::follow_report(const Finish& own, const std::function<bool()>& is_right) {
  MPI_Send(&own, sizeof own, MPI_BYTE, 0, kReportTag, comm_);
  wait_for_message(0);
  MPI_Recv(nullptr, 0, MPI_BYTE, 0, kAllFinishedTag, comm_, MPI_STATUS_IGNORE);
  const std::int64_t wrong = is_right() ? 0 : 1;
  MPI_Send(&wrong, sizeof wrong, MPI_BYTE, 0, kVerdictTag, comm_);
}

std::vector<Finish> Release::report(const Order& order, const Finish& own,
                                    const std::function<bool()>& is_right) {
  be_quiet(order);
  if (!leads()) {
    follow_report(own, is_right);
    return {};
  }
  std::vector<Finish> all(static_cast<std::size_t>(size_), own);
  collect(kReportTag, all);
  for (Rank to = 1; to < size_; ++to) MPI_Send(nullptr, 0, MPI_BYTE, to, kAllFinishedTag, comm_);
  std::vector<std::int64_t> wrong(all.size(), is_right() ? 0 : 1);
  collect(kVerdictTag, wrong);
  for (std::size_t rank = 0; rank < all.size(); ++rank) all[rank].wrong = wrong[rank];
  const Nanoseconds longest = std::ranges::max(all, {}, &Finish::time_ns).time_ns;
  quiet_ns_ = longest + std::min(longest / 4, kLongestSpare);
  const Nanoseconds shortest = std::ranges::min(all, {}, &Finish::notice_ns).notice_ns;
  ahead_ns_ = std::max(ahead_ns_ - shortest + kSpareNotice, kSpareNotice);
  return all;
}

}  // namespace wan::bench
