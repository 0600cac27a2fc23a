// SPDX-License-Identifier: BSD-3-Clause
#include "tools/plan_report.h"

#include <fmt/format.h>

#include "base/time.h"
#include "tools/site_trees.h"

namespace wan::tools {
namespace {

void add_subtree(std::string& text, const Tree& tree, Rank rank, int depth) {
  text += fmt::format("{:>{}}{}\n", "", 2 * depth, rank);
  for (const Rank child : tree.children_of(rank)) add_subtree(text, tree, child, depth + 1);
}

/// Nothing of a link that carried nothing.
std::string use_line(std::string_view from, std::string_view to, const LinkUse& use) {
  if (use.transmissions == 0) return "";
  return fmt::format("{:<16} {:<16} {:>13} {:>12} {:>12} {:>10.3f}\n", from, to, use.transmissions,
                     use.payload, use.wire, in_ms(use.busy_ns));
}

}  // namespace

std::string tree_text(const Topology& topology, const Tuning& tuning, const GlobalCall& call) {
  std::string text;
  for (SiteIndex site = 0; site < topology.layout.sites(); ++site) {
    text += fmt::format("site {}\n", topology.layout.site_name(site));
    const Tree tree = tree_of(topology, tuning, call, site);
    add_subtree(text, tree, tree.root(), 1);
  }
  return text;
}

std::string verdict_text(const Verdict& verdict) {
  std::string text;
  for (const std::string& defect : verdict.defects) text += fmt::format("defect: {}\n", defect);
  if (text.empty()) text = "correct\n";
  return text +
         fmt::format("inter-site latencies on the longest path: {}\nunits that enter a site twice: {}\n",
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
      text += fmt::format("{:<16} {:<16} {:>9} {:>12} {:>14} {:>12}\n", layout.site_name(from),
                          layout.site_name(to), sent.messages, sent.units, least.messages, least.bytes);
    }
  return text;
}

std::string simulation_text(const Simulation& simulation, Nanoseconds bound_ns, const Layout& layout) {
  std::string text =
      fmt::format("simulated: {:.3f} ms\nlower bound: {:.3f} ms\n", in_ms(simulation.end), in_ms(bound_ns));
  if (bound_ns > 0) text += fmt::format("ratio: {:.3f}\n", in_ms(simulation.end) / in_ms(bound_ns));
  for (const Place& place : simulation.stuck)
    text += fmt::format("never ends: rank {} step {}\n", place.rank, place.step);
  text += fmt::format("{:<16} {:<16} {:>13} {:>12} {:>12} {:>10}\n", "from", "to", "transmissions", "bytes",
                      "on the wire", "busy ms");
  for (SiteIndex from = 0; from < layout.sites(); ++from)
    for (SiteIndex to = 0; to < layout.sites(); ++to)
      text += use_line(layout.site_name(from), layout.site_name(to), simulation.between_sites.at(from, to));
  for (SiteIndex site = 0; site < layout.sites(); ++site) {
    text += use_line(layout.site_name(site), "(uplink)", simulation.uplinks[static_cast<std::size_t>(site)]);
    text +=
        use_line("(downlink)", layout.site_name(site), simulation.downlinks[static_cast<std::size_t>(site)]);
  }
  return text;
}

}  // namespace wan::tools
