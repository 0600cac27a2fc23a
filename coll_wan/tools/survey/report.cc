// SPDX-License-Identifier: BSD-3-Clause
#include "tools/survey/report.h"

#include <fmt/format.h>

#include "probe/restate.h"
#include "tools/topology_document.h"
#include "tools/usage_error.h"
#include "topo/site_file.h"

namespace wan::tools::survey {
namespace {

const std::string& asked_name(const Report& report, probe::Host host) {
  return report.survey.hosts[static_cast<std::size_t>(host)].asked;
}

std::vector<std::string> own_names(const Survey& survey) {
  std::vector<std::string> names;
  for (const SurveyedHost& each : survey.hosts) names.push_back(each.name);
  return names;
}

const std::string& site_name(const Report& report, probe::Host host) {
  return report.sites[static_cast<std::size_t>(host)];
}

std::string untimed_text(const Report& report, const Pair& pair) {
  return fmt::format("the rate from {} to {} is an estimate: no bytes came through in time from {} to {}",
                     site_name(report, pair.from), site_name(report, pair.to), asked_name(report, pair.from),
                     asked_name(report, pair.to));
}

std::string beginning(const Report& report, std::string_view date) {
  std::string text =
      fmt::format("# Measured by wanctl probe on {}, between {} hosts, in {} round{}.\n", date,
                  report.survey.hosts.size(), report.survey.rounds, report.survey.rounds == 1 ? "" : "s");
  for (const Pair& each : report.untimed) text += fmt::format("# Note: {}.\n", untimed_text(report, each));
  return text;
}

Json json_of(const Report& report, const std::vector<Pair>& pairs) {
  Json list = Json::array();
  for (const Pair& each : pairs)
    list.push_back({{"from", asked_name(report, each.from)}, {"to", asked_name(report, each.to)}});
  return list;
}

}  // namespace

Report report_of(Survey survey, std::string_view date) {
  const auto names = own_names(survey);
  const auto found = probe::conclude(static_cast<int>(names.size()), std::nullopt, survey.measured.findings);
  Report report{std::move(survey), {}, {}, {}, {}};
  report.unreached = unreached_pairs(report.survey.measured);
  if (!report.unreached.empty()) return report;
  report.sites = probe::sites_of_hosts(found, names, std::nullopt);
  report.untimed = untimed_pairs(found.sites, report.survey.measured);
  report.topology = beginning(report, date) + probe::topology_text(found, names, report.sites);
  return report;
}

std::string unreached_text(const Report& report) {
  if (report.unreached.empty()) return "";
  const std::string &from = asked_name(report, report.unreached.front().from),
                    &to = asked_name(report, report.unreached.front().to);
  const std::size_t others = report.unreached.size() - 1;
  const std::string more =
      others == 0 ? "" : fmt::format(" (nor {} other pair{})", others, others == 1 ? "" : "s");
  return fmt::format(
      "{} does not reach {}{}, so no topology file is written; `wanctl doctor --hosts {},{}` says why", from,
      to, more, from, to);
}

std::vector<std::string> untimed_texts(const Report& report) {
  std::vector<std::string> texts;
  for (const Pair& each : report.untimed) texts.push_back(untimed_text(report, each));
  return texts;
}

Json json_of(const Report& report) {
  Json hosts = Json::array();
  for (std::size_t host = 0; host < report.survey.hosts.size(); ++host) {
    const SurveyedHost& each = report.survey.hosts[host];
    hosts.push_back({{"asked", each.asked}, {"name", each.name}, {"site", nullptr}});
    if (!report.sites.empty()) hosts.back()["site"] = report.sites[host];
  }
  Json json{{"hosts", hosts},
            {"rounds", report.survey.rounds},
            {"unreached", json_of(report, report.unreached)},
            {"untimed", json_of(report, report.untimed)},
            {"topology", nullptr}};
  if (!report.topology.empty())
    json["topology"] = tools::json_of(document_of(value_of(SiteFile::parse(report.topology, "the probe"))));
  return json;
}

}  // namespace wan::tools::survey
