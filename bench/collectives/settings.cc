// SPDX-License-Identifier: BSD-3-Clause
#include "bench/collectives/settings.h"

#include <fmt/format.h>

#include "bench/collectives/table.h"

namespace wan::bench {
namespace {

/// Two runs of the same thing differ by so much.
constexpr double kNoise = 0.02;

std::string describe(const Comparison& comparison) {
  return fmt::format("{} {} {} bytes", label(comparison.cell), name(comparison.cell.form),
                     comparison.cell.bytes);
}

std::optional<std::string> miss(const Comparison& comparison, const Goal& goal, const std::string& peer) {
  if (comparison.of(peer) == nullptr) return describe(comparison) + ": failed";
  const auto ratio = comparison.in_bounds(peer);
  if (goal.bounds && ratio && *ratio > *goal.bounds) {
    return fmt::format("{}: {:.2f} x its bound instead of {:.2f}", describe(comparison), *ratio,
                       *goal.bounds);
  }
  const auto speedup = comparison.speedup(peer);
  if (goal.speedup && speedup && *speedup < *goal.speedup - kNoise) {
    return fmt::format("{}: speed-up {:.2f} instead of {:.2f}", describe(comparison), *speedup,
                       *goal.speedup);
  }
  return std::nullopt;
}

}  // namespace

std::vector<Setting> settings(const std::string& directory) {
  const auto file = [&](const char* name) { return directory + "/" + name; };
  std::vector<Setting> all(4);
  all[0] = {"uniform", "4 sites x 4 ranks, 10 ms, 12.5 MB/s: within 1.3 x the bound at 8 bytes", {}};
  all[0].plan.topology = file("uniform-4x4.toml");
  all[0].plan.roots = {"0", "-1"};
  all[0].plan.goal.bounds = 1.3;
  all[1] = {"magpie", "8 sites x 5 ranks, 10 ms, 1 MB/s (MagPIe's): within 1.5 x the bound at 1 byte", {}};
  all[1].plan.topology = file("magpie-8x5.toml");
  all[1].plan.collectives = {"barrier", "bcast", "reduce", "allreduce", "gather", "allgather", "scan"};
  all[1].plan.sizes = {"1"};
  all[1].plan.goal.bounds = 1.5;
  all[2] = {
      "unequal", "5 unequal sites, 5 to 130 ms: at 8 bytes not slower than the better of the others", {}};
  all[2].plan.topology = file("unequal-5.toml");
  all[2].plan.roots = {"0", "-1"};
  all[2].plan.goal.speedup = 1.0;
  all[3] = {"cities", "3 unequal sites with the latencies of Paris, New York and Tokyo", {}};
  all[3].plan.topology = file("cities.toml");
  return all;
}

std::vector<std::string> misses(std::span<const Comparison> comparisons, const Goal& goal,
                                const std::string& peer) {
  std::vector<std::string> lines;
  for (const Comparison& comparison : comparisons) {
    if (auto line = miss(comparison, goal, peer)) lines.push_back(std::move(*line));
  }
  return lines;
}

}  // namespace wan::bench
