// SPDX-License-Identifier: BSD-3-Clause
#include "bench/magpie/figure.h"

#include <fmt/format.h>

namespace wan::bench {
namespace {

constexpr Bytes kByte = 1, kLong = 65'536;

double milliseconds(Nanoseconds time) {
  return static_cast<double>(time) / 1e6;
}

Figure collective(int number, std::string title, std::string name, std::vector<Bytes> sizes) {
  return {number, std::move(title), std::move(name), std::move(sizes), {}, {2, 4, 8}, {16, 24, 32, 40}};
}

Figure application(int number, std::string title, Words words) {
  return {number, std::move(title), {}, {0}, std::move(words), {1, 2, 4, 8}, {32, 40, 64}};
}

std::string time_column(const Summary* summary) {
  if (summary == nullptr) return fmt::format("{:>12}", "failed  ");
  return fmt::format("{:10.1f}{}", milliseconds(summary->median_ns), marks(*summary));
}

}  // namespace

std::vector<Figure> figures() {
  return {collective(3, "MPI_Barrier", "barrier", {0}),
          collective(4, "MPI_Bcast", "bcast", {kByte, kLong}),
          collective(5, "MPI_Allgather", "allgather", {kByte, kLong}),
          collective(6, "MPI_Reduce", "reduce", {kByte, kLong}),
          application(7, "ASP, 240 nodes", {"asp", "--nodes", "240"}),
          application(8, "QR, 1000 x 16", {"qr", "--rows", "1000", "--columns", "16"})};
}

std::string ranks_option(int clusters, int processes) {
  std::string option;
  for (int cluster = 1; cluster <= clusters; ++cluster)
    option += fmt::format("{}cluster-{}={}", cluster == 1 ? "" : ",", cluster, processes / clusters);
  return option;
}

std::string to_table(std::span<const Point> points, const std::vector<std::string>& peers) {
  std::string text = fmt::format("{:>8} {:>8} {:>9}", "bytes", "clusters", "processes");
  for (const std::string& peer : peers) text += fmt::format("{:>10}  ", peer);
  text += fmt::format("{:>10}{:>10}\n", "bound", "speed-up");
  for (const Point& point : points) {
    text += fmt::format("{:>8} {:>8} {:>9}", point.bytes, point.clusters, point.processes);
    for (const std::string& peer : peers) text += time_column(point.of(peer));
    text += fmt::format("{:10.1f}{:10.2f}\n", milliseconds(point.bound_ns),
                        point.speedup(peers.back()).value_or(0));
  }
  return text;
}

std::string to_csv(std::span<const Point> points, const std::vector<std::string>& peers) {
  std::string text = "bytes,clusters,processes,peer,q1_ns,median_ns,q3_ns,repetitions,late,wrong,bound_ns\n";
  for (const Point& point : points) {
    for (const std::string& peer : peers) {
      const Summary* const summary = point.of(peer);
      if (summary == nullptr) continue;
      text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", point.bytes, point.clusters, point.processes,
                          peer, summary->q1_ns, summary->median_ns, summary->q3_ns, summary->repetitions,
                          summary->late, summary->wrong, point.bound_ns);
    }
  }
  return text;
}

}  // namespace wan::bench
