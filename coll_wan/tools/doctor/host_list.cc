// SPDX-License-Identifier: BSD-3-Clause
#include "tools/doctor/host_list.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#include "topo/host_pattern.h"

namespace wan::tools::doctor {
namespace {

void add(std::vector<std::string>& hosts, const std::string& host) {
  if (std::ranges::find(hosts, host) == hosts.end()) hosts.push_back(host);
}

/// At the commas that are in no brackets.
std::vector<std::string> words_of(std::string_view list) {
  std::vector<std::string> words(1);
  int depth = 0;
  for (const char letter : list) {
    depth += letter == '[' ? 1 : letter == ']' ? -1 : 0;
    if (letter == ',' && depth == 0)
      words.emplace_back();
    else
      words.back() += letter;
  }
  return words;
}

tl::unexpected<InputError> mistake(std::string where, std::string value, std::string remedy) {
  return tl::make_unexpected(InputError{std::move(where), 0, {}, std::move(value), std::move(remedy)});
}

Result<std::vector<std::string>> hosts_of_path(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) return mistake("--hosts", path, "this file cannot be read");
  return hosts_of_file(text.str());
}

Result<std::vector<std::string>> at_least_two(std::vector<std::string> hosts, const std::string& said) {
  if (hosts.size() < 2) return mistake("--hosts", said, "expected at least two different hosts");
  return hosts;
}

constexpr std::array<std::string_view, 3> kHostFileOptions{"hostfile", "machinefile", "default-hostfile"};
constexpr std::array<std::string_view, 2> kHostOptions{"host", "H"};

std::string file_name_of(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1);
}

/// With its dashes gone: Open MPI takes one or two.
std::string option_name_of(const std::string& word) {
  return word.starts_with("-") ? word.substr(std::min(word.size(), word.find_first_not_of('-'))) : "";
}

/// "mpirun", "mpirun.openmpi", "prterun", ...
bool is_mpirun(const std::string& program) {
  constexpr std::array<std::string_view, 4> names{"mpirun", "mpiexec", "orterun", "prterun"};
  const std::string name = file_name_of(program);
  return std::ranges::any_of(names, [&](std::string_view each) { return name.starts_with(each); });
}

}  // namespace

std::vector<std::string> hosts_of_file(std::string_view text) {
  std::vector<std::string> hosts;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    if (std::string host; words >> host) add(hosts, host);
  }
  return hosts;
}

Result<std::vector<std::string>> hosts_of_list(std::string_view list) {
  std::vector<std::string> hosts;
  for (std::string word : words_of(list)) {
    const std::size_t colon = word.find_last_not_of("0123456789");
    if (colon != word.npos && colon + 1 < word.size() && word[colon] == ':') word.erase(colon);
    const auto pattern = HostPattern::parse(word);
    if (!pattern) return mistake("--hosts", word, pattern.error().remedy);
    const auto names = pattern->enumerate();
    if (names.empty() && word.find_first_of("*/") != word.npos)
      return mistake("--hosts", word, "expected names that can be listed, such as \"a-[1-3]\"");
    for (const std::string& name : names.empty() ? std::vector{word} : names) add(hosts, name);
  }
  return hosts;
}

Result<std::vector<std::string>> hosts_named(const std::string& list_or_file) {
  const bool is_path = list_or_file.find('/') != list_or_file.npos || std::ifstream(list_or_file).good();
  return is_path ? hosts_of_path(list_or_file) : hosts_of_list(list_or_file);
}

Result<std::vector<std::string>> hosts_in(const std::string& option, const Environment& environment) {
  const auto checked = [](const std::string& said) {
    return hosts_named(said).and_then(
        [&](std::vector<std::string> hosts) { return at_least_two(hosts, said); });
  };
  if (!option.empty()) return checked(option);
  for (const char* name : {"SLURM_JOB_NODELIST", "PBS_NODEFILE", "OMPI_MCA_orte_default_hostfile",
                           "PRTE_MCA_prte_default_hostfile"})
    if (const std::string value = environment(name); !value.empty()) return checked(value);
  return mistake(
      "--hosts", "",
      "expected a list such as \"paris1,tokyo1\", or a host file: no batch system and no default host "
      "file of Open MPI names any");
}

std::string hosts_option_of(const std::vector<std::string>& command) {
  if (command.empty() || !is_mpirun(command.front())) return {};
  std::string lists;
  for (std::size_t i = 1; i + 1 < command.size() && file_name_of(command[i]) != "wanctl"; ++i) {
    const std::string option = option_name_of(command[i]);
    if (std::ranges::count(kHostFileOptions, option) > 0) return command[i + 1];
    if (std::ranges::count(kHostOptions, option) > 0) lists += (lists.empty() ? "" : ",") + command[i + 1];
  }
  return lists;
}

std::string launcher_in(const std::string& option, const Environment& environment) {
  if (!option.empty()) return option;
  for (const char* name : {"OMPI_MCA_plm_rsh_agent", "PRTE_MCA_plm_ssh_agent"})
    if (std::string value = environment(name); !value.empty() && value != "ssh") return value;
  return "ssh -x -o BatchMode=yes -o ConnectTimeout=10";
}

}  // namespace wan::tools::doctor
