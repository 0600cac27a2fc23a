// SPDX-License-Identifier: BSD-3-Clause
#include "algo/choice/shards.h"

#include <algorithm>
#include <utility>

#include "algo/choice/proposal.h"
#include "algo/choice/segments.h"
#include "cost/direct.h"
#include "cost/spread.h"

namespace wan {

namespace {

/// Whole elements; what rounding leaves goes to the first owners.
Shards shards_with(const Spread& spread, const Call& call) {
  Count left = call.block;
  for (const Bytes share : spread.shares) left -= share / call.unit_bytes;
  Shards shards;
  Count offset = 0;
  for (SiteIndex site = 0; site < static_cast<SiteIndex>(spread.shares.size()); ++site) {
    const Bytes share = spread.shares[static_cast<std::size_t>(site)];
    const Count more = share > 0 && left > 0 ? 1 : 0;
    const Count length = share / call.unit_bytes + more;
    if (length > 0) shards.push_back({site, offset, length});
    offset += length;
    left -= more;
  }
  if (!shards.empty()) shards.back().length += left;
  return shards;
}

Bytes bytes_of(const Call& call) {
  return call.block * call.unit_bytes;
}

/// What a site has of a shard before it passes it on, and what rounding to whole elements may add.
Bytes piece_of(const Topology& topology, const Tuning& tuning, const Call& call) {
  const Segmentation cut = segmentation_of(topology, tuning, call, Cut::shards);
  return ((call.block > cut.window ? cut.long_segment : cut.segment) + 1) * call.unit_bytes;
}

/// Does every site hold consecutive ranks?
bool are_sites_contiguous(const Layout& layout) {
  for (SiteIndex site = 0; site < layout.sites(); ++site) {
    const auto ranks = layout.ranks_of(site);
    if (ranks.back() - ranks.front() + 1 != std::ssize(ranks)) return false;
  }
  return true;
}

/// May the shards have several owners?
bool can_be_spread(const Layout& layout, const Call& call) {
  switch (call.collective) {
    case Collective::bcast:
      return true;
    case Collective::allreduce:
      return !call.is_inter();
    case Collective::reduce:
      return call.order == OperandOrder::any;
    case Collective::scan:
    case Collective::exscan:
      return call.order != OperandOrder::fixed && are_sites_contiguous(layout);
    default:
      return false;
  }
}

Nanoseconds direct_ns(const Topology& topology, const Call& call) {
  const Network& network = topology.network;
  switch (call.collective) {
    case Collective::bcast:
      return direct_from_one_ns(network, topology.layout.site_of(call.root), bytes_of(call));
    case Collective::reduce:
      return direct_to_one_ns(network, topology.layout.site_of(call.root), bytes_of(call));
    case Collective::allreduce:
      return direct_among_all_ns(network, bytes_of(call));
    default:
      return direct_in_order_ns(network, bytes_of(call));
  }
}

std::optional<Spread> spread_of(const Topology& topology, const Call& call, Bytes piece,
                                Nanoseconds below_ns) {
  const Network& network = topology.network;
  switch (call.collective) {
    case Collective::bcast:
      return spread_from_one(network, topology.layout.site_of(call.root), bytes_of(call), piece, below_ns);
    case Collective::reduce:
      return spread_to_one(network, topology.layout.site_of(call.root), bytes_of(call), piece, below_ns);
    default:
      return spread_among_all(network, bytes_of(call), piece, below_ns);
  }
}

/// Has some other site than the root's a shard?
bool is_passed_on(const Topology& topology, const Call& call, const Shards& shards) {
  constexpr SiteIndex kNone = -1;
  const SiteIndex home = traits(call.collective).rooted ? topology.layout.site_of(call.root) : kNone;
  return std::ranges::any_of(shards, [&](const Shard& shard) { return shard.owner != home; });
}

}  // namespace

std::optional<Proposal> propose_spread(const Question& question) {
  const auto& [topology, tuning, call, is_forced, below_ns] = question;
  if (!can_be_spread(topology.layout, call)) return std::nullopt;
  const Nanoseconds below =
      is_forced ? kAnyTime : std::min(below_ns, less_a_twentieth(direct_ns(topology, call)));
  const auto spread = spread_of(topology, call, piece_of(topology, tuning, call), below);
  if (!spread || spread->time_ns >= below) return std::nullopt;
  Shards shards = shards_with(*spread, call);
  if (!is_passed_on(topology, call, shards)) return std::nullopt;
  return Proposal{SpreadWay{std::move(shards)}, spread->time_ns, less_a_twentieth(spread->time_ns)};
}

}  // namespace wan
