// SPDX-License-Identifier: BSD-3-Clause
// Routing tables of small domains.
#pragma once

#include <vector>

#include "multicast/routing_table.h"

namespace wan::multicast {

/// Eight processes with the IDs 000 to 111, as in figure 2 of papers/001.
inline RoutingTable table_of_eight(Position self) {
  return {Places(8, {}), self, std::vector{2}};
}

}  // namespace wan::multicast
