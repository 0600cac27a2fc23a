// SPDX-License-Identifier: BSD-3-Clause
#include "process/troubles.h"

#include <algorithm>
#include <map>
#include <set>

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
  Names contradictions;                ///< hosts for which two sources state different sites
};

/// "10.1.0.0/16: a-1, a-2", a line a site.
std::string unmatched_hosts(const Findings& findings) {
  Names lines;
  for (const auto& [site, hosts] : findings.hosts) lines.add(site + ": " + hosts.text(", "));
  return lines.text("\n  ");
}

/// Has it read a topology file that does not know its host, though nobody has labelled it?
bool is_unmatched(const ProcessRecord& record, std::span<const Ask> asks) {
  const auto has = [&](Source source) {
    return std::ranges::find(record.findings, source, &Finding::source) != record.findings.end();
  };
  const bool asks_file = std::ranges::find(asks, Source::file, &Ask::source) != asks.end();
  return asks_file && !record.file_digest.empty() && !has(Source::label) && !has(Source::file);
}

void look_at(const ProcessRecord& record, const Located& placement, std::span<const Ask> asks,
             const std::string& first_digest, Findings& findings) {
  const std::string& host = record.place.front();
  if (!record.complaint.empty()) {
    findings.complaints.add(record.complaint);
    findings.complainers.add(host);
    return;
  }
  findings.sites.add(placement.site);
  if (is_unmatched(record, asks))
    findings.hosts[placement.site].add(host);
  else if (!placement.source)
    findings.unnamed.add(host);
  if (record.file_digest != first_digest) findings.differing.add(host);
}

/// Does it say where its process is?
bool is_there(const ProcessRecord* record) {
  return record != nullptr && !record->place.empty();
}

void look_for_contradictions(Records job, std::span<const Ask> asks, Findings& findings) {
  const auto said = findings_of(job);
  for (const Contradiction& each : contradictions(said, asks))
    findings.contradictions.add(job[each.process]->place.front() + ": " +
                                std::string(name_of(each.believed)) + " says " + each.site + ", " +
                                std::string(name_of(each.other)) + " says " + each.other_site);
}

Findings look_through(Records job, std::span<const Ask> asks, const Sites& sites) {
  Findings findings;
  const std::string first_digest = !job.empty() && is_there(job[0]) ? job[0]->file_digest : "";
  for (std::size_t rank = 0; rank < job.size(); ++rank) {
    if (is_there(job[rank]))
      look_at(*job[rank], sites.of[rank], asks, first_digest, findings);
    else
      findings.absent.add(std::to_string(rank));
  }
  const bool anybody_named =
      std::ranges::any_of(sites.of, [](const Located& each) { return each.source.has_value(); });
  if (!anybody_named) findings.unnamed = {};
  // With a mistake in a file coll_wan stays off, and no links or sites are taken from anywhere.
  if (findings.complaints.empty())
    look_for_contradictions(job, asks, findings);
  else
    findings.differing = findings.unnamed = {};
  return findings;
}

}  // namespace

std::vector<const std::vector<Finding>*> findings_of(Records processes) {
  std::vector<const std::vector<Finding>*> said;
  for (const ProcessRecord* record : processes)
    said.push_back(record == nullptr ? nullptr : &record->findings);
  return said;
}

Sites sites_of(Records processes, std::span<const Ask> asks) {
  return decide(findings_of(processes), asks);
}

bool can_serve(Records members, const Sites& sites) {
  const bool all_can = std::ranges::all_of(
      members, [](const auto* record) { return is_there(record) && record->complaint.empty(); });
  return all_can && number_of(sites) <= std::size_t{kMostSites};
}

std::vector<Trouble> troubles_of(Records job, std::span<const Ask> asks, const Sites& sites) {
  const Findings found = look_through(job, asks, sites);
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
  if (!found.contradictions.empty())
    troubles.push_back({"contradictory sites", {found.contradictions.text("\n  ")}});
  return troubles;
}

}  // namespace wan
