// SPDX-License-Identifier: BSD-3-Clause
#include "tools/plan_json.h"

#include "algo/choice/choice.h"
#include "tools/site_trees.h"

namespace wan::tools {
namespace {

constexpr const char* kKinds[] = {"send", "receive", "copy", "reduce"};
constexpr const char* kBuffers[] = {"input", "output", "scratch"};

Json ranges_json(std::span<const Range> ranges) {
  Json list = Json::array();
  for (const Range& range : ranges)
    list.push_back({{"buffer", kBuffers[static_cast<std::size_t>(range.buffer)]},
                    {"offset", range.offset},
                    {"length", range.length}});
  return list;
}

Json step_json(const Step& step) {
  Json json{{"kind", kKinds[static_cast<std::size_t>(step.kind)]}};
  if (step.peer >= 0) json["peer"] = step.peer;
  if (!step.from.empty()) json["from"] = ranges_json(step.from);
  if (!step.to.empty()) json["to"] = ranges_json(step.to);
  json["after"] = std::vector<StepIndex>(step.after.begin(), step.after.end());
  return json;
}

Json program_json(const Program& program, Rank rank) {
  Json steps = Json::array();
  for (StepIndex i = 0; i < program.size(); ++i) steps.push_back(step_json(program.step(i)));
  const BufferLengths& lengths = program.lengths();
  return {{"rank", rank},
          {"unit", program.unit() == Unit::bytes ? "bytes" : "elements"},
          {"input", lengths.input},
          {"output", lengths.output},
          {"scratch", lengths.scratch},
          {"steps", std::move(steps)}};
}

void add_use(Json& list, const char* key, Json value, const LinkUse& use) {
  if (use.transmissions == 0) return;
  Json& entry = list.emplace_back(std::move(value));
  if (*key) entry["direction"] = key;
  entry["transmissions"] = use.transmissions;
  entry["bytes"] = use.payload;
  entry["wire_bytes"] = use.wire;
  entry["busy_ns"] = use.busy_ns;
}

}  // namespace

Json call_json(const Topology& topology, const Tuning& tuning, const GlobalCall& call) {
  const Choice choice = choose(topology, tuning, call.view(0));
  Json json{{"collective", traits(call.collective).name}, {"ranks", call.size}};
  if (traits(call.collective).rooted) json["root"] = call.root;
  json["block"] = call.block;
  json["unit_bytes"] = call.unit_bytes;
  json["algorithm"] = name_of(choice.algorithm());
  json["lanes"] = choice.lanes;
  for (SiteIndex site = 0; site < topology.layout.sites(); ++site) {
    const auto ranks = topology.layout.ranks_of(site);
    json["sites"].push_back({{"name", topology.layout.site_name(site)},
                             {"ranks", std::vector<Rank>(ranks.begin(), ranks.end())}});
  }
  return json;
}

Json trees_json(const Topology& topology, const Tuning& tuning, const GlobalCall& call) {
  Json trees = Json::array();
  for (SiteIndex site = 0; site < topology.layout.sites(); ++site) {
    const Tree tree = tree_of(topology, tuning, call, site);
    Json edges = Json::array();
    for (const Rank rank : tree.members())
      for (const Rank child : tree.children_of(rank)) edges.push_back({{"parent", rank}, {"child", child}});
    trees.push_back(
        {{"site", topology.layout.site_name(site)}, {"root", tree.root()}, {"edges", std::move(edges)}});
  }
  return trees;
}

Json programs_json(const Schedule& schedule, std::optional<Rank> only) {
  Json list = Json::array();
  for (Rank rank = 0; rank < std::ssize(schedule); ++rank)
    if (!only || rank == *only) list.push_back(program_json(schedule[static_cast<std::size_t>(rank)], rank));
  return list;
}

Json verdict_json(const Verdict& verdict) {
  return {{"correct", verdict.is_correct()},
          {"defects", verdict.defects},
          {"latencies", verdict.latencies},
          {"repeated_units", verdict.repeated_units}};
}

Json traffic_json(const Verdict& verdict, const GlobalCall& call, const Layout& layout) {
  const Demand demand = demand_of(layout, call);
  Json list = Json::array();
  for (SiteIndex from = 0; from < layout.sites(); ++from)
    for (SiteIndex to = 0; to < layout.sites(); ++to) {
      const auto found = verdict.between_sites.find({from, to});
      const Traffic sent = found == verdict.between_sites.end() ? Traffic{} : found->second;
      const PairTraffic& least = demand.traffic.at(from, to);
      if (sent.messages + least.messages == 0) continue;
      list.push_back({{"from", layout.site_name(from)},
                      {"to", layout.site_name(to)},
                      {"messages", sent.messages},
                      {"units", sent.units},
                      {"least_messages", least.messages},
                      {"least_units", least.bytes}});
    }
  return list;
}

Json simulation_json(const Simulation& simulation, const Layout& layout) {
  Json json{{"end_ns", simulation.end},
            {"finished", simulation.is_finished()},
            {"rank_end_ns", simulation.rank_end}};
  Json& links = json["links"] = Json::array();
  for (SiteIndex from = 0; from < layout.sites(); ++from)
    for (SiteIndex to = 0; to < layout.sites(); ++to)
      add_use(links, "", {{"from", layout.site_name(from)}, {"to", layout.site_name(to)}},
              simulation.between_sites.at(from, to));
  Json& access = json["access_links"] = Json::array();
  for (SiteIndex site = 0; site < layout.sites(); ++site) {
    const auto index = static_cast<std::size_t>(site);
    add_use(access, "up", {{"site", layout.site_name(site)}}, simulation.uplinks[index]);
    add_use(access, "down", {{"site", layout.site_name(site)}}, simulation.downlinks[index]);
  }
  return json;
}

}  // namespace wan::tools
