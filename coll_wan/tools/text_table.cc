// SPDX-License-Identifier: BSD-3-Clause
#include "tools/text_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace wan::tools {
namespace {

bool is_number(const std::string& text) {
  return !text.empty() && std::string_view("0123456789+-").find(text.front()) != std::string_view::npos;
}

/// A column is flush right where all of its cells that are not empty are numbers.
bool is_flush_right(const std::vector<Row>& rows, std::size_t column) {
  bool any = false;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i][column].empty()) continue;
    if (!is_number(rows[i][column])) return false;
    any = true;
  }
  return any;
}

}  // namespace

std::string text_table(const std::vector<Row>& rows) {
  std::vector<std::string> lines(rows.size());
  for (std::size_t column = 0; column < rows.front().size(); ++column) {
    std::size_t width = 0;
    for (const Row& row : rows) width = std::max(width, row[column].size());
    const bool right = is_flush_right(rows, column);
    for (std::size_t i = 0; i < rows.size(); ++i)
      lines[i] += (column ? "  " : "") + (right ? fmt::format("{:>{}}", rows[i][column], width)
                                                : fmt::format("{:<{}}", rows[i][column], width));
  }
  std::string text;
  for (std::string& line : lines) text += line.erase(line.find_last_not_of(' ') + 1) + "\n";
  return text;
}

}  // namespace wan::tools
