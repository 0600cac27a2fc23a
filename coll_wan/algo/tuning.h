// SPDX-License-Identifier: BSD-3-Clause
// What the user may set of how calls are planned (MCA parameters); equal on every rank.
#pragma once

#include <algorithm>

#include "algo/algorithm.h"
#include "algo/trees/tree.h"
#include "base/types.h"
#include "topo/machine.h"

namespace wan {

struct Tuning {
  TreeShape tree = TreeShape::automatic;  ///< inside a site, at each level
  int radix = 8;                          ///< of the k-nomial trees, 2 or more
  Bytes aggregate_limit = 8192;  ///< blocks of gather and scatter up to this size travel via coordinators
  Bytes alltoall_aggregate_limit = 1024;  ///< blocks of alltoall(v,w)
  Bytes segment = 32768;                  ///< longest segment that long messages are cut into, 1 or more
  Bytes eager_window = 4 << 20;           ///< of a message that go without asking the receiver
  AlgorithmChoice algorithms = {};        ///< what is forced
  int lanes = 0;          ///< connections of two sites that share what is long (algo/exchange/lanes.h); 0: as
                          ///< many as it takes
  int streams = 0;        ///< connections besides Open MPI's that long messages of two processes of different
                          ///< sites may take
  Bytes flow_window = 0;  ///< that a TCP connection has under way at most; 0: not known, as much as there is
  Bytes idle_window = 0;  ///< the same after a pause, before it has grown; 0: pauses leave it as it is

  /// Of all connections of two processes.
  Bytes window_of_two() const { return flow_window * std::max(1, streams); }
  Bytes idle_window_of_two() const { return idle_window * std::max(1, streams); }
};

/// As Open MPI's own messages meet it, without streams.
inline Machine met_by_stock(const Tuning& tuning, Machine machine) {
  machine.flow_window = tuning.flow_window;
  return machine;
}
/// As coll_wan's messages meet it.
inline Machine met_by(const Tuning& tuning, Machine machine) {
  machine.flow_window = tuning.window_of_two();
  machine.asks_other_sites = tuning.streams == 0;
  return machine;
}

}  // namespace wan
