// SPDX-License-Identifier: BSD-3-Clause
#include "process/troubles.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "topo/topology.h"

namespace wan {
namespace {

/// Distinct texts in the order of their first appearance.
class Names {
 public:
  void add(const std::string& name) {
    if (seen_.insert(name).second) ordered_.push_back(name);
  }
  bool empty() const { return ordered_.empty(); }
  std::size_t size() const { return ordered_.size(); }
  /// "a, b, c"; beyond `most` names only their number.
  std::string text(const char* separator, std::size_t most = 20) const {
    std::string joined;
    for (std::size_t i = 0; i < ordered_.size() && i < most; ++i)
      joined += (i == 0 ? "" : separator) + ordered_[i];
    if (ordered_.size() > most) joined += separator + std::to_string(ordered_.size() - most) + " more";
    return joined;
  }

 private:
  std::set<std::string> seen_;
  std::vector<std::string> ordered_;
};

struct Findings {
  Names complaints, complainers;  ///< bad input, and the hosts that had it
  Names sites;
  std::map<std::string, Names> hosts;  ///< that the topology file does not know, by site
  Names unnamed;                       ///< hosts with processes that say nothing, in a job where others do
  Names differing;                     ///< hosts whose topology file differs from the first process's
  Names absent;                        ///< ranks that run without coll_wan
};

/// "10.1.0.0/16: a-1, a-2", a line a site.
std::string unmatched_hosts(const Findings& findings) {
  Names lines;
  for (const auto& [site, hosts] : findings.hosts) lines.add(site + ": " + hosts.text(", "));
  return lines.text("\n  ");
}

void look_at(const ProcessRecord& record, const std::string& first_digest, Findings& findings) {
  const std::string& host = record.path[1];
  if (!record.complaint.empty()) {
    findings.complaints.add(record.complaint);
    findings.complainers.add(host);
    return;
  }
  findings.sites.add(record.path[0]);
  if (record.origin == SiteOrigin::no_match) findings.hosts[record.path[0]].add(host);
  if (record.origin == SiteOrigin::nowhere) findings.unnamed.add(host);
  if (record.file_digest != first_digest) findings.differing.add(host);
}

/// Does it say where its process is?
bool is_there(const ProcessRecord* record) {
  return record != nullptr && record->path.size() >= 2;
}

Findings look_through(Records job) {
  Findings findings;
  const std::string first_digest = !job.empty() && is_there(job[0]) ? job[0]->file_digest : "";
  for (std::size_t rank = 0; rank < job.size(); ++rank) {
    if (is_there(job[rank]))
      look_at(*job[rank], first_digest, findings);
    else
      findings.absent.add(std::to_string(rank));
  }
  const bool anybody_named = std::ranges::any_of(
      job, [](const auto* record) { return is_there(record) && record->origin != SiteOrigin::nowhere; });
  if (!anybody_named) findings.unnamed = {};
  // With a mistake in a file coll_wan stays off, and no links are taken from anywhere.
  if (!findings.complaints.empty()) findings.differing = {};
  return findings;
}

}  // namespace

bool can_serve(Records members) {
  std::set<std::string_view> sites;
  for (const ProcessRecord* record : members) {
    if (record == nullptr || !record->complaint.empty()) return false;
    sites.insert(record->path[0]);
  }
  return std::ssize(sites) <= kMostSites;
}

std::vector<Trouble> troubles_of(Records job) {
  const Findings found = look_through(job);
  std::vector<Trouble> troubles;
  if (!found.complaints.empty())
    troubles.push_back({"bad input", {found.complaints.text("\n  "), found.complainers.text(", ")}});
  if (!found.absent.empty()) troubles.push_back({"absent", {found.absent.text(", ")}});
  if (!found.hosts.empty()) troubles.push_back({"unmatched hosts", {unmatched_hosts(found)}});
  if (found.sites.size() > std::size_t{kMostSites})
    troubles.push_back(
        {"too many sites",
         {std::to_string(found.sites.size()), std::to_string(kMostSites), found.sites.text(", ")}});
  if (!found.unnamed.empty()) troubles.push_back({"unnamed hosts", {found.unnamed.text(", ")}});
  if (!found.differing.empty()) troubles.push_back({"different files", {found.differing.text(", ")}});
  return troubles;
}

}  // namespace wan
