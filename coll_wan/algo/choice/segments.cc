// SPDX-License-Identifier: BSD-3-Clause
#include "algo/choice/segments.h"

#include <algorithm>
#include <cmath>

namespace wan {

namespace {

/// Ranks of the site that has most.
Count largest_site(const Layout& layout) {
  std::size_t largest = 1;
  for (SiteIndex site = 0; site < layout.sites(); ++site)
    largest = std::max(largest, layout.ranks_of(site).size());
  return static_cast<Count>(largest);
}

/// Bytes of a message from one site to another, or of the longest of them; 0: a vector form, of which other
/// ranks know other lengths.
Bytes message_between_sites(const Layout& layout, const Call& call) {
  const Bytes block = call.block * call.unit_bytes;
  switch (call.collective) {
    case Collective::bcast:
    case Collective::reduce:
    case Collective::allreduce:
    case Collective::scan:
    case Collective::exscan:
      return block;
    default:
      break;
  }
  return block * largest_site(layout);
}

/// Over streams the ticket of each segment is a packet of Open MPI's connection. `flows` messages on the
/// fullest link are cut into segments of which a round trip has no more than leave at once after a pause.
Bytes least_segment(const Topology& topology, const Tuning& tuning, const Call& call, Count flows) {
  constexpr Bytes kLonger = 4;
  constexpr Count kTicketsAtOnce = 8;  // of the ten packets of an initial window (RFC 6928)
  if (tuning.streams == 0) return 1;
  const Bytes under_way =
      std::min(flows * message_between_sites(topology.layout, call), topology.network.fullest_round_trip());
  return std::clamp<Bytes>(under_way / kTicketsAtOnce, 1, kLonger * tuning.segment);
}

/// Of a pipeline of h hops that takes (m/s + h - 1)(o + s/B) for m bytes in segments of s, s = sqrt(m o B /
/// (h - 1)) is best. What that makes of o, h and B hardly shows in the root: 1 KiB did well for 4 KiB to 1
/// MiB at 1 and 12.5 MB/s.
Bytes segment_of(const Layout& layout, const Tuning& tuning, const Call& call) {
  constexpr Bytes kShortest = 8 << 10, kFactor = 1 << 10;
  const Bytes message = message_between_sites(layout, call);
  const auto best = static_cast<Bytes>(std::sqrt(static_cast<double>(message) * kFactor));
  return message == 0 ? tuning.segment
                      : std::clamp(best, std::min(kShortest, tuning.segment), tuning.segment);
}

/// Beyond the window a segment asks its receiver first: it must be long enough to be worth that, and for as
/// many of them as an Execution has under way to fill the fullest link twice.
Bytes long_segment_of(const Network& network, const Tuning& tuning) {
  const Bytes filling = 2 * network.fullest_round_trip() / SendLimit::kMost;
  return std::max(8 * tuning.segment, filling);
}

/// As many long segments as fill the fullest link while their receivers are asked, and a few more, which the
/// transport has at hand. A link that is thought to hold less than a connection's window may hold that much.
SendLimit sends_between_sites(const Network& network, const Tuning& tuning) {
  constexpr Bytes kSpare = 8;
  if (tuning.flow_window == 0) return {};
  const Bytes under_way = std::max(network.fullest_round_trip(), tuning.window_of_two());
  const Bytes number = under_way / long_segment_of(network, tuning) + kSpare;
  const auto most = static_cast<std::int32_t>(std::min<Bytes>(number, SendLimit::kMost));
  return {most, most};
}

Segmentation segmentation_with(const Network& network, const Tuning& tuning, const Call& call,
                               Bytes segment) {
  const auto units = [&](Bytes bytes) { return std::max<Count>(1, bytes / call.unit_bytes); };
  return {units(segment), tuning.eager_window / call.unit_bytes, units(long_segment_of(network, tuning)),
          sends_between_sites(network, tuning)};
}

/// Eight segments or so to a shard, if that does not make them so short that their number costs more than it
/// gains.
Bytes segment_of_shards(SiteIndex sites, const Tuning& tuning, const Call& call) {
  constexpr Bytes kShortest = 2048;
  const Bytes longest = tuning.segment;
  const Bytes eighth = call.block * call.unit_bytes / (8 * sites);
  return std::clamp(eighth, std::min(kShortest, longest), longest);
}

}  // namespace

Segmentation segmentation_of(const Topology& topology, const Tuning& tuning, const Call& call, Cut cut,
                             Count flows) {
  const Bytes segment = cut == Cut::shards ? segment_of_shards(topology.network.sites(), tuning, call)
                                           : segment_of(topology.layout, tuning, call);
  return segmentation_with(topology.network, tuning, call,
                           std::max(segment, least_segment(topology, tuning, call, flows)));
}

Segmentation segmentation_of_lanes(const Segmentation& segmentation, const Topology& topology,
                                   const Tuning& tuning, const Call& call, int lanes) {
  constexpr Bytes kFirst = 2048, kFewWindows = 4;
  const Bytes share = message_between_sites(topology.layout, call) / lanes,
              window = tuning.idle_window_of_two();
  if (lanes == 1 || share <= window || share > kFewWindows * window) return segmentation;
  Segmentation cut = segmentation;
  cut.long_segment = cut.segment;
  cut.segment = cut.window = std::max<Count>(1, kFirst / call.unit_bytes);
  return cut;
}

Segmentation segmentation_inside_sites(const Topology& topology, const Tuning& tuning, const Call& call,
                                       Cut cut) {
  constexpr SendLimit kFew{1, 4};
  Segmentation inside = cut == Cut::shards ? segmentation_with(topology.network, tuning, call, tuning.segment)
                                           : segmentation_of(topology, tuning, call);
  inside.sends = kFew;
  return inside;
}

}  // namespace wan
