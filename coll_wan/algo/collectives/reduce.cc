// SPDX-License-Identifier: BSD-3-Clause
// Reduce (papers/004, section 3.4, without its restriction to contiguous sites): each site reduces up its
// tree, each coordinator sends its partials to the owners of their shards, who join them in the order of the
// sites, or of the ranks. A short vector has one shard, owned by the root; of a long one
// (algo/choice/shards.h) the other owners send the root the result. With several lanes
// (algo/exchange/lanes.h) the root's site has its other coordinators add to what they have of their lane, on
// the way to the root, what comes from other sites.
//
//   root 4:   1, 2 -> 0 ===> 4 <- 3, 5     WAN: one latency, m bytes for each run of a site.
//                                          Spread: two latencies, a part of them over each link.
#include <algorithm>
#include <numeric>

#include "algo/collectives/collectives.h"
#include "algo/exchange/call_builder.h"
#include "algo/exchange/lanes.h"
#include "algo/exchange/partial.h"

namespace wan {

namespace {

/// What came of each shard in the root's site, to `result`; what others own comes from them, and the own
/// site's, if any, is added.
void finish(Builder& b, const Position& position, std::span<const Partial> own,
            std::span<const ReducedShard> reduced, const Range& result) {
  for (const auto& [shard, value] : reduced) {
    if (value) {
      b.copy(value->value, shard.of(result));
    } else {
      b.receive(position.coordinator_of(*shard.owner), shard.of(result));
      if (!own.empty()) b.reduce(own.front().value.slice(shard.offset, shard.length), shard.of(result));
    }
  }
}

class SiteReduction {
 public:
  SiteReduction(Builder& b, const Call& call, SiteIndex root_site)
      : b_(b), call_(call), root_site_(root_site) {}

  /// own: what is below this rank in the lane's tree.
  void run(const Lane& lane, std::span<const Partial> own) {
    const Position& position = lane.position;
    if (!position.is_coordinator()) return pass_up(lane, own);
    const bool root_site_contributes = !call_.is_inter() || position.ranks_of(root_site_).size() > 1;
    const auto reduced = reduce_at_owners(b_, position, own, lane.shards, call_.combining(),
                                          {root_site_, root_site_contributes});
    if (position.site() != root_site_) {
      for (const auto& [shard, value] : reduced)
        if (value) b_.send(position.coordinator_of(root_site_), value->value);
      return;
    }
    const Range result = b_.me() == call_.root ? lane.of(b_.output()) : b_.scratch(lane.length);
    finish(b_, position, own, reduced, result);
    if (b_.me() != call_.root) b_.send(*position.parent(), result);
  }

 private:
  /// Towards the coordinator; in the root's site towards the root, who is given the result.
  void pass_up(const Lane& lane, std::span<const Partial> own) {
    if (b_.me() == call_.root)
      b_.copy(own.front().value, lane.of(b_.output()));
    else
      b_.send(*lane.position.parent(), values_of(own));
  }

  Builder& b_;
  const Call& call_;
  SiteIndex root_site_;
};

/// This rank's lanes, those that a process from here down carries between sites last.
std::vector<std::size_t> in_order(const Lanes& lanes) {
  const auto is_carried = [&](std::size_t i) {
    const Position& position = lanes[i].position;
    return std::ranges::binary_search(position.tree().subtree_of(position.me()),
                                      position.coordinator_of(position.site()));
  };
  std::vector<std::size_t> order(lanes.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_partition(order, [&](std::size_t i) { return !is_carried(i); });
  return order;
}

/// By lane, what is below this rank and what it adds: a root that is a group by itself, nothing.
std::vector<std::vector<Partial>> collected(Builder& b, const Lanes& lanes, const Call& call) {
  if (b.me() != call.root) return collect_in_site(b, lanes, b.input(), call.combining());
  return collect_in_site(b, lanes, call.is_inter() ? std::nullopt : std::optional(kept_contribution(b, call)),
                         call.combining());
}

}  // namespace

Program plan_reduce(const Position& position, const Call& call, const Choice& choice) {
  Builder b = builder_for(position, call, choice);
  if (call.block == 0) return std::move(b).finish();
  const Lanes lanes = lanes_of(position, call, choice);
  const auto partials = collected(b, lanes, call);
  SiteReduction reduction(b, call, position.layout().site_of(call.root));
  for (const std::size_t i : in_order(lanes)) reduction.run(lanes[i], partials[i]);
  return std::move(b).finish();
}

}  // namespace wan
