// SPDX-License-Identifier: BSD-3-Clause
// Fuzz target: any text is a list of algorithms whose every entry is one that there is and the last of its
// collective holds, or a mistake that shows a part of the text and a remedy.
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <sstream>

#include "algo/algorithm.h"
#include "base/invariant.h"

namespace {

using wan::invariant;

/// All of COLLECTIVE:ALGORITHM that known_algorithms() names, which it writes as "bcast:auto|tree, ...".
std::set<std::string> known_entries() {
  std::set<std::string> all;
  std::istringstream choosers(wan::known_algorithms());
  for (std::string chooser; choosers >> chooser;) {
    if (chooser.ends_with(',')) chooser.pop_back();
    const auto colon = chooser.find(':');
    std::istringstream names(chooser.substr(colon + 1));
    for (std::string name; std::getline(names, name, '|');) all.insert(chooser.substr(0, colon + 1) + name);
  }
  return all;
}

/// The algorithm that each collective, or "neighbor", is forced to; nullopt if an entry is not known.
std::optional<std::map<std::string, std::string>> forced(const std::string& text) {
  static const std::set<std::string> known = known_entries();
  std::map<std::string, std::string> all;
  std::istringstream entries(text);
  for (std::string entry; std::getline(entries, entry, ',');) {
    if (!known.contains(entry)) return std::nullopt;
    all[entry.substr(0, entry.find(':'))] = entry.substr(entry.find(':') + 1);
  }
  return all;
}

void check_holds(const wan::AlgorithmChoice& choice, std::map<std::string, std::string> expected) {
  const auto name_for = [&](const std::string& name) {
    return expected.contains(name) ? expected[name] : "auto";
  };
  for (const wan::CollectiveTraits& each : wan::all_collectives())
    invariant(wan::name_of(choice.of(each.collective)) == name_for(std::string(each.name)),
              "a collective has another algorithm than the list says");
  invariant(wan::name_of(choice.of_neighbors()) == name_for("neighbor"),
            "neighbourhood collectives have another algorithm than the list says");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto expected = forced(text);
  const auto choice = wan::parse_algorithms(text, "coll_wan_algorithms");
  invariant(choice.has_value() == expected.has_value(),
            "a list is taken that is wrong, or refused that is right");
  if (choice) {
    check_holds(*choice, *expected);
    return 0;
  }
  invariant(text.find(choice.error().value) != text.npos, "a mistake does not show the text");
  invariant(!choice.error().remedy.empty(), "a mistake has no remedy");
  return 0;
}
