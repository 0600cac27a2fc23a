// SPDX-License-Identifier: BSD-3-Clause
// Of the links of one site in one direction, those that matter to whoever asks for the slowest: a link is
// left out where two others have both no shorter latency and no higher bandwidth. So whatever a message's
// length, the slowest link is here, and so is the slowest one when any single other site is left out. Few
// remain: two of equal links, about 2 ln(n) of n random ones.
//
//   latency ^  x . o        x: kept, the slowest of some message;
//           |  x  y  o      y: kept, the slowest once an x is left out;
//           |    x    y     o: left out
//           +-----------> bandwidth
//
// Tested by tests/unit/topo_slowest_links.cc.
#pragma once

#include <span>
#include <utility>
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
    if (const auto slower = second_slower(link); slower < links_.size()) {
      std::swap(links_[slower / 2], links_[slower]);  // to be found sooner the next time
      return;
    }
    links_.push_back(link);
    for (std::size_t i = 0; i + 1 < links_.size();) {
      if (second_slower(links_[i]) < links_.size())
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
  /// Where the second stands that is as slow; if there is none, the number of links.
  std::size_t second_slower(const SiteLink& link) const {
    int slower = 0;
    for (std::size_t i = 0; i < links_.size(); ++i)
      if (links_[i].site != link.site && is_as_slow(links_[i].link, link.link) && ++slower == 2) return i;
    return links_.size();
  }

  std::vector<SiteLink> links_;
};

}  // namespace wan
