// SPDX-License-Identifier: BSD-3-Clause
#include "discover/collect.h"

#include "discover/kubernetes.h"
#include "discover/slurm.h"

namespace wan {
namespace {

using Found = Result<std::optional<Finding>>;

Found find_by_label(const Surroundings& surroundings) {
  if (surroundings.label.empty()) return std::nullopt;
  return Finding{Source::label, Weight::stated, {surroundings.label}, 1, "coll_wan_site"};
}

std::optional<SiteIndex> site_in_file(const Surroundings& surroundings) {
  if (surroundings.file == nullptr) return std::nullopt;
  return surroundings.file->site_of(surroundings.host, surroundings.addresses);
}

Found find_in_file(const Surroundings& surroundings) {
  const auto site = site_in_file(surroundings);
  if (!site) return std::nullopt;
  return Finding{Source::file,
                 Weight::stated,
                 {surroundings.file->sites()[static_cast<std::size_t>(*site)].name},
                 1,
                 "coll_wan_topology"};
}

Found find_by_topograph(const Surroundings& surroundings, Asked asked) {
  if (!surroundings.topograph.empty()) return find_in_topograph(surroundings);
  if (asked == Asked::by_default) return std::nullopt;
  return tl::unexpected(
      InputError{"coll_wan_discover", 0, "", "topograph",
                 "needs the file that topograph has written: set coll_wan_topograph to its path"});
}

/// Nobody splits an ordinary job of several programs into sites: the application number is a hint.
Found find_by_launcher(const LauncherFacts& facts) {
  Finding found{Source::pmix, Weight::apart, {}, 0, ""};
  if (!facts.cluster.empty()) {
    found.names.push_back(facts.cluster);
    found.proven = 1;
    found.evidence = "cluster id";
  }
  if (facts.application) {
    found.names.push_back("application " + std::to_string(*facts.application));
    found.evidence += (found.evidence.empty() ? "" : ", ") + std::string("application number");
  }
  return found.names.empty() ? std::nullopt : std::optional(found);
}

/// A subnet by itself proves nothing: two racks of one machine room have two as well. It places hosts that a
/// topology file has left over, for somebody has to.
Found find_by_subnet(const Surroundings& surroundings) {
  const std::string& subnet = surroundings.subnet.empty() ? surroundings.host : surroundings.subnet;
  if (surroundings.file != nullptr && !site_in_file(surroundings))
    return Finding{Source::subnet, Weight::stated, {subnet}, 1, "the host's addresses"};
  if (surroundings.subnet.empty()) return std::nullopt;
  return Finding{Source::subnet, Weight::apart, subnets_around(subnet), 0, "the host's addresses"};
}

Found find(const Surroundings& surroundings, const Ask& ask) {
  switch (ask.source) {
    case Source::label:
      return find_by_label(surroundings);
    case Source::file:
      return find_in_file(surroundings);
    case Source::kubernetes:
      return find_in_kubernetes(surroundings);
    case Source::slurm:
      return find_in_slurm(surroundings, ask.asked);
    case Source::topograph:
      return find_by_topograph(surroundings, ask.asked);
    case Source::pmix:
      return find_by_launcher(surroundings.launcher);
    case Source::subnet:
      return find_by_subnet(surroundings);
    case Source::probe:
      return std::nullopt;  // measured later, by all hosts together (mca/site_probe.h)
  }
  return std::nullopt;
}

}  // namespace

Result<std::vector<Finding>> collect(const Surroundings& surroundings, std::span<const Ask> asks) {
  std::vector<Finding> findings;
  for (const Ask& ask : asks) {
    auto found = find(surroundings, ask);
    if (!found) return tl::unexpected(found.error());
    if (*found) findings.push_back(std::move(**found));
  }
  return findings;
}

}  // namespace wan
