// SPDX-License-Identifier: BSD-3-Clause
// The switches or blocks of a cluster as Slurm describes them, and as topograph writes them: topology.conf
// (lines of SwitchName=, Switches=, Nodes=, LinkSpeed=, BlockName=, BlockSizes=) or topology.yaml (topologies
// of tree, block or flat; the one of cluster_default counts, or else the first). Immutable. Source:
// topology.conf(5) and topology.yaml(5) of Slurm 25.05. Tested by tests/unit/discover_slurm_topology.cc and
// tests/fuzz/discover_slurm_topology.cc.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "discover/host_list.h"
#include "topo/layout.h"

namespace wan {

class SlurmTopology {
 public:
  /// Either format: the text is YAML if its first line begins with "-". The first mistake names file, line,
  /// key, value and remedy.
  static Result<SlurmTopology> parse(std::string_view text, const std::string& file);

  /// The switches above a host, uppermost first, or its block; nullopt: the host is in none. The error is
  /// that a switch lies below itself.
  Result<std::optional<Path>> above(std::string_view host) const;

  /// A switch or a block.
  struct Group {
    std::string name;
    int line = 0;
    std::optional<HostList> nodes = {}, children = {};
  };

 private:
  SlurmTopology(std::vector<Group> groups, std::string file)
      : groups_(std::move(groups)), file_(std::move(file)) {}
  static Result<SlurmTopology> parse_conf(std::string_view text, const std::string& file);
  static Result<SlurmTopology> parse_yaml(std::string_view text, const std::string& file);

  std::vector<Group> groups_;
  std::string file_;
};

}  // namespace wan
