// SPDX-License-Identifier: BSD-3-Clause
#include "mca/report.h"

#include <filesystem>
#include <map>
#include <set>

#include "mca/communicator.h"
#include "mca/component.h"
#include "mca/directory.h"

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

struct Troubles {
  Names complaints, complainers;  ///< bad input, and the hosts that had it
  Names sites;
  std::map<std::string, Names> hosts;  ///< that the topology file does not know, by site
  Names unnamed;                       ///< hosts with processes that say nothing, in a job where others do
  Names differing;                     ///< hosts whose topology file differs from the first process's
  Names absent;                        ///< ranks that run without coll_wan
};

/// "10.1.0.0/16: a-1, a-2", a line a site.
std::string unmatched_hosts(const Troubles& troubles) {
  Names lines;
  for (const auto& [site, hosts] : troubles.hosts) lines.add(site + ": " + hosts.text(", "));
  return lines.text("\n  ");
}

void look_at(const ProcessRecord& record, const std::string& first_digest, Troubles& troubles) {
  const std::string& host = record.path[1];
  if (!record.complaint.empty()) {
    troubles.complaints.add(record.complaint);
    troubles.complainers.add(host);
    return;
  }
  troubles.sites.add(record.path[0]);
  if (record.origin == SiteOrigin::no_match) troubles.hosts[record.path[0]].add(host);
  if (record.origin == SiteOrigin::nowhere) troubles.unnamed.add(host);
  if (record.file_digest != first_digest) troubles.differing.add(host);
}

Troubles find_troubles(ompi_communicator_t* world) {
  Troubles troubles;
  std::string first_digest;
  bool anybody_named = false;
  for (int rank = 0; rank < ompi_comm_size(world); ++rank) {
    const ProcessRecord* record = directory().process(ompi::process_name(world->c_local_group, rank));
    if (record == nullptr || record->path.size() < 2) {
      troubles.absent.add(std::to_string(rank));
      continue;
    }
    if (rank == 0) first_digest = record->file_digest;
    anybody_named |= record->origin != SiteOrigin::nowhere;
    look_at(*record, first_digest, troubles);
  }
  if (!anybody_named) troubles.unnamed = {};
  // With a mistake in a file coll_wan stays off, and no links are taken from anywhere.
  if (!troubles.complaints.empty()) troubles.differing = {};
  return troubles;
}

/// Prints a text of help-coll-wan.txt from this process. Not through the launcher's opal_show_help: one
/// process speaks, so there is nothing to aggregate, and in Open MPI 4.1 a part of the messages is lost on
/// the way (mpirun reports "Data unpack had inadequate space").
template <class... Texts>
void show(const char* topic, const Texts&... texts) {
  std::unique_ptr<char, decltype(&std::free)> message(
      opal_show_help_string("help-coll-wan.txt", topic, 1, texts.c_str()...), std::free);
  if (message) std::fputs(message.get(), stderr);
}

}  // namespace

void find_help_texts() {
#ifdef WAN_HELP_DIR
  opal_show_help_add_dir(WAN_HELP_DIR);
#endif
  Dl_info where;
  if (dladdr(&mca_coll_wan_component, &where) == 0 || where.dli_fname == nullptr) return;
  std::error_code unknown;
  auto directory_of_component = std::filesystem::absolute(where.dli_fname, unknown).parent_path();
  opal_show_help_add_dir(directory_of_component.c_str());
}

void report_troubles(ompi_communicator_t* world) {
  Troubles troubles = find_troubles(world);
  if (!troubles.complaints.empty())
    show("bad input", troubles.complaints.text("\n  "), troubles.complainers.text(", "));
  if (!troubles.absent.empty()) show("absent", troubles.absent.text(", "));
  if (!troubles.hosts.empty()) show("unmatched hosts", unmatched_hosts(troubles));
  if (troubles.sites.size() > kMostSites)
    show("too many sites", std::to_string(troubles.sites.size()), std::to_string(kMostSites),
         troubles.sites.text(", "));
  if (!troubles.unnamed.empty()) show("unnamed hosts", troubles.unnamed.text(", "));
  if (!troubles.differing.empty()) show("different files", troubles.differing.text(", "));
}

void report_info_value(const std::string& key, const std::string& value, const std::string& expected) {
  show("wrong info value", std::to_string(OPAL_PROC_MY_NAME.vpid), key, value, expected);
}

}  // namespace wan
