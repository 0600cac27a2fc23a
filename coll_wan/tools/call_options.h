// SPDX-License-Identifier: BSD-3-Clause
// A collective call on the command line: the options that plan, draw and simulate share, and what they mean.
// Bad input is a UsageError. Tested by tests/golden/plan_test.sh.
#pragma once

#include <string>

#include "algo/tuning.h"
#include "plan/global_call.h"
#include "tools/commands.h"
#include "topo/topology.h"

namespace wan::tools {

/// As text.
struct CallOptions {
  std::string collective, topology, ranks, sites, machine, counts, post_loads;
  std::string algorithm = "auto", order = "any", tree = "auto", count = "8", aggregate_limit,
              segment = "32768", eager_window = "4194304", flow_window = "0", idle_window = "0";
  Rank root = 0, split = 0;
  int radix = Tuning{}.radix, lanes = 0, streams = 0;
  Bytes element_bytes = 8;
  bool in_place = false;
};

/// The options that say which communicator, and on which hosts: --topology, --ranks, --sites, --machine.
void declare_communicator(CLI::App& command, CallOptions& options);
/// All others but the collective; the option --count.
CLI::Option* declare_call(Commands& commands, CLI::App& command, CallOptions& options);
/// The names of all collectives.
std::vector<std::string> collective_names();

Collective collective_of(const CallOptions& options);
/// As plans believe it.
Machine machine_of(const CallOptions& options);
Topology topology_of(const CallOptions& options);
/// As topology_of() with the option --topology, of a file that has been read.
Topology topology_of(const SiteFile& file, const std::string& ranks, const Machine& machine);
Tuning tuning_of(const CallOptions& options);
GlobalCall call_of(const CallOptions& options, Rank size);

/// "bcast on 8 ranks of 3 sites, 8 bytes, root 0"
std::string title_of(const GlobalCall& call, const Layout& layout);

}  // namespace wan::tools
