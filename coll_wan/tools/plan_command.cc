// SPDX-License-Identifier: BSD-3-Clause
// wanctl plan: what coll_wan would do for one collective call on a given communicator: the tree of each site,
// every rank's Program, whether the verifier finds it correct, what crosses the wide area, and on demand when
// each step would be done (check/simulate.h). Tested by tests/golden/plan_test.sh.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "algo/schedule.h"
#include "plan/text.h"
#include "tools/call_options.h"
#include "tools/output.h"
#include "tools/plan_json.h"
#include "tools/plan_report.h"
#include "tools/timeline.h"
#include "tools/usage_error.h"

namespace wan::tools {
namespace {

struct PlanOptions {
  CallOptions call;
  std::string timeline;
  std::optional<Rank> only;
  bool simulate = false, json = false;
};

/// A call, and what follows from it.
struct ShownPlan {
  Topology topology;
  Tuning tuning;
  GlobalCall call;
  Schedule schedule = plan_all(topology, tuning, call);
  Verdict verdict = verify(schedule, call, topology.layout);
};

ShownPlan plan_of(const PlanOptions& options) {
  Topology topology = topology_of(options.call);
  const Rank size = topology.layout.size();
  ShownPlan plan{std::move(topology), tuning_of(options.call), call_of(options.call, size)};
  if (options.only && (*options.only < 0 || *options.only >= size))
    refuse("--only", std::to_string(*options.only), fmt::format("expected 0 to {}", size - 1));
  return plan;
}

bool is_simulated(const PlanOptions& options) {
  return options.simulate || !options.timeline.empty();
}

Simulation simulation_of(const ShownPlan& plan) {
  const Model model(plan.topology, met_by(plan.tuning, plan.topology.machine));
  return simulate(plan.schedule, model, plan.call.unit_bytes);
}

void draw(const std::string& path, const ShownPlan& plan, const Simulation& simulation) {
  const Layout& layout = plan.topology.layout;
  write_output(path,
               timeline_svg(plan.schedule, layout, simulation,
                            {title_of(plan.call, layout), bound_of(plan.topology, plan.call)}),
               "--timeline");
}

std::string program_text(const ShownPlan& plan, std::optional<Rank> only) {
  if (!only) return to_text(plan.schedule);
  return to_text(plan.schedule[static_cast<std::size_t>(*only)], *only, plan.call.size);
}

void print_text(const PlanOptions& options, const ShownPlan& plan) {
  const auto& [topology, tuning, call, schedule, verdict] = plan;
  fmt::print("{}\n", tree_text(topology, tuning, call));
  fmt::print("{}\n", program_text(plan, options.only));
  fmt::print("{}\n{}", verdict_text(verdict), traffic_text(verdict, call, topology.layout));
  const Nanoseconds bound_ns = bound_of(topology, call);
  if (is_simulated(options))
    fmt::print("\n{}", simulation_text(simulation_of(plan), bound_ns, topology.layout));
  else if (!options.call.topology.empty())  // the bound needs links that the user has stated
    fmt::print("\nlower bound: {:.3f} ms\n", static_cast<double>(bound_ns) / 1e6);
}

void print_as_json(const PlanOptions& options, const ShownPlan& plan) {
  const auto& [topology, tuning, call, schedule, verdict] = plan;
  Json json = call_json(topology, tuning, call);
  json.update(verdict_json(verdict));
  json["between_sites"] = traffic_json(verdict, call, topology.layout);
  json["trees"] = trees_json(topology, tuning, call);
  json["programs"] = programs_json(schedule, options.only);
  if (is_simulated(options)) json["simulation"] = simulation_json(simulation_of(plan), topology.layout);
  if (is_simulated(options) || !options.call.topology.empty())
    json["lower_bound_ns"] = bound_of(topology, call);
  print_json(json);
}

Status show_plan(const PlanOptions& options) {
  const ShownPlan plan = plan_of(options);
  if (!options.timeline.empty()) draw(options.timeline, plan, simulation_of(plan));
  if (options.json)
    print_as_json(options, plan);
  else
    print_text(options, plan);
  return plan.verdict.is_correct() ? Status::fine : Status::finding;
}

}  // namespace

void add_plan(Commands& commands) {
  const auto options = std::make_shared<PlanOptions>();
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
      [options] { return show_plan(*options); });
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
  add_json_flag(command, options->json);
}

}  // namespace wan::tools
