// SPDX-License-Identifier: BSD-3-Clause
// One cell of the benchmark's table: a collective, its form, size and root; and what was measured of it. A
// row of CSV is a cell with its measurement: written by wan-bench, read by wan-bench-compare. No MPI here.
// Tested by bench/collectives/cell_test.cc.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/types.h"
#include "bench/common/peer_times.h"
#include "plan/call.h"

namespace wan::bench {

/// `overlapped` is nonblocking, with computation for as long as the collective takes between the call and the
/// wait; what is measured is the time beyond the computation.
enum class Form : std::uint8_t { blocking, nonblocking, persistent, overlapped };

std::string_view name(Form form);

struct Cell {
  Collective collective = Collective::barrier;
  Form form = Form::blocking;
  Bytes bytes =
      0;  ///< Call::block in bytes: the whole of bcast and reductions to one result, else one rank's share
  Rank root = 0;

  friend bool operator==(const Cell&, const Cell&) = default;
  friend auto operator<=>(const Cell&, const Cell&) = default;
};

struct Measurement {
  std::vector<Nanoseconds> times;     ///< of each repetition: from the release to the last rank's return
  Nanoseconds start_lateness_ns = 0;  ///< median over repetitions of how late the last rank started
  int late = 0;                       ///< repetitions during which the emulator delivered late
  int wrong = 0;                      ///< repetitions in which some rank's result was wrong
  BytesPerSecond others = 0;  ///< of somebody else, on the link where it is least, over all repetitions and
                              ///< what was between them
};

/// All cells for some names, forms, sizes and roots: a barrier has one size, what has no root one root.
std::vector<Cell> cells_of(const std::vector<Collective>& collectives, const std::vector<Form>& forms,
                           const std::vector<Bytes>& sizes, const std::vector<Rank>& roots);

/// "all" or names of collectives, of forms. `option` stands in the error.
Result<std::vector<Collective>> parse_collectives(const std::vector<std::string>& names,
                                                  const std::string& option);
Result<std::vector<Form>> parse_forms(const std::vector<std::string>& names, const std::string& option);

/// What a row says.
struct Row {
  Cell cell;
  Measurement measurement;
};

/// The line of column names, without the newline.
std::string csv_header();
std::string to_csv(const Row& row);

/// A whole output of wan-bench.
struct Output {
  std::vector<std::string> hosts;  ///< of each rank
  std::vector<Row> rows;
};
/// The comment line that names the hosts.
std::string hosts_line(const std::vector<std::string>& hosts);
/// Of a file; one that cannot be read is empty.
Result<Output> load_output(const std::string& path);
/// Errors name `file` and line.
Result<Output> parse_output(std::string_view text, const std::string& file);

}  // namespace wan::bench
