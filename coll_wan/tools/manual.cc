// SPDX-License-Identifier: BSD-3-Clause
#include "tools/manual.h"

#include <fmt/format.h>

#include <string_view>

namespace wan::tools {
namespace {

/// So that troff prints it as it is.
std::string plain(const std::string& text) {
  std::string result = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  for (const char each : text) {
    if (each == '\\')
      result += "\\e";
    else if (each == '-')
      result += "\\-";
    else if (each == '\'')
      result += "\\(aq";
    else
      result += each;
  }
  return result;
}

std::string bold(const std::string& text) {
  return "\\fB" + plain(text) + "\\fR";
}

std::string italic(const std::string& text) {
  return "\\fI" + plain(text) + "\\fR";
}

/// "-o, --output FILE", or "COLLECTIVE".
std::string term_of(const CLI::Option& option) {
  std::string names;
  const auto add = [&](const std::string& name) { names += (names.empty() ? "" : ", ") + bold(name); };
  for (const std::string& name : option.get_snames()) add("-" + name);
  for (const std::string& name : option.get_lnames()) add("--" + name);
  if (option.get_positional()) return italic(option.get_name(true));
  const bool has_value = option.get_items_expected_max() > 0;
  return names + (has_value ? " " + italic(option.get_type_name()) : "");
}

std::string options_text(const CLI::App& app) {
  std::string text;
  for (const CLI::Option* option : options_of(app)) {
    const std::string initially = option->get_default_str();
    text += fmt::format(".TP\n{}\n{}{}.\n", term_of(*option), plain(option->get_description()),
                        initially.empty() ? "" : " (initially " + plain(initially) + ")");
  }
  return text;
}

std::string synopsis_of(const Commands& commands, const CLI::App& app) {
  std::string text = bold(full_name(app));
  if (commands.is_forward(app)) return text + " [" + italic("WORDS") + "...]";
  for (const CLI::Option* option : options_of(app))
    if (option->get_positional())
      text += " " + italic(option->get_name(true)) + (option->get_items_expected_max() > 1 ? "..." : "");
  return text + " [" + italic("OPTIONS") + "]";
}

/// The subcommands that do something, in order.
void collect(const CLI::App& app, std::vector<const CLI::App*>& leaves) {
  for (const CLI::App* each : subcommands_of(app))
    if (subcommands_of(*each).empty())
      leaves.push_back(each);
    else
      collect(*each, leaves);
}

std::string section_of(const Commands& commands, const CLI::App& app) {
  const Description& description = commands.description_of(app);
  std::string text = fmt::format(".SS {}\n{}.\n", synopsis_of(commands, app), plain(description.summary));
  for (const std::string& paragraph : description.details) text += ".PP\n" + plain(paragraph) + "\n";
  if (!commands.is_forward(app)) text += options_text(app);
  if (!description.examples.empty()) text += ".PP\nExamples:\n";
  for (const Example& example : description.examples)
    text += fmt::format(".TP\n{}\n{}.\n", bold("wanctl " + example.command), plain(example.meaning));
  return text;
}

constexpr const char* kEnd = R"(.SH EXIT STATUS
.TP
.B 0
All is well.
.TP
.B 1
A finding: a plan that is wrong, or a topology file that is suspicious.
.TP
.B 2
A wrong command line, or bad input. Standard error says what would be right.
.PP
The exit status of
.B wanctl bench
and
.B wanctl lab
is that of the programs that they run.
.SH ENVIRONMENT
.TP
.B NO_COLOR
If it is set and not empty, wanctl prints no colours. It prints them on a terminal only.
.SH SEE ALSO
.BR mpirun (1),
.BR ompi_info (1)
)";

}  // namespace

std::string manual_of(const Commands& commands) {
  const CLI::App& program = commands.program();
  std::vector<const CLI::App*> leaves;
  collect(program, leaves);
  std::string text = fmt::format(
      ".\\\" SPDX-License-Identifier: BSD-3-Clause\n.\\\" Made by wanctl itself.\n.TH WANCTL 1 \"\" "
      "\"coll_wan " COLL_WAN_VERSION
      "\" \"coll_wan\"\n.SH NAME\nwanctl \\- topology files, plans and predictions of coll_wan\n.SH "
      "SYNOPSIS\n");
  for (const CLI::App* leaf : leaves) text += synopsis_of(commands, *leaf) + "\n.br\n";
  text += ".SH DESCRIPTION\n" + plain(commands.description_of(program).summary) +
          "\nNo subcommand needs MPI, except those that run MPI programs.\n.SH OPTIONS\n" +
          options_text(program) + ".SH SUBCOMMANDS\n";
  for (const CLI::App* leaf : leaves) text += section_of(commands, *leaf);
  return text + kEnd;
}

}  // namespace wan::tools
