// SPDX-License-Identifier: BSD-3-Clause
// A small topology whose plans the tests of process/ report on, and a call on it.
#pragma once

#include <string>
#include <vector>

#include "plan/global_call.h"

namespace wan {

/// Four sites of two ranks, 10 ms and 1 MB/s apart.
inline Topology four_sites() {
  std::vector<Path> paths;
  for (const char* site : {"a", "b", "c", "d"})
    paths.insert(paths.end(), 2, {site, std::string("host-") + site});
  return {Layout(paths), Network(4, Link{10'000'000, 1'000'000, 0})};
}

/// On all of its ranks.
inline GlobalCall bcast(Count bytes) {
  return {Collective::bcast, 8, 0, OperandOrder::any, bytes, {}, {}};
}

}  // namespace wan
