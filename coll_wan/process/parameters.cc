// SPDX-License-Identifier: BSD-3-Clause
#include "process/parameters.h"

#include "algo/algorithm.h"
#include "discover/source.h"

namespace wan {
namespace {

using Mistake = std::optional<InputError>;

Mistake mistake(const std::string& parameter, const std::string& value, const std::string& remedy) {
  return InputError{parameter, 0, "", value, remedy};
}

Mistake out_of_range(const std::string& parameter, int value, int lowest, int highest) {
  if (value >= lowest && value <= highest) return std::nullopt;
  return mistake(parameter, std::to_string(value), "expected a number from " + range_text(lowest, highest));
}

/// `choices` are separated by ", ".
Mistake not_one_of(const std::string& parameter, const std::string& value, const std::string& choices) {
  const bool is_word = !value.empty() && value.find_first_of(", ") == std::string::npos;
  if (is_word && (", " + choices + ", ").find(", " + value + ", ") != std::string::npos) return std::nullopt;
  return mistake(parameter, value, "expected one of " + choices);
}

Mistake no_algorithms(const std::string& parameter, const std::string& value) {
  const auto parsed = parse_algorithms(value, parameter);
  return parsed ? std::nullopt : Mistake(parsed.error());
}

Mistake no_sources(const std::string& parameter, const std::string& value) {
  const auto parsed = parse_sources(value, parameter);
  return parsed ? std::nullopt : Mistake(parsed.error());
}

}  // namespace

Mistake mistake_in(const Parameters& values) {
#define WAN_NUMBER(name, initial, lowest, highest, level, help) \
  if (const auto found = out_of_range("coll_wan_" #name, values.name, lowest, highest)) return found;
#define WAN_CHOICE(name, initial, choices, level, help) \
  if (const auto found = not_one_of("coll_wan_" #name, values.name, choices)) return found;
#define WAN_TEXT(name, level, help)
#define WAN_ALGORITHMS(name, level, help) \
  if (const auto found = no_algorithms("coll_wan_" #name, values.name)) return found;
#define WAN_SOURCES(name, level, help) \
  if (const auto found = no_sources("coll_wan_" #name, values.name)) return found;
#include "mca_params/params.def"
#undef WAN_NUMBER
#undef WAN_CHOICE
#undef WAN_TEXT
  return std::nullopt;
}

std::string range_text(int lowest, int highest) {
  return std::to_string(lowest) + " to " + std::to_string(highest);
}

}  // namespace wan
