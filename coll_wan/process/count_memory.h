// SPDX-License-Identifier: BSD-3-Clause
// What the ranks of a site have told of their counts in the latest calls of alltoallv and alltoallw on a
// communicator (algo/services/survey.h), so that they tell them again only when they have changed.
//
// Calls may be under way at the same time and end in another order on every rank (persistent ones begin in
// another order, too). So a rank says of each of the latest calls whether it has completed it here; what is
// relied on is what was told in calls that all have completed, which all find alike. Versions name counts: a
// rank that has the same counts as in a call that it remembers gives them that call's version. Threads: any.
// Tested by: tests/unit/process_count_memory.cc, tests/mpi/mpi_counts.cc.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "plan/call.h"
#include "process/epoch.h"

namespace wan {

struct Remembered;

class CountMemory {
 public:
  /// Calls back to which it remembers: twice as many as programs usually have in turn.
  static constexpr int kCalls = 4;
  /// Of a notice, in Counts.
  static constexpr std::size_t kNotice = 3;

  /// What is known when the survey of a call is over.
  struct Known {
    KnownCounts members;
    Epoch epoch;  ///< the same while all counts of the site are the same
  };

  /// site: the ranks of the own site; below: those that this one hears the entries of, it among them. Both
  /// ascending. size: of the communicator.
  CountMemory(std::vector<Rank> site, std::vector<Rank> below, Rank me, Rank size)
      : site_(std::move(site)), below_(std::move(below)), me_(me), size_(size) {}

  /// A call's survey on this rank. The steps follow each other; whole surveys may be given up at any.
  class Survey {
   public:
    /// Made in the order in which the calls are, which is the same on all ranks.
    Survey(CountMemory& memory, std::vector<Count> entry);

    /// This rank's.
    std::vector<Count> notice();
    /// Those of the site's ranks, one after the other. Returns the Counts that each of them is about to tell:
    /// of its entry, or 0.
    std::vector<Count> hear_notices(std::span<const Count> notices);
    /// What this rank tells.
    std::vector<Count> told() const;
    /// What those below told, and it.
    void hear_entries(std::span<const Count> entries);
    /// Then.
    const Known& known() const { return *known_; }

   private:
    CountMemory& memory_;
    std::vector<Count> entry_;
    std::int64_t number_;
    std::vector<std::shared_ptr<const Remembered>> candidates_;  ///< i: of the call i + 1 before
    std::vector<Count> versions_, lengths_;                      ///< by the site's ranks
    std::vector<const Remembered*> common_;                      ///< candidates that all remember
    std::optional<Known> known_;
  };

 private:
  std::size_t index_in_site(Rank rank) const;

  const std::vector<Rank> site_, below_;
  const Rank me_, size_;
  std::mutex mutex_;
  std::int64_t calls_ = 0;
  std::deque<std::shared_ptr<const Remembered>> latest_;  ///< nullptr: not completed; the latest first
};

}  // namespace wan
