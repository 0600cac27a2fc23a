// SPDX-License-Identifier: BSD-3-Clause
#include "bench/apps/app_comparison.h"

#include <fmt/format.h>

#include <fstream>

#include "bench/common/gnuplot.h"

namespace wan::bench {
namespace {

constexpr std::int64_t kLatePackets = 100;  ///< a repetition is late if one packet in so many was

double seconds(Nanoseconds time) {
  return static_cast<double>(time) / 1e9;
}

bool is_late(const Repetition& repetition) {
  return repetition.late * kLatePackets > repetition.packets;
}

std::string time_column(const Summary* summary) {
  if (summary == nullptr) return fmt::format("{:>12}", "failed  ");
  return fmt::format("{:10.2f}{}", seconds(summary->median_ns), marks(*summary));
}

std::string heading(const std::vector<std::string>& peers) {
  std::string line = fmt::format("{:<12} {:<22} {:>5}", "application", "problem", "ranks");
  for (const std::string& peer : peers) line += fmt::format("{:>10}  ", peer);
  line += fmt::format("{:>9}   in MPI:", "speed-up");
  for (const std::string& peer : peers) line += fmt::format(" {}", peer);
  return line + "\n";
}

std::string line_of(const AppComparison& comparison, const std::vector<std::string>& peers) {
  std::string line =
      fmt::format("{:<12} {:<22} {:>5}", comparison.name, comparison.problem, comparison.ranks);
  for (const std::string& peer : peers) line += time_column(comparison.of(peer));
  const auto speedup = comparison.speedup(peers.back());
  line += speedup ? fmt::format("{:9.2f}          ", *speedup) : fmt::format("{:>9}          ", "-");
  for (const std::string& peer : peers) {
    const auto share = comparison.mpi_share(peer);
    line += share ? fmt::format(" {:{}.0f}%", 100 * *share, peer.size() - 1)
                  : fmt::format(" {:>{}}", "-", peer.size());
  }
  return line + "\n";
}

std::string bars_data(const AppComparison& comparison, const std::vector<std::string>& peers) {
  std::string data;
  for (const std::string& peer : peers) {
    const Summary* const summary = comparison.of(peer);
    const double time = summary ? seconds(summary->median_ns) : 0;
    data +=
        fmt::format("{} {:.6f} {:.6f}\n", peer, time, time * (1 - comparison.mpi_share(peer).value_or(0)));
  }
  return data + "\n\n";
}

std::string panel_script(const std::string& data, std::size_t panel, const AppComparison& comparison,
                         const std::vector<std::string>& peers) {
  std::string script = fmt::format("set title {} noenhanced\nset xrange [-0.6:{}]\nplot ",
                                   quoted(comparison.name + "\\n" + comparison.problem),
                                   static_cast<double>(peers.size()) - 0.4);
  for (std::size_t i = 0; i < peers.size(); ++i) {
    script += fmt::format(
        "'{0}' index {1} every ::{2}::{2} using ({2}):2:xtic(1) with boxes lc rgb '{3}' notitle, ", data,
        panel, i, color(i));
  }
  return script + fmt::format("'{}' index {} using 0:3 with boxes lc rgb '#303030' notitle\n", data, panel);
}

std::optional<std::string> miss(const AppComparison& comparison, const std::vector<std::string>& peers,
                                std::optional<double> goal) {
  if (!comparison.all_right(peers)) return comparison.name + ": a peer failed or had a wrong result";
  const auto speedup = comparison.speedup(peers.back());
  if (!goal || !speedup || *speedup >= *goal) return std::nullopt;
  return fmt::format("{}: speed-up {:.2f} instead of {:.2f}", comparison.name, *speedup, *goal);
}

}  // namespace

std::vector<std::string> misses(std::span<const AppComparison> comparisons,
                                const std::vector<std::string>& peers, std::optional<double> goal) {
  std::vector<std::string> lines;
  for (const AppComparison& comparison : comparisons) {
    if (auto line = miss(comparison, peers, goal)) lines.push_back(std::move(*line));
  }
  return lines;
}

void AppComparison::add(const std::string& peer, std::span<const Repetition> repetitions) {
  if (repetitions.empty()) return;
  std::vector<Nanoseconds> times, in_mpi;
  int late = 0, wrong = 0;
  for (const Repetition& each : repetitions) {
    times.push_back(each.time_ns);
    in_mpi.push_back(each.mpi_ns);
    late += is_late(each);
    wrong += each.wrong != 0;
  }
  peers[peer] = summarize(times, late, wrong);
  mpi_ns[peer] = quantile(in_mpi, 0.5);
  problem = repetitions.front().problem;
  ranks = repetitions.front().ranks;
}

std::optional<double> AppComparison::mpi_share(const std::string& peer) const {
  const Summary* const summary = of(peer);
  if (summary == nullptr || summary->median_ns == 0) return std::nullopt;
  return static_cast<double>(mpi_ns.at(peer)) / static_cast<double>(summary->median_ns);
}

std::string to_table(std::span<const AppComparison> comparisons, const std::vector<std::string>& peers) {
  std::string text = heading(peers);
  for (const AppComparison& comparison : comparisons) text += line_of(comparison, peers);
  return text;
}

std::string to_csv(std::span<const AppComparison> comparisons, const std::vector<std::string>& peers) {
  std::string text = "app,problem,ranks,peer,q1_ns,median_ns,q3_ns,mpi_ns,repetitions,late,wrong\n";
  for (const AppComparison& comparison : comparisons) {
    for (const std::string& peer : peers) {
      const Summary* const summary = comparison.of(peer);
      if (summary == nullptr) continue;
      text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", comparison.name, comparison.problem,
                          comparison.ranks, peer, summary->q1_ns, summary->median_ns, summary->q3_ns,
                          comparison.mpi_ns.at(peer), summary->repetitions, summary->late, summary->wrong);
    }
  }
  return text;
}

std::vector<std::string> draw_apps(std::span<const AppComparison> comparisons,
                                   const std::vector<std::string>& peers, const std::string& title,
                                   const std::string& directory) {
  const std::string path = directory + "/apps", data_path = path + ".dat";
  std::string data, panels;
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    data += bars_data(comparisons[i], peers);
    panels += panel_script(data_path, i, comparisons[i], peers);
  }
  std::ofstream(data_path) << data;
  const std::string script = fmt::format(
      "set multiplot layout 1,{} title {} noenhanced\nset style fill solid 1.0 noborder\nset boxwidth 0.8\n"
      "set yrange [0:*]\nset grid y lc rgb '#e0e0e0'\nset tics nomirror noenhanced\nset border 3\nset ylabel "
      "'seconds'\n{}unset multiplot\nreset\n",
      comparisons.size(), quoted(title + ": run time; dark: not in MPI calls"), panels);
  return draw({path, script, 260 * static_cast<int>(comparisons.size()), 340});
}

}  // namespace wan::bench
