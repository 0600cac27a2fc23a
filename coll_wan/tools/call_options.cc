// SPDX-License-Identifier: BSD-3-Clause
#include "tools/call_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/nearest.h"
#include "cost/machine.h"
#include "cost/machine_file.h"
#include "tools/ranks.h"
#include "tools/usage_error.h"
#include "topo/quantity.h"

namespace wan::tools {
namespace {

/// The index of `word` among `words`.
std::size_t choice(const char* option, const std::string& word, std::span<const std::string_view> words) {
  const auto found = std::ranges::find(words, word);
  if (found == words.end()) refuse(option, word, suggestion(word, words));
  return static_cast<std::size_t>(found - words.begin());
}

Bytes bytes_of(const char* option, const std::string& text) {
  return value_of(parse_bytes(text).map_error([&](InputError error) {
    error.file = option;
    return error;
  }));
}

Algorithm algorithm_of(const CallOptions& options) {
  const auto known = algorithms_of(collective_of(options));
  std::vector<std::string_view> names;
  for (const Algorithm each : known) names.push_back(name_of(each));
  return known[choice("--algorithm", options.algorithm, names)];
}

std::vector<Count> counts_of(const CallOptions& options, const GlobalCall& call) {
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

std::vector<Count> post_loads_of(const CallOptions& options, const GlobalCall& call) {
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
void split(GlobalCall& call, const CallOptions& options) {
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

std::string length_text(const GlobalCall& call) {
  if (call.collective == Collective::barrier || traits(call.collective).vector) return "";
  if (unit_of(call.collective) == Unit::bytes) return fmt::format(", {} bytes", call.block);
  return fmt::format(", {} elements of {} bytes", call.block, call.unit_bytes);
}

std::vector<std::string> strings_of(std::span<const std::string_view> words) {
  return {words.begin(), words.end()};
}

/// Of all collectives.
std::vector<std::string> algorithm_names() {
  std::vector<std::string> names;
  for (const CollectiveTraits& each : all_collectives())
    for (const Algorithm algorithm : algorithms_of(each.collective))
      if (std::ranges::find(names, name_of(algorithm)) == names.end()) names.emplace_back(name_of(algorithm));
  return names;
}

/// What is sent, and from whom. The option --count.
CLI::Option* declare_data(CLI::App& command, CallOptions& options) {
  CLI::Option* count =
      command.add_option("--count", options.count, "Bytes of a block, or elements of a reduction")
          ->type_name("N")
          ->capture_default_str();
  command
      .add_option("--counts", options.counts,
                  "Of a vector collective: a number a rank; alltoallv, alltoallw: a row a rank")
      ->type_name("NUMBERS");
  command
      .add_option("--post-loads", options.post_loads,
                  "Of alltoallv, alltoallw: what each rank has to do afterwards (coll_wan_post_load)")
      ->type_name("NUMBERS");
  command.add_option("--root", options.root, "Root")->type_name("RANK")->capture_default_str();
  command
      .add_option("--split", options.split,
                  "On an intercommunicator: so many first ranks are one group, the others the other")
      ->type_name("N");
  command.add_option("--element-size", options.element_bytes, "Bytes of an element of a reduction")
      ->type_name("BYTES")
      ->capture_default_str();
  return count;
}

/// What coll_wan's parameters of the same names set.
void declare_lengths(CLI::App& command, CallOptions& options) {
  command
      .add_option("--aggregate-limit", options.aggregate_limit,
                  "Blocks up to this size travel via coordinators")
      ->type_name("SIZE");
  command.add_option("--segment", options.segment, "Longest segment that long messages are cut into")
      ->type_name("SIZE")
      ->capture_default_str();
  command.add_option("--eager-window", options.eager_window, "Bytes of a message that go without asking")
      ->type_name("SIZE")
      ->capture_default_str();
  command
      .add_option("--lanes", options.lanes,
                  "Processes of a site that share what is long; 0: as many as it takes")
      ->type_name("N")
      ->capture_default_str();
  command
      .add_option("--flow-window", options.flow_window,
                  "Bytes that a TCP connection has under way; 0: no limit")
      ->type_name("SIZE")
      ->capture_default_str();
  command
      .add_option("--idle-window", options.idle_window,
                  "The same after a pause, until it has grown; 0: pauses change nothing")
      ->type_name("SIZE")
      ->capture_default_str();
  command.add_option("--streams", options.streams, "Connections of their own that two processes may have")
      ->type_name("N")
      ->capture_default_str();
}

}  // namespace

Collective collective_of(const CallOptions& options) {
  std::vector<std::string_view> names;
  for (const CollectiveTraits& each : all_collectives()) names.push_back(each.name);
  return all_collectives()[choice("COLLECTIVE", options.collective, names)].collective;
}

std::vector<std::string> collective_names() {
  std::vector<std::string> names;
  for (const CollectiveTraits& each : all_collectives()) names.emplace_back(each.name);
  return names;
}

void declare_communicator(CLI::App& command, CallOptions& options) {
  command.add_option("--topology", options.topology, "Topology file; a rank for each slot of each host")
      ->type_name("FILE");
  command.add_option("--ranks", options.ranks, "With --topology: ranks of each site, \"4\" or \"7,5,3\"")
      ->type_name("NUMBERS");
  command.add_option("--sites", options.sites, "A letter a rank (aabbc) or a path a rank (a/h1,a/h2,b/h1)")
      ->type_name("LABELS");
  command
      .add_option("--machine", options.machine,
                  "What a message costs a host: a file of wan-calibrate --output, or of those that it keeps")
      ->type_name("FILE");
}

CLI::Option* declare_call(Commands& commands, CLI::App& command, CallOptions& options) {
  CLI::Option* count = declare_data(command, options);
  commands.offer(command
                     .add_option("--order", options.order,
                                 "any: the operator commutes; rank: it does not; fixed: reproducible")
                     ->type_name("ORDER")
                     ->capture_default_str(),
                 {"any", "rank", "fixed"});
  command.add_flag("--in-place", options.in_place, "MPI_IN_PLACE wherever MPI allows it");
  commands.offer(
      command
          .add_option("--tree", options.tree, "Tree inside a site: auto, flat, chain, knomial, greedy or fnf")
          ->type_name("SHAPE")
          ->capture_default_str(),
      strings_of(tree_shape_names()));
  command.add_option("--radix", options.radix, "Of the knomial tree")->type_name("N")->capture_default_str();
  commands.offer(command.add_option("--algorithm", options.algorithm, "Forces one: " + known_algorithms())
                     ->type_name("NAME"),
                 algorithm_names());
  declare_lengths(command, options);
  return count;
}

Machine machine_of(const CallOptions& options) {
  if (options.machine.empty()) return {};
  return believable(value_of(parse_machine(value_of(SiteFile::read(options.machine)), options.machine)));
}

Topology topology_of(const SiteFile& file, const std::string& ranks, const Machine& machine) {
  const auto paths = value_of(paths_of_file(file, ranks));
  const Layout layout(paths);
  return {layout, network_of(layout, file), overheads_of(paths, file, machine), machine};
}

Topology topology_of(const CallOptions& options) {
  if (options.topology.empty() == options.sites.empty())
    refuse("--topology", options.topology, "give either --topology FILE or --sites LABELS");
  const Machine machine = machine_of(options);
  if (options.sites.empty())
    return topology_of(value_of(SiteFile::load(options.topology)), options.ranks, machine);
  const Layout layout(value_of(paths_of_labels(options.sites)));
  return {layout, Network(layout.sites(), Link{10'000'000, 125'000'000, 0}), {}, machine};
}

Tuning tuning_of(const CallOptions& options) {
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
  tuning.idle_window = bytes_of("--idle-window", options.idle_window);
  if (options.streams < 0) refuse("--streams", std::to_string(options.streams), "expected 0 or more");
  tuning.streams = options.streams;
  tuning.algorithms.force(collective_of(options), algorithm_of(options));
  return tuning;
}

GlobalCall call_of(const CallOptions& options, Rank size) {
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

std::string title_of(const GlobalCall& call, const Layout& layout) {
  return fmt::format("{} on {} ranks of {} sites{}{}", traits(call.collective).name, call.size,
                     layout.sites(), length_text(call),
                     traits(call.collective).rooted ? fmt::format(", root {}", call.root) : "");
}

}  // namespace wan::tools
