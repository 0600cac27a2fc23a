// SPDX-License-Identifier: BSD-3-Clause
#include "bench/common/fields.h"

#include <charconv>

namespace wan::bench {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == text.npos) return parts;
    text.remove_prefix(end + 1);
  }
}

Fields::Fields(std::string_view line, std::size_t columns)
    : fields_(split(line, ',')), good_(fields_.size() == columns) {}

std::vector<std::int64_t> Fields::numbers() {
  std::vector<std::int64_t> all;
  for (std::string_view part : split(text(), ' ')) all.push_back(number(part));
  return all;
}

std::int64_t Fields::number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  good_ &= error == std::errc() && end == text.data() + text.size();
  return value;
}

}  // namespace wan::bench
