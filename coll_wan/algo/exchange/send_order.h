// SPDX-License-Identifier: BSD-3-Clause
// In which order a rank sends to several others what goes to each of them directly: those first whose message
// is followed by most (papers/003, Ucar and Aykanat, section 2: in descending order of a key of the receiver,
// which is optimal in their model, theorem 1). The key is what the application says that the receiver has to
// do afterwards (coll_wan_post_load; the paper's |S2|). Where it says nothing, or the same of several, it is
// the longest path that remains after the message has been handed over: the latency of the link, what the
// bytes take on it, and the sends of the receiver's own, where their number is known.
// Tested by tests/unit/algo_send_order.cc.
//
//   0 has 1 MB for each of 1 (10 ms, 100 MB/s: 20 ms), 2 (15 ms, 1 GB/s: 16 ms), 3 (own site):   1, 2, 3
//   2 has to send 5 messages afterwards, 1 and 3 one each:                                       2, 1, 3
#pragma once

#include <span>
#include <vector>

#include "topo/topology.h"

namespace wan {

/// A message, or all messages, to one receiver.
struct Sending {
  Rank to = 0;
  Nanoseconds remaining_ns = 0;
  Count load = 0;  ///< what the application says; 0 where it says nothing
};
/// The receivers, highest load first; of equal ones the longest remaining path first; those of which nothing
/// says who is first, as they are given, in one group.
std::vector<std::vector<Rank>> in_descending_order(std::vector<Sending> sendings);

/// From the moment it is sent until `bytes` have arrived, if nothing else is on the link; 0 within a site.
Nanoseconds time_on_the_way_ns(const Topology& topology, Rank from, Rank to, Bytes bytes);
/// That, and what the receiver takes for `sends` messages of its own (0: not known).
Nanoseconds remaining_path_ns(const Topology& topology, Rank from, Rank to, Bytes bytes, Rank sends);

}  // namespace wan
