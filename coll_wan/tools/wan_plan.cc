// SPDX-License-Identifier: BSD-3-Clause
// wan-plan: shows what coll_wan would do for one collective call on a given communicator: the tree of each
// site, every rank's Program, whether the verifier finds it correct, what crosses the wide area, and on
// demand when each step would be done (check/simulate.h). Exit status 0: correct; 1: not; 2: bad input.
// Tested by tests/golden/wan_plan_test.sh.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <numeric>

#include "algo/schedule.h"
#include "base/nearest.h"
#include "plan/text.h"
#include "tools/plan_report.h"
#include "tools/ranks.h"
#include "tools/timeline.h"
#include "tools/usage_error.h"
#include "topo/quantity.h"

namespace wan::tools {
namespace {

/// The command line, as text.
struct Options {
  std::string collective, topology, ranks, sites, counts, post_loads, timeline;
  std::string algorithm = "auto", order = "any", tree = "auto", count = "8", aggregate_limit,
              segment = "32768", eager_window = "4194304", flow_window = "0";
  Rank root = 0, split = 0;
  int radix = Tuning{}.radix, lanes = 0;
  std::optional<Rank> only;
  Bytes element_bytes = 8;
  bool in_place = false, simulate = false;
};

[[noreturn]] void refuse(const char* option, std::string value, std::string remedy) {
  throw UsageError(InputError{option, 0, {}, std::move(value), std::move(remedy)});
}

/// The index of `word` among `words`.
std::size_t choice(const char* option, const std::string& word, std::span<const std::string_view> words) {
  const auto found = std::ranges::find(words, word);
  if (found == words.end()) refuse(option, word, suggestion(word, words));
  return static_cast<std::size_t>(found - words.begin());
}

Collective collective_of(const Options& options) {
  std::vector<std::string_view> names;
  for (const CollectiveTraits& each : all_collectives()) names.push_back(each.name);
  return all_collectives()[choice("COLLECTIVE", options.collective, names)].collective;
}

Topology topology_of(const Options& options) {
  if (options.topology.empty() == options.sites.empty())
    refuse("--topology", options.topology, "give either --topology FILE or --sites LABELS");
  if (!options.sites.empty()) {
    const Layout layout(value_of(paths_of_labels(options.sites)));
    return {layout, Network(layout.sites(), Link{10'000'000, 125'000'000, 0})};
  }
  const SiteFile file = value_of(SiteFile::load(options.topology));
  const auto paths = value_of(paths_of_file(file, options.ranks));
  const Layout layout(paths);
  return {layout, network_of(layout, file), overheads_of(paths, file, Machine{})};
}

Bytes bytes_of(const char* option, const std::string& text) {
  return value_of(parse_bytes(text).map_error([&](InputError error) {
    error.file = option;
    return error;
  }));
}

Algorithm algorithm_of(const Options& options) {
  const auto known = algorithms_of(collective_of(options));
  std::vector<std::string_view> names;
  for (const Algorithm each : known) names.push_back(name_of(each));
  return known[choice("--algorithm", options.algorithm, names)];
}

Tuning tuning_of(const Options& options) {
  if (options.radix < 2) refuse("--radix", std::to_string(options.radix), "expected 2 or more");
  Tuning tuning;
  tuning.tree = static_cast<TreeShape>(choice("--tree", options.tree, tree_shape_names()));
  tuning.radix = options.radix;
  if (!options.aggregate_limit.empty())
    tuning.aggregate_limit = tuning.alltoall_aggregate_limit =
        bytes_of("--aggregate-limit", options.aggregate_limit);
  tuning.segment = bytes_of("--segment", options.segment);
  if (tuning.segment < 1) refuse("--segment", options.segment, "expected 1 or more");
  tuning.eager_window = bytes_of("--eager-window", options.eager_window);
  if (options.lanes < 0) refuse("--lanes", std::to_string(options.lanes), "expected 0 or more");
  tuning.lanes = options.lanes;
  tuning.flow_window = bytes_of("--flow-window", options.flow_window);
  tuning.algorithms.force(collective_of(options), algorithm_of(options));
  return tuning;
}

std::vector<Count> counts_of(const Options& options, const GlobalCall& call) {
  if (!traits(call.collective).vector) {
    if (!options.counts.empty()) refuse("--counts", options.counts, "give --count: all ranks have the same");
    return {};
  }
  const auto ranks = static_cast<std::size_t>(call.size);
  const std::size_t number = has_count_matrix(call.collective) ? ranks * ranks : ranks;
  if (options.counts.empty()) return std::vector<Count>(number, call.block);
  auto counts = value_of(parse_counts(options.counts, "--counts"));
  if (counts.size() != number) refuse("--counts", options.counts, fmt::format("expected {} numbers", number));
  return counts;
}

std::vector<Count> post_loads_of(const Options& options, const GlobalCall& call) {
  if (options.post_loads.empty()) return {};
  if (!has_count_matrix(call.collective))
    refuse("--post-loads", options.post_loads, "only alltoallv and alltoallw are ordered by them");
  auto loads = value_of(parse_counts(options.post_loads, "--post-loads"));
  if (std::ssize(loads) != call.size)
    refuse("--post-loads", options.post_loads, fmt::format("expected {} numbers", call.size));
  return loads;
}

/// Everybody that MPI lets pass MPI_IN_PLACE does.
std::vector<Placement> placements_of(const GlobalCall& call) {
  std::vector<Placement> placements(static_cast<std::size_t>(call.size), Placement::in_place);
  if (traits(call.collective).rooted)
    for (Rank rank = 0; rank < call.size; ++rank)
      if (rank != call.root) placements[static_cast<std::size_t>(rank)] = Placement::separate;
  return placements;
}

bool is_symmetric(const GlobalCall& call) {
  for (Rank a = 0; a < call.size; ++a)
    for (Rank b = 0; b < a; ++b)
      if (call.block_between(a, b) != call.block_between(b, a)) return false;
  return true;
}

Count sum(std::span<const Count> counts) {
  return std::accumulate(counts.begin(), counts.end(), Count{0});
}

/// Makes it a call between two groups.
void split(GlobalCall& call, const Options& options) {
  if (options.split == 0) return;
  const auto refuse_split = [&](std::string remedy) {
    refuse("--split", std::to_string(options.split), std::move(remedy));
  };
  if (!is_split_by_groups(call.collective))
    refuse_split(fmt::format("{} on an intercommunicator is planned without", options.collective));
  if (traits(call.collective).rooted && (options.split != 1 || call.root != 0))
    refuse_split("expected 1 and --root 0: the root is a group by itself");
  if (options.split < 0 || options.split >= call.size)
    refuse_split(fmt::format("expected 1 to {}", call.size - 1));
  if (options.in_place) refuse_split("there is no MPI_IN_PLACE on intercommunicators");
  call.split = options.split;
  call.back = call.block;
  const Rank first = call.split, second = call.size - call.split;
  if (call.collective == Collective::reduce_scatter_block &&
      (call.block % first != 0 || call.block % second != 0))
    refuse("--count", options.count,
           fmt::format("expected the length of the vector, which {} and {} ranks share", first, second));
  const std::span<const Count> counts(call.counts);
  if (call.collective == Collective::reduce_scatter &&
      sum(counts.first(static_cast<std::size_t>(first))) !=
          sum(counts.subspan(static_cast<std::size_t>(first))))
    refuse("--counts", options.counts, "expected the same sum in both groups");
}

GlobalCall call_of(const Options& options, Rank size) {
  constexpr std::string_view kOrders[] = {"any", "rank", "fixed"};
  GlobalCall call;
  call.collective = collective_of(options);
  call.size = size;
  call.root = options.root;
  if (call.root < 0 || call.root >= size)
    refuse("--root", std::to_string(call.root), fmt::format("expected 0 to {}", size - 1));
  call.order = static_cast<OperandOrder>(choice("--order", options.order, kOrders));
  const auto count = value_of(parse_counts(options.count, "--count"));
  if (count.size() != 1) refuse("--count", options.count, "expected one number; --counts takes several");
  if (call.collective != Collective::barrier) call.block = count.front();
  if (options.element_bytes < 1)
    refuse("--element-size", std::to_string(options.element_bytes), "expected 1 or more");
  if (traits(call.collective).reduces) call.unit_bytes = options.element_bytes;
  call.counts = counts_of(options, call);
  call.loads = post_loads_of(options, call);
  const bool has_in_place = call.collective != Collective::barrier && call.collective != Collective::bcast;
  if (options.in_place && !has_in_place)
    refuse("--in-place", options.collective, "this collective knows no MPI_IN_PLACE");
  if (options.in_place && has_count_matrix(call.collective) && !is_symmetric(call))
    refuse("--counts", options.counts, "in place, each pair of ranks sends each other equally much");
  if (options.in_place) call.placements = placements_of(call);
  split(call, options);
  return call;
}

void draw(const std::string& path, const std::string& picture) {
  std::ofstream file(path);
  if (!(file << picture << std::flush)) refuse("--timeline", path, "cannot be written");
}

std::string length_text(const GlobalCall& call) {
  if (call.collective == Collective::barrier || traits(call.collective).vector) return "";
  if (unit_of(call.collective) == Unit::bytes) return fmt::format(", {} bytes", call.block);
  return fmt::format(", {} elements of {} bytes", call.block, call.unit_bytes);
}

std::string title_of(const Options& options, const GlobalCall& call, const Layout& layout) {
  return fmt::format("{} on {} ranks of {} sites{}{}", options.collective, call.size, layout.sites(),
                     length_text(call),
                     traits(call.collective).rooted ? fmt::format(", root {}", call.root) : "");
}

void show_simulation(const Options& options, const Topology& topology, const Tuning& tuning,
                     const GlobalCall& call, const Schedule& schedule) {
  const Layout& layout = topology.layout;
  const Model model(topology, Machine{.flow_window = tuning.flow_window});
  const Simulation simulation = simulate(schedule, model, call.unit_bytes);
  const Nanoseconds bound_ns = bound_of(topology, call);
  fmt::print("\n{}", simulation_text(simulation, bound_ns, layout));
  if (!options.timeline.empty())
    draw(options.timeline,
         timeline_svg(schedule, layout, simulation, {title_of(options, call, layout), bound_ns}));
}

/// The bound needs links that the user has stated.
void show_bound(const Options& options, const Topology& topology, const GlobalCall& call) {
  if (options.topology.empty()) return;
  const Nanoseconds bound_ns = bound_of(topology, call);
  fmt::print("\nlower bound: {:.3f} ms\n", static_cast<double>(bound_ns) / 1e6);
}

int show(const Options& options) {
  const Topology topology = topology_of(options);
  const Tuning tuning = tuning_of(options);
  const GlobalCall call = call_of(options, topology.layout.size());
  if (options.only && (*options.only < 0 || *options.only >= call.size))
    refuse("--only", std::to_string(*options.only), fmt::format("expected 0 to {}", call.size - 1));
  const Schedule schedule = plan_all(topology, tuning, call);
  const Verdict verdict = verify(schedule, call, topology.layout);
  fmt::print("{}\n", tree_text(topology, tuning, call));
  fmt::print("{}\n", options.only ? to_text(schedule[static_cast<std::size_t>(*options.only)], *options.only,
                                            call.size)
                                  : to_text(schedule));
  fmt::print("{}\n{}", verdict_text(verdict), traffic_text(verdict, call, topology.layout));
  if (options.simulate || !options.timeline.empty())
    show_simulation(options, topology, tuning, call, schedule);
  else
    show_bound(options, topology, call);
  return verdict.is_correct() ? 0 : 1;
}

void declare(CLI::App& app, Options& options) {
  app.add_option("collective", options.collective, "bcast, allreduce, alltoallv, ...")->required();
  app.add_option("--topology", options.topology, "topology file; a rank for each slot of each host");
  app.add_option("--ranks", options.ranks, "with --topology: ranks of each site, \"4\" or \"7,5,3\"");
  app.add_option("--sites", options.sites, "a letter a rank (aabbc) or a path a rank (a/h1,a/h2,b/h1)");
  app.add_option("--count", options.count, "bytes of a block, or elements of a reduction")
      ->capture_default_str();
  app.add_option("--counts", options.counts,
                 "of a vector collective: a number a rank; alltoallv, alltoallw: a row a rank");
  app.add_option("--post-loads", options.post_loads,
                 "of alltoallv, alltoallw: what each rank has to do afterwards (coll_wan_post_load)");
  app.add_option("--root", options.root, "root")->capture_default_str();
  app.add_option("--split", options.split,
                 "on an intercommunicator: so many first ranks are one group, the others the other");
  app.add_option("--order", options.order,
                 "any: the operator commutes; rank: it does not; fixed: reproducible")
      ->capture_default_str();
  app.add_flag("--in-place", options.in_place, "MPI_IN_PLACE wherever MPI allows it");
  app.add_option("--tree", options.tree, "tree inside a site: auto, flat, chain, knomial, greedy or fnf")
      ->capture_default_str();
  app.add_option("--radix", options.radix, "of the knomial tree")->capture_default_str();
  app.add_option("--algorithm", options.algorithm, "forces one: " + known_algorithms());
  app.add_option("--aggregate-limit", options.aggregate_limit,
                 "blocks up to this size travel via coordinators")
      ->capture_default_str();
  app.add_option("--segment", options.segment, "longest segment that long messages are cut into")
      ->capture_default_str();
  app.add_option("--eager-window", options.eager_window, "bytes of a message that go without asking")
      ->capture_default_str();
  app.add_option("--lanes", options.lanes,
                 "processes of a site that share what is long; 0: as many as it takes")
      ->capture_default_str();
  app.add_option("--flow-window", options.flow_window,
                 "bytes that a TCP connection has under way; 0: no limit")
      ->capture_default_str();
  app.add_option("--element-size", options.element_bytes, "bytes of an element of a reduction")
      ->capture_default_str();
  app.add_flag("--simulate", options.simulate, "print when it would be done, and what each link would carry");
  app.add_option("--timeline", options.timeline,
                 "simulate, and draw every step and message into this SVG file");
  app.add_option("--only", options.only, "print this rank's program only");
}

}  // namespace
}  // namespace wan::tools

int main(int count, char** arguments) {
  CLI::App app("Shows the schedule of one collective call of coll_wan and checks it.", "wan-plan");
  wan::tools::Options options;
  wan::tools::declare(app, options);
  try {
    app.parse(count, arguments);
    return wan::tools::show(options);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const wan::tools::UsageError& error) {
    fmt::print(stderr, "wan-plan: {}\n", error.what());
    return 2;
  }
}
