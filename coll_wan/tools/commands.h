// SPDX-License-Identifier: BSD-3-Clause
// The subcommands of wanctl: each is declared once, and --help, the manual page and the completion of the
// shell follow from that. Tested by tests/wanctl.
//
// To add a subcommand `survey`:
//  1. Write tools/survey_command.cc with `void add_survey(Commands& commands)`. It makes the options (a
//     shared_ptr, which the action holds), calls commands.add() with name, summary, details, examples and the
//     action, and declares the options on the CLI::App that it gets back. One that has words of its own to
//     choose from gets them by offer(); one that takes a file has the type name "FILE".
//  2. Declare add_survey below, and call it in add_all (commands.cc). List the file in local.mk.
//  3. What it prints of facts it also prints as JSON (add_json_flag, json.h). Facts go to stdout, complaints
//     to stderr. Its action returns Status::fine or Status::finding; bad input is a UsageError (exit status
//     2), whose InputError says file, line, value and remedy.
//  4. Test it in tests/wanctl/survey_test.sh; tests/wanctl/manual_test.sh and completion_test.sh see it by
//     themselves.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace wan::tools {

/// How an action ends. The exit status of bad input and of a wrong command line is kMisuse.
enum class Status : int { fine = 0, finding = 1 };
inline constexpr int kMisuse = 2;

struct Example {
  std::string command;  ///< without "wanctl"
  std::string meaning;
};

/// What people read of a subcommand.
struct Description {
  std::string name;
  std::string summary;                 ///< one sentence
  std::vector<std::string> details{};  ///< paragraphs
  std::vector<Example> examples{};
};

class Commands {
 public:
  using Action = std::function<Status()>;
  /// Takes the words that follow the name, as they are.
  using Forward = std::function<int(const std::vector<std::string>&)>;

  Commands();

  /// A subcommand, or with `group` one of that group.
  CLI::App& add(Description description, Action action, CLI::App* group = nullptr);
  /// A subcommand that only has subcommands.
  CLI::App& add_group(Description description);
  /// A subcommand that hands its words to another program.
  void add_forward(Description description, Forward forward);
  /// The words that `option` takes; the shell completes them.
  void offer(const CLI::Option* option, std::vector<std::string> words);

  /// Runs what the words (without the program's name) ask for; the exit status.
  int run(const std::vector<std::string>& words);

  const CLI::App& program() const { return program_; }
  const Description& description_of(const CLI::App& app) const { return descriptions_.at(&app); }
  bool is_forward(const CLI::App& app) const { return forwards_.contains(app.get_name()); }
  /// Empty where the option takes anything.
  const std::vector<std::string>& words_of(const CLI::Option* option) const;

 private:
  CLI::App& declare(CLI::App& parent, Description description);
  int parse(const std::vector<std::string>& words);
  void complain(const std::string& text) const;

  CLI::App program_;
  std::map<const CLI::App*, Description> descriptions_;
  std::map<const CLI::Option*, std::vector<std::string>> words_;
  std::map<std::string, Forward> forwards_;
  Action chosen_;
};

/// --json
void add_json_flag(CLI::App& command, bool& json);

/// "wanctl topology check"
std::string full_name(const CLI::App& app);
/// What of `app` is shown, in the order of declaration: subcommands, and options that have a name.
std::vector<const CLI::App*> subcommands_of(const CLI::App& app);
std::vector<const CLI::Option*> options_of(const CLI::App& app);

void add_bench_and_lab(Commands& commands);
void add_doctor(Commands& commands);
void add_draw(Commands& commands);
/// topology here
void add_here(Commands& commands, CLI::App& group);
void add_plan(Commands& commands);
void add_probe(Commands& commands);
void add_simulate(Commands& commands);
void add_topology(Commands& commands);
/// All of them.
void add_all(Commands& commands);

}  // namespace wan::tools
