// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "tools/doctor/judge.h"
#include "tools/doctor/units.h"

namespace wan::tools::doctor {
namespace {

using Groups = std::map<std::string, std::vector<std::string>>;

/// Names of hosts by what they have; those that have nothing are left out.
template <class Value>
Groups group(const Facts& facts, Value value) {
  Groups groups;
  for (const HostFacts& host : facts.hosts)
    if (host.failure.empty() && !value(host).empty()) groups[value(host)].push_back(host.name);
  return groups;
}

/// What most have; the greatest of several.
const Groups::value_type& commonest(const Groups& groups) {
  return *std::ranges::max_element(groups, [](const auto& a, const auto& b) {
    return std::pair(a.second.size(), a.first) < std::pair(b.second.size(), b.first);
  });
}

/// Those that do not have what most have.
std::vector<std::string> deviants(const Groups& groups) {
  std::vector<std::string> hosts;
  for (const auto& each : groups)
    if (each.first != commonest(groups).first)
      hosts.insert(hosts.end(), each.second.begin(), each.second.end());
  return hosts;
}

void judge_versions(const Groups& groups, const std::string& finding, const std::string& what,
                    std::vector<Finding>& findings) {
  if (groups.size() < 2) return;
  std::vector<std::string> parts;
  for (const auto& [version, hosts] : groups) parts.push_back(fmt::format("{} on {}", version, list(hosts)));
  findings.push_back(
      {finding,
       Severity::fault,
       deviants(groups),
       fmt::format("The hosts have different versions of {}: {}.", what,
                   fmt::format("{}", fmt::join(parts, "; "))),
       {fmt::format("# {}: install {} {}", list(deviants(groups)), what, commonest(groups).first)}});
}

void judge_open_mpi(const Facts& facts, std::vector<Finding>& findings) {
  for (const HostFacts& host : facts.hosts)
    if (host.failure.empty() && host.software.open_mpi.empty())
      findings.push_back({"openmpi-missing",
                          Severity::fault,
                          {host.name},
                          fmt::format("{} has no Open MPI where a command without a login finds it: {}.",
                                      host.name, host.software.error),
                          {"# install Open MPI, or say where it is (the directory that has bin/ompi_info)",
                           "mpirun --prefix DIRECTORY ..."}});
  judge_versions(group(facts, [](const HostFacts& host) { return host.software.open_mpi; }),
                 "openmpi-versions", "Open MPI", findings);
}

void judge_coll_wan(const Facts& facts, std::vector<Finding>& findings) {
  std::vector<std::string> missing;
  for (const HostFacts& host : facts.hosts)
    if (host.failure.empty() && !host.software.open_mpi.empty() && host.software.coll_wan.empty())
      missing.push_back(host.name);
  if (!missing.empty())
    findings.push_back({"coll-wan-missing",
                        Severity::fault,
                        missing,
                        fmt::format("Open MPI does not find the component coll_wan on {}.", list(missing)),
                        {"# install coll_wan there, or say where mca_coll_wan.so is",
                         "mpirun --mca mca_base_component_path DIRECTORY:SYSTEM_DEFAULT:USER_DEFAULT ..."}});
  judge_versions(group(facts, [](const HostFacts& host) { return host.software.coll_wan; }),
                 "coll-wan-versions", "coll_wan", findings);
}

std::string copy_line(const std::string& from, const std::string& to, const std::string& path) {
  return fmt::format("ssh {0} cat {2} | ssh {1} 'cat > {2}'", from, to, path);
}

void judge_topology_of(const HostFacts& host, std::vector<Finding>& findings) {
  const TopologyFacts& topology = host.topology;
  if (topology.path.empty() || topology.is_missing) return;
  if (!topology.error.empty())
    findings.push_back({"topology-invalid",
                        Severity::fault,
                        {host.name},
                        fmt::format("On {} the topology file is wrong: {}.", host.name, topology.error),
                        {fmt::format("wanctl topology check {}", topology.path)}});
  else if (topology.site.empty())
    findings.push_back({"topology-unknown-host",
                        Severity::fault,
                        {host.name},
                        fmt::format("No site of {} lists {}, so it is taken for a site of its own.",
                                    topology.path, host.hostname),
                        {fmt::format("# {}: add it to the hosts of its site", topology.path), "[site.NAME]",
                         fmt::format("hosts = [..., \"{}\"]", host.hostname)}});
}

/// One host has the file and another has not, or another one.
void compare_topologies(const Facts& facts, std::vector<Finding>& findings) {
  const Groups texts = group(facts, [](const HostFacts& host) {
    return host.topology.error.empty() ? host.topology.text : std::string();
  });
  for (const HostFacts& host : facts.hosts)
    if (host.topology.is_missing)
      findings.push_back(
          {"topology-missing",
           Severity::fault,
           {host.name},
           fmt::format("{} cannot read the topology file: {}.", host.name, host.topology.error),
           {texts.empty() ? fmt::format("mpirun --mca coll_wan_topology FILE ...")
                          : copy_line(commonest(texts).second.front(), host.name, host.topology.path)}});
  if (texts.size() < 2) return;
  const auto path_of = [&](const std::string& name) {
    return std::ranges::find(facts.hosts, name, &HostFacts::name)->topology.path;
  };
  Finding finding{"topology-differs", Severity::fault, deviants(texts), {}, {}};
  const std::string& model = commonest(texts).second.front();
  finding.evidence = fmt::format("The topology file of {} is another one than that of {}.",
                                 list(finding.hosts), list(commonest(texts).second));
  for (const std::string& host : finding.hosts) finding.mend.push_back(copy_line(model, host, path_of(host)));
  findings.push_back(std::move(finding));
}

}  // namespace

std::vector<Finding> judge_software(const Facts& facts) {
  std::vector<Finding> findings;
  judge_open_mpi(facts, findings);
  judge_coll_wan(facts, findings);
  for (const HostFacts& host : facts.hosts) judge_topology_of(host, findings);
  compare_topologies(facts, findings);
  return findings;
}

}  // namespace wan::tools::doctor
