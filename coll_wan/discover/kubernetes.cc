// SPDX-License-Identifier: BSD-3-Clause
#include "discover/kubernetes.h"

#include <algorithm>

#include "base/lines.h"

namespace wan {
namespace {

constexpr const char* kLabelsFile = "/etc/podinfo/labels";

std::optional<Finding> finding(const std::string& region, const std::string& zone,
                               const std::string& evidence) {
  Finding found{Source::kubernetes, zone.empty() ? Weight::apart : Weight::settled, {}, 0, evidence};
  for (const std::string& name : {region, zone})
    if (!name.empty()) found.names.push_back(name);
  found.proven = static_cast<int>(found.names.size());
  return found.names.empty() ? std::nullopt : std::optional(found);
}

std::optional<Finding> find_in_variables(const Surroundings& surroundings) {
  const bool is_in_pod = !surroundings.variable("KUBERNETES_SERVICE_HOST").empty();
  for (const std::string prefix : {"KUBERNETES_", "NODE_", "TOPOLOGY_"}) {
    const std::string region = surroundings.variable(prefix + "REGION");
    const std::string zone = surroundings.variable(prefix + "ZONE");
    const std::string evidence = (region.empty() ? "" : prefix + "REGION" + (zone.empty() ? "" : ", ")) +
                                 (zone.empty() ? "" : prefix + "ZONE");
    if (auto found = finding(region, zone, evidence)) return found;
    if (!is_in_pod) break;  // other names say nothing outside a pod
  }
  return std::nullopt;
}

}  // namespace

std::string label_in(std::string_view labels, std::string_view key) {
  while (!labels.empty()) {
    std::string_view line = take_line(labels);
    if (!line.starts_with(key) || !line.substr(key.size()).starts_with("=\"") || !line.ends_with('"'))
      continue;
    line.remove_prefix(key.size() + 2);
    if (line.empty()) continue;  // one quote only
    line.remove_suffix(1);
    if (line.find_first_of("\\\"") == line.npos)
      return std::string(line);  // values of labels need no escapes
  }
  return "";
}

std::optional<Finding> find_in_kubernetes(const Surroundings& surroundings) {
  if (auto found = find_in_variables(surroundings)) return found;
  const auto labels = surroundings.text_of(kLabelsFile);
  if (!labels) return std::nullopt;
  return finding(label_in(*labels, "topology.kubernetes.io/region"),
                 label_in(*labels, "topology.kubernetes.io/zone"), kLabelsFile);
}

}  // namespace wan
