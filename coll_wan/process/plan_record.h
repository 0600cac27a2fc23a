// SPDX-License-Identifier: BSD-3-Clause
// What is known of a plan besides its steps: how its calls are counted, what was predicted of it, and the
// times that its calls took. Calls of the same kind share it as they share the plan (process/plan_cache.h),
// so counting one takes a few atomic additions. With coll_wan_report the Ledger keeps the records of
// forgotten plans too.
//
// Threads: any. Tested by: tests/unit/process_report.cc (also with threads).
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "learn/slowness.h"
#include "plan/program.h"
#include "process/forecast.h"
#include "process/statistics.h"

namespace wan {

/// What its calls took: nanoseconds.
struct PlanTimes {
  std::uint64_t calls = 0;
  Nanoseconds sum = 0, least = 0, most = 0;
  Nanoseconds mean() const { return calls == 0 ? 0 : sum / static_cast<Nanoseconds>(calls); }
};

class PlanRecord {
 public:
  explicit PlanRecord(PlanFacts facts, std::string title = "") : facts_(facts), title_(std::move(title)) {}
  PlanRecord(const PlanRecord&) = delete;
  PlanRecord& operator=(const PlanRecord&) = delete;
  ~PlanRecord() { delete forecast_.load(); }

  const PlanFacts& facts() const { return facts_; }
  /// "on MPI_COMM_WORLD: bcast of 8 bytes from rank 0"; empty where nobody will read it.
  const std::string& title() const { return title_; }

  /// Once; a second one is dropped. nullopt: there cannot be one.
  void set_forecast(std::optional<Forecast> forecast);
  bool was_predicted() const { return forecast_.load(std::memory_order_acquire) != nullptr; }
  /// nullptr: none.
  const Forecast* forecast() const {
    const auto* made = forecast_.load(std::memory_order_acquire);
    return made != nullptr && *made ? &**made : nullptr;
  }
  CallTimes times_of(Nanoseconds took) const;
  /// Counts a call; how many there have been.
  std::uint64_t count(Nanoseconds took);
  PlanTimes times() const;

 private:
  const PlanFacts facts_;
  const std::string title_;
  std::atomic<const std::optional<Forecast>*> forecast_{nullptr};
  std::atomic<std::uint64_t> calls_{0};
  std::atomic<Nanoseconds> sum_{0}, least_{std::numeric_limits<Nanoseconds>::max()}, most_{0};
};

/// What the calls of a plan take, against what any plan needs.
class Reckoning {
 public:
  Reckoning(Nanoseconds bound_as_stated, Nanoseconds bound_as_believed, std::shared_ptr<SpentTime> spent)
      : as_stated_(bound_as_stated), as_believed_(bound_as_believed), spent_(std::move(spent)) {}
  /// But for the first call, which may have to connect.
  void add(Nanoseconds took) {
    if (had_calls_.exchange(true, std::memory_order_relaxed)) spent_->add({took, as_stated_, as_believed_});
  }

 private:
  const Nanoseconds as_stated_, as_believed_;
  const std::shared_ptr<SpentTime> spent_;
  std::atomic<bool> had_calls_{false};
};

/// A Program with its record; nullptr: its calls are not counted.
struct Plan : Program {
  Plan(Program program, std::shared_ptr<PlanRecord> counted = nullptr)
      : Program(std::move(program)), record(std::move(counted)) {}
  /// Of a call.
  void count(Nanoseconds took) const {
    if (reckoning) reckoning->add(took);
  }
  std::shared_ptr<PlanRecord> record;
  std::shared_ptr<Reckoning> reckoning = nullptr;  ///< where links are learnt
  bool uses_streams = false;                       ///< may its messages go over streams? Equal on all ranks
};

/// After how many calls of a plan coll_wan_explain prints what they took.
inline bool is_told_after(std::uint64_t calls) {
  return calls == 1 || calls == 10 || calls == 100;
}
/// "on MPI_COMM_WORLD: bcast of 8 bytes from rank 0: 10 calls took 10.1 ms on average, 10.0 ms at least;
/// predicted for this process 10.0 ms"
std::string observed_text(const PlanRecord& record);

/// The records of the plans of a process, by title and by the way between sites.
class Ledger {
 public:
  /// More are not told apart: all others of a kind and algorithm share one.
  static constexpr std::size_t kMost = 1000;

  /// The one of `title`, or a new one.
  std::shared_ptr<PlanRecord> record(const std::string& title, const PlanFacts& facts);
  std::vector<std::shared_ptr<const PlanRecord>> records() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<PlanRecord>> by_title_;
  std::vector<std::shared_ptr<PlanRecord>> in_order_;
};

/// The one of this process.
Ledger& ledger();

}  // namespace wan
