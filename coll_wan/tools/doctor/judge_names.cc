// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "tools/doctor/interfaces.h"
#include "tools/doctor/judge.h"
#include "tools/doctor/units.h"

namespace wan::tools::doctor {
namespace {

bool has_any(const HostFacts& host, const std::vector<std::string>& addresses) {
  return std::ranges::any_of(
      addresses, [&](const std::string& address) { return interface_with(host, address) != nullptr; });
}

bool is_loopback(const std::string& address) {
  return address.starts_with("127.") || address == "::1";
}

/// Lines for /etc/hosts of `where`, which then knows `host` by `name`.
std::vector<std::string> hosts_lines(const std::string& where, const HostFacts& host,
                                     const std::string& name) {
  const Interface* interface = main_interface(host.interfaces);
  return {fmt::format("# {}: in /etc/hosts, instead of what is there for {}", where, name),
          fmt::format("{} {}", interface ? interface->address : "ADDRESS", name)};
}

Finding unreachable(const HostFacts& host) {
  return {"host-unreachable",
          Severity::fault,
          {host.name},
          fmt::format("The doctor could not be started on {}: {}", host.name, host.failure),
          {"# this must print 0 without asking for anything; mpirun starts its daemons in the same way",
           fmt::format("ssh {} true; echo $?", host.name)}};
}

void judge_own_name(const HostFacts& host, std::vector<Finding>& findings) {
  const Resolution& own = host.own;
  const auto add = [&](const char* name, const std::string& evidence) {
    findings.push_back(
        {name, Severity::fault, {host.name}, evidence, hosts_lines(host.name, host, host.hostname)});
  };
  if (own.addresses.empty())
    return add("own-name-unresolved",
               fmt::format("{} cannot resolve its own name {}: {}.", host.name, own.name, own.error));
  if (has_any(host, own.addresses)) return;
  if (std::ranges::all_of(own.addresses, is_loopback))
    return add("own-name-loopback",
               fmt::format("On {} its own name {} means {}, which no other host can reach.", host.name,
                           own.name, list(own.addresses)));
  add("own-name-foreign", fmt::format("On {} its own name {} means {}, which none of its interfaces has.",
                                      host.name, own.name, list(own.addresses)));
}

void judge_peer_name(const HostFacts& host, const HostFacts& peer, const Resolution& name,
                     std::vector<Finding>& findings) {
  if (has_any(peer, name.addresses)) return;
  const bool is_unresolved = name.addresses.empty();
  const std::string evidence =
      is_unresolved ? fmt::format("{} cannot resolve the name {}: {}.", host.name, name.name, name.error)
                    : fmt::format("On {} the name {} means {}, which none of {}'s interfaces has.", host.name,
                                  name.name, list(name.addresses), peer.name);
  findings.push_back({is_unresolved ? "peer-name-unresolved" : "peer-name-wrong",
                      Severity::fault,
                      {host.name, peer.name},
                      evidence,
                      hosts_lines(host.name, peer, name.name)});
}

}  // namespace

std::vector<Finding> judge_names(const Facts& facts) {
  std::vector<Finding> findings;
  for (std::size_t h = 0; h < facts.hosts.size(); ++h) {
    const HostFacts& host = facts.hosts[h];
    if (!host.failure.empty()) {
      findings.push_back(unreachable(host));
      continue;
    }
    judge_own_name(host, findings);
    for (std::size_t p = 0; p < host.peers.size(); ++p)
      if (p != h && facts.hosts[p].failure.empty())
        judge_peer_name(host, facts.hosts[p], host.peers[p], findings);
  }
  return findings;
}

}  // namespace wan::tools::doctor
