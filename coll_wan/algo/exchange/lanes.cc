// SPDX-License-Identifier: BSD-3-Clause
#include "algo/exchange/lanes.h"

#include <algorithm>
#include <numeric>

namespace wan {

namespace {

Lane lane_of(const Position& position, std::span<const Shard> shards, int lane, int number, Count offset) {
  Lane made{position, offset, 0, {}};
  for (const Shard& shard : shards) {
    const Count length = share_of(shard.length, lane, number).length;
    if (length > 0 || shard.length == 0) made.shards.push_back({shard.owner, made.length, length});
    made.length += length;
  }
  return made;
}

/// What goes from `parent` to `child` of `vector`.
std::vector<RangeList> segments_down(const Builder& b, const Lanes& lanes, const Range& vector, Rank parent,
                                     Rank child) {
  const Below below = lanes_below(lanes, parent, child);
  std::vector<RangeList> segments;
  for (const auto* indices : {&below.carried, &below.others}) {
    std::vector<RangeList> streams;
    for (const std::size_t i : *indices)
      for (RangeList& stream : streams_of(lanes[i].of(vector), lanes[i].shards))
        streams.push_back(std::move(stream));
    if (streams.empty()) continue;
    for (RangeList& segment : in_turn(streams, b.segmentation(), b.neighbor_segmentation()))
      segments.push_back(std::move(segment));
  }
  return segments;
}

void note(std::vector<Rank>& ranks, Rank rank) {
  if (std::ranges::find(ranks, rank) == ranks.end()) ranks.push_back(rank);
}

}  // namespace

LaneShare share_of(Count whole, int lane, int lanes) {
  const auto begin = [&](int before) { return whole / lanes * before + whole % lanes * before / lanes; };
  return {begin(lane), begin(lane + 1) - begin(lane)};
}

std::vector<LaneShare> shares_of(std::span<const Count> blocks, int lane, int lanes) {
  const LaneShare all = share_of(std::accumulate(blocks.begin(), blocks.end(), Count{0}), lane, lanes);
  std::vector<LaneShare> shares;
  Count offset = 0;
  for (const Count block : blocks) {
    const Count begin = std::clamp(all.offset - offset, Count{0}, block),
                end = std::clamp(all.offset + all.length - offset, begin, block);
    shares.push_back({begin, end - begin});
    offset += block;
  }
  return shares;
}

bool is_coordinator_of_any(std::span<const Position> lanes) {
  return std::ranges::any_of(lanes, &Position::is_coordinator);
}

Lanes lanes_of(const Position& position, std::span<const Shard> shards, int number) {
  const std::vector<Position> positions = position.in_lanes(number);
  Lanes lanes;
  Count offset = 0;
  for (int lane = 0; lane < number; ++lane) {
    lanes.push_back(lane_of(positions[static_cast<std::size_t>(lane)], shards, lane, number, offset));
    offset += lanes.back().length;
  }
  return lanes;
}

std::vector<RangeList> streams_of(const Range& vector, std::span<const Shard> shards) {
  std::vector<RangeList> streams(shards.size());
  for (std::size_t i = 0; i < shards.size(); ++i) streams[i].add(shards[i].of(vector));
  return streams;
}

std::vector<Rank> children_of(const Lanes& lanes) {
  std::vector<Rank> children;
  for (const Lane& lane : lanes)
    for (const Rank child : lane.position.children()) note(children, child);
  return children;
}

Below lanes_below(const Lanes& lanes, Rank parent, Rank child) {
  Below below;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const Position& position = lanes[i].position;
    if (position.tree().parent_of(child) != parent) continue;
    const bool is_carried = std::ranges::binary_search(position.tree().subtree_of(child),
                                                       position.coordinator_of(position.site()));
    (is_carried ? below.carried : below.others).push_back(i);
  }
  return below;
}

void receive_down(Builder& b, const Lanes& lanes, const Range& vector) {
  std::vector<Rank> parents;
  for (const Lane& lane : lanes)
    if (const auto parent = lane.position.parent()) note(parents, *parent);
  for (const Rank parent : parents)
    for (const RangeList& segment : segments_down(b, lanes, vector, parent, b.me()))
      b.receive(parent, segment);
}

void send_down(Builder& b, const Lanes& lanes, const Range& vector) {
  for (const Rank child : children_of(lanes))
    for (const RangeList& segment : segments_down(b, lanes, vector, b.me(), child)) b.send(child, segment);
}

}  // namespace wan
