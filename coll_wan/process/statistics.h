// SPDX-License-Identifier: BSD-3-Clause
// What a process counts of its calls, once for each communicator: how many there were of each collective and
// algorithm, how long they were, what they sent to other sites and how long they waited for them. Everything
// that tells of calls reads these numbers: the performance variables of MPI_T, coll_wan_explain and
// coll_wan_report. Counting takes an atomic addition each: no lock, no memory.
//
// Threads: counting and reading from any thread; a reader sees numbers of calls of which some parts may have
// been counted and others not yet. Tested by: tests/unit/process_statistics.cc (also with threads).
#pragma once

#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "algo/algorithm.h"
#include "plan/call.h"
#include "topo/layout.h"

namespace wan {

/// What is counted apart: the collectives, and after them the neighbourhood collectives. neighbor_alltoallw
/// counts as neighbor_alltoallv, whose plans it shares.
struct CallKind {
  int index = 0;
  friend bool operator==(const CallKind&, const CallKind&) = default;
};
inline constexpr int kNeighborKinds = 4;
inline constexpr int kCallKinds = kCollectives + kNeighborKinds;
inline CallKind kind_of(Collective collective) {
  return {static_cast<int>(collective)};
}
/// gathers, vector: as NeighborTraits.
inline CallKind kind_of_neighbors(bool gathers, bool vector) {
  return {kCollectives + (gathers ? 0 : 2) + (vector ? 1 : 0)};
}
/// "bcast", "neighbor_allgather".
std::string_view name_of(CallKind kind);
/// The algorithms that calls of a kind can have.
std::span<const Algorithm> algorithms_of(CallKind kind);

/// How many values of Algorithm there are.
#define WAN_WAY(algorithm, latencies, time, fallback, help) +1
inline constexpr int kAlgorithms = 1
#include "algo/algorithms.def"
    ;

/// What a plan adds to the numbers of each of its calls.
struct PlanFacts {
  CallKind kind;
  Algorithm algorithm = Algorithm::direct;
  int lanes = 1;
  Bytes bytes = 0;  ///< of this process's input and output
};

/// What a call took, and what was predicted of it for this process. Nanoseconds; nullopt: nobody predicted
/// it.
struct CallTimes {
  struct Predicted {
    Nanoseconds time = 0, bound = 0;
  };
  Nanoseconds took = 0;
  std::optional<Predicted> predicted = {};
};

/// The numbers at a moment.
struct Totals {
  struct Calls {
    std::uint64_t calls = 0, bytes = 0;
    Calls& operator+=(const Calls& other);
    friend bool operator==(const Calls&, const Calls&) = default;
  };
  std::array<std::array<Calls, kAlgorithms>, kCallKinds> of = {};  ///< by kind and algorithm
  std::uint64_t sent_messages = 0, sent_bytes = 0;                 ///< to other sites
  std::uint64_t streamed_messages = 0;  ///< of those, over streams (streams/streams.h)
  std::uint64_t wait_ns = 0;            ///< in which a message of another site was awaited
  std::uint64_t call_ns = 0;            ///< of all calls
  std::uint64_t predicted_calls = 0;    ///< calls of which a time was predicted
  std::uint64_t predicted_calls_ns = 0, predicted_ns = 0, bound_ns = 0;  ///< of those
  std::uint64_t plan_hits = 0, plan_misses = 0;
  std::uint64_t most_lanes = 0;

  Calls of_kind(CallKind kind) const;
  Totals& operator+=(const Totals& other);
};

/// Those of one communicator.
class Statistics {
 public:
  /// `layout` must outlive this.
  Statistics(const Layout& layout, Rank me);

  /// A message goes to a rank. Of those inside the site nothing is counted.
  void count_send(Rank to, Bytes bytes) {
    const SiteIndex site = layout_->site_of(to);
    if (site == here_) return;
    Link& link = links_[static_cast<std::size_t>(site)];
    add(link.messages, 1);
    add(link.bytes, static_cast<std::uint64_t>(bytes));
  }
  /// A message that count_send() was told of goes over streams.
  void count_streamed() { add(streamed_messages_, 1); }
  bool is_remote(Rank rank) const { return layout_->site_of(rank) != here_; }
  void count_wait(Nanoseconds time) { add(wait_ns_, static_cast<std::uint64_t>(time)); }
  enum class Found : std::uint8_t { kept, made };
  void count_plan(Found found) { add(found == Found::kept ? plan_hits_ : plan_misses_, 1); }
  /// A call has ended, without an error.
  void count_call(const PlanFacts& facts, const CallTimes& times);

  Totals totals() const;
  struct Sent {
    std::string from, to;
    std::uint64_t messages = 0, bytes = 0;
  };
  /// To each other site to which there was a message.
  std::vector<Sent> sent() const;

 private:
  using Number = std::atomic<std::uint64_t>;
  static void add(Number& number, std::uint64_t more) { number.fetch_add(more, std::memory_order_relaxed); }
  struct Link {
    Number messages{0}, bytes{0};
  };
  struct Calls {
    Number calls{0}, bytes{0};
  };

  const Layout* layout_;
  SiteIndex here_;
  std::vector<Link> links_;  ///< by site
  std::array<std::array<Calls, kAlgorithms>, kCallKinds> calls_;
  Number wait_ns_{0}, call_ns_{0}, predicted_calls_{0}, predicted_calls_ns_{0}, predicted_ns_{0},
      bound_ns_{0};
  Number plan_hits_{0}, plan_misses_{0}, most_lanes_{0}, streamed_messages_{0};
};

/// Those of all communicators of a process, also of those that are gone. Threads: any.
class AllStatistics {
 public:
  /// communicator: tells it from others as long as it lives. `statistics` must live until remove().
  void add(const void* communicator, const Statistics& statistics);
  void remove(const void* communicator, const Statistics& statistics);
  /// All 0 for what was not added.
  Totals of(const void* communicator) const;
  Totals all() const;
  /// What this process sent, by pairs of sites.
  std::vector<Statistics::Sent> sent() const;

 private:
  using SentBySites = std::map<std::pair<std::string, std::string>, Totals::Calls>;
  static void add(const Statistics& statistics, SentBySites& sent);

  mutable std::mutex mutex_;
  std::unordered_map<const void*, const Statistics*> living_;
  Totals gone_;
  SentBySites gone_sent_;
};

/// Those of this process.
AllStatistics& all_statistics();

}  // namespace wan
