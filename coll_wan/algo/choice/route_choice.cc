// SPDX-License-Identifier: BSD-3-Clause
#include "algo/choice/route_choice.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "algo/choice/proposal.h"
#include "algo/choice/segments.h"
#include "cost/combining.h"

namespace wan {

Count blocks_of(const Layout& layout, const Call& call, SiteIndex site) {
  const auto ranks = layout.ranks_of(site);
  if (!traits(call.collective).vector) return std::max(call.block, call.back) * std::ssize(ranks);
  return std::accumulate(ranks.begin(), ranks.end(), Count{0}, [&](Count sum, Rank rank) {
    return sum + call.receive_counts[static_cast<std::size_t>(rank)];
  });
}

namespace {

bool has_one_value_a_site(const Layout& layout, Combining combining) {
  for (SiteIndex site = 0; site < layout.sites(); ++site)
    if (runs_of(layout.ranks_of(site), combining).size() > 1) return false;
  return true;
}

bool is_vector(Collective collective) {
  return collective == Collective::allreduce || collective == Collective::scan ||
         collective == Collective::exscan;
}

/// Has `to` a rank behind the first of `from`?
bool lies_behind(const Layout& layout, SiteIndex from, SiteIndex to) {
  return layout.ranks_of(to).back() > layout.ranks_of(from).front();
}

/// Units of the shortest thing that is cut into stripes: a block, or what a site sends.
Count shortest(const Layout& layout, const Call& call, bool is_multicast) {
  if (!is_multicast || is_vector(call.collective)) return call.block;
  Count least = blocks_of(layout, call, 0);
  for (SiteIndex site = 1; site < layout.sites(); ++site)
    least = std::min(least, blocks_of(layout, call, site));
  return least;
}

template <class BytesBetween>
RouteDemand demand(const Layout& layout, const Call& call, bool is_multicast, BytesBetween bytes_between) {
  const SiteIndex sites = layout.sites();
  RouteDemand demand{SiteMatrix<std::optional<Bytes>>(sites), is_multicast,
                     least_stripes(shortest(layout, call, is_multicast), call.unit_bytes)};
  for (SiteIndex from = 0; from < sites; ++from)
    for (SiteIndex to = 0; to < sites; ++to)
      if (const Bytes bytes = from == to ? 0 : bytes_between(from, to); bytes > 0)
        demand.bytes.at(from, to) = bytes;
  return demand;
}

/// nullopt where there is nothing to choose.
std::optional<RouteDemand> demand_of(const Layout& layout, const Call& call) {
  const auto blocks = [&](SiteIndex site) { return blocks_of(layout, call, site) * call.unit_bytes; };
  const auto ranks = [&](SiteIndex site) { return static_cast<Count>(layout.ranks_of(site).size()); };
  const SiteIndex root = layout.site_of(call.root);
  const Bytes vector = call.block * call.unit_bytes;
  switch (call.collective) {
    case Collective::gather:
      return demand(layout, call, false,
                    [&](SiteIndex from, SiteIndex to) { return to == root ? blocks(from) : 0; });
    case Collective::scatter:
      return demand(layout, call, false,
                    [&](SiteIndex from, SiteIndex to) { return from == root ? blocks(to) : 0; });
    case Collective::alltoall:
      return demand(layout, call, false,
                    [&](SiteIndex from, SiteIndex to) { return ranks(from) * ranks(to) * call.block; });
    case Collective::allgather:
    case Collective::allgatherv:
      return demand(layout, call, true, [&](SiteIndex from, SiteIndex) { return blocks(from); });
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      if (call.order != OperandOrder::any) return std::nullopt;
      return demand(layout, call, true, [&](SiteIndex from, SiteIndex) { return blocks(from); });
    case Collective::allreduce:
      if (!has_one_value_a_site(layout, call.combining())) return std::nullopt;
      return demand(layout, call, true, [&](SiteIndex, SiteIndex) { return vector; });
    case Collective::scan:
    case Collective::exscan:
      if (call.order == OperandOrder::fixed || !has_one_value_a_site(layout, OperandOrder::rank))
        return std::nullopt;
      return demand(layout, call, true,
                    [&](SiteIndex from, SiteIndex to) { return lies_behind(layout, from, to) ? vector : 0; });
    default:
      return std::nullopt;
  }
}

/// What a site has before it passes it on.
Bytes piece_of(const Segmentation& cut, const Call& call, const RouteDemand& demand) {
  Bytes most = 0;
  for (SiteIndex from = 0; from < demand.bytes.sites(); ++from)
    for (SiteIndex to = 0; to < demand.bytes.sites(); ++to)
      most = std::max(most, demand.bytes.at(from, to).value_or(0));
  const Bytes longest = demand.is_multicast ? most : call.block * call.unit_bytes;
  return (longest > cut.window * call.unit_bytes ? cut.long_segment : cut.segment) * call.unit_bytes;
}

bool is_reduce_scatter(Collective collective) {
  return collective == Collective::reduce_scatter || collective == Collective::reduce_scatter_block;
}

}  // namespace

bool can_be_relayed(const Layout& layout, const Call& call) {
  return !call.is_inter() && layout.sites() >= 3 && layout.sites() <= kMostSites;
}

/// The stripes of few units are not close to what they should be; and a message takes a processor's time,
/// whatever its length.
int least_stripes(Count units, Bytes unit_bytes) {
  constexpr Bytes kShortest = 1024;
  if (units < 2 * kStripes) return kStripes;
  const Bytes bytes = std::min(units, kStripes * kShortest) * unit_bytes;  // of all stripes
  return static_cast<int>(std::clamp<Bytes>((kStripes * kShortest + bytes - 1) / bytes, 1, kStripes));
}

std::optional<Proposal> propose_routes(const Question& question, const RouteDemand& demand,
                                       Direction direction) {
  const auto& [topology, tuning, call, is_forced, below_ns] = question;
  const Bytes piece = piece_of(segmentation_of(topology, tuning, call), call, demand);
  auto routes = relayed_routes(topology.network, demand, piece, direction);
  if (!routes) return std::nullopt;
  const Nanoseconds time_ns = routes->time_ns;
  return Proposal{RelayedWay{std::move(*routes)}, time_ns};
}

/// The routes of a reduce_scatter are those from each site to all others on the reversed network. None where
/// the counts are not known to all, and where a site's ranks have no common value (a reduction in rank order
/// over sites that are not contiguous).
std::optional<Proposal> propose_relayed(const Question& question) {
  const auto& [topology, tuning, call, is_forced, below_ns] = question;
  if (!can_be_relayed(topology.layout, call)) return std::nullopt;
  const auto wanted = demand_of(topology.layout, call);
  if (!wanted) return std::nullopt;
  return propose_routes(question, *wanted,
                        is_reduce_scatter(call.collective) ? Direction::backward : Direction::forward);
}

}  // namespace wan
