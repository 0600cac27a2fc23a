// SPDX-License-Identifier: BSD-3-Clause
// Prints the rows of the two tables in docs/parameters.md: without an argument mca_params/params.def (name,
// default, range, meaning), with `algorithms` what coll_wan_algorithms takes (algorithm, meaning,
// collectives). Used by: tests/readme/parameters_test.sh, tests/readme/ompi_info_test.sh.
#include <algorithm>
#include <cstdio>
#include <string>

#include "algo/algorithm.h"
#include "discover/source.h"

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

void print_list(const char* name, const std::string& range, const char* help) {
  std::printf("| `%s` | not set | %s | %s |\n", name, range.c_str(), help);
}

void print_parameters() {
#define WAN_NUMBER(name, initial, lowest, highest, level, help) \
  print_number(#name, initial, lowest, highest, help);
#define WAN_CHOICE(name, initial, choices, level, help) print_choice(#name, initial, choices, help);
#define WAN_TEXT(name, level, help) print_text(#name, help);
#define WAN_ALGORITHMS(name, level, help) print_list(#name, "list", help);
#define WAN_SOURCES(name, level, help) print_list(#name, "list of: " + wan::known_sources(), help);

#include "mca_params/params.def"
#undef WAN_NUMBER
#undef WAN_CHOICE
#undef WAN_TEXT
}

bool has(std::span<const wan::Algorithm> known, wan::Algorithm algorithm) {
  return std::ranges::find(known, algorithm) != known.end();
}

std::string collectives_with(wan::Algorithm algorithm) {
  std::string names;
  const auto add = [&](std::string_view name) { names += (names.empty() ? "" : ", ") + std::string(name); };
  for (const wan::CollectiveTraits& each : wan::all_collectives())
    if (has(wan::algorithms_of(each.collective), algorithm)) add(each.name);
  if (has(wan::algorithms_of_neighbors(), algorithm)) add("neighbor");
  return names;
}

void print_algorithm(wan::Algorithm algorithm, const char* help) {
  std::printf("| `%s` | %s | %s |\n", std::string(name_of(algorithm)).c_str(), help,
              collectives_with(algorithm).c_str());
}

void print_algorithms() {
#define WAN_WAY(algorithm, latencies, time, fallback, help) print_algorithm(wan::Algorithm::algorithm, help);
#include "algo/algorithms.def"
}

}  // namespace

int main(int argc, char**) {
  if (argc > 1) {
    print_algorithms();
  } else {
    print_parameters();
  }
  return 0;
}
