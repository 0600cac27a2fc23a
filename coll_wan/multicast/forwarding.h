// SPDX-License-Identifier: BSD-3-Clause
// The next step of a multicast at one process (papers/001, section 6). Pure functions. Tested by
// tests/unit/multicast_forwarding.cc and tests/property/multicasts.cc.
//
// Where a multicast has come from x to y, what y forwards has y's first LCD(x, y) + 1 digits: the row at
// which y goes on. That is a part of what x had, each part goes to one process, and the row grows with each
// step. So each destination is reached once, in at most as many steps as IDs have digits, and no step leads
// back (theorems 1 and 2). None of this depends on which process of an entry is taken.
#pragma once

#include <vector>

#include "multicast/destinations.h"
#include "multicast/routing_table.h"

namespace wan::multicast {

/// Which process of an entry receives for the destinations in it.
enum class Forwarder {
  master,  ///< the entry's: a process forwards to O(log n) others in all, of which some are no destinations
  destination  ///< the master where it is a destination, or else the next one after it: nobody gets what it
               ///< has no use for
};

/// What one process sends to another.
struct Branch {
  Position to = 0;
  Range range;                ///< all with the digits that `to` has in common with the destinations
  Destinations destinations;  ///< all in `range`
};

/// To whom a process sends on, the widest steps first. row: at which it goes on; 0 at the source.
/// destinations: may hold others than this process has to care for, as where all know them by a function of
/// the task.
std::vector<Branch> branches(const RoutingTable& table, int row, const Destinations& destinations,
                             Forwarder forwarder);

/// The row at which the receiver of what `from` has sent goes on.
int row_after(const RoutingTable& table, Position from);

}  // namespace wan::multicast
