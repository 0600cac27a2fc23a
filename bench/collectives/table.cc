// SPDX-License-Identifier: BSD-3-Clause
#include "bench/collectives/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bench/collectives/prediction.h"

namespace wan::bench {
namespace {

double milliseconds(Nanoseconds time) {
  return static_cast<double>(time) / 1e6;
}

std::string time_column(const Comparison& comparison, const std::string& peer) {
  const Summary* const summary = comparison.of(peer);
  if (summary == nullptr) return fmt::format("{:>12}", "failed  ");
  return fmt::format("{:10.2f}{}", milliseconds(comparison.time_of(*summary)), marks(*summary));
}

std::string ratio_column(std::optional<double> ratio) {
  return ratio ? fmt::format("{:10.2f}", *ratio) : fmt::format("{:>10}", "-");
}

bool has_predictions(std::span<const Comparison> comparisons) {
  return std::ranges::any_of(comparisons, [](const Comparison& each) { return each.predicted_ns > 0; });
}

std::string prediction_columns(const Comparison& comparison) {
  const auto error = comparison.error(kPredicted);
  if (!error) return fmt::format("{:>11}{:>9}", "-", "-");
  return fmt::format("{:11.2f}{:+7.1f} %", milliseconds(comparison.predicted_ns), 100 * *error);
}

std::string heading(const std::vector<std::string>& peers) {
  std::string line = fmt::format("{:<24} {:<11} {:>8}", "collective", "form", "bytes");
  for (const std::string& peer : peers) line += fmt::format("{:>10}  ", peer);
  line += fmt::format("{:>10}{:>10}{:>10}", "bound", "x bound", "speed-up");
  return line;
}

std::string line_of(const Comparison& comparison, const std::vector<std::string>& peers) {
  const Cell& cell = comparison.cell;
  std::string line = fmt::format("{:<24} {:<11} {:>8}", label(cell), name(cell.form), cell.bytes);
  for (const std::string& peer : peers) line += time_column(comparison, peer);
  line += comparison.bound_ns == 0 ? fmt::format("{:>10}", "-")
                                   : fmt::format("{:10.2f}", milliseconds(comparison.bound_ns));
  return line + ratio_column(comparison.in_bounds(peers.back())) +
         ratio_column(comparison.speedup(peers.back()));
}

/// The cells of each size, in the order in which they were measured; a barrier, which has none, among the
/// shortest.
std::map<Bytes, std::vector<Comparison>> by_size(std::span<const Comparison> comparisons) {
  std::map<Bytes, std::vector<Comparison>> groups;
  for (const Comparison& comparison : comparisons)
    if (comparison.cell.collective != Collective::barrier) groups[comparison.cell.bytes];
  if (groups.empty()) groups[0];
  for (const Comparison& comparison : comparisons) {
    const bool is_barrier = comparison.cell.collective == Collective::barrier;
    auto& group = is_barrier ? groups.begin()->second : groups[comparison.cell.bytes];
    group.push_back(comparison);
  }
  return groups;
}

std::string table_of(std::span<const Comparison> comparisons, const std::vector<std::string>& peers,
                     bool predicted) {
  std::string text =
      heading(peers) + (predicted ? fmt::format("{:>11}{:>9}", "predicted", "error") : "") + "\n";
  for (const Comparison& comparison : comparisons)
    text += line_of(comparison, peers) + (predicted ? prediction_columns(comparison) : "") + "\n";
  return text;
}

/// What the marks mean that stand in the table.
std::string legend(std::span<const Comparison> comparisons, const std::vector<std::string>& peers) {
  std::string used;
  for (const Comparison& comparison : comparisons)
    for (const std::string& peer : peers)
      if (const Summary* summary = comparison.of(peer)) used += marks(*summary);
  std::string text;
  if (used.find('!') != used.npos)
    text +=
        "! In more than a quarter of the repetitions the emulator delivered a packet late: the machine "
        "was too busy, and this time means little.\n";
  if (used.find('?') != used.npos) text += "? A result was wrong.\n";
  return text;
}

/// Empty where nothing was predicted.
std::string prediction_fields(const Comparison& comparison, const std::string& peer) {
  const auto error = comparison.error(peer);
  return peer == kPredicted && error ? fmt::format("{},{:.4f}", comparison.predicted_ns, *error) : ",";
}

}  // namespace

std::string label(const Cell& cell) {
  const std::string_view collective = traits(cell.collective).name;
  return cell.root == 0 ? std::string(collective) : fmt::format("{}, root {}", collective, cell.root);
}

std::string to_table(std::span<const Comparison> comparisons, const std::vector<std::string>& peers) {
  std::string text;
  for (const auto& [bytes, group] : by_size(comparisons))
    text += (text.empty() ? "" : "\n") + table_of(group, peers, has_predictions(comparisons));
  return text + legend(comparisons, peers);
}

std::string to_csv(std::span<const Comparison> comparisons, const std::vector<std::string>& peers) {
  std::string text =
      "collective,form,bytes,root,peer,q1_ns,median_ns,q3_ns,mean_ns,repetitions,late,wrong,bound_ns,"
      "predicted_ns,"
      "error\n";
  for (const Comparison& comparison : comparisons) {
    const Cell& cell = comparison.cell;
    for (const std::string& peer : peers) {
      const Summary* summary = comparison.of(peer);
      if (summary == nullptr) continue;
      text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", traits(cell.collective).name,
                          name(cell.form), cell.bytes, cell.root, peer, summary->q1_ns, summary->median_ns,
                          summary->q3_ns, summary->mean_ns, summary->repetitions, summary->late,
                          summary->wrong, comparison.bound_ns, prediction_fields(comparison, peer));
    }
  }
  return text;
}

}  // namespace wan::bench
