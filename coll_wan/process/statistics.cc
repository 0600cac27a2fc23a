// SPDX-License-Identifier: BSD-3-Clause
#include "process/statistics.h"

#include <algorithm>

#include "base/index.h"

namespace wan {
namespace {

constexpr std::string_view kNeighborNames[kNeighborKinds] = {"neighbor_allgather", "neighbor_allgatherv",
                                                             "neighbor_alltoall", "neighbor_alltoallv"};

std::uint64_t value_of(const std::atomic<std::uint64_t>& number) {
  return number.load(std::memory_order_relaxed);
}

/// Without `automatic`, which is no way.
std::span<const Algorithm> without_automatic(std::span<const Algorithm> algorithms) {
  return algorithms.subspan(1);
}

constexpr Algorithm kDirectOnly[] = {Algorithm::direct};

}  // namespace

std::string_view name_of(CallKind kind) {
  return kind.index < kCollectives ? traits(static_cast<Collective>(kind.index)).name
                                   : kNeighborNames[kind.index - kCollectives];
}

std::span<const Algorithm> algorithms_of(CallKind kind) {
  const auto all = kind.index < kCollectives ? algorithms_of(static_cast<Collective>(kind.index))
                                             : algorithms_of_neighbors();
  return all.size() > 1 ? without_automatic(all) : std::span(kDirectOnly);
}

Totals::Calls& Totals::Calls::operator+=(const Calls& other) {
  calls += other.calls;
  bytes += other.bytes;
  return *this;
}

Totals::Calls Totals::of_kind(CallKind kind) const {
  Calls sum;
  for (const Calls& each : of[at(kind.index)]) sum += each;
  return sum;
}

Totals& Totals::operator+=(const Totals& other) {
  for (std::size_t kind = 0; kind < of.size(); ++kind)
    for (std::size_t algorithm = 0; algorithm < of[kind].size(); ++algorithm)
      of[kind][algorithm] += other.of[kind][algorithm];
  sent_messages += other.sent_messages;
  streamed_messages += other.streamed_messages;
  sent_bytes += other.sent_bytes;
  wait_ns += other.wait_ns;
  call_ns += other.call_ns;
  predicted_calls += other.predicted_calls;
  predicted_calls_ns += other.predicted_calls_ns;
  predicted_ns += other.predicted_ns;
  bound_ns += other.bound_ns;
  plan_hits += other.plan_hits;
  plan_misses += other.plan_misses;
  most_lanes = std::max(most_lanes, other.most_lanes);
  return *this;
}

Statistics::Statistics(const Layout& layout, Rank me)
    : layout_(&layout), here_(layout.site_of(me)), links_(at(layout.sites())) {}

void Statistics::count_call(const PlanFacts& facts, const CallTimes& times) {
  Calls& calls = calls_[at(facts.kind.index)][static_cast<std::size_t>(facts.algorithm)];
  add(calls.calls, 1);
  add(calls.bytes, static_cast<std::uint64_t>(facts.bytes));
  add(call_ns_, static_cast<std::uint64_t>(times.took));
  const auto lanes = static_cast<std::uint64_t>(facts.lanes);
  for (std::uint64_t before = value_of(most_lanes_);
       before < lanes && !most_lanes_.compare_exchange_weak(before, lanes, std::memory_order_relaxed);) {
  }
  if (!times.predicted) return;
  add(predicted_calls_, 1);
  add(predicted_calls_ns_, static_cast<std::uint64_t>(times.took));
  add(predicted_ns_, static_cast<std::uint64_t>(times.predicted->time));
  add(bound_ns_, static_cast<std::uint64_t>(times.predicted->bound));
}

Totals Statistics::totals() const {
  Totals totals;
  for (std::size_t kind = 0; kind < calls_.size(); ++kind)
    for (std::size_t algorithm = 0; algorithm < calls_[kind].size(); ++algorithm)
      totals.of[kind][algorithm] = {value_of(calls_[kind][algorithm].calls),
                                    value_of(calls_[kind][algorithm].bytes)};
  for (const Link& link : links_) {
    totals.sent_messages += value_of(link.messages);
    totals.sent_bytes += value_of(link.bytes);
  }
  totals.streamed_messages = value_of(streamed_messages_);
  totals.wait_ns = value_of(wait_ns_);
  totals.call_ns = value_of(call_ns_);
  totals.predicted_calls = value_of(predicted_calls_);
  totals.predicted_calls_ns = value_of(predicted_calls_ns_);
  totals.predicted_ns = value_of(predicted_ns_);
  totals.bound_ns = value_of(bound_ns_);
  totals.plan_hits = value_of(plan_hits_);
  totals.plan_misses = value_of(plan_misses_);
  totals.most_lanes = value_of(most_lanes_);
  return totals;
}

std::vector<Statistics::Sent> Statistics::sent() const {
  std::vector<Sent> all;
  for (SiteIndex site = 0; site < layout_->sites(); ++site) {
    const Link& link = links_[at(site)];
    if (const std::uint64_t messages = value_of(link.messages); messages > 0)
      all.push_back({layout_->site_name(here_), layout_->site_name(site), messages, value_of(link.bytes)});
  }
  return all;
}

void AllStatistics::add(const Statistics& statistics, SentBySites& sent) {
  for (const Statistics::Sent& each : statistics.sent())
    sent[{each.from, each.to}] += {each.messages, each.bytes};
}

void AllStatistics::add(const void* communicator, const Statistics& statistics) {
  const std::lock_guard lock(mutex_);
  living_[communicator] = &statistics;
}

void AllStatistics::remove(const void* communicator, const Statistics& statistics) {
  const std::lock_guard lock(mutex_);
  gone_ += statistics.totals();
  add(statistics, gone_sent_);
  const auto found = living_.find(communicator);
  if (found != living_.end() && found->second == &statistics) living_.erase(found);
}

Totals AllStatistics::of(const void* communicator) const {
  const std::lock_guard lock(mutex_);
  const auto found = living_.find(communicator);
  return found == living_.end() ? Totals{} : found->second->totals();
}

Totals AllStatistics::all() const {
  const std::lock_guard lock(mutex_);
  Totals sum = gone_;
  for (const auto& [communicator, statistics] : living_) sum += statistics->totals();
  return sum;
}

std::vector<Statistics::Sent> AllStatistics::sent() const {
  const std::lock_guard lock(mutex_);
  SentBySites sent = gone_sent_;
  for (const auto& [communicator, statistics] : living_) add(*statistics, sent);
  std::vector<Statistics::Sent> all;
  for (const auto& [sites, number] : sent)
    all.push_back({sites.first, sites.second, number.calls, number.bytes});
  return all;
}

AllStatistics& all_statistics() {
  static AllStatistics instance;
  return instance;
}

}  // namespace wan
