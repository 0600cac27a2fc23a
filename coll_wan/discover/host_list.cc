// SPDX-License-Identifier: BSD-3-Clause
#include "discover/host_list.h"

#include <algorithm>

namespace wan {
namespace {

constexpr std::string_view kExpected = "expected Slurm's list of names, such as \"tux[0-3,12,18-20],dev5\"";

/// The end of the first entry: a comma outside brackets, or the end.
std::size_t end_of_entry(std::string_view text) {
  bool is_inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[') is_inside = true;
    if (text[i] == ']') is_inside = false;
    if (text[i] == ',' && !is_inside) return i;
  }
  return text.size();
}

}  // namespace

Result<HostList> HostList::parse(std::string_view text) {
  HostList list;
  const std::string_view whole = text;
  for (bool is_last = false; !is_last;) {
    const std::size_t end = end_of_entry(text);
    const std::string_view entry = text.substr(0, end);
    is_last = end == text.size();
    text.remove_prefix(is_last ? end : end + 1);
    auto pattern = NamePattern::parse(entry);
    if (!pattern || entry.find('*') != entry.npos) return bad_value(whole, kExpected);
    list.patterns_.push_back(std::move(*pattern));
  }
  return list;
}

bool HostList::has(std::string_view name) const {
  return std::ranges::any_of(patterns_, [name](const NamePattern& each) { return each.matches(name); });
}

}  // namespace wan
