// SPDX-License-Identifier: BSD-3-Clause
#include "process/help_text.h"

namespace wan {
namespace {

std::string with_values(const std::string& text, std::span<const std::string> values) {
  constexpr std::string_view mark = "%s";
  std::string filled;
  std::size_t from = 0;
  for (const std::string& value : values) {
    const std::size_t at = text.find(mark, from);
    if (at == std::string::npos) break;
    filled += text.substr(from, at - from) + value;
    from = at + mark.size();
  }
  return filled + text.substr(from);
}

}  // namespace

std::optional<std::string> help_text(std::istream& file, std::string_view topic,
                                     std::span<const std::string> values) {
  const std::string heading = "[" + std::string(topic) + "]";
  std::optional<std::string> text;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    if (text && line.starts_with('[')) break;
    if (text) *text += line + '\n';
    if (line == heading) text.emplace();
  }
  if (!text) return std::nullopt;
  return with_values(*text, values);
}

}  // namespace wan
