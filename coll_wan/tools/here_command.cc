// SPDX-License-Identifier: BSD-3-Clause
// wanctl topology here: which sites a job here would find, and by whom (tools/site_sources.h). Tested by
// tests/wanctl/here_test.sh.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <netdb.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <memory>

#include "discover/own_surroundings.h"
#include "probe/cache.h"
#include "tools/commands.h"
#include "tools/doctor/host_list.h"
#include "tools/json.h"
#include "tools/site_sources.h"
#include "tools/terminal.h"
#include "tools/text_table.h"
#include "tools/usage_error.h"

namespace wan::tools {
namespace {

struct HereOptions {
  std::string hosts, discover, label, topology, topograph, probe;
  bool json = false;
};

// ---- What is asked

std::string own_host() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

std::string short_name(const std::string& host) {
  return host.substr(0, host.find('.'));
}

/// IPv4 and IPv6 addresses by the name; none if it has none.
std::vector<std::string> addresses_of(const std::string& host) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  if (::getaddrinfo(host.c_str(), nullptr, &hints, &found) != 0) return {};
  std::vector<std::string> addresses;
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
    std::array<char, NI_MAXHOST> text{};
    if (::getnameinfo(each->ai_addr, each->ai_addrlen, text.data(), text.size(), nullptr, 0,
                      NI_NUMERICHOST) == 0)
      addresses.emplace_back(text.data());
  }
  ::freeaddrinfo(found);
  return addresses;
}

/// Of the host on which a process runs, and not of its job: the same for no other host.
std::string variable_of_job(const Surroundings& here, const std::string& name) {
  return name.starts_with("SLURM_TOPOLOGY_ADDR") ? "" : here.variable(name);
}

/// What is set for Open MPI is taken where no option says otherwise.
HereOptions completed(HereOptions options) {
  const Surroundings here = own_surroundings("");
  const std::pair<std::string*, const char*> settings[] = {{&options.discover, "discover"},
                                                           {&options.label, "site"},
                                                           {&options.topology, "topology"},
                                                           {&options.topograph, "topograph"},
                                                           {&options.probe, "probe"}};
  for (const auto& [value, name] : settings)
    if (value->empty()) *value = here.variable(std::string("OMPI_MCA_coll_wan_") + name);
  return options;
}

AskedHost asked_host(const std::string& name, const HereOptions& options, const SiteFile* file) {
  AskedHost asked{Whereabouts::here, own_surroundings(name)};
  Surroundings& surroundings = asked.surroundings;
  surroundings.file = file;
  surroundings.topograph = options.topograph;
  if (short_name(name) == short_name(own_host())) {
    surroundings.label = options.label;
    add_own_addresses(surroundings);
  } else {
    asked.where = Whereabouts::elsewhere;
    if (file != nullptr) surroundings.addresses = addresses_of(name);
  }
  return asked;
}

/// A host as jobs know it: by its name, and by the address if that is known here.
bool is_same(const probe::CachedHost& cached, const AskedHost& asked) {
  const auto& own = asked.surroundings.addresses;
  return short_name(cached.name) == short_name(asked.surroundings.host) &&
         (asked.where == Whereabouts::elsewhere || std::ranges::find(own, cached.address) != own.end());
}

/// The latest network that jobs have kept and that has all the hosts, if a job would take it.
std::optional<SiteFile> kept_network(const Question& question, const HereOptions& options) {
  const auto networks =
      probe::decode_networks(probe::read_cache(probe::own_cache_folder(), std::time(nullptr)));
  const auto has = [](const probe::CachedNetwork& network, const AskedHost& asked) {
    return std::ranges::any_of(network.hosts,
                               [&](const probe::CachedHost& each) { return is_same(each, asked); });
  };
  if (options.probe == "on" || !question.probe_is_off.empty()) return std::nullopt;
  for (const probe::CachedNetwork& network : networks)
    if (std::ranges::all_of(question.hosts, [&](const AskedHost& asked) { return has(network, asked); }))
      if (auto file = SiteFile::parse(network.topology, "the probe's cache")) return std::move(*file);
  return std::nullopt;
}

void add_kept(Question& question, const HereOptions& options) {
  const auto kept = kept_network(question, options);
  if (!kept) return;
  for (AskedHost& asked : question.hosts)
    if (const auto site = kept->site_of(asked.surroundings.host, {}))
      asked.probed = kept->sites()[static_cast<std::size_t>(*site)].name;
}

void hide_what_differs(Question& question) {
  if (question.hosts.size() == 1 && question.hosts.front().where == Whereabouts::here) return;
  for (AskedHost& asked : question.hosts)
    asked.surroundings.variable = [here = own_surroundings("")](const std::string& name) {
      return variable_of_job(here, name);
    };
}

std::string why_probe_is_off(const HereOptions& options, std::size_t hosts) {
  if (options.probe == "off") return "coll_wan_probe is off";
  if (!options.topology.empty()) return "there is a topology file";
  return hosts == 1 ? "a job on one host measures nothing" : "";
}

Question question_of(const HereOptions& options, const SiteFile* file) {
  Question question{value_of(parse_sources(options.discover, "coll_wan_discover")), {}};
  const auto names =
      options.hosts.empty() ? std::vector{own_host()} : value_of(doctor::hosts_named(options.hosts));
  for (const std::string& name : names) question.hosts.push_back(asked_host(name, options, file));
  question.probe_is_off = why_probe_is_off(options, names.size());
  hide_what_differs(question);
  add_kept(question, options);
  return question;
}

// ---- What is told

/// "europe / eu-1", hints in parentheses.
std::string names_text(const Finding& finding) {
  const auto proven = finding.names.begin() + finding.proven;
  std::string text = fmt::format("{}", fmt::join(finding.names.begin(), proven, " / "));
  if (proven == finding.names.end()) return text;
  return fmt::format("{}{}({})", text, text.empty() ? "" : " ",
                     fmt::join(proven, finding.names.end(), " / "));
}

std::string_view word_of(Weight weight) {
  switch (weight) {
    case Weight::stated:
      return "stated";
    case Weight::settled:
      return "settled";
    case Weight::apart:
      break;
  }
  return "apart";
}

std::string proof_text(const Finding& finding) {
  if (finding.weight == Weight::stated) return "the site";
  if (finding.proven == 0) return "nothing: a hint";
  return finding.weight == Weight::settled ? "other names: other sites; one place: one site"
                                           : "other names: other sites";
}

Row row_of(const Statement& statement) {
  const std::string source(name_of(statement.source));
  if (!statement.finding) return {source, "nothing", "", statement.silence};
  return {source, names_text(*statement.finding), proof_text(*statement.finding),
          statement.finding->evidence};
}

std::string host_text(const HostReport& report) {
  std::vector<Row> rows{{"source", "says", "which proves", "by, or why not"}};
  for (const Statement& each : report.statements) rows.push_back(row_of(each));
  return fmt::format("{}\n{}\n", colored(stdout, Color::bold, report.host), text_table(rows));
}

std::string sites_text(const SourcesReport& report) {
  std::vector<Row> rows{{"host", "site", "by"}};
  for (const HostReport& each : report.hosts)
    rows.push_back({each.host, each.located.source ? each.located.site : "not known here",
                    each.located.source ? std::string(name_of(*each.located.source)) : "nobody"});
  return text_table(rows);
}

/// What the site of a single host is called beside others, where nobody states it.
std::string among_others_text(const HostReport& report) {
  if (!report.among_others)
    return report.located.source
               ? ""
               : "\nIn a job with other hosts nothing above tells sites apart; the probe may.\n";
  std::string text;
  for (const std::string& name : report.among_others->finding->names)
    text += text.empty() ? name : fmt::format(", or {} beside hosts that share this name", name);
  return fmt::format("\nIn a job with hosts elsewhere, {} calls the site {}.\n",
                     name_of(report.among_others->source), text);
}

std::string report_text(const SourcesReport& report) {
  std::string text;
  for (const HostReport& each : report.hosts) text += host_text(each);
  std::vector<Row> verdicts{{"source", "in a job with one process on each host"}};
  for (const Outcome& each : report.outcomes)
    verdicts.push_back({std::string(name_of(each.source)), each.text});
  text += text_table(verdicts) + "\n" + sites_text(report);
  if (report.hosts.size() == 1) text += among_others_text(report.hosts.front());
  for (const std::string& each : report.contradictions)
    text += fmt::format("{}: {}\n", colored(stdout, Color::yellow, "contradiction"), each);
  return text;
}

Json json_of(const Statement& statement) {
  Json json{{"source", name_of(statement.source)}};
  if (const auto& finding = statement.finding) {
    json["names"] = finding->names;
    json["proven"] = finding->proven;
    json["weight"] = word_of(finding->weight);
    json["evidence"] = finding->evidence;
  } else {
    json["silence"] = statement.silence;
  }
  return json;
}

Json json_of(const HostReport& report) {
  Json json{{"host", report.host}, {"site", nullptr}, {"by", nullptr}};
  if (report.located.source) {
    json["site"] = report.located.site;
    json["by"] = name_of(*report.located.source);
  }
  if (report.among_others) json["among_others"] = json_of(*report.among_others);
  json["sources"] = Json::array();
  for (const Statement& each : report.statements) json["sources"].push_back(json_of(each));
  return json;
}

Json json_of(const SourcesReport& report) {
  Json json{{"hosts", Json::array()}, {"verdicts", Json::array()}};
  for (const HostReport& each : report.hosts) json["hosts"].push_back(json_of(each));
  for (const Outcome& each : report.outcomes)
    json["verdicts"].push_back({{"source", name_of(each.source)}, {"text", each.text}});
  json["contradictions"] = report.contradictions;
  return json;
}

Status tell(const HereOptions& given) {
  const HereOptions options = completed(given);
  constexpr std::string_view kProbe[] = {"auto", "off", "on"};
  if (!options.probe.empty() && std::ranges::find(kProbe, options.probe) == std::end(kProbe))
    refuse("coll_wan_probe", options.probe, "expected auto, off or on");
  std::optional<SiteFile> file;
  if (!options.topology.empty()) file = value_of(SiteFile::load(options.topology));
  const SourcesReport report = value_of(ask_sources(question_of(options, file ? &*file : nullptr)));
  if (options.json)
    print_json(json_of(report));
  else
    fmt::print("{}", report_text(report));
  return report.contradictions.empty() ? Status::fine : Status::finding;
}

Description here_description() {
  return {
      .name = "here",
      .summary = "Says which sites a job here would find, and by which source",
      .details =
          {"Asks the sources of coll_wan_discover in the environment of wanctl: what each says of this host, "
           "what that proves, and whether a job would believe it. Settings of coll_wan in the environment "
           "(OMPI_MCA_coll_wan_site) hold as in a job; options come before them. Start it as you would start "
           "your program, such as by srun, to see what your program would see.",
           "What is told of other hosts (--hosts) is what can be known of them from here: the topology file, "
           "the files of Slurm and topograph, and what jobs have measured. Labels, Kubernetes and subnets "
           "are known on each host only; what the launcher tells and what the probe measures, in a job only.",
           "Exit status: 1 if two sources contradict each other, and 2 if a setting would turn coll_wan "
           "off."},
      .examples = {{"topology here", "which site is this host at, and who says so?"},
                   {"topology here --hosts hosts --topology sites.toml",
                    "does the file know all hosts of a host file?"}}};
}

}  // namespace

void add_here(Commands& commands, CLI::App& group) {
  const auto options = std::make_shared<HereOptions>();
  CLI::App& command = commands.add(
      here_description(), [options] { return tell(*options); }, &group);
  command.add_option("--hosts", options->hosts, "Hosts (\"a,b-[1-3]\"), or a host file; default: this one")
      ->type_name("HOSTS");
  command
      .add_option("--discover", options->discover,
                  "Sources to ask, in this order, as coll_wan_discover; default: all")
      ->type_name("LIST");
  command.add_option("--label", options->label, "Label of this process, as coll_wan_site")->type_name("NAME");
  command.add_option("--topology", options->topology, "Topology file, as coll_wan_topology")
      ->type_name("FILE");
  command.add_option("--topograph", options->topograph, "File of switches, as coll_wan_topograph")
      ->type_name("FILE");
  commands.offer(command
                     .add_option("--probe", options->probe,
                                 "Whether a job would measure, as coll_wan_probe: auto, off or on")
                     ->type_name("WHEN"),
                 {"auto", "off", "on"});
  add_json_flag(command, options->json);
}

}  // namespace wan::tools
