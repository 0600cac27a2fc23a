// SPDX-License-Identifier: BSD-3-Clause
#include "probe/robust.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace wan::probe {
namespace {

bool is_measured(const Train& train) {
  return train.bytes > 0 && train.spread_ns > 0;
}

Bytes most_bytes(std::span<const Train> trains) {
  Bytes most = 0;
  for (const Train& train : trains)
    if (is_measured(train)) most = std::max(most, train.bytes);
  return most;
}

BytesPerSecond rate_of(const Train& train) {
  const double rate = static_cast<double>(train.bytes) * 1e9 / static_cast<double>(train.spread_ns);
  return std::max<BytesPerSecond>(1, static_cast<BytesPerSecond>(rate + 0.5));
}

struct SortedRates {
  std::vector<BytesPerSecond> sorted;
  std::size_t trains = 0;  ///< with those that have no rate
};

/// Of trains of so many bytes and more. What has no spread may be any of them.
SortedRates rates_of(std::span<const Train> trains, Bytes least) {
  SortedRates result;
  for (const Train& train : trains) {
    if (is_measured(train) && train.bytes < least) continue;
    ++result.trains;
    if (is_measured(train)) result.sorted.push_back(rate_of(train));
  }
  std::ranges::sort(result.sorted);
  return result;
}

/// Of so many sorted rates that follow each other, those whose last is the least multiple of their first.
std::span<const BytesPerSecond> closest(std::span<const BytesPerSecond> rates, std::size_t number) {
  const auto multiple = [&](std::size_t first) {
    return static_cast<double>(rates[first + number - 1]) / static_cast<double>(rates[first]);
  };
  std::size_t best = 0;
  for (std::size_t first = 1; first + number <= rates.size(); ++first)
    if (multiple(first) < multiple(best)) best = first;
  return rates.subspan(best, number);
}

std::size_t half_of(std::size_t number) {
  return number / 2 + 1;
}

/// The median of sorted ones.
BytesPerSecond middle_of(std::span<const BytesPerSecond> rates) {
  const std::size_t middle = rates.size() / 2;
  return rates.size() % 2 == 1 ? rates[middle] : (rates[middle - 1] + rates[middle]) / 2;
}

bool agree(const SortedRates& rates) {
  const std::size_t half = half_of(rates.trains);
  if (rates.sorted.size() < half) return false;
  const auto closest_half = closest(rates.sorted, half);
  return closest_half.back() - closest_half.front() <= closest_half.front() / 5;
}

/// Of the longest trains, if they agree, or of all.
SortedRates best_of(std::span<const Train> trains) {
  SortedRates longest = rates_of(trains, most_bytes(trains) / 8);
  return agree(longest) ? longest : rates_of(trains, 0);
}

}  // namespace

std::optional<Nanoseconds> least_round_trip(std::span<const Nanoseconds> samples) {
  if (samples.empty()) return std::nullopt;
  return std::ranges::min(samples);
}

bool scatter(std::span<const Nanoseconds> round_trips) {
  constexpr Nanoseconds of_hosts = 100'000;
  if (round_trips.empty()) return false;
  std::vector<Nanoseconds> sorted(round_trips.begin(), round_trips.end());
  std::ranges::sort(sorted);
  return sorted[sorted.size() / 2] - sorted.front() > std::max(of_hosts, sorted.front() / 64);
}

std::optional<BytesPerSecond> train_rate(std::span<const Train> trains) {
  std::vector<BytesPerSecond> rates = best_of(trains).sorted;
  if (rates.empty()) return std::nullopt;
  const BytesPerSecond about = middle_of(closest(rates, half_of(rates.size())));
  std::erase_if(rates, [about](BytesPerSecond each) { return std::abs(each - about) > about / 3; });
  return rates.empty() ? about : middle_of(rates);  // none is near the middle of two that are far apart
}

bool agree_on_rate(std::span<const Train> trains) {
  return agree(best_of(trains));
}

}  // namespace wan::probe
