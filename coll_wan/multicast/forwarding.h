// SPDX-License-Identifier: BSD-3-Clause
// The next step of a multicast at one process (papers/001, section 6). Pure functions. Tested by
// tests/unit/multicast_forwarding.cc and tests/property/multicasts.cc.
//
// Where a multicast has come from x to y, what y forwards has y's first LCD(x, y) + 1 digits: the row at
// which y goes on. That is a part of what x had, each part goes to one process, and the row grows with each
// step. So each destination is reached once, in at most as many steps as IDs have digits, and no step leads
// back (theorems 1 and 2). None of this depends on which process of an entry is taken.
//
// A process sends a copy for each row of its table. Where many segments follow each other, that is what takes
// long, and between the hosts of a site a multicast may go by a chain instead: the destinations on other
// hosts than the sender's, in the order of positions from the sender and from the first one again after the
// last, are split into as many parts as a process may have children, and the first process of each part has
// the others of it. With one child, in a site of the hosts 0 to 6 that the multicast enters at 3:
//
//   3 -> 4 -> 5 -> 6 -> 0 -> 1 -> 2
//
// On each way positions grow but for one step. From that one on it goes by Leg::wrapped. Inside a host it
// goes by the table, and through destinations alone, as two parts of a chain may share a host. So each way
// has rows of other sites, then a chain, and then rows of a host.
#pragma once

#include <vector>

#include "multicast/destinations.h"
#include "multicast/leg.h"
#include "multicast/routing_table.h"

namespace wan::multicast {

/// Which process of an entry receives for the destinations in it.
enum class Forwarder {
  master,  ///< the entry's: a process forwards to O(log n) others in all, of which some are no destinations
  destination  ///< the master where it is a destination, or else the next one after it: nobody gets what it
               ///< has no use for
};

/// How a multicast goes on between the hosts of a site.
struct Inside {
  int children = 0;      ///< the most of each process; 0: as the table has it
  Leg leg = Leg::table;  ///< by which it has come; at the source: table
};

/// What one process sends to another.
struct Branch {
  Position to = 0;
  Range range;  ///< all with the digits that `to` has in common with the destinations; in a chain: the site
  Destinations destinations;  ///< all in `range`
  Leg leg = Leg::table;
};

/// To whom a process sends on, the widest steps first. row: at which it goes on; 0 at the source.
/// destinations: may hold others than this process has to care for, as where all know them by a function of
/// the task; not those of a chain.
std::vector<Branch> branches(const RoutingTable& table, int row, const Destinations& destinations,
                             Forwarder forwarder, const Inside& inside = {});

/// The row at which the receiver of what `from` has sent by an entry of a table goes on.
int row_after(const RoutingTable& table, Position from);

}  // namespace wan::multicast
