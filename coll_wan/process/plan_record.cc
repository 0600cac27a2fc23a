// SPDX-License-Identifier: BSD-3-Clause
#include "process/plan_record.h"

#include <fmt/format.h>

#include "base/time.h"

namespace wan {
namespace {

/// value := better(value, with)
template <class IsBetter>
void improve(std::atomic<Nanoseconds>& value, Nanoseconds with, IsBetter is_better) {
  for (Nanoseconds before = value.load(std::memory_order_relaxed);
       is_better(with, before) && !value.compare_exchange_weak(before, with, std::memory_order_relaxed);) {
  }
}

}  // namespace

void PlanRecord::set_forecast(std::optional<Forecast> forecast) {
  auto made = std::make_unique<const std::optional<Forecast>>(std::move(forecast));
  const std::optional<Forecast>* none = nullptr;
  if (forecast_.compare_exchange_strong(none, made.get(), std::memory_order_acq_rel))
    static_cast<void>(made.release());
}

CallTimes PlanRecord::times_of(Nanoseconds took) const {
  const Forecast* const made = forecast();
  if (made == nullptr) return {took};
  return {took, CallTimes::Predicted{made->own_ns, made->bound_ns}};
}

std::uint64_t PlanRecord::count(Nanoseconds took) {
  sum_.fetch_add(took, std::memory_order_relaxed);
  improve(least_, took, std::less{});
  improve(most_, took, std::greater{});
  return calls_.fetch_add(1, std::memory_order_relaxed) + 1;
}

PlanTimes PlanRecord::times() const {
  const std::uint64_t calls = calls_.load(std::memory_order_relaxed);
  if (calls == 0) return {};
  return {calls, sum_.load(std::memory_order_relaxed), least_.load(std::memory_order_relaxed),
          most_.load(std::memory_order_relaxed)};
}

std::string observed_text(const PlanRecord& record) {
  const PlanTimes times = record.times();
  const Forecast* const predicted = record.forecast();
  const std::string took = times.calls == 1
                               ? fmt::format("the first call took {:.3f} ms", in_ms(times.sum))
                               : fmt::format("{} calls took {:.3f} ms on average, {:.3f} ms at least",
                                             times.calls, in_ms(times.mean()), in_ms(times.least));
  const std::string other =
      predicted == nullptr ? std::string("not predicted")
                           : fmt::format("predicted for this process {:.3f} ms", in_ms(predicted->own_ns));
  return fmt::format("{}: {}; {}", record.title(), took, other);
}

std::shared_ptr<PlanRecord> Ledger::record(const std::string& title, const PlanFacts& facts) {
  const std::lock_guard lock(mutex_);
  const auto key = [&](const std::string& of) {
    return fmt::format("{} {} {}", of, name_of(facts.algorithm), facts.lanes);
  };
  const auto found = by_title_.find(key(title));
  if (found != by_title_.end()) return found->second;
  const bool is_told_apart = by_title_.size() < kMost;
  const std::string kept = is_told_apart ? title : fmt::format("other calls: {}", name_of(facts.kind));
  auto& record = by_title_[key(kept)];
  if (record) return record;
  record = std::make_shared<PlanRecord>(facts, kept);
  if (!is_told_apart) record->set_forecast(std::nullopt);  // of several lengths
  in_order_.push_back(record);
  return record;
}

std::vector<std::shared_ptr<const PlanRecord>> Ledger::records() const {
  const std::lock_guard lock(mutex_);
  return {in_order_.begin(), in_order_.end()};
}

Ledger& ledger() {
  static Ledger instance;
  return instance;
}

}  // namespace wan
