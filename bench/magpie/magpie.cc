// SPDX-License-Identifier: BSD-3-Clause
// wan-magpie: MagPIe's figures 3 to 8 (papers/004) over emulated clusters, with the peers of today. For each
// number of clusters and processes wan-bench or an application runs for each peer. Prints a table; writes
// CSV, logs and the plot.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "bench/apps/app_passes.h"
#include "bench/collectives/comparison.h"
#include "bench/magpie/figure.h"

namespace wan::bench {
namespace {

constexpr const char* kName = "wan-magpie";
constexpr int kWarmUp = 1;  ///< rounds before those that count

struct Options {
  int figure = 3;
  int repetitions = 3;
  std::vector<int> clusters, processes;  ///< empty: the figure's
  Words application;                     ///< empty: the figure's
  PassOptions passes{.peers = {"stock", "han", "coll_wan"}, .passes = 1, .output = "wan-magpie-results"};
};

void define_options(CLI::App& app, Options& options) {
  app.add_option("--figure", options.figure, "of the paper")->check(CLI::Range(3, 8))->required();
  app.add_option("--repetitions", options.repetitions, "of each measurement in each pass")
      ->check(CLI::Range(1, 1'000));
  app.add_option("--clusters", options.clusters, "numbers of clusters, up to 8, instead of the figure's")
      ->delimiter(',')
      ->check(CLI::Range(1, 8));
  app.add_option("--processes", options.processes, "numbers of processes instead of the figure's")
      ->delimiter(',')
      ->check(CLI::Range(1, 1'000));
  app.add_option("--application", options.application,
                 "program of bench/apps and its options, instead of figure 7's or 8's: asp,--nodes,200")
      ->delimiter(',');
  define(app, options.passes);
}

Figure figure_of(const Options& options) {
  Figure figure = figures()[static_cast<std::size_t>(options.figure - 3)];
  if (!options.clusters.empty()) figure.clusters = options.clusters;
  if (!options.processes.empty()) figure.processes = options.processes;
  if (!options.application.empty()) figure.application = options.application;
  return figure;
}

/// Measures the points of a figure.
class Survey {
 public:
  Survey(const Options& options, const Figure& figure, const std::vector<Peer>& peers)
      : options_(options),
        figure_(figure),
        peers_(peers),
        topology_(options.passes.presets + "/magpie-8x5.toml") {}

  Result<std::vector<Point>> run() {
    for (const int clusters : figure_.clusters) {
      for (const int processes : figure_.processes) {
        if (auto done = measure(clusters, processes); !done) return tl::unexpected(done.error());
      }
    }
    return points_;
  }

 private:
  Result<void> measure(int clusters, int processes) {
    const Place place{topology_, ranks_option(clusters, processes)};
    const std::string name = fmt::format("figure-{}-{}x{}", figure_.number, clusters, processes / clusters);
    return figure_.collective.empty() ? measure_application(name, place, clusters, processes)
                                      : measure_collective(name, place, clusters, processes);
  }

  Result<void> measure_application(const std::string& name, const Place& place, int clusters, int processes) {
    const Rounds rounds{options_.repetitions, kWarmUp};
    const auto comparison =
        compare_app(options_.passes, rounds, peers_, place, name, {figure_.title, figure_.application});
    if (!comparison) return tl::unexpected(comparison.error());
    points_.push_back({PeerTimes(*comparison), 0, clusters, processes, 0});
    return {};
  }

  Result<void> measure_collective(const std::string& name, const Place& place, int clusters, int processes) {
    Collection collection;
    std::vector<std::string> hosts;
    const auto take = [&](const std::string& peer, const std::string& text,
                          const std::string& file) -> Result<void> {
      const Result<Output> output = parse_output(text, file);
      if (!output) return tl::unexpected(output.error());
      if (!output->hosts.empty()) hosts = output->hosts;
      collection.add(peer, output->rows);
      return {};
    };
    if (auto done = run_passes(options_.passes, peers_, place, name, collective(), take); !done) return done;
    std::vector<Comparison> comparisons = collection.comparisons();
    const Result<Topology> topology =
        SiteFile::load(topology_).and_then([&](const SiteFile& file) { return topology_of(hosts, file); });
    if (!topology) return tl::unexpected(topology.error());
    add_bounds(comparisons, *topology);
    for (const Comparison& each : comparisons)
      points_.push_back({PeerTimes(each), each.cell.bytes, clusters, processes, each.bound_ns});
    return {};
  }

  Program collective() const {
    return [this](const std::string& rows) -> Words {
      std::vector<std::string> sizes;
      for (const Bytes bytes : figure_.sizes) sizes.push_back(std::to_string(std::max<Bytes>(bytes, 1)));
      return {options_.passes.build + "/bench/collectives/wan-bench",
              "--collectives",
              figure_.collective,
              "--sizes",
              joined(sizes),
              "--repetitions",
              std::to_string(options_.repetitions),
              "--warm-up",
              std::to_string(kWarmUp),
              "--real-time",
              "--output",
              rows};
    };
  }

  const Options& options_;
  const Figure& figure_;
  const std::vector<Peer>& peers_;
  std::string topology_;
  std::vector<Point> points_;
};

/// The exit status: 1 where a peer is missing or has a wrong result.
int report(const Options& options, const Figure& figure, const std::vector<Point>& points) {
  const PassOptions& passes = options.passes;
  const std::string path = fmt::format("{}/figure-{}", passes.output, figure.number);
  const std::string table = to_table(points, passes.peers);
  std::ofstream(path + ".txt") << table;
  std::ofstream(path + ".csv") << to_csv(points, passes.peers);
  fmt::print("\n{}\n", table);
  for (const std::string& picture : draw_figure(figure, points, passes.peers, passes.output))
    fmt::print("{}\n", picture);
  return std::ranges::all_of(points, [&](const Point& each) { return each.all_right(passes.peers); }) ? 0 : 1;
}

int run(Options options) {
  fill_in_directories(options.passes);
  const Figure figure = figure_of(options);
  const Result<std::vector<Peer>> peers = peers_of(options.passes);
  if (!peers) return complain(kName, peers.error());
  const Result<std::vector<Point>> points = Survey(options, figure, *peers).run();
  return points ? report(options, figure, *points) : complain(kName, points.error());
}

}  // namespace
}  // namespace wan::bench

int main(int argc, char** argv) {
  CLI::App app("MagPIe's figures on today's Open MPI, over emulated clusters", "wan-magpie");
  wan::bench::Options options;
  wan::bench::define_options(app, options);
  CLI11_PARSE(app, argc, argv);
  return wan::bench::run(options);
}
