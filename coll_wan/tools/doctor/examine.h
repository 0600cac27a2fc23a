// SPDX-License-Identifier: BSD-3-Clause
// Starts an agent on each host, and lets every one try all others: first all at once who reaches whom, then
// one pair after the other how fast. Threads: one.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/doctor/facts.h"
#include "tools/helpers.h"

namespace wan::tools::doctor {

struct Inquiry {
  Helpers helpers;
  std::string topology;    ///< file; empty: what Open MPI is told
  bool with_rates = true;  ///< false: only who reaches whom
  std::function<void(const std::string&)> progress;
};

Facts examine(const Inquiry& inquiry);

/// What `from` tries at `to`: all ports at the address that Open MPI would use first, and one at each other.
/// Addresses that several hosts have are left out. Tested by tests/unit/doctor_text.cc.
struct Way {
  std::string address;
  Listener listener;
};
std::vector<Way> ways_to(const std::vector<HostFacts>& hosts, int to);
/// What the topology file says of the link of two hosts; nothing for hosts of one site or of none.
std::optional<StatedLink> stated_link(const std::vector<HostFacts>& hosts, int from, int to);

}  // namespace wan::tools::doctor
