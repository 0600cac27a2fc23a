// SPDX-License-Identifier: BSD-3-Clause
// Fuzz target: any text is a list of sources, each once, in its order, with all others at the place of auto;
// or a mistake that shows a part of the text and a remedy.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/invariant.h"
#include "discover/source.h"

namespace {

using wan::invariant;

std::vector<std::string> entries_of(const std::string& text) {
  std::vector<std::string> entries(1);
  for (const char c : text) {
    if (c == ',')
      entries.emplace_back();
    else
      entries.back() += c;
  }
  return entries;
}

bool is_list(const std::string& text) {
  std::set<std::string> seen;
  return text.empty() || std::ranges::all_of(entries_of(text), [&](const std::string& entry) {
           return seen.insert(entry).second && (entry == "auto" || wan::source_named(entry));
         });
}

void check_list(const std::vector<wan::Ask>& asks, const std::string& text) {
  std::set<wan::Source> all;
  std::string named;
  for (const wan::Ask& ask : asks) {
    invariant(all.insert(ask.source).second, "a source is asked twice");
    if (ask.asked == wan::Asked::by_name) named += std::string(name_of(ask.source)) + ",";
  }
  std::string expected;
  for (const std::string& entry : entries_of(text))
    if (entry != "auto" && !entry.empty()) expected += entry + ",";
  invariant(named == expected, "named sources are asked in another order");
  const bool has_auto = text.empty() || ("," + text + ",").find(",auto,") != std::string::npos;
  invariant(has_auto == (asks.size() == wan::kSources) || !has_auto, "auto does not stand for all");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto asks = wan::parse_sources(text, "coll_wan_discover");
  invariant(asks.has_value() == is_list(text), "a list is taken that is wrong, or refused that is right");
  if (asks) {
    check_list(*asks, text);
    return 0;
  }
  invariant(text.find(asks.error().value) != text.npos, "a mistake does not show the text");
  invariant(!asks.error().remedy.empty(), "a mistake has no remedy");
  return 0;
}
