// SPDX-License-Identifier: BSD-3-Clause
#include "probe/restate.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <map>

#include "base/invariant.h"
#include "probe/site_names.h"

namespace wan::probe {
namespace {

std::string latency_text(Nanoseconds latency) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3f ms", static_cast<double>(latency) / 1e6);
  return text;
}

std::string rate_text(BytesPerSecond rate) {
  char text[40];
  if (rate < 1'000'000)
    std::snprintf(text, sizeof text, "%lld B/s", static_cast<long long>(rate));
  else
    std::snprintf(text, sizeof text, "%.3f MB/s", static_cast<double>(rate) / 1e6);
  return text;
}

std::string quoted(const std::string& text) {
  return "\"" + text + "\"";
}

std::string values_text(const Link& link) {
  return "latency = " + quoted(latency_text(link.latency_ns)) +
         "\nbandwidth = " + quoted(rate_text(link.bandwidth_bytes_per_s)) + "\n";
}

std::string link_text(const std::string& from, const std::string& to, const Link& link, bool both) {
  return "\n[[link]]\nfrom = " + quoted(from) + "\nto = " + quoted(to) + "\n" +
         (both ? "both = true\n" : "") + values_text(link);
}

std::string site_text(const std::string& name, const std::vector<Host>& hosts,
                      const std::vector<std::string>& host_names) {
  std::string list;
  for (const Host host : hosts)
    list += (list.empty() ? "" : ", ") + quoted(host_names[static_cast<std::size_t>(host)]);
  return "\n[site." + quoted(name) + "]\nhosts = [" + list + "]\n";
}

/// Of links to sites that nobody reached.
Link worst_of(const LinkMatrix& links) {
  Link worst{0, std::numeric_limits<BytesPerSecond>::max(), 0};
  for (int from = 0; from < links.groups(); ++from)
    for (int to = 0; to < links.groups(); ++to)
      if (const auto& link = links.at(from, to)) {
        worst.latency_ns = std::max(worst.latency_ns, link->latency_ns);
        worst.bandwidth_bytes_per_s = std::min(worst.bandwidth_bytes_per_s, link->bandwidth_bytes_per_s);
      }
  return worst.latency_ns == 0 ? kUnknownLink : worst;
}

std::string links_text(const LinkMatrix& links, const std::vector<std::string>& names) {
  std::string text;
  for (int a = 0; a < links.groups(); ++a)
    for (int b = a + 1; b < links.groups(); ++b) {
      const auto &there = links.at(a, b), &back = links.at(b, a);
      const auto &from = names[static_cast<std::size_t>(a)], &to = names[static_cast<std::size_t>(b)];
      if (there) text += link_text(from, to, *there, there == back);
      if (back && there != back) text += link_text(to, from, *back, false);
    }
  return text;
}

}  // namespace

std::vector<int> labels_of(const std::vector<std::string>& site_of_host) {
  std::map<std::string, int> labels;
  std::vector<int> result;
  for (const std::string& site : site_of_host)
    result.push_back(labels.try_emplace(site, static_cast<int>(labels.size())).first->second);
  return result;
}

std::vector<std::string> sites_of_hosts(const Exploration& found, const std::vector<std::string>& host_names,
                                        const std::optional<std::vector<std::string>>& known) {
  if (known) return *known;
  const auto names = site_names(found.sites, host_names);
  std::vector<std::string> result;
  for (const int site : found.sites.group_of) result.push_back(names[static_cast<std::size_t>(site)]);
  return result;
}

Exploration restated(const Exploration& found, const std::vector<std::string>& site_of_host) {
  Exploration result = found;
  result.sites = partition_by(labels_of(site_of_host));
  result.links = links_between(result.sites, found.findings);
  return result;
}

std::string topology_text(const Exploration& found, const std::vector<std::string>& host_names,
                          const std::vector<std::string>& site_of_host) {
  invariant(site_of_host.size() == found.sites.group_of.size(), "hosts without a site");
  std::string text = "[defaults]\n" + values_text(worst_of(found.links));
  std::vector<std::string> names;
  for (const auto& hosts : found.sites.members()) {
    names.push_back(site_of_host[static_cast<std::size_t>(hosts.front())]);
    text += site_text(names.back(), hosts, host_names);
  }
  return text + links_text(found.links, names);
}

}  // namespace wan::probe
