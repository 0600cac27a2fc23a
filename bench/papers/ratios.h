// SPDX-License-Identifier: BSD-3-Clause
// How completion times compare with the optimum, or with a bound of it, over many graphs. No threads.
#pragma once

#include <algorithm>

#include "base/types.h"

namespace wan::bench {

class Ratios {
 public:
  void add(Nanoseconds time_ns, Nanoseconds reference_ns) {
    const double ratio = static_cast<double>(time_ns) / static_cast<double>(reference_ns);
    ++number_;
    equal_ += time_ns == reference_ns;
    near_ += ratio <= 1.1;
    sum_ += ratio;
    worst_ = std::max(worst_, ratio);
  }

  double percent_equal() const { return 100.0 * equal_ / number_; }
  double percent_within_a_tenth() const { return 100.0 * near_ / number_; }
  double mean() const { return sum_ / number_; }
  double worst() const { return worst_; }

 private:
  int number_ = 0, equal_ = 0, near_ = 0;
  double sum_ = 0, worst_ = 0;
};

}  // namespace wan::bench
