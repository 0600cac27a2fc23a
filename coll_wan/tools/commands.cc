// SPDX-License-Identifier: BSD-3-Clause
#include "tools/commands.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "tools/terminal.h"
#include "tools/usage_error.h"

namespace wan::tools {
namespace {

constexpr const char* kSummary =
    "Describes, plans, predicts and draws collectives of MPI over several sites with coll_wan.";
constexpr const char* kStatus =
    "Exit status: 0 all is well; 1 a finding (a plan that is wrong, a file that is suspicious); 2 a wrong "
    "command line or bad input.";

/// What --help says below the options.
std::string footer_of(const Description& description) {
  std::string text;
  for (const std::string& paragraph : description.details) text += paragraph + "\n";
  if (!description.examples.empty()) text += "\nExamples:\n";
  for (const Example& example : description.examples)
    text += fmt::format("  wanctl {}\n      {}\n", example.command, example.meaning);
  return text;
}

/// The innermost subcommand that the command line names.
const CLI::App& innermost(const CLI::App& app) {
  const auto chosen = const_cast<CLI::App&>(app).get_subcommands();
  return chosen.empty() ? app : innermost(*chosen.front());
}

/// Of a word that `app` does not know.
std::string unknown_word(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  if (word.starts_with("-"))
    for (const CLI::Option* option : options_of(app))
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  else
    for (const CLI::App* each : subcommands_of(app)) names.push_back(each->get_name());
  if (names.empty()) return fmt::format("\"{}\": one word too many; see {} --help", word, full_name(app));
  const std::vector<std::string_view> views(names.begin(), names.end());
  const auto near = nearest(word, views);
  if (near) return fmt::format("\"{}\": did you mean \"{}\"?", word, *near);
  return fmt::format("\"{}\": no such {}; see {} --help", word,
                     word.starts_with("-") ? "option" : "subcommand", full_name(app));
}

}  // namespace

std::string full_name(const CLI::App& app) {
  return app.get_parent() ? full_name(*app.get_parent()) + " " + app.get_name() : app.get_name();
}

std::vector<const CLI::App*> subcommands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<const CLI::Option*> options_of(const CLI::App& app) {
  return app.get_options([](const CLI::Option*) { return true; });
}

void add_json_flag(CLI::App& command, bool& json) {
  command.add_flag("--json", json, "Print JSON instead of text");
}

Commands::Commands() : program_(kSummary, "wanctl") {
  descriptions_[&program_] = {"wanctl", kSummary};
  program_.set_help_flag("-h,--help", "Print this help and exit");
  program_.set_version_flag("--version", "wanctl of coll_wan " COLL_WAN_VERSION,
                            "Print the version and exit");
  program_.require_subcommand(1);
  program_.footer(kStatus);
}

CLI::App& Commands::declare(CLI::App& parent, Description description) {
  CLI::App& command = *parent.add_subcommand(description.name, description.summary);
  command.footer(footer_of(description));
  descriptions_[&command] = std::move(description);
  return command;
}

CLI::App& Commands::add(Description description, Action action, CLI::App* group) {
  CLI::App& command = declare(group ? *group : program_, std::move(description));
  command.callback([this, action = std::move(action)] { chosen_ = action; });
  return command;
}

CLI::App& Commands::add_group(Description description) {
  CLI::App& command = declare(program_, std::move(description));
  command.require_subcommand(1);
  return command;
}

void Commands::add_forward(Description description, Forward forward) {
  const std::string name = description.name;
  declare(program_, std::move(description));
  forwards_[name] = std::move(forward);
}

void Commands::offer(const CLI::Option* option, std::vector<std::string> words) {
  words_[option] = std::move(words);
}

const std::vector<std::string>& Commands::words_of(const CLI::Option* option) const {
  static const std::vector<std::string> none;
  const auto found = words_.find(option);
  return found == words_.end() ? none : found->second;
}

void Commands::complain(const std::string& text) const {
  fmt::print(stderr, "{} {}\n", colored(stderr, Color::red, full_name(innermost(program_)) + ":"), text);
}

int Commands::parse(const std::vector<std::string>& words) {
  try {
    program_.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    return static_cast<int>(chosen_());
  } catch (const CLI::Success& asked) {
    return program_.exit(asked);
  } catch (const CLI::ParseError& error) {
    const CLI::App& app = innermost(program_);
    const auto unknown = program_.remaining(true);
    complain(unknown.empty() ? fmt::format("{}; see {} --help", error.what(), full_name(app))
                             : unknown_word(app, unknown.front()));
  }
  return kMisuse;
}

int Commands::run(const std::vector<std::string>& words) {
  try {
    if (!words.empty())
      if (const auto forward = forwards_.find(words.front()); forward != forwards_.end())
        return forward->second({words.begin() + 1, words.end()});
    return parse(words);
  } catch (const UsageError& error) {
    complain(error.what());
    return kMisuse;
  }
}

void add_all(Commands& commands) {
  add_topology(commands);
  add_probe(commands);
  add_plan(commands);
  add_doctor(commands);
  add_draw(commands);
  add_simulate(commands);
  add_bench_and_lab(commands);
}

}  // namespace wan::tools
