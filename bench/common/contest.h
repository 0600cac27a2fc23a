// SPDX-License-Identifier: BSD-3-Clause
// Several ways to do a thing on all ranks of MPI_COMM_WORLD, by turns: all ranks are released at one instant,
// and a round takes from there to the last rank's return. Rank 0 keeps the times.
#pragma once

#include <algorithm>
#include <concepts>
#include <optional>
#include <type_traits>
#include <vector>

#include "bench/common/deliveries.h"
#include "bench/common/peer_times.h"
#include "bench/common/release.h"

namespace wan::bench {

inline double ms(Nanoseconds time) {
  return static_cast<double>(time) / 1e6;
}

/// What one way took, on rank 0.
struct Measured {
  std::vector<Nanoseconds> times{};
  int late = 0, wrong = 0;

  Summary summary() const { return summarize(times, late, wrong); }
};

class Contest {
 public:
  explicit Contest(Release& release) : release_(release) {}

  /// A round of one way: run(); is_right() after the last rank's return. `counts`: its time does. A run()
  /// that returns an instant has done then what counts; 0: nothing does.
  template <class Run, class IsRight>
  void run(std::int64_t round, bool counts, Measured& measured, Run run, IsRight is_right) {
    const std::optional<Order> order = release_.leads() ? release_.order(round, 0) : release_.next();
    const std::uint64_t late = deliveries_.late();
    Finish finish;
    finish.notice_ns = release_.await(*order);
    if constexpr (std::same_as<std::invoke_result_t<Run>, Nanoseconds>) {
      finish.time_ns = std::max<Nanoseconds>(run() - order->release_ns, 0);
    } else {
      run();
      finish.time_ns = now_ns() - order->release_ns;
    }
    const std::vector<Finish> finishes = release_.report(*order, finish, is_right);
    if (finishes.empty()) return;
    measured.wrong +=
        std::ranges::any_of(finishes, [](const Finish& each) { return each.wrong != 0; }) ? 1 : 0;
    if (!counts) return;
    measured.times.push_back(std::ranges::max(finishes, {}, &Finish::time_ns).time_ns);
    measured.late += deliveries_.late() > late ? 1 : 0;
  }

 private:
  Release& release_;
  Deliveries deliveries_;
};

}  // namespace wan::bench
