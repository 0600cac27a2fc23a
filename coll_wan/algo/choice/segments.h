// SPDX-License-Identifier: BSD-3-Clause
// How long messages of a call are cut (plan/segmentation.h): equal on every rank. Tested by
// tests/unit/algo_algorithm.cc.
#pragma once

#include "algo/tuning.h"
#include "plan/call.h"
#include "plan/segmentation.h"
#include "topo/topology.h"

namespace wan {

/// What is cut: a message as a whole, or a vector that is spread over the sites, where several segments make
/// a shard, as an owner passes on what it has got.
enum class Cut : std::uint8_t { whole, shards };

/// Between sites: the longer, the longer the message: as long as a pipeline needs to begin early and not to
/// pay for too many pieces, and no longer than the user allows. Over streams it may be four times as long,
/// for `flows` such messages on the fullest link.
Segmentation segmentation_of(const Topology& topology, const Tuning& tuning, const Call& call,
                             Cut cut = Cut::whole, Count flows = 1);
/// The same where `lanes` connections share each message. Of a share that does not leave at once after a
/// pause (Tuning::idle_window) the rest waits for the first acknowledgement, which is the sooner the fewer
/// bytes of other connections are before it: the first piece is short, and goes to all connections in turn.
Segmentation segmentation_of_lanes(const Segmentation& segmentation, const Topology& topology,
                                   const Tuning& tuning, const Call& call, int lanes);
/// Inside a site few messages to one process are under way at once, at first one: the first pieces of a
/// vector shall reach the wide area, and what waits for them the other sites, before a processor that several
/// processes share is through with the others. A vector that is spread over the sites comes in shards, in
/// segments of the length that the user allows.
Segmentation segmentation_inside_sites(const Topology& topology, const Tuning& tuning, const Call& call,
                                       Cut cut);

}  // namespace wan
