// SPDX-License-Identifier: BSD-3-Clause
#include "probe/links.h"

#include <algorithm>

#include "base/rate.h"
#include "probe/robust.h"

namespace wan::probe {
namespace {

/// Of a link of known latency in a job where no train has come through.
constexpr BytesPerSecond kUnknownRate = 125'000'000;

/// A ping with its headers, which a slow link takes time to pass.
constexpr Bytes kPingBytes = 60;

/// What was measured from one group to another.
struct Pool {
  std::vector<Nanoseconds> round_trips;
  std::vector<Train> trains;
};

/// A square table over the groups.
template <class Value>
class Square {
 public:
  explicit Square(int groups) : groups_(static_cast<std::size_t>(groups)), values_(groups_ * groups_) {}
  Value& at(int from, int to) {
    return values_[static_cast<std::size_t>(from) * groups_ + static_cast<std::size_t>(to)];
  }
  const Value& at(int from, int to) const {
    return values_[static_cast<std::size_t>(from) * groups_ + static_cast<std::size_t>(to)];
  }

 private:
  std::size_t groups_;
  std::vector<Value> values_;
};

using RoundTrips = Square<std::optional<Nanoseconds>>;
using Rates = Square<std::optional<BytesPerSecond>>;

void append(auto& to, const auto& from) {
  to.insert(to.end(), from.begin(), from.end());
}

Square<Pool> pools_of(const Partition& groups, std::span<const Finding> findings) {
  Square<Pool> pools(groups.groups);
  for (const Finding& each : findings) {
    const int from = groups.group_of[static_cast<std::size_t>(each.from)];
    const int to = groups.group_of[static_cast<std::size_t>(each.to)];
    if (from == to) continue;
    append(pools.at(from, to).round_trips, each.round_trips);
    append(pools.at(to, from).round_trips, each.round_trips);
    append(pools.at(from, to).trains, each.there);
    append(pools.at(to, from).trains, each.back);
  }
  return pools;
}

/// The measured round trips, and over one other group those that are not.
RoundTrips by_shortest_way(const RoundTrips& measured, int groups) {
  RoundTrips result = measured;
  for (int from = 0; from < groups; ++from)
    for (int to = 0; to < groups; ++to)
      for (int by = 0; by < groups && from != to && !measured.at(from, to); ++by) {
        const auto first = measured.at(from, by), second = measured.at(by, to);
        auto& least = result.at(from, to);
        if (first && second) least = std::min(least.value_or(*first + *second), *first + *second);
      }
  return result;
}

/// Likewise the measured rates.
Rates by_widest_way(const Rates& measured, int groups) {
  Rates result = measured;
  for (int from = 0; from < groups; ++from)
    for (int to = 0; to < groups; ++to)
      for (int by = 0; by < groups && from != to && !measured.at(from, to); ++by) {
        const auto first = measured.at(from, by), second = measured.at(by, to);
        auto& most = result.at(from, to);
        if (first && second) most = std::max(most.value_or(0), std::min(*first, *second));
      }
  return result;
}

BytesPerSecond median_rate(const Rates& rates, int groups) {
  std::vector<BytesPerSecond> known;
  for (int from = 0; from < groups; ++from)
    for (int to = 0; to < groups; ++to)
      if (rates.at(from, to)) known.push_back(*rates.at(from, to));
  if (known.empty()) return kUnknownRate;
  std::ranges::sort(known);
  return known[known.size() / 2];
}

Nanoseconds passing_time(BytesPerSecond rate) {
  return time_of(kPingBytes, rate);
}

/// One way, without what the link's rate makes of it. There and back are not told apart.
Nanoseconds latency_of(Nanoseconds round_trip, BytesPerSecond there, BytesPerSecond back) {
  return std::max<Nanoseconds>(0, round_trip - passing_time(there) - passing_time(back)) / 2;
}

LinkMatrix joined(const RoundTrips& round_trips, const Rates& rates, BytesPerSecond usual, int groups) {
  LinkMatrix links(groups);
  for (int from = 0; from < groups; ++from)
    for (int to = 0; to < groups; ++to)
      if (from != to && round_trips.at(from, to)) {
        const BytesPerSecond there = rates.at(from, to).value_or(usual),
                             back = rates.at(to, from).value_or(usual);
        links.at(from, to) = Link{latency_of(*round_trips.at(from, to), there, back), there, 0};
      }
  return links;
}

}  // namespace

std::vector<Distance> distances_of(std::span<const Finding> findings) {
  std::vector<Distance> distances;
  for (const Finding& each : findings)
    if (const auto least = least_round_trip(each.round_trips))
      distances.push_back({each.from, each.to, *least});
  return distances;
}

LinkMatrix links_between(const Partition& groups, std::span<const Finding> findings) {
  const int number = groups.groups;
  const auto pools = pools_of(groups, findings);
  RoundTrips round_trips(number);
  Rates rates(number);
  for (int from = 0; from < number; ++from)
    for (int to = 0; to < number; ++to) {
      round_trips.at(from, to) = least_round_trip(pools.at(from, to).round_trips);
      rates.at(from, to) = train_rate(pools.at(from, to).trains);
    }
  const BytesPerSecond usual = median_rate(rates, number);
  return joined(by_shortest_way(round_trips, number), by_widest_way(rates, number), usual, number);
}

}  // namespace wan::probe
