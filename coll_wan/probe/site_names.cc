// SPDX-License-Identifier: BSD-3-Clause
#include "probe/site_names.h"

#include <algorithm>
#include <map>
#include <set>

namespace wan::probe {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::string allowed(std::string name) {
  for (char& c : name)
    if (!is_digit(c) && !is_letter(c) && c != '-' && c != '.') c = '_';
  return name.empty() ? "site" : name;
}

std::string common_beginning(const std::vector<std::string>& names) {
  std::string common = names.front();
  for (const std::string& name : names) {
    const auto [end, other] = std::ranges::mismatch(common, name);
    common.erase(end, common.end());
  }
  return common;
}

/// The common beginning, without the number that it may end in.
std::string stem_of(const std::vector<std::string>& names) {
  std::string stem = common_beginning(names);
  while (!stem.empty() && !is_letter(stem.back())) stem.pop_back();
  return stem;
}

std::vector<std::string> names_of(const std::vector<Host>& hosts, const std::vector<std::string>& names) {
  std::vector<std::string> result;
  for (const Host host : hosts) result.push_back(names[static_cast<std::size_t>(host)]);
  return result;
}

std::string unused(const std::string& wanted, const std::set<std::string>& used) {
  std::string name = wanted;
  for (int number = 2; used.contains(name); ++number) name = wanted + "_" + std::to_string(number);
  return name;
}

}  // namespace

std::vector<std::string> site_names(const Partition& sites, const std::vector<std::string>& host_names) {
  std::vector<std::string> stems, firsts;
  std::map<std::string, int> uses;
  for (const auto& hosts : sites.members()) {
    const auto members = names_of(hosts, host_names);
    stems.push_back(stem_of(members));
    firsts.push_back(members.front());
    ++uses[allowed(stems.back())];
  }
  std::vector<std::string> result;
  std::set<std::string> used;
  for (std::size_t site = 0; site < stems.size(); ++site) {
    const bool says_which = !stems[site].empty() && uses[allowed(stems[site])] == 1;
    result.push_back(unused(allowed(says_which ? stems[site] : firsts[site]), used));
    used.insert(result.back());
  }
  return result;
}

}  // namespace wan::probe
