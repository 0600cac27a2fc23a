// SPDX-License-Identifier: BSD-3-Clause
// What several peers took for the same thing. Tested by bench/collectives/comparison_test.cc.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/types.h"

namespace wan::bench {

/// The value below which a fraction of `values` lies, by the nearest rank; 0 for none.
Nanoseconds quantile(std::vector<Nanoseconds> values, double fraction);

/// One peer's times.
struct Summary {
  Nanoseconds q1_ns = 0, median_ns = 0, q3_ns = 0, mean_ns = 0;
  int repetitions = 0;
  int late = 0;   ///< repetitions during which the emulator delivered late
  int wrong = 0;  ///< repetitions with a wrong result
};
Summary summarize(const std::vector<Nanoseconds>& times, int late, int wrong);

/// What stands for the times of one peer.
enum class Statistic : std::uint8_t {
  median,
  mean  ///< where some repetitions take much longer, and that is what counts: links that lose packets
};

struct PeerTimes {
  std::map<std::string, Summary> peers;
  Statistic statistic = Statistic::median;

  Nanoseconds time_of(const Summary& summary) const {
    return statistic == Statistic::median ? summary.median_ns : summary.mean_ns;
  }
  const Summary* of(const std::string& peer) const;
  /// The time of the fastest of the peers other than `mine`; nullopt if there is none.
  std::optional<Nanoseconds> best_other(const std::string& mine) const;
  /// best_other over the time of `mine`; nullopt where either is missing.
  std::optional<double> speedup(const std::string& mine) const;
  /// Every one of these peers was measured and none had a wrong result.
  bool all_right(const std::vector<std::string>& names) const;
};

/// How tables mark a peer's times. "!": more than a quarter of the repetitions were late. "?": some result
/// was wrong.
std::string marks(const Summary& summary);

}  // namespace wan::bench
