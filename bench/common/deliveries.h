// SPDX-License-Identifier: BSD-3-Clause
// What the emulator of the lab delivered so far; nothing outside of a lab.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <vector>

#include "bench/lab/counters.h"

namespace wan::bench {

class Deliveries {
 public:
  /// Packets that were delivered late.
  std::uint64_t late() const { return sum(&lab::LinkCounters::late); }
  /// Packets of all links.
  std::uint64_t packets() const { return sum(&lab::LinkCounters::packets); }
  /// Bytes of TCP's streams between sites, each once.
  std::uint64_t bytes() const { return sum(&lab::LinkCounters::tcp_stream_bytes); }
  /// Bytes of somebody else's packets, by link.
  std::vector<std::uint64_t> others() const {
    std::vector<std::uint64_t> bytes;
    for (std::uint32_t from = 0; from < sites_; ++from)
      for (std::uint32_t to = 0; to < sites_; ++to)
        if (from != to) bytes.push_back(counters_.link(from, to).other_ip_bytes);
    return bytes;
  }

 private:
  std::uint64_t sum(std::atomic<std::uint64_t> lab::LinkCounters::*counter) const {
    std::uint64_t total = 0;
    for (std::uint32_t from = 0; from < sites_; ++from) {
      for (std::uint32_t to = 0; to < sites_; ++to) total += counters_.link(from, to).*counter;
    }
    return total;
  }

  lab::CountersView counters_{std::getenv("WAN_LAB_COUNTERS")};
  std::uint32_t sites_ = counters_.valid() ? counters_.sites() : 0;
};

}  // namespace wan::bench
