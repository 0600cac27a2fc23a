// SPDX-License-Identifier: BSD-3-Clause
#include "algo/choice/wide_tree.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "algo/choice/proposal.h"
#include "algo/choice/segments.h"
#include "algo/trees/broadcast_builders.h"
#include "algo/trees/broadcast_search.h"
#include "cost/model.h"
#include "cost/passage.h"

namespace wan {

namespace {

/// What a segment costs between the coordinators of two sites, from parent to child of a tree, or of the
/// mirror image.
class SiteCosts {
 public:
  SiteCosts(const Topology& topology, const Call& call, Bytes piece)
      : model_(topology, topology.machine),
        view_(topology.network,
              call.collective == Collective::reduce ? Direction::backward : Direction::forward),
        is_backward_(call.collective == Collective::reduce),
        piece_(piece) {
    const Medium& medium = model_.medium(Proximity::remote);
    first_ns_ = processor_ns(piece, is_backward_ ? medium.receive_ps_per_byte : medium.send_ps_per_byte);
    last_ns_ = processor_ns(piece, is_backward_ ? medium.send_ps_per_byte : medium.receive_ps_per_byte);
    const SiteIndex root = topology.layout.site_of(call.root);
    for (SiteIndex site = 0; site < view_.sites(); ++site)
      overheads_.push_back(model_.overheads(
          site == root ? call.root : topology.layout.carriers_of(site).front(), Proximity::remote));
  }

  SiteIndex sites() const { return view_.sites(); }
  SendCost cost(SiteIndex from, SiteIndex to) const {
    const Nanoseconds feed = std::max(first_ns_, time_of(piece_, view_.uplink(from)));
    const Nanoseconds flight = std::max({feed, period_ns(from, to), time_of(piece_, view_.downlink(to))});
    const Nanoseconds weight = flight - feed + view_.link(from, to).latency_ns + last_ns(to);
    return {std::min(first_overhead(from) + feed, kLongestCost), std::min(weight, kLongestCost)};
  }
  /// Between two segments on a link.
  Nanoseconds period_ns(SiteIndex from, SiteIndex to) const {
    return time_of(piece_, view_.link(from, to).bandwidth_bytes_per_s);
  }

 private:
  const Overheads& overheads(SiteIndex site) const { return overheads_[static_cast<std::size_t>(site)]; }
  Nanoseconds first_overhead(SiteIndex site) const {
    return is_backward_ ? overheads(site).receive_ns : overheads(site).send_ns;
  }
  Nanoseconds last_ns(SiteIndex site) const {
    return (is_backward_ ? overheads(site).send_ns : overheads(site).receive_ns) + last_ns_;
  }

  Model model_;
  View view_;
  bool is_backward_;
  Bytes piece_;  ///< headers are not counted, as elsewhere in cost/
  Nanoseconds first_ns_, last_ns_;
  std::vector<Overheads> overheads_;  ///< of each site's coordinator
};

/// Segments, and what one of them costs.
struct Load {
  Bytes piece;
  std::int64_t pieces;
};

Load load_of(const Topology& topology, const Tuning& tuning, const Call& call) {
  const Bytes bytes = call.block * call.unit_bytes;
  const Bytes segment = segmentation_of(topology, tuning, call).segment * call.unit_bytes;
  return {std::min(bytes, segment), std::max<std::int64_t>(1, (bytes + segment - 1) / segment)};
}

/// How far segments follow each other.
Nanoseconds period_of(const SiteCosts& costs, const BroadcastTree& tree) {
  Nanoseconds longest = 0;
  for (const NodeIndex site : tree.top_down()) {
    Nanoseconds busy = 0;
    for (const NodeIndex child : tree.children_of(site)) {
      busy += costs.cost(site, child).injection_ns;
      longest = std::max(longest, costs.period_ns(site, child));
    }
    longest = std::max(longest, busy);
  }
  return longest;
}

LinkGraph graph_of(const SiteCosts& costs) {
  std::vector<SendCost> all;
  all.reserve(static_cast<std::size_t>(costs.sites()) * static_cast<std::size_t>(costs.sites()));
  for (SiteIndex from = 0; from < costs.sites(); ++from)
    for (SiteIndex to = 0; to < costs.sites(); ++to)
      all.push_back(from == to ? SendCost{} : costs.cost(from, to));
  return {costs.sites(), std::move(all)};
}

/// The star, quickest order of sends.
Nanoseconds star_ns(const SiteCosts& costs, SiteIndex root, std::int64_t pieces) {
  std::vector<SendCost> sends;
  Nanoseconds busy = 0, period = 0;
  for (SiteIndex site = 0; site < costs.sites(); ++site) {
    if (site == root) continue;
    sends.push_back(costs.cost(root, site));
    busy += sends.back().injection_ns;
    period = std::max(period, costs.period_ns(root, site));
  }
  std::ranges::sort(sends, std::greater{}, &SendCost::weight_ns);
  Nanoseconds injected = 0, last = 0;
  for (const SendCost& send : sends) last = std::max(last, (injected += send.injection_ns) + send.weight_ns);
  return last + (pieces - 1) * std::max(period, busy);
}

/// No tree but the star takes less: some site is two links away.
Nanoseconds two_links_ns(const Network& network, const SiteCosts& costs, SiteIndex root) {
  Nanoseconds nearest = kLongestCost;
  for (SiteIndex site = 0; site < costs.sites(); ++site)
    if (site != root) nearest = std::min(nearest, costs.cost(root, site).total_ns());
  return nearest + network.shortest_latency_ns();
}

/// Among more sites all constructions and a search would take too long.
constexpr SiteIndex kMostSearchedSites = 32;

BroadcastTree quickest_tree(const LinkGraph& graph, SiteIndex root) {
  if (graph.nodes() <= kMostSearchedSites) return best_tree(graph, root);
  return order_by_label(graph, earliest_completion(graph, root)).tree;
}

bool is_forced(const Tuning& tuning, const Call& call) {
  return tuning.algorithms.of(call.collective) == Algorithm::tree;
}

/// Long vectors that a connection's window holds up are for several lanes (algo/exchange/lanes.h).
bool is_for_lanes(const Tuning& tuning, const Call& call) {
  return tuning.flow_window > 0 && call.block * call.unit_bytes > tuning.window_of_two();
}

/// Does every edge carry one value? In rank order what comes from two sites need not be adjacent.
bool carries_one_value(const Call& call) {
  return call.collective == Collective::bcast || call.order == OperandOrder::any;
}

}  // namespace

std::optional<WideTree> wide_tree_of(const Topology& topology, const Tuning& tuning, const Call& call) {
  constexpr SiteIndex kFewest = 3;
  if (topology.layout.sites() < kFewest) return std::nullopt;
  const SiteIndex root = topology.layout.site_of(call.root);
  const Load load = load_of(topology, tuning, call);
  const SiteCosts costs(topology, call, load.piece);
  const Nanoseconds star = star_ns(costs, root, load.pieces), worth_below = less_a_twentieth(star);
  if (!is_forced(tuning, call) && (!carries_one_value(call) || is_for_lanes(tuning, call) ||
                                   two_links_ns(topology.network, costs, root) >= worth_below))
    return std::nullopt;
  const LinkGraph graph = graph_of(costs);
  BroadcastTree tree = quickest_tree(graph, root);
  const Nanoseconds time = completion_time(graph, tree) + (load.pieces - 1) * period_of(costs, tree);
  if (!is_forced(tuning, call) && time >= worth_below) return std::nullopt;
  return WideTree{std::move(tree), time};
}

std::optional<Proposal> propose_tree(const Question& question) {
  if (question.call.is_inter()) return std::nullopt;
  auto tree = wide_tree_of(question.topology, question.tuning, question.call);
  if (!tree) return std::nullopt;
  const Nanoseconds time_ns = tree->time_ns;
  return Proposal{TreeWay{std::move(*tree)}, time_ns, less_a_twentieth(time_ns)};
}

}  // namespace wan
