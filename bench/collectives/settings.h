// SPDX-License-Identifier: BSD-3-Clause
// What is measured by name: a topology file, what to run on it, and what must come out.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/collectives/comparison.h"
#include "bench/common/command.h"

namespace wan::bench {

/// What cells of some sizes must show.
struct Tier {
  Bytes largest;  ///< of those that no earlier tier has: bytes up to this
  double bounds;  ///< each at most so many times its bound
  std::optional<double>
      mean_speedup;  ///< geometric mean over the blocking ones: so many times as fast as the best other peer
};

/// What coll_wan's cells must show.
struct Goal {
  std::vector<Tier> tiers;                   ///< by ascending size
  std::optional<double> speedup;             ///< each at least so many times as fast as the best other peer
  std::optional<double> median_bounds = {};  ///< the median over all cells at most so many times the bound
  std::optional<double> others = {};         ///< somebody else keeps at least this part of each link
};

/// What to run.
struct Plan {
  std::string topology;  ///< path of the file
  std::vector<std::string> collectives{"all"}, forms{"blocking"};
  std::vector<std::string> sizes{"8"}, roots{"0"};
  Goal goal;
  Distribution distribution = {};
  LabProfiles lab = {};
  Statistic statistic = Statistic::median;
};

struct Setting {
  std::string_view name;
  std::string_view what;
  Plan plan;
};

/// "up to 65536 bytes", "any size".
std::string sizes_of(const Tier& tier);

/// Geometric mean of the speed-ups of `peer` over the blocking cells of a tier; nullopt if none of them has a
/// length (a barrier alone makes no mean). Open MPI carries out nonblocking calls by other algorithms, so
/// that the bound, too, is another multiple there.
std::optional<double> mean_speedup(std::span<const Comparison> comparisons, const Goal& goal,
                                   const Tier& tier, const std::string& peer);

/// The median over the cells of what `peer` takes, in multiples of the bound; nullopt: no bound is known.
std::optional<double> median_in_bounds(std::span<const Comparison> comparisons, const std::string& peer);

/// Over the cells, what somebody else keeps of a link beside `peer`, at least; nullopt: there is nobody.
std::optional<double> least_kept_by_others(std::span<const Comparison> comparisons, const std::string& peer);

/// The settings that have a name; their files lie in `directory` (mca_params).
std::vector<Setting> settings(const std::string& directory);

/// An overlapped call may leave so much of the time of a nonblocking one.
inline constexpr double kMostLeft = 0.15;

/// The cells of `peer` that miss the goal, and the tiers whose mean does, one line each. What overlapped
/// calls leave is held to kMostLeft, and to no other peer's.
std::vector<std::string> misses(std::span<const Comparison> comparisons, const Goal& goal,
                                const std::string& peer);

}  // namespace wan::bench
