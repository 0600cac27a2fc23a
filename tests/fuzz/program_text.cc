// SPDX-License-Identifier: BSD-3-Clause
// Fuzz target: any text is a list of Programs, free of hazards, that is read back as it is written; or a
// mistake with a place and a remedy.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/invariant.h"
#include "check/verify.h"
#include "plan/text.h"

namespace {

void check_mistake(const wan::InputError& error, std::string_view text) {
  wan::invariant(error.line >= 0 && error.line <= 1 + std::count(text.begin(), text.end(), '\n'),
                 "a mistake outside the text");
  wan::invariant(!error.remedy.empty(), "a mistake has no remedy");
}

void check_program(const wan::RankProgram& parsed) {
  const std::string written = wan::to_text(parsed.program, parsed.me, parsed.size);
  const auto again = wan::parse_programs(written, "again");
  wan::invariant(again.has_value(), "what is written cannot be read");
  wan::invariant(wan::to_text(again->front().program, parsed.me, parsed.size) == written,
                 "what is read back differs");
  wan::invariant(wan::hazards(parsed.program).empty(), "what is read has a hazard");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto programs = wan::parse_programs(text, "fuzz");
  if (!programs) {
    check_mistake(programs.error(), text);
    return 0;
  }
  for (const wan::RankProgram& each : *programs) check_program(each);
  wan::parse_schedule(text, "fuzz");
  return 0;
}
