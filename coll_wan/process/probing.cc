// SPDX-License-Identifier: BSD-3-Clause
#include "process/probing.h"

#include <algorithm>
#include <map>
#include <set>

#include "probe/restate.h"

namespace wan {
namespace {

/// More is not needed, and each is tried.
constexpr std::size_t kMostAddresses = 4;

bool all_take_part(Records job) {
  return std::ranges::all_of(
      job, [](const ProcessRecord* record) { return record != nullptr && record->complaint.empty(); });
}

/// The sites that other sources give to the hosts; those of which nobody says anything have none.
std::vector<ProbedHost> hosts_of(Records job, const Sites& sites) {
  std::vector<ProbedHost> hosts;
  std::map<std::string, std::size_t> index;
  for (std::size_t rank = 0; rank < job.size(); ++rank) {
    const ProcessRecord& record = *job[rank];
    const auto [entry, is_new] = index.try_emplace(record.place.front(), hosts.size());
    if (is_new) {
      const Located& located = sites.of[rank];
      hosts.push_back({record.place.front(), located.source ? located.site : "", {}, {}, {}});
    }
    ProbedHost& host = hosts[entry->second];
    host.ranks.push_back(static_cast<Rank>(rank));
    const auto endpoint = host.agent ? std::nullopt : probe::decode_endpoint(record.endpoint);
    if (!endpoint) continue;
    host.agent = static_cast<Rank>(rank);
    host.endpoint = *endpoint;
  }
  return hosts;
}

bool all_placed(const Sites& sites) {
  return std::ranges::all_of(sites.of, [](const Located& each) { return each.source.has_value(); });
}

/// The site of each host when the probe's sites count as a source among the others.
std::vector<std::string> final_sites(const ProbeTask& task, const probe::Exploration& found) {
  const auto named = probe::sites_of_hosts(found, task.host_names(), std::nullopt);
  std::vector<std::string> sites;
  for (std::size_t host = 0; host < named.size(); ++host)
    sites.push_back(task.hosts[host].site.empty() ? named[host] : task.hosts[host].site);
  return sites;
}

}  // namespace

std::optional<std::vector<int>> ProbeTask::known_labels() const {
  if (!knows_sites) return std::nullopt;
  std::vector<std::string> sites;
  for (const ProbedHost& host : hosts) sites.push_back(host.site);
  return probe::labels_of(sites);
}

std::vector<probe::Endpoint> ProbeTask::endpoints() const {
  std::vector<probe::Endpoint> endpoints;
  for (const ProbedHost& host : hosts) endpoints.push_back(host.endpoint);
  return endpoints;
}

std::vector<std::string> ProbeTask::host_names() const {
  std::vector<std::string> names;
  for (const ProbedHost& host : hosts) names.push_back(host.name);
  return names;
}

std::vector<probe::CachedHost> ProbeTask::cached_hosts() const {
  std::vector<probe::CachedHost> cached;
  for (const ProbedHost& host : hosts)
    cached.push_back({host.name, host.endpoint.addresses.empty() ? "" : host.endpoint.addresses.front()});
  return cached;
}

std::optional<ProbeTask> probe_task(Records job, std::span<const Ask> asks, const JobRecord& settings) {
  const Parameters& parameters = settings.parameters;
  if (parameters.probe == "off" || !parameters.topology.empty() || !all_take_part(job)) return std::nullopt;
  const Sites sites = sites_of(job, asks);
  ProbeTask task{hosts_of(job, sites), all_placed(sites)};
  const bool may_find_sites = std::ranges::find(asks, Source::probe, &Ask::source) != asks.end();
  const bool is_sought = task.knows_sites ? number_of(sites) > 1 : may_find_sites;
  if (!is_sought || task.hosts.size() < 2 || task.hosts.front().agent != Rank{0}) return std::nullopt;
  return task;
}

std::optional<std::string> cached_topology(const ProbeTask& task, const JobRecord& settings) {
  if (settings.parameters.probe != "auto") return std::nullopt;
  const auto networks = probe::decode_networks(settings.cached);
  const auto hosts = task.cached_hosts();
  const probe::CachedNetwork* found = probe::find_network(networks, hosts, task.naming());
  const auto file =
      found == nullptr ? std::nullopt : std::optional(SiteFile::parse(found->topology, "the probe's cache"));
  if (!file || !*file) return std::nullopt;
  for (const ProbedHost& host : task.hosts) {
    const auto site = (*file)->site_of(host.name, {});
    const bool is_right =
        site && (host.site.empty() || (*file)->sites()[static_cast<std::size_t>(*site)].name == host.site);
    if (!is_right) return std::nullopt;
  }
  return found->topology;
}

std::string topology_found(const ProbeTask& task, const probe::Exploration& found) {
  if (!task.knows_sites && !found.unreached.empty()) return "";
  const auto sites = final_sites(task, found);
  return probe::topology_text(probe::restated(found, sites), task.host_names(), sites);
}

ProcessRecord with_probed_site(const ProcessRecord& record, const SiteFile& probed) {
  ProcessRecord result = record;
  const auto site = probed.site_of(record.place.front(), {});
  if (site)
    result.findings.push_back({Source::probe,
                               Weight::settled,
                               {probed.sites()[static_cast<std::size_t>(*site)].name},
                               1,
                               "round trips"});
  return result;
}

std::vector<std::string> addresses_to_call(const std::vector<InterfaceAddress>& addresses,
                                           std::string_view include, std::string_view exclude) {
  std::vector<std::string> result;
  for (const InterfaceAddress& each : addresses) {
    const bool is_wanted = include.empty() ? !is_listed(each, exclude) : is_listed(each, include);
    const bool is_link_local = each.address.starts_with("fe80:") || each.address.starts_with("169.254.");
    if (is_wanted && !is_link_local && result.size() < kMostAddresses) result.push_back(each.address);
  }
  return result;
}

}  // namespace wan
