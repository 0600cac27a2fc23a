// SPDX-License-Identifier: BSD-3-Clause
#include "process/info_value.h"

#include <charconv>

namespace wan {

std::optional<Count> load_named(std::string_view text) {
  Count load = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), load);
  if (error != std::errc{} || end != text.data() + text.size() || load < 0) return std::nullopt;
  return load;
}

std::optional<bool> truth_named(std::string_view text) {
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  return std::nullopt;
}

}  // namespace wan
