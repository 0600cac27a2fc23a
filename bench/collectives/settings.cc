// SPDX-License-Identifier: BSD-3-Clause
#include "bench/collectives/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "bench/collectives/table.h"

namespace wan::bench {
namespace {

/// Two runs of the same thing differ by so much.
constexpr double kNoise = 0.02;
constexpr Bytes kAnySize = std::numeric_limits<Bytes>::max();

std::string describe(const Comparison& comparison) {
  return fmt::format("{} {} {} bytes", label(comparison.cell), name(comparison.cell.form),
                     comparison.cell.bytes);
}

/// The first tier that takes cells of this size; nullptr: none does.
const Tier* tier_of(const Goal& goal, Bytes bytes) {
  for (const Tier& tier : goal.tiers) {
    if (bytes <= tier.largest) return &tier;
  }
  return nullptr;
}

/// What an overlapped call leaves, held against the nonblocking one, if that was measured.
std::optional<std::string> miss_of_overlap(std::span<const Comparison> comparisons,
                                           const Comparison& overlapped, const std::string& peer) {
  Cell cell = overlapped.cell;
  cell.form = Form::nonblocking;
  const auto whole = std::ranges::find(comparisons, cell, &Comparison::cell);
  const Summary* const left = overlapped.of(peer);
  const Summary* const all = whole == comparisons.end() ? nullptr : whole->of(peer);
  if (left == nullptr || all == nullptr) return std::nullopt;
  const double share = static_cast<double>(left->median_ns) / static_cast<double>(all->median_ns);
  if (share <= kMostLeft) return std::nullopt;
  return fmt::format("{}: {:.2f} of the nonblocking time are left instead of {:.2f}", describe(overlapped),
                     share, kMostLeft);
}

std::optional<std::string> miss(const Comparison& comparison, const Goal& goal, const std::string& peer) {
  const Summary* const summary = comparison.of(peer);
  if (summary == nullptr) return describe(comparison) + ": failed";
  if (summary->wrong > 0) return describe(comparison) + ": a wrong result";
  const auto ratio = comparison.in_bounds(peer);
  const Tier* const tier = tier_of(goal, comparison.cell.bytes);
  if (tier != nullptr && ratio && *ratio > tier->bounds) {
    return fmt::format("{}: {:.2f} x its bound instead of {:.2f}", describe(comparison), *ratio,
                       tier->bounds);
  }
  if (comparison.is_overlapped()) return std::nullopt;
  const auto speedup = comparison.speedup(peer);
  if (goal.speedup && speedup && *speedup < *goal.speedup - kNoise) {
    return fmt::format("{}: speed-up {:.2f} instead of {:.2f}", describe(comparison), *speedup,
                       *goal.speedup);
  }
  return std::nullopt;
}

std::optional<std::string> miss(std::span<const Comparison> comparisons, const Goal& goal, const Tier& tier,
                                const std::string& peer) {
  const auto mean = mean_speedup(comparisons, goal, tier, peer);
  if (!mean || !tier.mean_speedup || *mean >= *tier.mean_speedup) return std::nullopt;
  return fmt::format("{}: mean speed-up {:.2f} instead of {:.2f}", sizes_of(tier), *mean, *tier.mean_speedup);
}

const std::vector<std::string> kTenKinds = {"barrier",   "bcast",    "reduce",
                                            "allreduce", "gather",   "scatter",
                                            "allgather", "alltoall", "reduce_scatter_block",
                                            "scan"};

/// Five in a hundred are noise.
constexpr double kNotSlower = 0.95 + kNoise;

std::vector<Setting> on_tuned_hosts(const std::string& directory) {
  const auto file = [&](const char* name) { return directory + "/" + name; };
  std::vector<Setting> all(8);
  all[0] = {"uniform", "4 sites x 4 ranks, 10 ms, 12.5 MB/s: within 1.3 x the bound, above 64 KiB 1.5 x", {}};
  all[0].plan.topology = file("uniform-4x4.toml");
  all[0].plan.roots = {"0", "-1"};
  all[0].plan.goal.tiers = {{65'536, 1.3, {}}, {kAnySize, 1.5, {}}};
  all[1] = {"magpie", "8 sites x 5 ranks, 10 ms, 1 MB/s (MagPIe's): within 1.5 x the bound", {}};
  all[1].plan.topology = file("magpie-8x5.toml");
  all[1].plan.collectives = {"barrier", "bcast", "reduce", "allreduce", "gather", "allgather", "scan"};
  all[1].plan.sizes = {"1"};
  all[1].plan.goal.tiers = {{kAnySize, 1.5, {}}};
  all[2] = {"unequal", "5 unequal sites, 5 to 130 ms: not slower than the better of the others", {}};
  all[2].plan.topology = file("unequal-5.toml");
  all[2].plan.roots = {"0", "-1"};
  all[2].plan.goal.speedup = 1.0;
  all[3] = {"cities", "3 unequal sites with the latencies of Paris, New York and Tokyo", {}};
  all[3].plan.topology = file("cities.toml");
  all[4] = {"uniform-sizes", "the ten kinds on uniform's sites, 8 bytes to 1 MiB", {}};
  all[4].plan = {file("uniform-4x4.toml"),          kTenKinds, {"blocking"},
                 {"8", "4096", "65536", "1048576"}, {"0"},     {}};
  all[4].plan.goal = {{{65'536, 1.25, 2.5}, {kAnySize, 1.5, 3.0}}, kNotSlower};
  all[5] = {"magpie-sizes", "the ten kinds on magpie's sites, 8 bytes to 64 KiB", {}};
  all[5].plan = {file("magpie-8x5.toml"), kTenKinds, {"blocking"}, {"8", "4096", "65536"}, {"0"}, {}};
  all[5].plan.goal = {{{kAnySize, 1.3, 4.0}}, kNotSlower};
  all[6] = {"unequal-sizes", "the ten kinds on unequal's sites, 8 bytes to 256 KiB", {}};
  all[6].plan = {file("unequal-5.toml"), kTenKinds, {"blocking"}, {"8", "16384", "262144"}, {"0"}, {}};
  all[6].plan.goal = {{{kAnySize, 1.3, 2.0}}, kNotSlower};
  all[7] = {"three-levels", "the ten kinds on 6 sites in 2 regions, 8 bytes to 1 MiB", {}};
  all[7].plan = {file("three-levels.toml"), kTenKinds, {"blocking"}, {"8", "65536", "1048576"}, {"0"}, {}};
  all[7].plan.goal = {{{65'536, 1.25, {}}, {kAnySize, 1.5, {}}}, kNotSlower};
  return all;
}

/// Linux as it comes, and links that are not their own.
std::vector<Setting> on_linux_hosts(const std::string& directory) {
  std::vector<Setting> all;
  const auto add = [&](const char* name, const char* what, const char* file, const char* links, Goal goal) {
    Setting& setting = all.emplace_back(Setting{name, what, {}});
    setting.plan.topology = directory + "/" + file;
    setting.plan.collectives = kTenKinds;
    setting.plan.sizes = {"8", "65536", "524288"};
    setting.plan.goal = std::move(goal);
    setting.plan.lab = {"linux", links};
    return &setting.plan;
  };
  const Goal clean{{{kAnySize, 1.5, {}}}, kNotSlower, 1.15}, rough{{{kAnySize, 1.6, {}}}, kNotSlower, 1.25};
  add("linux-uniform", "the ten kinds on uniform's sites, hosts as Linux comes", "uniform-4x4.toml", "clean",
      clean);
  add("linux-far", "the same on 4 sites x 4 ranks, 75 ms, 2.5 MB/s", "far-4x4.toml", "clean", clean);
  add("linux-unequal", "the same on unequal's sites", "unequal-5.toml", "clean", clean);
  Plan* const lossy = add("linux-lossy", "far's sites, of 1,000 packets one is lost; means", "far-4x4.toml",
                          "lossy", {{{kAnySize, 2.5, {}}}, kNotSlower, 1.5});
  lossy->statistic = Statistic::mean;
  add("linux-shallow", "uniform's sites, queues of a quarter of what a link holds", "uniform-4x4.toml",
      "shallow", rough);
  add("linux-jitter", "uniform's sites, latencies up to 20 % longer", "uniform-4x4.toml", "jitter", rough);
  // A longer queue is one that somebody else's stream fills: calls would show nothing but that.
  add("linux-shared",
      "uniform's sites, somebody else's stream on each link, queues of what a link holds; bounds with half "
      "of it",
      "uniform-4x4.toml", "shared", {{}, kNotSlower, 1.5, 0.4})
      ->lab.queue = "100 %";
  return all;
}

}  // namespace

std::vector<Setting> settings(const std::string& directory) {
  std::vector<Setting> all = on_tuned_hosts(directory);
  std::ranges::move(on_linux_hosts(directory), std::back_inserter(all));
  return all;
}

std::string sizes_of(const Tier& tier) {
  return tier.largest == kAnySize ? "any size" : fmt::format("up to {} bytes", tier.largest);
}

std::optional<double> mean_speedup(std::span<const Comparison> comparisons, const Goal& goal,
                                   const Tier& tier, const std::string& peer) {
  double sum = 0;
  int cells = 0;
  Bytes longest = 0;
  for (const Comparison& comparison : comparisons) {
    const auto speedup = comparison.speedup(peer);
    if (!speedup || comparison.cell.form != Form::blocking || tier_of(goal, comparison.cell.bytes) != &tier)
      continue;
    sum += std::log(*speedup);
    ++cells;
    longest = std::max(longest, comparison.cell.bytes);
  }
  return longest == 0 ? std::nullopt : std::optional(std::exp(sum / cells));
}

std::optional<double> median_in_bounds(std::span<const Comparison> comparisons, const std::string& peer) {
  std::vector<double> ratios;
  for (const Comparison& comparison : comparisons)
    if (const auto ratio = comparison.in_bounds(peer)) ratios.push_back(*ratio);
  if (ratios.empty()) return std::nullopt;
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::ranges::nth_element(ratios, middle);
  return *middle;
}

std::optional<double> least_kept_by_others(std::span<const Comparison> comparisons, const std::string& peer) {
  std::optional<double> least;
  for (const Comparison& comparison : comparisons)
    if (const auto kept = comparison.kept_by_others(peer)) least = std::min(least.value_or(*kept), *kept);
  return least;
}

std::vector<std::string> misses(std::span<const Comparison> comparisons, const Goal& goal,
                                const std::string& peer) {
  std::vector<std::string> lines;
  for (const Comparison& comparison : comparisons) {
    if (auto line = miss(comparison, goal, peer)) lines.push_back(std::move(*line));
    if (!comparison.is_overlapped()) continue;
    if (auto line = miss_of_overlap(comparisons, comparison, peer)) lines.push_back(std::move(*line));
  }
  for (const Tier& tier : goal.tiers) {
    if (auto line = miss(comparisons, goal, tier, peer)) lines.push_back(std::move(*line));
  }
  const auto kept = least_kept_by_others(comparisons, peer);
  if (goal.others && kept && *kept < *goal.others)
    lines.push_back(
        fmt::format("somebody else keeps {:.2f} of a link instead of {:.2f}", *kept, *goal.others));
  const auto median = median_in_bounds(comparisons, peer);
  if (goal.median_bounds && median && *median > *goal.median_bounds)
    lines.push_back(fmt::format("median over the cells: {:.2f} x the bound instead of {:.2f}", *median,
                                *goal.median_bounds));
  return lines;
}

}  // namespace wan::bench
