// SPDX-License-Identifier: BSD-3-Clause
#include "probe/robust.h"

#include <algorithm>
#include <numeric>
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

}  // namespace

std::optional<Nanoseconds> least_round_trip(std::span<const Nanoseconds> samples) {
  if (samples.empty()) return std::nullopt;
  std::vector<Nanoseconds> sorted(samples.begin(), samples.end());
  std::ranges::sort(sorted);
  const auto taken = static_cast<std::ptrdiff_t>(std::max<std::size_t>(1, sorted.size() / 8));
  return std::accumulate(sorted.begin(), sorted.begin() + taken, Nanoseconds{0}) / taken;
}

std::optional<BytesPerSecond> train_rate(std::span<const Train> trains) {
  const Bytes least = most_bytes(trains) / 8;
  std::vector<BytesPerSecond> rates;
  for (const Train& train : trains)
    if (is_measured(train) && train.bytes >= least) rates.push_back(rate_of(train));
  if (rates.empty()) return std::nullopt;
  std::ranges::sort(rates);
  const std::size_t middle = rates.size() / 2;
  return rates.size() % 2 == 1 ? rates[middle] : (rates[middle - 1] + rates[middle]) / 2;
}

}  // namespace wan::probe
