// SPDX-License-Identifier: BSD-3-Clause
// Fuzz target: any values of the MCA parameters, one a line in the order of mca_params/params.def, are such
// as they take, or the mistake names one that is not, with its value and a remedy. A line that is missing is
// the default; a number is read as Open MPI does.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <sstream>

#include "algo/algorithm.h"
#include "base/invariant.h"
#include "discover/source.h"
#include "process/parameters.h"

namespace {

using wan::invariant;

std::string next_line(std::istringstream& text, const std::string& initial) {
  std::string line;
  return std::getline(text, line) ? line : initial;
}

int next_number(std::istringstream& text, int initial) {
  return static_cast<int>(std::strtol(next_line(text, std::to_string(initial)).c_str(), nullptr, 0));
}

wan::Parameters parameters_of(std::istringstream text) {
  wan::Parameters values;
#define WAN_NUMBER(name, initial, lowest, highest, level, help) values.name = next_number(text, initial);
#define WAN_CHOICE(name, initial, choices, level, help) values.name = next_line(text, initial);
#define WAN_TEXT(name, level, help) values.name = next_line(text, "");
#include "mca_params/params.def"
#undef WAN_NUMBER
#undef WAN_CHOICE
#undef WAN_TEXT
  return values;
}

bool is_one_of(const std::string& value, const std::string& choices) {
  std::istringstream words(choices);
  std::string word;
  std::set<std::string> all;
  while (words >> word) all.insert(word.ends_with(',') ? word.substr(0, word.size() - 1) : word);
  return all.contains(value);
}

/// Wrong values, each as PARAMETER=VALUE.
std::set<std::string> wrong_values(const wan::Parameters& values) {
  std::set<std::string> wrong;
#define WAN_NUMBER(name, initial, lowest, highest, level, help)     \
  if (std::clamp<int>(values.name, lowest, highest) != values.name) \
    wrong.insert("coll_wan_" #name "=" + std::to_string(values.name));
#define WAN_CHOICE(name, initial, choices, level, help) \
  if (!is_one_of(values.name, choices)) wrong.insert("coll_wan_" #name "=" + values.name);
#define WAN_TEXT(name, level, help)
#define WAN_ALGORITHMS(name, level, help)                                                 \
  if (const auto parsed = wan::parse_algorithms(values.name, "coll_wan_" #name); !parsed) \
    wrong.insert("coll_wan_" #name "=" + parsed.error().value);
#define WAN_SOURCES(name, level, help)                                                 \
  if (const auto parsed = wan::parse_sources(values.name, "coll_wan_" #name); !parsed) \
    wrong.insert("coll_wan_" #name "=" + parsed.error().value);
#include "mca_params/params.def"
#undef WAN_NUMBER
#undef WAN_CHOICE
#undef WAN_TEXT
  return wrong;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const wan::Parameters values =
      parameters_of(std::istringstream(std::string(reinterpret_cast<const char*>(data), size)));
  const auto wrong = wrong_values(values);
  const auto mistake = wan::mistake_in(values);
  invariant(mistake.has_value() == !wrong.empty(), "a wrong value is taken, or a right one refused");
  if (!mistake) return 0;
  invariant(wrong.contains(mistake->file + "=" + mistake->value), "a mistake names a value that is right");
  invariant(!mistake->remedy.empty(), "a mistake has no remedy");
  return 0;
}
