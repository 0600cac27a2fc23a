// SPDX-License-Identifier: BSD-3-Clause
// wanctl plan: what coll_wan would do for one collective call on a given communicator: the tree of each site,
// every rank's Program, whether the verifier finds it correct, what crosses the wide area, and on demand when
// each step would be done (check/simulate.h). Tested by tests/golden/plan_test.sh.
#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <optional>

#include "algo/schedule.h"
#include "plan/text.h"
#include "tools/call_options.h"
#include "tools/plan_report.h"
#include "tools/timeline.h"
#include "tools/usage_error.h"

namespace wan::tools {
namespace {

struct Options {
  CallOptions call;
  std::string timeline;
  std::optional<Rank> only;
  bool simulate = false;
};

void draw(const std::string& path, const std::string& picture) {
  std::ofstream file(path);
  if (!(file << picture << std::flush)) refuse("--timeline", path, "cannot be written");
}

void show_simulation(const Options& options, const Topology& topology, const Tuning& tuning,
                     const GlobalCall& call, const Schedule& schedule) {
  const Layout& layout = topology.layout;
  const Model model(topology, Machine{.flow_window = tuning.flow_window});
  const Simulation simulation = simulate(schedule, model, call.unit_bytes);
  const Nanoseconds bound_ns = bound_of(topology, call);
  fmt::print("\n{}", simulation_text(simulation, bound_ns, layout));
  if (!options.timeline.empty())
    draw(options.timeline, timeline_svg(schedule, layout, simulation, {title_of(call, layout), bound_ns}));
}

/// The bound needs links that the user has stated.
void show_bound(const Options& options, const Topology& topology, const GlobalCall& call) {
  if (options.call.topology.empty()) return;
  const Nanoseconds bound_ns = bound_of(topology, call);
  fmt::print("\nlower bound: {:.3f} ms\n", static_cast<double>(bound_ns) / 1e6);
}

Status show(const Options& options) {
  const Topology topology = topology_of(options.call);
  const Tuning tuning = tuning_of(options.call);
  const GlobalCall call = call_of(options.call, topology.layout.size());
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
  return verdict.is_correct() ? Status::fine : Status::finding;
}

}  // namespace

void add_plan(Commands& commands) {
  const auto options = std::make_shared<Options>();
  CLI::App& command = commands.add(
      {.name = "plan",
       .summary = "Shows the plan of one collective call, and checks it",
       .details =
           {"Prints the tree of each site, the steps of every rank, whether they are correct, and what "
            "crosses the wide area beside the least that there can be."},
       .examples =
           {{"plan allreduce --topology sites.toml --ranks 4 --count 262144 --element-size 4 --simulate",
             "a vector of 1 MiB on four ranks of each site, and when it would be added up"},
            {"plan bcast --sites aabbc --root 2", "five ranks on three sites, without a file"}}},
      [options] { return show(*options); });
  commands.offer(
      command.add_option("collective", options->call.collective, "bcast, allreduce, alltoallv, ...")
          ->required()
          ->type_name(""),
      collective_names());
  declare_communicator(command, options->call);
  declare_call(commands, command, options->call);
  command.add_flag("--simulate", options->simulate,
                   "Print when it would be done, and what each link would carry");
  command
      .add_option("--timeline", options->timeline,
                  "Simulate, and draw every step and message into this SVG file")
      ->type_name("FILE");
  command.add_option("--only", options->only, "Print this rank's program only")->type_name("RANK");
}

}  // namespace wan::tools
