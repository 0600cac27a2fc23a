// SPDX-License-Identifier: BSD-3-Clause
#include "mca/report.h"

#include <filesystem>
#include <fstream>

#include "mca/component.h"
#include "mca/directory.h"
#include "process/help_text.h"
#include "process/troubles.h"

namespace wan {
namespace {

/// Where help-coll-wan.txt may lie.
std::vector<std::filesystem::path>& help_folders() {
  static std::vector<std::filesystem::path> instance;
  return instance;
}

/// Prints a text of help-coll-wan.txt from this process. Not through the launcher's opal_show_help: one
/// process speaks, so there is nothing to aggregate, and in Open MPI 4.1 a part of the messages is lost on
/// the way (mpirun reports "Data unpack had inadequate space").
void show(const char* topic, const std::array<std::string, 3>& texts) {
  for (const std::filesystem::path& folder : help_folders()) {
    std::ifstream file(folder / "help-coll-wan.txt");
    const auto text = help_text(file, topic, texts);
    if (!text) continue;
    const std::string line = std::string(74, '-') + '\n';
    std::fputs((line + *text + line).c_str(), stderr);
    return;
  }
  // Open MPI has it if coll_wan is a part of it; otherwise it says that it does not.
  std::unique_ptr<char, decltype(&std::free)> message(
      opal_show_help_string("help-coll-wan.txt", topic, 1, texts[0].c_str(), texts[1].c_str(),
                            texts[2].c_str()),
      std::free);
  if (message) std::fputs(message.get(), stderr);
}

}  // namespace

void find_help_texts() {
#ifdef WAN_HELP_DIR
  help_folders().push_back(WAN_HELP_DIR);
#endif
  Dl_info where;
  if (dladdr(&mca_coll_wan_component, &where) == 0 || where.dli_fname == nullptr) return;
  std::error_code unknown;
  help_folders().push_back(std::filesystem::absolute(where.dli_fname, unknown).parent_path());
}

void report_sites(ompi_communicator_t* world) {
  const auto records = directory().processes(world->c_local_group, Belief::probed);
  const Job* job = directory().job(ompi::process_name(world->c_local_group, 0), Belief::probed);
  const std::vector<Ask> asks = job == nullptr ? std::vector<Ask>{} : job->asks;
  const Sites sites = sites_of(records, asks);
  const std::vector<Trouble> troubles = troubles_of(records, asks, sites);
  for (const Trouble& trouble : troubles) show(trouble.topic, trouble.texts);
  if (job == nullptr || job->record.parameters.verbose < 1 || !can_serve(records, sites)) return;
  opal_output(0, "coll_wan: finds %zu site%s: %s", number_of(sites), number_of(sites) == 1 ? "" : "s",
              explain(sites).c_str());
  opal_output(0, "coll_wan: messages go by PML %s, which sends up to %d bytes without asking the receiver",
              job->pml.c_str(), job->limits.eager);
  for (const std::string& doubt : doubts(findings_of(records), asks, sites))
    opal_output(0, "coll_wan: doubts these sites: %s", doubt.c_str());
}

void report_unreached(const std::string& hosts, bool knows_sites) {
  show(knows_sites ? "unreached hosts" : "unreached hosts without sites", {hosts});
}

void report_info_value(const std::string& key, const std::string& value, const std::string& expected) {
  show("wrong info value", {std::to_string(OPAL_PROC_MY_NAME.vpid), key + " = " + value, expected});
}

void report_unwritable(const std::string& path, const std::string& reason) {
  show("no report", {path, reason});
}

void report_control_value(const std::string& mistake) {
  show("wrong control value", {std::to_string(OPAL_PROC_MY_NAME.vpid), mistake});
}

}  // namespace wan
