// SPDX-License-Identifier: BSD-3-Clause
// The two problems behind cost/spread.h: which shares of a vector fit by a given time. Both answer in time
// that grows with the sites, not with the links, but for one look at all links (of all for all). No threads.
// Tested by tests/unit/cost_spread.cc and, against a slower solution, by tests/unit/cost_shares.cc.
#pragma once

#include <optional>
#include <vector>

#include "cost/passage.h"

namespace wan {

using Shares = std::vector<Bytes>;  ///< by site

/// Takes from the shares what exceeds `bytes`, from each its part of it; nullopt if they do not reach
/// `bytes`.
std::optional<Shares> trimmed(Shares shares, Bytes bytes);

/// From one to all: what goes directly takes a part of every link of the root, a relayed share of one of
/// them.
class SharesFromOne {
 public:
  SharesFromOne(const View& view, SiteIndex root, Bytes bytes, Bytes piece);

  /// Before this nothing can have gone through another site.
  Nanoseconds first_relay() const;
  std::optional<Shares> at(Nanoseconds now) const;

 private:
  /// What can have come to a site from the root, and through it to all others; the second is no more than the
  /// first.
  struct Limits {
    SiteIndex site;
    Bytes entry, relay;
    /// What may go directly without taking from this site's share.
    Bytes knee() const { return entry - relay; }
  };
  std::vector<Limits> limits_at(Nanoseconds now) const;
  Bytes relay_limit(SiteIndex site, Nanoseconds now) const;
  bool all_can_receive(Nanoseconds now) const;
  bool can_leave(Bytes direct, Nanoseconds now) const;
  Shares shares_with(Bytes direct, const std::vector<Limits>& limits) const;

  const View& view_;
  SiteIndex root_;
  Bytes bytes_, piece_;
  Nanoseconds farthest_;       ///< latency from the root
  std::vector<Link> entries_;  ///< the root's links, by site
};

/// From all for all: each link carries its receiver's share of the sender's vector, then the sender's share
/// of the result.
class SharesAmongAll {
 public:
  /// last: the latest time that is asked for.
  SharesAmongAll(const Network& network, Bytes bytes, Bytes piece, Nanoseconds last);

  /// Before this nothing can have come from all to one site and from there to all.
  static Nanoseconds first_relay(const Network& network);
  std::optional<Shares> at(Nanoseconds now) const;

 private:
  /// Of a site's links the longest latency and the lowest rate, which need not be of the same link.
  struct Worst {
    Link in, out;
  };

  Bytes relayed_by(SiteIndex site, Nanoseconds now) const;
  Bytes limit(SiteIndex site, Nanoseconds now) const;
  Bytes left(std::optional<BytesPerSecond> cap, SiteIndex site, Nanoseconds now) const;
  Bytes common(SiteIndex one, SiteIndex other, Nanoseconds now) const;
  Bytes narrowest(SiteIndex site, Nanoseconds now) const;
  void find_rivals(Nanoseconds last);
  Bytes beside_rivals(SiteIndex site, const Shares& shares, Bytes least, Nanoseconds now) const;

  const Network& network_;
  Bytes bytes_, piece_;
  std::vector<Worst> worst_;                    ///< by site
  std::vector<std::vector<SiteIndex>> rivals_;  ///< of each site those with whom it may have to share a link
};

}  // namespace wan
