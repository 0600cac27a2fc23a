// SPDX-License-Identifier: BSD-3-Clause
#include "bench/papers/random_study.h"

#include <fmt/format.h>

#include <ctime>
#include <fstream>
#include <numeric>

#include "algo/trees/broadcast_builders.h"
#include "bench/common/gnuplot.h"
#include "bench/papers/cluster_bound.h"
#include "bench/papers/methods.h"
#include "bench/papers/random_graphs.h"
#include "bench/papers/ratios.h"
#include "tests/support/optimal_broadcast.h"

namespace wan::bench {
namespace {

constexpr NodeIndex kFewestNodes = 4, kMostNodesOfAClusterSearch = 9, kMostNodesOfALinkSearch = 8;
constexpr NodeIndex kLargeClusters[] = {16, 32, 64, 100};
constexpr NodeIndex kTimed[] = {8, 64, 1'000};

void print_heading(const std::string& title) {
  fmt::print("\n{}\n{:<46}{:>10}{:>10}{:>10}{:>10}\n", title, "", "equal %", "in 10 %", "mean", "worst");
}

void print_line(const std::string& title, const Ratios& ratios) {
  fmt::print("{:<46}{:>10.1f}{:>10.1f}{:>10.4f}{:>10.3f}\n", title, ratios.percent_equal(),
             ratios.percent_within_a_tenth(), ratios.mean(), ratios.worst());
}

std::string csv_line(const std::string& family, NodeIndex nodes, const std::string& method,
                     const Ratios& ratios) {
  return fmt::format("{},{},{},{:.2f},{:.2f},{:.5f},{:.4f}\n", family, nodes, method, ratios.percent_equal(),
                     ratios.percent_within_a_tenth(), ratios.mean(), ratios.worst());
}
const char* const kCsvColumns = "family,nodes,method,equal_percent,within_10_percent,mean,worst\n";

BroadcastTree in_random_order(const BroadcastGraph& graph, Random& random) {
  std::vector<NodeIndex> receivers(static_cast<std::size_t>(graph.nodes()) - 1);
  std::iota(receivers.begin(), receivers.end(), 1);
  random.shuffle(receivers);
  return send_in_order(graph, 0, receivers);
}

/// What one family and number of nodes comes to: the methods, and a random order.
class Comparison {
 public:
  void add(const BroadcastGraph& graph, Nanoseconds reference_ns, Random& random) {
    for (std::size_t i = 0; i < methods_.size(); ++i)
      ratios_[i].add(completion_time(graph, methods_[i].build(graph, 0)), reference_ns);
    const Nanoseconds by_chance_ns = completion_time(graph, in_random_order(graph, random));
    of_random_.add(by_chance_ns, reference_ns);
    random_to_fnf_.add(by_chance_ns, completion_time(graph, fastest_node_first(graph, 0)));
  }

  void print(const std::string& title) const {
    print_heading(title);
    for (std::size_t i = 0; i < methods_.size(); ++i) print_line(methods_[i].title, ratios_[i]);
    print_line("random order", of_random_);
    print_line("random order, to fastest node first", random_to_fnf_);
  }

  std::string csv(const std::string& family, NodeIndex nodes) const {
    std::string text;
    for (std::size_t i = 0; i < methods_.size(); ++i)
      text += csv_line(family, nodes, methods_[i].name, ratios_[i]);
    return text + csv_line(family, nodes, "random", of_random_);
  }

 private:
  std::vector<Method> methods_ = methods();
  std::vector<Ratios> ratios_ = std::vector<Ratios>(methods_.size());
  Ratios of_random_, random_to_fnf_;
};

/// Graphs of few nodes against the optimum.
template <class Family>
void compare_small(const Family& family, NodeIndex most_nodes, const StudySize& size, std::ofstream& csv) {
  Random random(size.seed);
  Comparison of_all;
  for (NodeIndex nodes = kFewestNodes; nodes <= most_nodes; ++nodes) {
    Comparison of_size;
    for (int number = 0; number < size.graphs; ++number) {
      const auto graph = family.draw(random, nodes);
      const Nanoseconds optimum = optimal_broadcast(graph, 0);
      for (Comparison* each : {&of_all, &of_size}) each->add(graph, optimum, random);
    }
    csv << of_size.csv(family.name, nodes);
  }
  of_all.print(fmt::format("{}, {} to {} nodes, against the optimum", family.name, kFewestNodes, most_nodes));
}

/// How much of a distance to the bound is the bound's own.
void compare_bound(const ClusterFamily& family, const StudySize& size) {
  Random random(size.seed);
  Ratios ratios;
  for (int number = 0; number < size.graphs; ++number) {
    const ClusterGraph cluster = family.draw(random, kMostNodesOfAClusterSearch);
    ratios.add(optimal_broadcast(cluster, 0), cluster_bound(cluster, 0));
  }
  print_line(fmt::format("{}, {} nodes", family.name, kMostNodesOfAClusterSearch), ratios);
}

/// Clusters of many nodes against their bound.
void compare_large(const ClusterFamily& family, NodeIndex nodes, const StudySize& size, std::ofstream& csv) {
  Random random(size.seed);
  Comparison comparison;
  for (int number = 0; number < size.graphs; ++number) {
    const ClusterGraph cluster = family.draw(random, nodes);
    comparison.add(cluster, cluster_bound(cluster, 0), random);
  }
  comparison.print(fmt::format("{}, {} nodes, against the lower bound", family.name, nodes));
  csv << comparison.csv(family.name, nodes);
}

struct Line {
  const char *method, *color, *title;
};
constexpr Line kLines[] = {{"esp_number", "#9d6cb3", "ext. shortest path (papers/000)"},
                           {"random", "#b0b0b0", "random order"},
                           {"esp_gain", "#edae49", "ext. shortest path, largest gain first"},
                           {"fnf", "#d1495b", "fastest node first (papers/002)"},
                           {"best", "#3f7d5c", "best tree"}};

/// Column `column` of a file over the nodes, one line a method, of one family.
std::string panel(const std::string& file, const std::string& family, int column) {
  std::string script = "plot ";
  for (const Line& line : kLines) {
    const std::string rows = fmt::format("strcol(1) eq '{}' && strcol(3) eq '{}'", family, line.method);
    script += fmt::format(
        "'{}' using ({} ? $2 : NaN):{} with linespoints pt 7 ps 0.7 lw 2 lc rgb '{}' title '{}', ", file,
        rows, column, line.color, line.title);
  }
  return script + "\n";
}

void draw_clusters(const std::string& directory) {
  const std::string family = "receiving 1-10";
  const std::string script =
      "set multiplot layout 1,2\nset datafile missing NaN\nunset key\nset xlabel 'nodes'\n"
      "set xrange [3.7:9.3]\nset xtics 1\nset title 'Optimal trees: 4 to 9 nodes'\nset ylabel '% of the "
      "clusters'\nset yrange [0:105]\n" +
      panel(directory + "/clusters.csv", family, 4) +
      "set key top left reverse Left\nset title 'Completion time: 16 to 100 nodes'\n"
      "set ylabel 'multiples of the lower bound'\nset yrange [1:*]\n"
      "set logscale x\nset xrange [14:115]\nset xtics (16, 32, 64, 100)\n" +
      panel(directory + "/large-clusters.csv", family, 6) + "unset multiplot\n";
  draw_csv({directory + "/clusters", script, 1'080, 460});
}

template <class Graph>
double milliseconds(const Graph& graph) {
  const std::clock_t start = std::clock();
  methods().back().build(graph, 0);
  return 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

}  // namespace

void run_random_study(const StudySize& size, const std::string& directory) {
  std::ofstream clusters(directory + "/clusters.csv"), links(directory + "/links.csv"),
      large(directory + "/large-clusters.csv");
  for (std::ofstream* csv : {&clusters, &links, &large}) *csv << kCsvColumns;
  for (const ClusterFamily& family : cluster_families())
    compare_small(family, kMostNodesOfAClusterSearch, size, clusters);
  for (const LinkFamily& family : link_families())
    compare_small(family, kMostNodesOfALinkSearch, size, links);
  print_heading("the optimum, against the lower bound");
  for (const ClusterFamily& family : cluster_families()) compare_bound(family, size);
  for (const ClusterFamily& family : cluster_families())
    for (const NodeIndex nodes : kLargeClusters) compare_large(family, nodes, size, large);
  for (std::ofstream* csv : {&clusters, &links, &large}) csv->close();
  draw_clusters(directory);
}

void time_best_tree(std::uint64_t seed) {
  Random random(seed);
  fmt::print("\nprocessor time of best_tree (ms)\n{:>8}{:>10}{:>10}\n", "nodes", "cluster", "links");
  for (const NodeIndex nodes : kTimed)
    fmt::print("{:>8}{:>10.2f}{:>10.2f}\n", nodes, milliseconds(cluster_families()[1].draw(random, nodes)),
               milliseconds(link_families()[1].draw(random, nodes)));
}

}  // namespace wan::bench
