// SPDX-License-Identifier: BSD-3-Clause
#include "bench/apps/result.h"

#include <fmt/format.h>

#include "bench/common/fields.h"

namespace wan::bench {
namespace {

constexpr std::size_t kColumns = 8;

tl::unexpected<InputError> bad_line(const std::string& file, int line, std::string_view text) {
  return tl::unexpected(InputError{file, line, "", std::string(text), "expected a row of an application"});
}

}  // namespace

std::string repetition_header() {
  return "app,problem,ranks,time_ns,mpi_ns,late,packets,wrong";
}

std::string to_csv(const Repetition& repetition) {
  return fmt::format("{},{},{},{},{},{},{},{}", repetition.app, repetition.problem, repetition.ranks,
                     repetition.time_ns, repetition.mpi_ns, repetition.late, repetition.packets,
                     repetition.wrong);
}

Result<std::vector<Repetition>> parse_repetitions(std::string_view text, const std::string& file) {
  std::vector<Repetition> all;
  int number = 0;
  for (std::string_view line : split(text, '\n')) {
    ++number;
    if (line.empty() || line == repetition_header()) continue;
    Fields fields(line, kColumns);
    Repetition& one = all.emplace_back();
    one.app = fields.text();
    one.problem = fields.text();
    one.ranks = static_cast<Rank>(fields.number());
    one.time_ns = fields.number();
    one.mpi_ns = fields.number();
    one.late = fields.number();
    one.packets = fields.number();
    one.wrong = fields.number();
    if (!fields.good()) return bad_line(file, number, line);
  }
  return all;
}

}  // namespace wan::bench
