// SPDX-License-Identifier: BSD-3-Clause
#include "algo/parts.h"

#include <algorithm>

#include "algo/collectives.h"
#include "cost/spread.h"

namespace wan {

namespace {

/// A second latency and its messages must gain at least a twentieth.
bool is_worth_it(const Spread& spread, Nanoseconds direct_ns) { return spread.time_ns < direct_ns - direct_ns / 20; }

/// Whole elements; what rounding leaves goes to the first owners.
Parts parts_of(const Spread& spread, const Call& call) {
  Count left = call.block;
  for (const Bytes share : spread.shares) left -= share / call.unit_bytes;
  Parts parts;
  Count offset = 0;
  for (SiteIndex site = 0; site < static_cast<SiteIndex>(spread.shares.size()); ++site) {
    const Bytes share = spread.shares[static_cast<std::size_t>(site)];
    const Count more = share > 0 && left > 0 ? 1 : 0;
    const Count length = share / call.unit_bytes + more;
    if (length > 0) parts.push_back({site, offset, length});
    offset += length;
    left -= more;
  }
  if (!parts.empty()) parts.back().length += left;
  return parts;
}

Parts one_part(std::optional<SiteIndex> owner, const Call& call) { return {{owner, 0, call.block}}; }

/// As `spread` says, or in one part.
Parts chosen(const std::optional<Spread>& spread, Nanoseconds direct_ns, std::optional<SiteIndex> owner, const Position& position,
             const Call& call) {
  const Algorithm forced = position.tuning().algorithms.of(call.collective);
  if (!spread || forced == Algorithm::direct) return one_part(owner, call);
  if (forced == Algorithm::automatic && !is_worth_it(*spread, direct_ns)) return one_part(owner, call);
  const Parts parts = parts_of(*spread, call);
  return parts.empty() ? one_part(owner, call) : parts;
}

Bytes bytes_of(const Call& call) { return call.block * call.unit_bytes; }

/// What a site has of a part before it passes it on, and what rounding to whole elements may add.
Bytes piece_of(const Position& position, const Call& call) {
  const Segmentation cut = segmentation_of_spread(position, call);
  return ((call.block > cut.window ? cut.long_segment : cut.segment) + 1) * call.unit_bytes;
}

}  // namespace

Parts parts_from_root(const Position& position, const Call& call) {
  const SiteIndex root = position.layout().site_of(call.root);
  return chosen(spread_from_one(position.network(), root, bytes_of(call), piece_of(position, call)),
                direct_from_one_ns(position.network(), root, bytes_of(call)), root, position, call);
}

Parts parts_to_root(const Position& position, const Call& call) {
  const SiteIndex root = position.layout().site_of(call.root);
  if (call.order == OperandOrder::rank) return one_part(root, call);
  return chosen(spread_to_one(position.network(), root, bytes_of(call), piece_of(position, call)),
                direct_to_one_ns(position.network(), root, bytes_of(call)), root, position, call);
}

Parts parts_among_all(const Position& position, const Call& call) {
  return chosen(spread_among_all(position.network(), bytes_of(call), piece_of(position, call)),
                direct_among_all_ns(position.network(), bytes_of(call)), std::nullopt, position, call);
}

Parts parts_in_order(const Position& position, std::span<const SiteIndex> sites, const Call& call) {
  return chosen(spread_among_all(position.network(), bytes_of(call), piece_of(position, call)),
                direct_in_order_ns(position.network(), sites, bytes_of(call)), std::nullopt, position, call);
}

std::vector<RangeList> streams_of(const Range& vector, std::span<const Part> parts) {
  std::vector<RangeList> streams(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) streams[i].add(parts[i].of(vector));
  return streams;
}

}  // namespace wan
