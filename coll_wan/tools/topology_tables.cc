// SPDX-License-Identifier: BSD-3-Clause
#include "tools/topology_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "tools/ranks.h"
#include "tools/text_table.h"
#include "tools/usage_error.h"

namespace wan::tools {
namespace {

std::string text_of(const std::optional<std::int64_t>& value, std::string (*text)(std::int64_t)) {
  return value ? text(*value) : "";
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

/// Processes that a site's hosts take.
std::string ranks_of(const SiteFile& file, const std::string& site) {
  const auto paths = value_of(paths_of_file(file, ""));
  return std::to_string(std::ranges::count_if(paths, [&](const Path& path) { return path.front() == site; }));
}

std::string sites_text(const SiteFile& file, const TopologyDocument& document) {
  std::vector<Row> rows{{"site", "hosts", "ranks", "uplink", "downlink"}};
  for (const auto& site : document.sites)
    rows.push_back({site.name, joined(site.hosts), ranks_of(file, site.name),
                    text_of(site.uplink_bytes_per_s, rate_text),
                    text_of(site.downlink_bytes_per_s, rate_text)});
  return text_table(rows);
}

Row link_row(std::string from, std::string to, const TopologyDocument::Values& values) {
  return {std::move(from), std::move(to), duration_text(values.latency_ns.value_or(0)),
          rate_text(values.bandwidth_bytes_per_s.value_or(0)), percent_text(values.loss_ppm.value_or(0))};
}

std::string links_text(const TopologyDocument& document) {
  std::vector<Row> rows{{"from", "to", "latency", "bandwidth", "loss"}};
  for (const auto& link : document.links) rows.push_back(link_row(link.from, link.to, link.values));
  rows.push_back(link_row("(unknown site)", "(any)", document.defaults));
  return text_table(rows);
}

std::string nodes_text(const TopologyDocument& document) {
  if (document.nodes.empty()) return "";
  std::vector<Row> rows{{"hosts that differ", "slots", "send overhead", "receive overhead"}};
  for (const auto& node : document.nodes)
    rows.push_back({joined(node.hosts), node.slots ? std::to_string(*node.slots) : "",
                    text_of(node.send_overhead_ns, duration_text),
                    text_of(node.receive_overhead_ns, duration_text)});
  return "\n" + text_table(rows);
}

}  // namespace

std::string topology_tables(const SiteFile& file, const TopologyDocument& document) {
  return sites_text(file, document) + "\n" + links_text(document) + nodes_text(document);
}

}  // namespace wan::tools
