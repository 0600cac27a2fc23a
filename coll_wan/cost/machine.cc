// SPDX-License-Identifier: BSD-3-Clause
#include "cost/machine.h"

#include <map>
#include <string>

namespace wan {

Overheads overheads_of(const Node& node, const Machine& machine) {
  const Overheads usual = machine.tcp.overheads;
  return {node.send_overhead_ns.value_or(usual.send_ns), node.receive_overhead_ns.value_or(usual.receive_ns)};
}

std::vector<Overheads> overheads_of(std::span<const Path> paths, const SiteFile& file,
                                    const Machine& machine) {
  std::map<std::string, Overheads> of_host;
  std::vector<Overheads> overheads;
  for (const Path& path : paths) {
    if (path.size() < 2) {
      overheads.push_back(machine.tcp.overheads);
      continue;
    }
    const auto [found, is_new] = of_host.try_emplace(path[1]);
    if (is_new) found->second = overheads_of(file.node_of(path[1], {}), machine);
    overheads.push_back(found->second);
  }
  return overheads;
}

}  // namespace wan
