// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <numeric>

#include "cost/shares.h"

#include "base/index.h"

namespace wan {

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

SharesFromOne::SharesFromOne(const View& view, SiteIndex root, Bytes bytes, Bytes piece)
    : view_(view), root_(root), bytes_(bytes), piece_(piece), farthest_(view.farthest(root)) {
  for (SiteIndex site = 0; site < view_.sites(); ++site) entries_.push_back(view_.link(root_, site));
}

Nanoseconds SharesFromOne::first_relay() const {
  Nanoseconds first = std::numeric_limits<Nanoseconds>::max();
  for (SiteIndex site = 0; site < view_.sites(); ++site) {
    if (site == root_) continue;
    Nanoseconds onward = 0;
    for (const auto& [other, link] : view_.slowest_from(site))
      if (other != root_) onward = std::max(onward, link.latency_ns);
    first = std::min(first, entries_[wan::at(site)].latency_ns + onward);
  }
  return first;
}

/// The sum of all shares, as a function of what goes directly, bends at the sites' knees only: it is greatest
/// at one of them. The least that will do is taken.
std::optional<Shares> SharesFromOne::at(Nanoseconds now) const {
  if (!all_can_receive(now)) return std::nullopt;
  std::vector<Limits> limits = limits_at(now);
  std::ranges::sort(limits, {}, &Limits::knee);
  const Bytes most = std::ranges::min(limits, {}, &Limits::entry).entry;
  Wide relayed = 0,
       cut_short = 0;  // shares of the sites whose knee lies not before, or before, what goes directly
  for (const Limits& each : limits) relayed += each.relay;
  std::size_t passed_knees = 0;
  for (std::size_t i = 0; i <= limits.size() + 1; ++i) {
    const Bytes direct = i == 0 ? 0 : i > limits.size() ? most : std::min(most, limits[i - 1].knee());
    for (; passed_knees < limits.size() && limits[passed_knees].knee() < direct; ++passed_knees) {
      relayed -= limits[passed_knees].relay;
      cut_short += limits[passed_knees].entry;
    }
    const Wide sum = direct + relayed + cut_short - static_cast<Wide>(passed_knees) * direct;
    if (sum < bytes_) continue;
    if (!can_leave(static_cast<Bytes>(Wide{direct} * bytes_ / sum), now))
      return std::nullopt;  // nor will what is more
    if (auto shares = trimmed(shares_with(direct, limits), bytes_); can_leave((*shares)[wan::at(root_)], now))
      return shares;
  }
  return std::nullopt;
}

std::vector<SharesFromOne::Limits> SharesFromOne::limits_at(Nanoseconds now) const {
  std::vector<Limits> limits;
  limits.reserve(entries_.size());
  for (SiteIndex site = 0; site < view_.sites(); ++site) {
    if (site == root_) continue;
    const Link& link = entries_[wan::at(site)];
    const Bytes entry = passed(link.bandwidth_bytes_per_s, now - link.latency_ns);
    limits.push_back({site, entry, std::min(entry, relay_limit(site, now))});
  }
  return limits;
}

Bytes SharesFromOne::relay_limit(SiteIndex site, Nanoseconds now) const {
  const Link& first = entries_[wan::at(site)];
  Bytes limit = kUnlimited;
  if (const auto cap = view_.uplink(site))
    limit = passed(*cap, now - first.latency_ns - view_.farthest(site)) / std::max(1, view_.sites() - 2);
  for (const auto& [other, link] : view_.slowest_from(site))
    if (other != root_) limit = std::min(limit, relayed(first, link, piece_, now));
  return limit;
}

bool SharesFromOne::all_can_receive(Nanoseconds now) const {
  for (SiteIndex site = 0; site < view_.sites(); ++site)
    if (site != root_ && bytes_ > passed(view_.downlink(site), now - entries_[wan::at(site)].latency_ns))
      return false;
  return true;
}

bool SharesFromOne::can_leave(Bytes direct, Nanoseconds now) const {
  return Wide{bytes_} + Wide{direct} * (view_.sites() - 2) <= passed(view_.uplink(root_), now - farthest_);
}

Shares SharesFromOne::shares_with(Bytes direct, const std::vector<Limits>& limits) const {
  Shares shares(wan::at(view_.sites()), direct);
  for (const Limits& each : limits) shares[wan::at(each.site)] = std::min(each.entry - direct, each.relay);
  return shares;
}

}  // namespace wan
