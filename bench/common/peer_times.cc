// SPDX-License-Identifier: BSD-3-Clause
#include "bench/common/peer_times.h"

#include <algorithm>
#include <numeric>

namespace wan::bench {

Nanoseconds quantile(std::vector<Nanoseconds> values, double fraction) {
  if (values.empty()) return 0;
  const auto last = static_cast<double>(values.size() - 1);
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(fraction * last + 0.5);
  std::ranges::nth_element(values, at);
  return *at;
}

Summary summarize(const std::vector<Nanoseconds>& times, int late, int wrong) {
  const auto at = [&](double fraction) { return quantile(times, fraction); };
  const Nanoseconds sum = std::accumulate(times.begin(), times.end(), Nanoseconds{0}),
                    count = static_cast<Nanoseconds>(times.size());
  return {at(0.25), at(0.5), at(0.75), count == 0 ? 0 : sum / count, static_cast<int>(count), late, wrong};
}

const Summary* PeerTimes::of(const std::string& peer) const {
  const auto found = peers.find(peer);
  return found == peers.end() ? nullptr : &found->second;
}

std::optional<Nanoseconds> PeerTimes::best_other(const std::string& mine) const {
  std::optional<Nanoseconds> best;
  for (const auto& [peer, summary] : peers) {
    if (peer != mine) best = std::min(best.value_or(time_of(summary)), time_of(summary));
  }
  return best;
}

std::optional<double> PeerTimes::speedup(const std::string& mine) const {
  const auto other = best_other(mine);
  const Summary* own = of(mine);
  if (!other || own == nullptr || time_of(*own) == 0) return std::nullopt;
  return static_cast<double>(*other) / static_cast<double>(time_of(*own));
}

bool PeerTimes::all_right(const std::vector<std::string>& names) const {
  return std::ranges::all_of(
      names, [&](const std::string& name) { return of(name) != nullptr && of(name)->wrong == 0; });
}

std::string marks(const Summary& summary) {
  std::string text = 4 * summary.late > summary.repetitions ? "!" : " ";
  return text + (summary.wrong > 0 ? "?" : " ");
}

}  // namespace wan::bench
