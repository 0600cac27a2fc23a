// SPDX-License-Identifier: BSD-3-Clause
// wanctl draw tree, draw timeline: the plan of a call as a picture. Tested by tests/wanctl/draw_test.sh.
#include <memory>

#include "algo/schedule.h"
#include "check/simulate.h"
#include "tools/call_options.h"
#include "tools/output.h"
#include "tools/ranks.h"
#include "tools/site_trees.h"
#include "tools/timeline.h"
#include "tools/tree_picture.h"
#include "tools/usage_error.h"

namespace wan::tools {
namespace {

struct DrawOptions {
  CallOptions call;
  std::string output = "-";
};

/// The name of each rank's host; empty where only its site is known.
std::vector<std::string> hosts_of(const CallOptions& options) {
  const auto paths = options.topology.empty()
                         ? value_of(paths_of_labels(options.sites))
                         : value_of(paths_of_file(value_of(SiteFile::load(options.topology)), options.ranks));
  std::vector<std::string> hosts;
  for (const Path& path : paths) hosts.push_back(path.size() > 1 ? path[1] : "");
  return hosts;
}

Status draw_tree(const DrawOptions& options) {
  const Topology topology = topology_of(options.call);
  const Tuning tuning = tuning_of(options.call);
  const GlobalCall call = call_of(options.call, topology.layout.size());
  std::vector<Tree> trees;
  for (SiteIndex site = 0; site < topology.layout.sites(); ++site)
    trees.push_back(tree_of(topology, tuning, call, site));
  write_output(options.output, tree_svg(plan_all(topology, tuning, call), topology.layout, trees,
                                        hosts_of(options.call), title_of(call, topology.layout)));
  return Status::fine;
}

Status draw_timeline(const DrawOptions& options) {
  const Topology topology = topology_of(options.call);
  const Tuning tuning = tuning_of(options.call);
  const GlobalCall call = call_of(options.call, topology.layout.size());
  const Schedule schedule = plan_all(topology, tuning, call);
  const Model model(topology, met_by(tuning, topology.machine));
  write_output(options.output,
               timeline_svg(schedule, topology.layout, simulate(schedule, model, call.unit_bytes),
                            {title_of(call, topology.layout), bound_of(topology, call)}));
  return Status::fine;
}

void add_picture(Commands& commands, CLI::App& group, Description description,
                 Status (*draw)(const DrawOptions&)) {
  const auto options = std::make_shared<DrawOptions>();
  CLI::App& command = commands.add(
      std::move(description), [options, draw] { return draw(*options); }, &group);
  commands.offer(
      command.add_option("collective", options->call.collective, "bcast, allreduce, alltoallv, ...")
          ->required()
          ->type_name(""),
      collective_names());
  declare_communicator(command, options->call);
  declare_call(commands, command, options->call);
  add_output_option(command, options->output);
}

}  // namespace

void add_draw(Commands& commands) {
  CLI::App& group = commands.add_group({"draw", "Draws the plan of one collective call as a picture (SVG)"});
  add_picture(
      commands, group,
      {.name = "tree",
       .summary = "Draws who sends to whom, site by site and host by host",
       .details =
           {"Arrows between sites have the colour of the sending site, and are the wider the more they "
            "carry. Point at one to read messages and lengths."},
       .examples = {{"draw tree bcast --topology sites.toml --ranks 8 --output tree.svg",
                     "a broadcast on eight ranks of each site"}}},
      draw_tree);
  add_picture(
      commands, group,
      {.name = "timeline",
       .summary = "Draws when each step is done and each message is on its way, by the cost model",
       .details = {"Each rank has a row. Where nothing happens for long, the time axis is folded."},
       .examples = {{"draw timeline allreduce --topology sites.toml --count 262144 --element-size 4 --output "
                     "timeline.svg",
                     "an allreduce of 1 MiB"}}},
      draw_timeline);
}

}  // namespace wan::tools
