// SPDX-License-Identifier: BSD-3-Clause
// Of the links of one site in one direction, those that matter to whoever asks for the slowest: a link is left out where two
// others have both no shorter latency and no higher bandwidth. So whatever a message's length, the slowest link is here, and
// so is the slowest one when any single other site is left out. Few remain: two of equal links, about 2 ln(n) of n random ones.
//
//   latency ^  x . o        x: kept, the slowest of some message;  y: kept, the slowest once an x is left out;  o: left out
//           |  x  y  o
//           |    x    y
//           +-----------> bandwidth
//
// Tested by tests/unit/topo_slowest_links.cc.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/types.h"
#include "topo/link.h"

namespace wan {

/// A link from or to another site.
struct SiteLink {
  SiteIndex site = 0;  ///< the other
  Link link;
};

class SlowestLinks {
 public:
  void add(const SiteLink& link) {
    if (is_needless(link)) return;
    links_.push_back(link);
    for (std::size_t i = 0; i + 1 < links_.size();) {
      if (is_needless(links_[i]))
        links_.erase(links_.begin() + static_cast<std::ptrdiff_t>(i));
      else
        ++i;
    }
  }
  std::span<const SiteLink> all() const { return links_; }

 private:
  static bool is_as_slow(const Link& one, const Link& other) {
    return one.latency_ns >= other.latency_ns && one.bandwidth_bytes_per_s <= other.bandwidth_bytes_per_s;
  }
  /// Are two others as slow?
  bool is_needless(const SiteLink& link) const {
    int slower = 0;
    for (const SiteLink& each : links_)
      if (each.site != link.site && is_as_slow(each.link, link.link) && ++slower == 2) return true;
    return false;
  }

  std::vector<SiteLink> links_;
};

}  // namespace wan
