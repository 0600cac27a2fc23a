// SPDX-License-Identifier: BSD-3-Clause
#include "tools/plan_report.h"

#include <fmt/format.h>

#include "algo/position.h"

namespace wan::tools {
namespace {

void add_subtree(std::string& text, const Tree& tree, Rank rank, int depth) {
  text += fmt::format("{:>{}}{}\n", "", 2 * depth, rank);
  for (const Rank child : tree.children_of(rank)) add_subtree(text, tree, child, depth + 1);
}

}  // namespace

std::string tree_text(const Topology& topology, const Tuning& tuning, const GlobalCall& call) {
  const auto root = traits(call.collective).rooted ? std::optional(call.root) : std::nullopt;
  std::string text;
  for (SiteIndex site = 0; site < topology.layout.sites(); ++site) {
    text += fmt::format("site {}\n", topology.layout.site_name(site));
    const Position position(topology, tuning, topology.layout.ranks_of(site).front(), root);
    add_subtree(text, position.tree(), position.tree().root(), 1);
  }
  return text;
}

std::string verdict_text(const Verdict& verdict) {
  std::string text;
  for (const std::string& defect : verdict.defects) text += fmt::format("defect: {}\n", defect);
  if (text.empty()) text = "correct\n";
  return text + fmt::format("inter-site latencies on the longest path: {}\nunits that enter a site twice: {}\n",
                            verdict.latencies, verdict.repeated_units);
}

std::string traffic_text(const Verdict& verdict, const GlobalCall& call, const Layout& layout) {
  const Demand demand = demand_of(layout, call);
  const char* unit = unit_of(call.collective) == Unit::bytes ? "bytes" : "elements";
  std::string text = fmt::format("{:<16} {:<16} {:>9} {:>12} {:>14} {:>12}\n", "from", "to", "messages", unit,
                                 "least messages", std::string("least ") + unit);
  for (SiteIndex from = 0; from < layout.sites(); ++from)
    for (SiteIndex to = 0; to < layout.sites(); ++to) {
      const auto found = verdict.between_sites.find({from, to});
      const Traffic sent = found == verdict.between_sites.end() ? Traffic{} : found->second;
      const PairTraffic& least = demand.traffic.at(from, to);
      if (sent.messages + least.messages == 0) continue;
      text += fmt::format("{:<16} {:<16} {:>9} {:>12} {:>14} {:>12}\n", layout.site_name(from), layout.site_name(to),
                          sent.messages, sent.units, least.messages, least.bytes);
    }
  return text;
}

}  // namespace wan::tools
