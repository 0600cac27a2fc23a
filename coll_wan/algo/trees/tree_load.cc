// SPDX-License-Identifier: BSD-3-Clause
#include "algo/trees/tree_load.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "cost/model.h"

namespace wan {

namespace {

using Way = TreeLoad::Way;
using Content = TreeLoad::Content;

Bytes limited(Wide bytes) {
  return static_cast<Bytes>(std::min<Wide>(bytes, TreeLoad::kMost));
}

Bytes all_blocks(const Call& call, Rank size) {
  const Count units = traits(call.collective).vector
                          ? std::accumulate(call.receive_counts.begin(), call.receive_counts.end(), Count{0})
                          : std::max(call.block, call.back) * size;
  return limited(Wide{units} * call.unit_bytes);
}

/// The most that can come into a site, or leave it, in a second; 0: it is the only one.
BytesPerSecond wide_area_rate(const Network& network, SiteIndex site, Way way) {
  Wide sum_in = 0, sum_out = 0;
  for (SiteIndex other = 0; other < network.sites(); ++other) {
    if (other == site) continue;
    sum_in += network.link(other, site).bandwidth_bytes_per_s;
    sum_out += network.link(site, other).bandwidth_bytes_per_s;
  }
  constexpr BytesPerSecond kUncapped = std::numeric_limits<BytesPerSecond>::max();
  const auto in =
      static_cast<BytesPerSecond>(std::min<Wide>(sum_in, network.downlink(site).value_or(kUncapped)));
  const auto out =
      static_cast<BytesPerSecond>(std::min<Wide>(sum_out, network.uplink(site).value_or(kUncapped)));
  return way == Way::down ? in : way == Way::up ? out : std::max(in, out);
}

TreeLoad vector_load(const Topology& topology, SiteIndex site, const Segmentation& segmentation,
                     const Call& call, Way way, Bytes bytes) {
  const Bytes segment = limited(Wide{segmentation.segment} * call.unit_bytes);
  TreeLoad load{way, traits(call.collective).reduces ? Content::sum : Content::vector, bytes, segment};
  if (const BytesPerSecond rate = load.pieces() > 1 ? wide_area_rate(topology.network, site, way) : 0;
      rate > 0)
    load.period_ns = time_of(load.piece(), rate);
  return load;
}

}  // namespace

TreeLoad load_of(const Topology& topology, SiteIndex site, const Call& call,
                 const Segmentation& segmentation) {
  const Rank size = topology.layout.size();
  const Bytes block = limited(Wide{call.block} * call.unit_bytes);
  const auto vector = [&](Way way, Bytes bytes) {
    return vector_load(topology, site, segmentation, call, way, bytes);
  };
  switch (call.collective) {
    case Collective::barrier:
      return {};
    case Collective::bcast:
      return vector(Way::down, block);
    case Collective::reduce:
      return vector(Way::up, block);
    case Collective::allreduce:
    case Collective::scan:
    case Collective::exscan:
      return vector(Way::both, block);
    case Collective::allgather:
    case Collective::allgatherv:
      return vector(Way::down, all_blocks(call, size));
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      return vector(Way::up, all_blocks(call, size));
    case Collective::gather:
    case Collective::gatherv:
      return {Way::up, Content::blocks, block};
    case Collective::scatter:
    case Collective::scatterv:
      return {Way::down, Content::blocks, block};
    case Collective::alltoall:
      return {Way::both, Content::blocks, all_blocks(call, size)};
    case Collective::alltoallv:
    case Collective::alltoallw:
      return load_of_survey(size);
  }
  return {};
}

TreeLoad load_of_survey(Rank size) {
  return {Way::both, Content::blocks, limited(Wide{size} * 2 * sizeof(Count))};
}

}  // namespace wan
