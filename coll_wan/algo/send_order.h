// SPDX-License-Identifier: BSD-3-Clause
// In which order a rank sends to several others what goes to each of them directly: those first whose message is followed by most
// (papers/003, Ucar and Aykanat, section 2: in descending order of a key of the receiver, which is optimal in their model, theorem
// 1). The key is how long a message is on its way after it has been handed over: the latency of the link and what its bytes take
// on it. Tested by tests/unit/algo_send_order.cc.
//
//   0 has 1 MB for each of 1 (10 ms, 100 MB/s: 20 ms), 2 (15 ms, 1 GB/s: 16 ms), 3 (own site):   1, 2, 3
#pragma once

#include <span>
#include <vector>

#include "topo/topology.h"

namespace wan {

/// A message, or all messages, to one receiver.
struct Sending {
  Rank to = 0;
  std::int64_t key = 0;
};
/// The receivers, highest key first; of equal keys as they are given.
std::vector<Rank> in_descending_order(std::vector<Sending> sendings);

/// From the moment it is sent until `bytes` have arrived, if nothing else is on the link; 0 within a site.
Nanoseconds time_on_the_way_ns(const Topology& topology, Rank from, Rank to, Bytes bytes);

}  // namespace wan
