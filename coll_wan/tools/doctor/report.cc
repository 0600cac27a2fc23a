// SPDX-License-Identifier: BSD-3-Clause
#include "tools/doctor/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tools/doctor/facts_json.h"
#include "tools/doctor/interfaces.h"
#include "tools/doctor/pairs.h"
#include "tools/doctor/units.h"
#include "tools/text_table.h"

namespace wan::tools::doctor {
namespace {

std::string or_dash(const std::string& text) {
  return text.empty() ? "-" : text;
}

Row row_of(const HostFacts& host) {
  if (!host.failure.empty()) return {host.name, "-", "-", "-", "-", "-", "-"};
  const Interface* best = main_interface(host.interfaces);
  return {host.name,
          best ? best->address : "-",
          best ? best->name : "-",
          best ? std::to_string(best->mtu) : "-",
          or_dash(host.software.open_mpi),
          or_dash(host.software.coll_wan),
          or_dash(host.topology.site)};
}

Row row_of(const Facts& facts, const PairFacts& pair) {
  Row row{facts.hosts[static_cast<std::size_t>(pair.from)].name,
          facts.hosts[static_cast<std::size_t>(pair.to)].name,
          !is_reached(pair)  ? "no"
          : is_blocked(pair) ? "in part"
                             : "yes"};
  if (!pair.measured) {
    row.insert(row.end(), 5, "-");
    return row;
  }
  const Measurement& measured = *pair.measured;
  row.insert(row.end(),
             {time_text(measured.round_trip_ns), measured.is_stalled ? "stalls" : rate_text(measured.rate),
              std::to_string(measured.path_mtu), or_dash(measured.congestion_control),
              fmt::format("{:+.1f} ms", static_cast<double>(measured.clock_offset_ns) / 1e6)});
  return row;
}

std::string text_of(const Finding& finding) {
  std::string text =
      fmt::format("{}: {} ({})\n  {}\n", finding.severity == Severity::fault ? "FAULT" : "note", finding.name,
                  fmt::join(finding.hosts, ", "), finding.evidence);
  for (const std::string& line : finding.mend) text += "      " + line + "\n";
  return text;
}

}  // namespace

int faults_in(const std::vector<Finding>& findings) {
  return static_cast<int>(std::ranges::count(findings, Severity::fault, &Finding::severity));
}

std::string report_text(const Facts& facts, const std::vector<Finding>& findings) {
  std::vector<Row> hosts{{"host", "address", "interface", "MTU", "Open MPI", "coll_wan", "site"}};
  for (const HostFacts& host : facts.hosts) hosts.push_back(row_of(host));
  std::vector<Row> pairs{
      {"from", "to", "connects", "round trip", "rate", "path MTU", "congestion control", "clock"}};
  for (const PairFacts& pair : facts.pairs) pairs.push_back(row_of(facts, pair));
  std::string text = text_table(hosts) + "\n" + text_table(pairs) + "\n";
  for (const Finding& finding : findings) text += text_of(finding) + "\n";
  const int faults = faults_in(findings);
  return text + (faults == 0 ? "No fault was found.\n"
                             : fmt::format("{} fault{}\n", faults, faults == 1 ? "." : "s."));
}

std::string report_json(const Facts& facts, const std::vector<Finding>& findings) {
  SortedJson json{{"hosts", SortedJson::array()},
                  {"pairs", SortedJson::array()},
                  {"findings", SortedJson::array()},
                  {"faults", faults_in(findings)}};
  for (const HostFacts& host : facts.hosts) {
    SortedJson each = host;
    each.erase("token");
    json["hosts"].push_back(std::move(each));
  }
  for (const PairFacts& pair : facts.pairs) {
    SortedJson each = pair;
    each["from"] = facts.hosts[static_cast<std::size_t>(pair.from)].name;
    each["to"] = facts.hosts[static_cast<std::size_t>(pair.to)].name;
    json["pairs"].push_back(std::move(each));
  }
  for (const Finding& finding : findings)
    json["findings"].push_back({{"name", finding.name},
                                {"severity", finding.severity == Severity::fault ? "fault" : "note"},
                                {"hosts", finding.hosts},
                                {"evidence", finding.evidence},
                                {"mend", finding.mend}});
  return json.dump(2, ' ', false, SortedJson::error_handler_t::replace) + "\n";
}

}  // namespace wan::tools::doctor
