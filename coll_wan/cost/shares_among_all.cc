// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <numeric>
#include <utility>

#include "cost/shares.h"

#include "base/index.h"

namespace wan {

namespace {

Link worst_of(std::span<const SiteLink> links) {
  Link worst{0, std::numeric_limits<BytesPerSecond>::max()};
  for (const auto& [site, link] : links) {
    worst.latency_ns = std::max(worst.latency_ns, link.latency_ns);
    worst.bandwidth_bytes_per_s = std::min(worst.bandwidth_bytes_per_s, link.bandwidth_bytes_per_s);
  }
  return worst;
}

/// The largest of some numbers that only grow, any one of them left out.
class LargestOther {
 public:
  void note(SiteIndex site, Bytes share) {
    if (site == which_) {
      largest_ = std::max(largest_, share);
    } else if (share > largest_) {
      second_ = std::exchange(largest_, share);
      which_ = site;
    } else {
      second_ = std::max(second_, share);
    }
  }
  Bytes than(SiteIndex site) const { return site == which_ ? second_ : largest_; }

 private:
  SiteIndex which_ = -1;
  Bytes largest_ = 0, second_ = 0;
};

}  // namespace

SharesAmongAll::SharesAmongAll(const Network& network, Bytes bytes, Bytes piece, Nanoseconds last)
    : network_(network), bytes_(bytes), piece_(piece) {
  for (SiteIndex site = 0; site < network_.sites(); ++site)
    worst_.push_back({worst_of(network_.slowest_to(site)), worst_of(network_.slowest_from(site))});
  find_rivals(last);
}

Nanoseconds SharesAmongAll::first_relay(const Network& network) {
  Nanoseconds first = std::numeric_limits<Nanoseconds>::max();
  for (SiteIndex site = 0; site < network.sites(); ++site)
    first = std::min(first, worst_of(network.slowest_to(site)).latency_ns +
                                worst_of(network.slowest_from(site)).latency_ns);
  return first;
}

/// First half of each link to either of its two shares, then what another leaves.
std::optional<Shares> SharesAmongAll::at(Nanoseconds now) const {
  Shares limits, shares;
  for (SiteIndex site = 0; site < network_.sites(); ++site) limits.push_back(limit(site, now));
  if (std::accumulate(limits.begin(), limits.end(), Wide{0}) < bytes_) return std::nullopt;
  Shares narrowest_links;
  LargestOther largest;
  for (SiteIndex site = 0; site < network_.sites(); ++site) {
    narrowest_links.push_back(narrowest(site, now));
    shares.push_back(std::min(limits[wan::at(site)], narrowest_links.back() / 2));
    largest.note(site, shares.back());
  }
  for (SiteIndex site = 0; site < network_.sites(); ++site) {
    const Bytes least = narrowest_links[wan::at(site)] - largest.than(site), most = limits[wan::at(site)];
    shares[wan::at(site)] = least >= most ? most : std::min(most, beside_rivals(site, shares, least, now));
    largest.note(site, shares[wan::at(site)]);
  }
  return trimmed(std::move(shares), bytes_);
}

/// What the others' shares leave to a site; it is not below `least`.
Bytes SharesAmongAll::beside_rivals(SiteIndex site, const Shares& shares, Bytes least,
                                    Nanoseconds now) const {
  Bytes left = kUnlimited;
  for (const SiteIndex rival : rivals_[wan::at(site)]) {
    left = std::min(left, common(site, rival, now) - shares[wan::at(rival)]);
    if (left == least) break;
  }
  return left;
}

/// Two sites whose shares fit over their links at the last time, beside each other, do so at any time: what
/// links carry grows in proportion to the time after their latency, what comes through a site does so later,
/// and neither begins below 0.
void SharesAmongAll::find_rivals(Nanoseconds last) {
  constexpr Bytes kRounding = 2;
  rivals_.resize(wan::at(network_.sites()));
  Shares relayed;
  for (SiteIndex site = 0; site < network_.sites(); ++site) relayed.push_back(relayed_by(site, last));
  for (SiteIndex one = 0; one < network_.sites(); ++one)
    for (SiteIndex other = 0; other < one; ++other) {
      if (relayed[wan::at(one)] + relayed[wan::at(other)] + kRounding <= common(one, other, last)) continue;
      rivals_[wan::at(one)].push_back(other);
      rivals_[wan::at(other)].push_back(one);
    }
}

Bytes SharesAmongAll::relayed_by(SiteIndex site, Nanoseconds now) const {
  return relayed(worst_[wan::at(site)].in, worst_[wan::at(site)].out, piece_, now);
}

/// What can have come from all to a site and from there to all; what its access link leaves for its share.
Bytes SharesAmongAll::limit(SiteIndex site, Nanoseconds now) const {
  return std::min({left(network_.uplink(site), site, now), left(network_.downlink(site), site, now),
                   relayed_by(site, now)});
}

/// Phase one takes bytes - share, phase two (sites - 1) x share.
Bytes SharesAmongAll::left(std::optional<BytesPerSecond> cap, SiteIndex site, Nanoseconds now) const {
  const Bytes free = passed(cap, now - worst_[wan::at(site)].out.latency_ns) - bytes_;
  return std::max<Bytes>(0, free) / std::max(1, network_.sites() - 2);
}

/// What the shares of two sites may amount to.
Bytes SharesAmongAll::common(SiteIndex one, SiteIndex other, Nanoseconds now) const {
  const Link &there = network_.link(one, other), &back = network_.link(other, one);
  return std::min(passed(there.bandwidth_bytes_per_s, now - there.latency_ns),
                  passed(back.bandwidth_bytes_per_s, now - back.latency_ns));
}

/// The least that a site has in common with another.
Bytes SharesAmongAll::narrowest(SiteIndex site, Nanoseconds now) const {
  Bytes least = std::numeric_limits<Bytes>::max();
  for (const auto links : {network_.slowest_from(site), network_.slowest_to(site)})
    for (const auto& [other, link] : links)
      least = std::min(least, passed(link.bandwidth_bytes_per_s, now - link.latency_ns));
  return least;
}

}  // namespace wan
