// SPDX-License-Identifier: BSD-3-Clause
// A wide area for the probe, with its own time: hosts in sites, a rate and a latency for each link, delays
// that vary, and receivers whose clocks and waking up are late. Nothing depends on the machine.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "probe/explore.h"
#include "topo/link.h"

namespace wan {

struct WideArea {
  std::vector<int> site_of;              ///< of each host
  std::vector<std::vector<Link>> links;  ///< [from site][to site]; of a site to itself: inside it
  double jitter = 0;                     ///< a packet takes up to so much of the latency longer
  Nanoseconds lateness_ns = 50'000;      ///< a receiver sees what comes up to so much later
  std::vector<probe::Host> mute;         ///< hosts that no connection reaches
  std::uint32_t seed = 1;
  Bytes window = 14'480;  ///< of a new connection: it grows as the kernel's does

  int hosts() const { return static_cast<int>(site_of.size()); }
  const Link& between(probe::Host from, probe::Host to) const {
    return links[static_cast<std::size_t>(site_of[static_cast<std::size_t>(from)])]
                [static_cast<std::size_t>(site_of[static_cast<std::size_t>(to)])];
  }
};

class SimulatedWan : public probe::Surroundings {
 public:
  explicit SimulatedWan(WideArea area) : area_(std::move(area)) {}
  std::vector<probe::Finding> run(const std::vector<probe::Errand>& errands) override;
  /// When the last report came.
  Nanoseconds elapsed_ns() const { return elapsed_ns_; }
  std::size_t errands() const { return errands_; }
  Bytes most_sent() const { return most_sent_; }

 private:
  WideArea area_;
  Nanoseconds elapsed_ns_ = 0;
  std::size_t errands_ = 0;
  Bytes most_sent_ = 0;
  std::map<std::pair<probe::Host, probe::Host>, Nanoseconds> known_;  ///< least round trips of connections
};

}  // namespace wan
