// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/slow_spread.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/index.h"
#include "base/time.h"

namespace wan {
namespace {

using Shares = std::vector<Bytes>;

enum class Direction : std::uint8_t { forward, backward };

/// A network, or the same with all traffic turned round.
class View {
 public:
  explicit View(const Network& network, Direction direction = Direction::forward)
      : network_(network), direction_(direction) {}

  SiteIndex sites() const { return network_.sites(); }
  const Link& link(SiteIndex from, SiteIndex to) const {
    return direction_ == Direction::forward ? network_.link(from, to) : network_.link(to, from);
  }
  std::optional<BytesPerSecond> uplink(SiteIndex site) const {
    return direction_ == Direction::forward ? network_.uplink(site) : network_.downlink(site);
  }
  std::optional<BytesPerSecond> downlink(SiteIndex site) const {
    return direction_ == Direction::forward ? network_.downlink(site) : network_.uplink(site);
  }
  /// Longest latency from a site to another.
  Nanoseconds farthest(SiteIndex from) const {
    Nanoseconds longest = 0;
    for (SiteIndex to = 0; to < sites(); ++to)
      if (to != from) longest = std::max(longest, link(from, to).latency_ns);
    return longest;
  }

 private:
  const Network& network_;
  Direction direction_;
};

/// Bytes that pass at `rate` in `time_ns`.
Bytes passed(BytesPerSecond rate, Nanoseconds time_ns) {
  const Wide bytes = Wide{rate} * std::max<Nanoseconds>(0, time_ns) / kSecond;
  return static_cast<Bytes>(std::min<Wide>(bytes, std::numeric_limits<Bytes>::max() / 4));
}
Bytes passed(std::optional<BytesPerSecond> cap, Nanoseconds time_ns) {
  return cap ? passed(*cap, time_ns) : std::numeric_limits<Bytes>::max() / 4;
}
Nanoseconds time_of(Wide bytes, BytesPerSecond rate) {
  return static_cast<Nanoseconds>((bytes * kSecond + rate - 1) / rate);
}
Nanoseconds time_of(Wide bytes, std::optional<BytesPerSecond> cap) {
  return cap ? time_of(bytes, *cap) : 0;
}

/// What can come from a to b through i by the time `now`.
Bytes relayed(const Link& first, const Link& second, Bytes piece, Nanoseconds now) {
  const BytesPerSecond rate = std::min(first.bandwidth_bytes_per_s, second.bandwidth_bytes_per_s);
  return passed(rate, now - first.latency_ns - second.latency_ns - time_of(piece, rate));
}

Nanoseconds direct_from(const View& view, SiteIndex root, Bytes bytes) {
  Nanoseconds time = 0;
  for (SiteIndex site = 0; site < view.sites(); ++site) {
    if (site == root) continue;
    const Link& link = view.link(root, site);
    const Nanoseconds narrow =
        std::max(time_of(bytes, link.bandwidth_bytes_per_s), time_of(bytes, view.downlink(site)));
    time = std::max(time, link.latency_ns + narrow);
  }
  return std::max(time, time_of(Wide{bytes} * (view.sites() - 1), view.uplink(root)) +
                            (view.uplink(root) ? view.farthest(root) : 0));
}

/// The first time up to `above` at which shares_at(time) are found, to one part in a thousand, and they;
/// `above` has some.
template <class SharesAt>
Spread earliest(Nanoseconds above, SharesAt shares_at) {
  Nanoseconds below = 0;
  Spread best{above, *shares_at(above)};
  while (above - below > above / 1024 + 1) {
    const Nanoseconds middle = below + (above - below) / 2;
    if (auto shares = shares_at(middle))
      best = {above = middle, std::move(*shares)};
    else
      below = middle;
  }
  return best;
}

/// Takes from the shares what exceeds `bytes`, from each its part of it; nullopt if they do not reach
/// `bytes`.
std::optional<Shares> trimmed(Shares shares, Bytes bytes) {
  const Wide sum = std::accumulate(shares.begin(), shares.end(), Wide{0});
  if (sum < bytes) return std::nullopt;
  for (Bytes& share : shares) share = static_cast<Bytes>(Wide{share} * bytes / std::max<Wide>(sum, 1));
  Bytes missing = bytes - std::accumulate(shares.begin(), shares.end(), Bytes{0});
  for (Bytes& share : shares)
    if (share > 0 && missing > 0) ++share, --missing;
  *std::ranges::max_element(shares) += missing;
  return shares;
}

/// Broadcast: what goes directly takes a part of every link of the root, a relayed share of one of them.
class FromOne {
 public:
  FromOne(const View& view, SiteIndex root, Bytes bytes, Bytes piece)
      : view_(view), root_(root), bytes_(bytes), piece_(piece) {}

  std::optional<Shares> shares_at(Nanoseconds now) const {
    const Shares entry = entry_limits(now), relay = relay_limits(now);
    for (const Bytes direct : candidates(entry, relay)) {
      Shares shares(at(view_.sites()));
      for (SiteIndex i = 0; i < view_.sites(); ++i)
        shares[at(i)] = i == root_ ? direct : std::min(entry[at(i)] - direct, relay[at(i)]);
      if (auto found = trimmed(std::move(shares), bytes_); found && fits(*found, now)) return found;
    }
    return std::nullopt;
  }

 private:
  /// What can have come to each site from the root.
  Shares entry_limits(Nanoseconds now) const {
    Shares limits(at(view_.sites()));
    for (SiteIndex i = 0; i < view_.sites(); ++i)
      if (i != root_)
        limits[at(i)] =
            passed(view_.link(root_, i).bandwidth_bytes_per_s, now - view_.link(root_, i).latency_ns);
    return limits;
  }
  /// What can have come to all others through each site.
  Shares relay_limits(Nanoseconds now) const {
    Shares limits(at(view_.sites()));
    for (SiteIndex i = 0; i < view_.sites(); ++i)
      if (i != root_) limits[at(i)] = relay_limit(i, now);
    return limits;
  }
  Bytes relay_limit(SiteIndex i, Nanoseconds now) const {
    const Link& first = view_.link(root_, i);
    const SiteIndex others = view_.sites() - 2;
    Bytes limit = passed(view_.uplink(i), now - first.latency_ns - view_.farthest(i)) / std::max(1, others);
    for (SiteIndex j = 0; j < view_.sites() && limit > 0; ++j)
      if (j != i && j != root_) limit = std::min(limit, relayed(first, view_.link(i, j), piece_, now));
    return limit;
  }
  /// Amounts that may go directly: the sum of all shares is greatest at one of them; the least first.
  Shares candidates(const Shares& entry, const Shares& relay) const {
    Bytes most = std::numeric_limits<Bytes>::max();
    Shares amounts{0};
    for (SiteIndex i = 0; i < view_.sites(); ++i)
      if (i != root_) most = std::min(most, entry[at(i)]);
    for (SiteIndex i = 0; i < view_.sites(); ++i)
      if (i != root_) amounts.push_back(std::clamp<Bytes>(entry[at(i)] - relay[at(i)], 0, most));
    amounts.push_back(most);
    std::ranges::sort(amounts);
    const auto repeated = std::ranges::unique(amounts);
    amounts.erase(repeated.begin(), repeated.end());
    return amounts;
  }
  bool fits(const Shares& shares, Nanoseconds now) const {
    const Bytes direct = shares[at(root_)];
    if (Wide{bytes_} + Wide{direct} * (view_.sites() - 2) >
        passed(view_.uplink(root_), now - view_.farthest(root_)))
      return false;
    for (SiteIndex i = 0; i < view_.sites(); ++i)
      if (i != root_ && bytes_ > passed(view_.downlink(i), now - view_.link(root_, i).latency_ns))
        return false;
    return true;
  }

  const View& view_;
  SiteIndex root_;
  Bytes bytes_, piece_;
};

/// Allreduce: each link carries its receiver's share of the sender's vector, then the sender's share of the
/// result.
class AmongAll {
 public:
  AmongAll(const View& view, Bytes bytes, Bytes piece) : view_(view), bytes_(bytes), piece_(piece) {}

  /// First half of each link to either of its two shares, then what another leaves.
  std::optional<Shares> shares_at(Nanoseconds now) const {
    Shares limits, shares;
    for (SiteIndex i = 0; i < view_.sites(); ++i) limits.push_back(limit(i, now));
    for (SiteIndex i = 0; i < view_.sites(); ++i)
      shares.push_back(std::min(limits[at(i)], narrowest(i, now) / 2));
    for (SiteIndex i = 0; i < view_.sites(); ++i) {
      shares[at(i)] = limits[at(i)];
      for (SiteIndex j = 0; j < view_.sites(); ++j)
        if (j != i) shares[at(i)] = std::min(shares[at(i)], common(i, j, now) - shares[at(j)]);
    }
    return trimmed(std::move(shares), bytes_);
  }

 private:
  /// What can have come from all to site i and from there to all; what its access link leaves for its share.
  Bytes limit(SiteIndex i, Nanoseconds now) const {
    Link slowest_in{0, std::numeric_limits<BytesPerSecond>::max()}, slowest_out = slowest_in;
    for (SiteIndex j = 0; j < view_.sites(); ++j) {
      if (j == i) continue;
      add(slowest_in, view_.link(j, i));
      add(slowest_out, view_.link(i, j));
    }
    return std::min({left(view_.uplink(i), i, now), left(view_.downlink(i), i, now),
                     relayed(slowest_in, slowest_out, piece_, now)});
  }
  static void add(Link& slowest, const Link& link) {
    slowest.latency_ns = std::max(slowest.latency_ns, link.latency_ns);
    slowest.bandwidth_bytes_per_s = std::min(slowest.bandwidth_bytes_per_s, link.bandwidth_bytes_per_s);
  }
  /// Phase one takes bytes - share, phase two (sites - 1) x share.
  Bytes left(std::optional<BytesPerSecond> cap, SiteIndex i, Nanoseconds now) const {
    const Bytes free = passed(cap, now - view_.farthest(i)) - bytes_;
    return std::max<Bytes>(0, free) / std::max(1, view_.sites() - 2);
  }
  /// What the shares of i and j may amount to.
  Bytes common(SiteIndex i, SiteIndex j, Nanoseconds now) const {
    const Link &there = view_.link(i, j), &back = view_.link(j, i);
    return std::min(passed(there.bandwidth_bytes_per_s, now - there.latency_ns),
                    passed(back.bandwidth_bytes_per_s, now - back.latency_ns));
  }
  Bytes narrowest(SiteIndex i, Nanoseconds now) const {
    Bytes least = std::numeric_limits<Bytes>::max();
    for (SiteIndex j = 0; j < view_.sites(); ++j)
      if (j != i) least = std::min(least, common(i, j, now));
    return least;
  }

  const View& view_;
  Bytes bytes_, piece_;
};

/// Relays need a third site, and something to relay.
bool has_relays(const Network& network, Bytes bytes) {
  return network.sites() > 2 && bytes > 0;
}

std::optional<Spread> spread(const View& view, SiteIndex root, Bytes bytes, Bytes piece) {
  const FromOne search(view, root, bytes, piece);
  const Nanoseconds direct = direct_from(view, root, bytes);
  const auto shares_at = [&](Nanoseconds now) { return search.shares_at(now); };
  if (!shares_at(direct)) return std::nullopt;
  Spread found = earliest(direct, shares_at);
  if (found.time_ns >= direct || found.shares[at(root)] == bytes) return std::nullopt;
  return found;
}

}  // namespace

Nanoseconds slow_direct_from_one_ns(const Network& network, SiteIndex root, Bytes bytes) {
  return direct_from(View(network), root, bytes);
}
Nanoseconds slow_direct_to_one_ns(const Network& network, SiteIndex root, Bytes bytes) {
  return direct_from(View(network, Direction::backward), root, bytes);
}
Nanoseconds slow_direct_among_all_ns(const Network& network, Bytes bytes) {
  Nanoseconds time = 0;
  for (SiteIndex site = 0; site < network.sites(); ++site)
    time = std::max(
        {time, slow_direct_from_one_ns(network, site, bytes), slow_direct_to_one_ns(network, site, bytes)});
  return time;
}
Nanoseconds slow_direct_in_order_ns(const Network& network, Bytes bytes) {
  Nanoseconds time = 0;
  for (SiteIndex from = 0; from < network.sites(); ++from)
    for (SiteIndex to = from + 1; to < network.sites(); ++to)
      time = std::max(time, network.link(from, to).latency_ns +
                                time_of(bytes, network.link(from, to).bandwidth_bytes_per_s));
  return time;
}

std::optional<Spread> slow_spread_from_one(const Network& network, SiteIndex root, Bytes bytes, Bytes piece) {
  return has_relays(network, bytes) ? spread(View(network), root, bytes, piece) : std::nullopt;
}
std::optional<Spread> slow_spread_to_one(const Network& network, SiteIndex root, Bytes bytes, Bytes piece) {
  return has_relays(network, bytes) ? spread(View(network, Direction::backward), root, bytes, piece)
                                    : std::nullopt;
}
std::optional<Spread> slow_spread_among_all(const Network& network, Bytes bytes, Bytes piece) {
  if (!has_relays(network, bytes)) return std::nullopt;
  const View view(network);
  const AmongAll search(view, bytes, piece);
  const auto shares_at = [&](Nanoseconds now) { return search.shares_at(now); };
  const Nanoseconds direct = slow_direct_among_all_ns(network, bytes);
  if (!shares_at(direct)) return std::nullopt;
  return earliest(direct, shares_at);
}

}  // namespace wan
