// SPDX-License-Identifier: BSD-3-Clause
// Slurm's list of hosts or switches: "tux[0-3,12,18-20],dev5". Immutable. Tested by
// tests/unit/discover_slurm_topology.cc and tests/fuzz/discover_slurm_topology.cc.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "topo/name_pattern.h"

namespace wan {

class HostList {
 public:
  /// The error carries only `value` and `remedy`. Names are those of a NamePattern without '*'.
  static Result<HostList> parse(std::string_view text);

  /// True if the list has this name.
  bool has(std::string_view name) const;
  /// True if the list has the host by this name, or by the part of it before the first dot.
  bool has_host(std::string_view host) const { return has(host) || has(host.substr(0, host.find('.'))); }

 private:
  std::vector<NamePattern> patterns_;
};

}  // namespace wan
