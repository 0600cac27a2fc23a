// SPDX-License-Identifier: BSD-3-Clause
// Whether the hosts of a job have to measure the network between them, decided from what all processes have
// published, so that all decide alike; and what the result means for the processes. No MPI, no sockets.
// Threads: pure functions. Tested by tests/unit/process_probing.cc.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "discover/source.h"
#include "discover/subnet.h"
#include "probe/cache.h"
#include "probe/endpoint.h"
#include "probe/explore.h"
#include "process/record.h"
#include "process/troubles.h"
#include "topo/site_file.h"

namespace wan {

/// A host of a job.
struct ProbedHost {
  std::string name;
  std::string site;           ///< by the other sources; empty: not known
  std::vector<Rank> ranks;    ///< its processes
  std::optional<Rank> agent;  ///< the one that measures; nullopt: none of them can
  probe::Endpoint endpoint;   ///< the agent's; without addresses if there is none
};

/// What is to be found out.
struct ProbeTask {
  std::vector<ProbedHost> hosts;  ///< in the order of their first ranks
  bool knows_sites = false;       ///< only the links between them are not known

  /// A label for each host, if their sites are known.
  std::optional<std::vector<int>> known_labels() const;
  std::vector<probe::Endpoint> endpoints() const;
  std::vector<std::string> host_names() const;
  std::vector<probe::CachedHost> cached_hosts() const;
  probe::Naming naming() const { return knows_sites ? probe::Naming::given : probe::Naming::found; }
};

/// nullopt where there is nothing to find out: on one host, at one site, with a topology file, where
/// coll_wan_probe is off, where a process runs without coll_wan, or where the first process cannot lead.
std::optional<ProbeTask> probe_task(Records job, std::span<const Ask> asks, const JobRecord& settings);

/// The topology that an earlier job has measured between the hosts of this one; nullopt if there is none.
std::optional<std::string> cached_topology(const ProbeTask& task, const JobRecord& settings);

/// The topology file of what was found, with the sites that follow from it and from the other sources. Empty
/// where sites were sought and some host was not reached: a closed port is no sign of another site.
std::string topology_found(const ProbeTask& task, const probe::Exploration& found);

/// As `record`, with what the probe says of its host.
ProcessRecord with_probed_site(const ProcessRecord& record, const SiteFile& probed);

/// Of a host's addresses those by which Open MPI's TCP connects to it: btl_tcp_if_include and
/// btl_tcp_if_exclude.
std::vector<std::string> addresses_to_call(const std::vector<InterfaceAddress>& addresses,
                                           std::string_view include, std::string_view exclude);

}  // namespace wan
