// SPDX-License-Identifier: BSD-3-Clause
// How results get from process to process. One thread at a time; nothing waits.
#pragma once

#include <vector>

#include "bench/taskgraph/task.h"

namespace wan::bench {

class Transport {
 public:
  virtual ~Transport() = default;
  /// Begins to send a result to `ranks`, each of them once, this process not among them: what destinations()
  /// says of it, and at least one.
  virtual void send(const FinalDatum& datum, const std::vector<int>& ranks) = 0;
  /// Goes on with everything. Returns what has come since the last call; that may be more than this process
  /// needs.
  virtual std::vector<FinalDatum> progress() = 0;
  /// Nothing that was begun is still under way from here.
  virtual bool is_idle() const = 0;
};

}  // namespace wan::bench
