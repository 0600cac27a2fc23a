// SPDX-License-Identifier: BSD-3-Clause
// wanctl topology check, show, convert: about topology files (topo/site_file.h). Tested by
// tests/wanctl/topology_test.sh.
#include <fmt/format.h>

#include <memory>

#include "tools/commands.h"
#include "tools/output.h"
#include "tools/terminal.h"
#include "tools/topology_document.h"
#include "tools/topology_findings.h"
#include "tools/topology_tables.h"
#include "tools/usage_error.h"
#include "topo/site_file.h"

namespace wan::tools {
namespace {

struct TopologyOptions {
  std::string file, output = "-";
  bool json = false;
};

// ---- check

Json json_of(const InputError& error) {
  Json json{{"file", error.file}};
  if (error.line > 0) json["line"] = error.line;
  if (!error.key.empty()) json["key"] = error.key;
  if (!error.value.empty()) json["value"] = error.value;
  json["remedy"] = error.remedy;
  return json;
}

Json json_of(const std::vector<Finding>& findings) {
  Json list = Json::array();
  for (const Finding& finding : findings)
    list.push_back({{"kind", finding.kind}, {"subject", finding.subject}, {"text", finding.text}});
  return list;
}

Status check(const TopologyOptions& options) {
  const auto file = SiteFile::load(options.file);
  if (!file) {
    if (options.json) print_json({{"file", options.file}, {"error", json_of(file.error())}});
    throw UsageError(file.error());
  }
  const auto findings = findings_of(*file);
  if (options.json) {
    print_json({{"file", options.file}, {"sites", file->sites().size()}, {"findings", json_of(findings)}});
  } else if (findings.empty()) {
    fmt::print("{}: {}, {} sites\n", options.file, colored(stdout, Color::green, "correct"),
               file->sites().size());
  }
  if (!options.json)
    for (const Finding& finding : findings)
      fmt::print("{}: {}: {} {}\n", options.file, colored(stdout, Color::yellow, "suspicious"),
                 finding.subject, finding.text);
  return findings.empty() ? Status::fine : Status::finding;
}

// ---- show

Status show_topology(const TopologyOptions& options) {
  const SiteFile file = value_of(SiteFile::load(options.file));
  const TopologyDocument document = document_of(file);
  if (options.json)
    print_json(json_of(document));
  else
    fmt::print("{}", topology_tables(file, document));
  return Status::fine;
}

// ---- convert

/// No TOML begins with a brace, and each of our JSON does.
bool is_json(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  return first != text.npos && text[first] == '{';
}

std::string converted(const std::string& text, const std::string& name) {
  if (!is_json(text)) return json_of(document_of(value_of(SiteFile::parse(text, name)))).dump(2) + "\n";
  const SiteFile file = value_of(site_file_of(value_of(document_of_json(text, name)), name));
  return toml_of(shortened(document_of(file)));
}

Status convert(const TopologyOptions& options) {
  write_output(options.output, converted(value_of(SiteFile::read(options.file)), options.file));
  return Status::fine;
}

CLI::App& add_one(Commands& commands, CLI::App& group, Description description,
                  Status (*action)(const TopologyOptions&), const std::shared_ptr<TopologyOptions>& options,
                  const char* file) {
  CLI::App& command = commands.add(
      std::move(description), [action, options] { return action(*options); }, &group);
  command.add_option("file", options->file, file)->required()->type_name("FILE");
  return command;
}

}  // namespace

void add_topology(Commands& commands) {
  CLI::App& group = commands.add_group(
      {"topology", "Checks, shows and converts topology files, and says which sites are found here"});
  const auto options = std::make_shared<TopologyOptions>();
  CLI::App& checking = add_one(
      commands, group,
      {.name = "check",
       .summary = "Says what is wrong with a topology file, and what is suspicious",
       .details =
           {"A mistake is told as coll_wan tells it: file, line, key, value and what would be right; the "
            "exit status is 2. What is legal and probably not meant is called suspicious, and the exit "
            "status is "
            "1: links described in one direction only, hosts of two sites, detours that are quicker, access "
            "links narrower than a link behind them, numbers that look like a wrong unit, entries without "
            "effect."},
       .examples = {{"topology check sites.toml", "before you give the file to coll_wan"}}},
      check, options, "Topology file");
  add_json_flag(checking, options->json);
  CLI::App& showing = add_one(
      commands, group,
      {.name = "show",
       .summary = "Shows sites, hosts and links of a topology file as tables",
       .details = {"Every link is shown, also those that [defaults] describes. The last line of the links is "
                   "what coll_wan takes for sites that the file does not know. The column \"ranks\" says how "
                   "many processes the hosts take."}},
      show_topology, options, "Topology file");
  add_json_flag(showing, options->json);
  CLI::App& converting = add_one(
      commands, group,
      {.name = "convert",
       .summary = "Makes JSON of a topology file, or a topology file of such JSON",
       .details =
           {"What the file is, wanctl sees by itself. The JSON is that of `topology show --json`: all links, "
            "times in nanoseconds, rates in bytes per second. Comments are lost."},
       .examples = {{"topology convert sites.toml --output sites.json", "for programs"},
                    {"topology convert sites.json --output sites.toml", "for coll_wan"}}},
      convert, options, "Topology file or JSON");
  add_output_option(converting, options->output);
  add_here(commands, group);
}

}  // namespace wan::tools
