// SPDX-License-Identifier: BSD-3-Clause
#include "discover/source.h"

#include <algorithm>
#include <array>

namespace wan {
namespace {

constexpr std::array kNames{
#define WAN_SOURCE(name, goes_by) std::string_view(#name),
#include "discover/sources.def"
#undef WAN_SOURCE
};
constexpr std::string_view kAutomatic = "auto";

/// What is wrong with the next entry; nullopt if nothing is, and then it is in `asks`.
std::optional<std::string> take(std::vector<Ask>& asks, std::string_view entry) {
  const auto source = source_named(entry);
  if (!source) return "is no source of sites: expected some of " + known_sources() + ", separated by commas";
  if (is_named(asks, *source)) return "is named twice: name each source once";
  asks.push_back({*source, Asked::by_name});
  return std::nullopt;
}

std::vector<Ask> all_but(const std::vector<Ask>& named) {
  std::vector<Ask> rest;
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (!is_named(named, static_cast<Source>(i))) rest.push_back({static_cast<Source>(i), Asked::by_default});
  return rest;
}

}  // namespace

std::string_view name_of(Source source) {
  return kNames[static_cast<std::size_t>(source)];
}

std::optional<Source> source_named(std::string_view name) {
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Source>(found - kNames.begin());
}

Result<std::vector<Ask>> parse_sources(std::string_view text, const std::string& parameter) {
  std::vector<Ask> asks;
  if (text.empty()) return all_but({});
  std::optional<std::size_t> automatic;  // where the rest goes
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view entry = text.substr(begin, end - begin);
    begin = end + 1;
    if (entry == kAutomatic && !automatic) {
      automatic = asks.size();
    } else if (const auto remedy = entry == kAutomatic ? "is named twice: name it once" : take(asks, entry)) {
      return tl::unexpected(InputError{parameter, 0, "", std::string(entry), *remedy});
    }
  }
  if (!automatic) return asks;
  const std::vector<Ask> rest = all_but(asks);
  asks.insert(asks.begin() + static_cast<std::ptrdiff_t>(*automatic), rest.begin(), rest.end());
  return asks;
}

std::string known_sources() {
  std::string names(kAutomatic);
  for (const std::string_view name : kNames) names += ", " + std::string(name);
  return names;
}

const Ask* find(const std::vector<Ask>& asks, Source source) {
  const auto found = std::ranges::find(asks, source, &Ask::source);
  return found == asks.end() ? nullptr : &*found;
}

bool is_named(const std::vector<Ask>& asks, Source source) {
  const Ask* ask = find(asks, source);
  return ask != nullptr && ask->asked == Asked::by_name;
}

}  // namespace wan
