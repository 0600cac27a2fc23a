// SPDX-License-Identifier: BSD-3-Clause
// Which of the machine's processors a host of the lab runs on. A real host has its own; here each has its
// fixed share. Left to the kernel, ranks that have slept wake up on whatever processor they slept on, 13 of
// 16 on one of two as was seen, and what the others wait for takes its turn behind them. Tested by
// bench/lab/tests/emulator_test.cc, bench/lab/tests/lab_mpirun_test.sh.
#pragma once

#include <string>
#include <vector>

#include "base/types.h"
#include "bench/lab/plan.h"

namespace wan::lab {

/// Numbers of processors, ascending.
using Processors = std::vector<int>;

/// For each host of each site its share of `all`, which is not empty: where there are enough, as many as
/// every other host (but for one), none shared; else one, so that each processor serves as many slots as can
/// be, and of the first hosts of the sites, whose ranks have most to do, as many as any other.
std::vector<std::vector<Processors>> share_processors(const std::vector<SitePlan>& sites,
                                                      const Processors& all);

/// Those that the calling thread may run on.
Processors allowed_processors();
/// Moves the calling thread, and what it will start, to them.
void run_on(const Processors& processors);

/// Moves a thread from processor to processor, so that it takes as much from each: one that goes before all
/// others stays where it is, and what shares that processor with it gets what is left.
class ProcessorTurns {
 public:
  /// Of those that the calling thread may run on.
  ProcessorTurns() : all_(allowed_processors()) {}
  /// To be called often by that thread.
  void take(Nanoseconds now);

 private:
  Processors all_;
  std::size_t turn_ = 0;
  Nanoseconds until_ = 0;
};

/// "0 2 3", and back.
std::string to_text(const Processors& processors);
Processors processors_in(const std::string& text);

}  // namespace wan::lab
