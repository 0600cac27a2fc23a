// SPDX-License-Identifier: BSD-3-Clause
#include "bench/lab/job_environment.h"

#include <cstdlib>
#include <utility>
#include <vector>

namespace wan::lab {
namespace {

using Variables = std::vector<std::pair<const char*, std::string>>;

Variables of_the_lab(const LabFiles& files) {
  return {
      {"WAN_LAB_DIRECTORY", files.directory},
      {"WAN_LAB_COUNTERS", files.counters()},
      {"WAN_LAB_AGENT", files.agent()},
      {"WAN_LAB_HOSTFILE", files.hostfile()},
      {"WAN_LAB_LINK", files.link()},
      {"XDG_CACHE_HOME", files.temporary()},  // hosts of the next lab have the same names
      {"TMPDIR", files.temporary()},          // sessions of killed jobs go away with the lab
  };
}

/// MPI proper, all versions. Hosts share the processors, so nothing is bound and waiting ranks yield. Open
/// MPI 5.0 waits for the network with epoll; so shall 4.1, which means to and does so too late (it asks for
/// any way there is once it waits with poll, whose time grows with the connections).
Variables of_open_mpi(const std::string& topology_path) {
  return {
      {"OMPI_MCA_btl", "tcp,vader,self"},
      {"OMPI_MCA_btl_tcp_if_include", "eth0"},
      {"OMPI_MCA_mpi_yield_when_idle", "1"},
      {"OMPI_MCA_opal_event_include", "epoll"},
      {"OMPI_MCA_coll_wan_topology", topology_path},
  };
}

/// What UCX and libfabric connect by, where a job uses their layers (PML).
Variables of_other_layers() {
  return {{"UCX_NET_DEVICES", "eth0"}, {"FI_TCP_IFACE", "eth0"}};
}

/// Of the variables that name the interface, each launcher gets its own: that of 6.0 takes the others' too,
/// gives them on by a name of old, and warns of that.
Variables of_interface() {
  if (WAN_OMPI_MAJOR == 4) return {{"OMPI_MCA_oob_tcp_if_include", "eth0"}};
  if (WAN_OMPI_MAJOR == 5) return {{"PRTE_MCA_prte_if_include", "eth0"}};
  return {};
}

/// The launcher of Open MPI 4.1.
Variables of_orte(const LabFiles& files) {
  return {
      {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
      {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
      {"OMPI_MCA_plm_rsh_agent", files.agent()},
      {"OMPI_MCA_plm_rsh_no_tree_spawn", "1"},
      {"OMPI_MCA_orte_default_hostfile", files.hostfile()},
      {"OMPI_MCA_hwloc_base_binding_policy", "none"},
  };
}

/// The launcher from Open MPI 5.0 on. Binding has another name with that of 6.0, which warns of the old one.
/// The daemons of PRRTE 3.0.8 fork in 16 threads of their own, and know a process only once that thread has
/// gone on after the fork: one that has ended by then (`hostname`, on a busy machine) is reaped and
/// forgotten, and mpirun waits for it for ever. With no such threads a daemon forks in the thread that reaps.
Variables of_prrte(const LabFiles& files) {
  return {
      {"PRTE_ALLOW_RUN_AS_ROOT", "1"},
      {"PRTE_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
      {"PRTE_MCA_plm_ssh_agent", files.agent()},
      {"PRTE_MCA_plm_ssh_no_tree_spawn", "1"},
      {"PRTE_MCA_prte_default_hostfile", files.hostfile()},
      {WAN_OMPI_MAJOR < 6 ? "PRTE_MCA_hwloc_default_binding_policy" : "PRTE_MCA_bindto", "none"},
      {"PRTE_MCA_odls_base_max_threads", "0"},
  };
}

void set_all(const Variables& variables) {
  for (const auto& [name, value] : variables) ::setenv(name, value.c_str(), 1);
}

}  // namespace

void set_job_environment(const LabFiles& files, const std::string& topology_path) {
  set_all(of_the_lab(files));
  set_all(of_open_mpi(topology_path));
  set_all(of_other_layers());
  set_all(of_interface());
  set_all(of_orte(files));
  set_all(of_prrte(files));
}

}  // namespace wan::lab
