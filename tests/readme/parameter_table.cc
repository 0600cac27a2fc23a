// SPDX-License-Identifier: BSD-3-Clause
// Prints mca_params/params.def as the rows of the table in README.md: name, default, range, meaning.
// Used by: tests/readme/parameters_test.sh, tests/readme/ompi_info_test.sh.
#include <cstdio>

#include "algo/algorithm.h"

namespace {

void print_number(const char* name, int initial, int lowest, int highest, const char* help) {
  std::printf("| `%s` | %d | %d to %d | %s |\n", name, initial, lowest, highest, help);
}

void print_choice(const char* name, const char* initial, const char* choices, const char* help) {
  std::printf("| `%s` | %s | %s | %s |\n", name, initial, choices, help);
}

void print_text(const char* name, const char* help) {
  std::printf("| `%s` | not set | text | %s |\n", name, help);
}

/// The bar that separates the columns is escaped.
void print_algorithms(const char* name, const char* help) {
  std::string known;
  for (const char c : wan::known_algorithms()) known += c == '|' ? "\\|" : std::string(1, c);
  std::printf("| `%s` | not set | %s | %s |\n", name, known.c_str(), help);
}

}  // namespace

int main() {
#define WAN_NUMBER(name, initial, lowest, highest, level, help) \
  print_number(#name, initial, lowest, highest, help);
#define WAN_CHOICE(name, initial, choices, level, help) print_choice(#name, initial, choices, help);
#define WAN_TEXT(name, level, help) print_text(#name, help);
#define WAN_ALGORITHMS(name, level, help) print_algorithms(#name, help);
#include "mca_params/params.def"
#undef WAN_NUMBER
#undef WAN_CHOICE
#undef WAN_TEXT
  return 0;
}
