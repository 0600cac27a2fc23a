// SPDX-License-Identifier: BSD-3-Clause
#include "algo/segments.h"

#include <algorithm>

namespace wan {

namespace {

/// What crosses the quickest link in a millisecond: longer ones get the links going later. Short ones cost more messages than that
/// brings.
Bytes segment_of(const Network& network, const Tuning& tuning) {
  constexpr Bytes kShortest = 16 << 10;
  constexpr BytesPerSecond kMillisecondsInASecond = 1000;
  return std::clamp<Bytes>(network.highest_rate() / kMillisecondsInASecond, std::min(kShortest, tuning.segment), tuning.segment);
}

/// Beyond the window a segment asks its receiver first: it must be long enough to be worth that, and for as many of them as an
/// Execution has under way to fill the fullest link twice.
Bytes long_segment_of(const Network& network, const Tuning& tuning) {
  const Bytes filling = 2 * network.fullest_round_trip() / Segmentation::kMostSends;
  return std::max(8 * tuning.segment, filling);
}

Segmentation segmentation_with(const Network& network, const Tuning& tuning, const Call& call, Bytes segment) {
  const auto units = [&](Bytes bytes) { return std::max<Count>(1, bytes / call.unit_bytes); };
  return {units(segment), tuning.eager_window / call.unit_bytes, units(long_segment_of(network, tuning))};
}

}  // namespace

Segmentation segmentation_of(const Network& network, const Tuning& tuning, const Call& call) {
  return segmentation_with(network, tuning, call, segment_of(network, tuning));
}

Segmentation segmentation_inside_sites(const Network& network, const Tuning& tuning, const Call& call) {
  constexpr std::int32_t kMostSends = 4;
  Segmentation inside = segmentation_of(network, tuning, call);
  inside.most_sends = kMostSends;
  return inside;
}

/// Eight segments or so to a share, if that does not make them so short that their number costs more than it gains.
Segmentation segmentation_of_spread(const Network& network, const Tuning& tuning, const Call& call) {
  constexpr Bytes kShortest = 2048;
  const Bytes longest = segment_of(network, tuning);
  const Bytes eighth = call.block * call.unit_bytes / (8 * network.sites());
  return segmentation_with(network, tuning, call, std::clamp(eighth, std::min(kShortest, longest), longest));
}

}  // namespace wan
