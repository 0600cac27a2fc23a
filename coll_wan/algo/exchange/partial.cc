// SPDX-License-Identifier: BSD-3-Clause
#include "algo/exchange/partial.h"

#include <algorithm>
#include <numeric>

#include "algo/exchange/call_builder.h"
#include "algo/exchange/relaying.h"

namespace wan {

namespace {

/// left (op) right, where right stands.
Partial join(Builder& b, const Partial& left, const Partial& right) {
  Partial result = right;
  if (right.use == Partial::Use::read_only) {
    result.value = b.scratch(right.value.length);
    result.use = Partial::Use::writable;
    b.copy(right.value, result.value);
  }
  b.reduce(left.value, result.value);
  result.run = {std::min(left.run.first, right.run.first), std::max(left.run.last, right.run.last)};
  return result;
}

}  // namespace

std::vector<Partial> joined(Builder& b, std::vector<Partial> partials, Combining combining) {
  if (combining.order != OperandOrder::any)
    std::ranges::sort(partials, {}, [](const Partial& partial) { return partial.run.first; });
  std::vector<Partial> result;
  for (Partial partial : partials) {
    for (; !result.empty() && are_joined(result.back().run, partial.run, combining); result.pop_back())
      partial = join(b, result.back(), partial);
    result.push_back(partial);
  }
  return result;
}

Partial product(Builder& b, std::vector<Partial> partials, Combining combining) {
  const auto values = joined(b, std::move(partials), combining);
  return std::accumulate(values.begin() + 1, values.end(), values.front(),
                         [&](const Partial& left, const Partial& right) { return join(b, left, right); });
}

std::vector<Partial> new_partials(Builder& b, std::span<const Run> runs, Count length) {
  std::vector<Partial> partials;
  for (const Run& run : runs) partials.push_back({run, b.scratch(length)});
  return partials;
}

std::vector<Range> values_of(std::span<const Partial> partials) {
  std::vector<Range> values;
  for (const Partial& partial : partials) values.push_back(partial.value);
  return values;
}

namespace {

/// The next message.
std::vector<Partial> receive_partials(Builder& b, Rank from, std::span<const Run> runs, Count length) {
  const auto partials = new_partials(b, runs, length);
  b.receive(from, values_of(partials));
  return partials;
}

}  // namespace

std::vector<Partial> reduce_in_site(Builder& b, const Position& position, Range own, Combining combining) {
  std::vector<Partial> partials{{{b.me(), b.me()}, own, Partial::Use::read_only}};
  for (const Rank child : position.children()) {
    const auto below =
        receive_partials(b, child, runs_of(position.tree().subtree_of(child), combining), own.length);
    partials.insert(partials.end(), below.begin(), below.end());
  }
  partials = joined(b, std::move(partials), combining);
  if (const auto parent = position.parent()) b.send(*parent, values_of(partials));
  return partials;
}

Range own_of(Builder& b, const Lanes& lanes, const Call& call) {
  const bool coordinates =
      std::ranges::any_of(lanes, [](const Lane& lane) { return lane.position.is_coordinator(); });
  return coordinates ? kept_contribution(b, call) : contribution(b, call);
}

std::vector<std::vector<Partial>> collect_in_site(Builder& b, const Lanes& lanes, std::optional<Range> own,
                                                  Combining combining) {
  std::vector<std::vector<Partial>> partials(lanes.size());
  for (std::size_t i = 0; i < lanes.size() && own; ++i)
    partials[i].push_back({{b.me(), b.me()}, lanes[i].of(*own), Partial::Use::read_only});
  for (const Rank child : children_of(lanes)) {
    const Below below = lanes_below(lanes, b.me(), child);
    for (const auto* indices : {&below.others, &below.carried})
      for (const std::size_t i : *indices) {
        const auto runs = runs_of(lanes[i].position.tree().subtree_of(child), combining);
        for (const Partial& partial : receive_partials(b, child, runs, lanes[i].length))
          partials[i].push_back(partial);
      }
  }
  for (auto& of_lane : partials) of_lane = joined(b, std::move(of_lane), combining);
  return partials;
}

std::vector<std::vector<Partial>> reduce_in_site(Builder& b, const Lanes& lanes, Range own,
                                                 Combining combining) {
  auto partials = collect_in_site(b, lanes, own, combining);
  for (std::size_t i = 0; i < lanes.size(); ++i)
    if (const auto parent = lanes[i].position.parent()) b.send(*parent, values_of(partials[i]));
  return partials;
}

std::vector<Partial> slice(std::span<const Partial> partials, Count offset, Count length) {
  std::vector<Partial> cut(partials.begin(), partials.end());
  for (Partial& partial : cut) partial.value = partial.value.slice(offset, length);
  return cut;
}

namespace {

/// Of vectors of `length` units: `own` and, from each other coordinator whose site contributes, the next
/// message.
template <class Contributes>
std::vector<Partial> collected(Builder& b, const Position& position, std::span<const Partial> own,
                               Count length, Combining combining, Contributes contributes) {
  std::vector<Partial> all;
  for (SiteIndex site = 0; site < position.layout().sites(); ++site) {
    if (!contributes(site)) continue;
    if (site != position.site()) {
      const auto theirs = receive_partials(b, position.coordinator_of(site),
                                           runs_of(position.ranks_of(site), combining), length);
      all.insert(all.end(), theirs.begin(), theirs.end());
    } else {
      all.insert(all.end(), own.begin(), own.end());
    }
  }
  return all;
}

/// Does `site` contribute to `shard` at its owner?
bool contributes(SiteIndex site, const Shard& shard, const RootSite& root) {
  return site != root.site || (root.contributes && shard.owner.value_or(site) == site);
}

void send_to_owners(Builder& b, const Position& position, std::span<const Partial> own,
                    std::span<const Shard> shards, const RootSite& root) {
  std::vector<Builder::Outgoing> outgoing;
  for (const SiteIndex site : position.other_sites())
    for (const Shard& shard : shards)
      if (shard.owner.value_or(site) == site && contributes(position.site(), shard, root))
        outgoing.push_back(
            {position.coordinator_of(site), values_of(slice(own, shard.offset, shard.length))});
  b.send_in_turn(outgoing);
}

}  // namespace

std::vector<Partial> partials_of_sites(Builder& b, const Position& position, std::span<const Partial> own,
                                       Count length, Combining combining) {
  return collected(b, position, own, length, combining, [&](SiteIndex site) { return position.hears(site); });
}

std::vector<Partial> partials_of_sites_relayed(Builder& b, const Position& position, const Partial& own,
                                               const Routes& routes, Combining combining) {
  const SiteIndex sites = position.layout().sites();
  const SiteLegs legs =
      legs_of(routes, position.site(), std::vector<Count>(static_cast<std::size_t>(sites), own.value.length),
              b.segmentation());
  std::vector<Partial> all;
  std::vector<RangeList> places(static_cast<std::size_t>(sites));
  for (SiteIndex site = 0; site < sites; ++site) {
    const bool is_here = site == position.site();
    if (!is_here && std::ranges::find(legs.received, site, &Leg::source) == legs.received.end()) continue;
    const Run run = runs_of(position.ranks_of(site), combining).front();
    // What is passed on must not wait for a join, nor a join for it.
    all.push_back({run, is_here ? own.value : b.scratch(own.value.length), Partial::Use::read_only});
    places[static_cast<std::size_t>(site)].add(all.back().value);
  }
  exchange_relayed(b, position, legs, places);
  return all;
}

std::vector<ReducedShard> reduce_at_owners(Builder& b, const Position& position, std::span<const Partial> own,
                                           std::span<const Shard> shards, Combining combining,
                                           const RootSite& root) {
  send_to_owners(b, position, own, shards, root);
  std::vector<ReducedShard> reduced;
  for (const Shard& shard : shards) {
    reduced.push_back({shard, std::nullopt});
    if (shard.owner.value_or(position.site()) != position.site()) continue;
    auto mine = slice(own, shard.offset, shard.length);
    if (!shard.owner)
      for (Partial& partial : mine)
        partial.use = Partial::Use::read_only;  // a join must not wait for the sends
    const auto all = collected(b, position, mine, shard.length, combining, [&](SiteIndex site) {
      return position.hears(site) && contributes(site, shard, root);
    });
    reduced.back().value = product(b, all, combining);
  }
  return reduced;
}

}  // namespace wan
