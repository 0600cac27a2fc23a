// SPDX-License-Identifier: BSD-3-Clause
// First contact: the processes that carry a communicator's plans between sites meet before a collective needs
// them. The first message between two hosts costs a TCP connection and the BTL's own handshake, 3 to 4 round
// trips (blueprint, section 5).
//
//   sites {0 1 2} {3 4} {5}, coordinators:   0 <=> 3, 0 <=> 5, 3 <=> 5;   of two lanes also 1 <=> 4, 1 <=> 5,
//   4 <=> 5
//
// Whoever plans a message between processes that do not meet here pays for it in the first call.
// Tested by tests/unit/algo_contact.cc (also that no unrooted plan sends between sites to one that it has not
// met).
#pragma once

#include <span>
#include <vector>

#include "algo/tuning.h"
#include "plan/program.h"
#include "topo/topology.h"

namespace wan {

/// Which processes of different sites meet; unless it is none, neighbours in the tree of a site that lie on
/// different hosts do too.
enum class ContactExtent : std::uint8_t {
  none,
  coordinators,  ///< those that carry plans without a root, and plans whose root coordinates its site anyway
  all,           ///< each with each
  automatic      ///< all, where no process has more than kFewOthers at other sites; else coordinators
};
/// That each is connected with, which takes a socket for each.
inline constexpr Rank kFewOthers = 64;

/// The ranks of other sites and hosts that `me` meets, those of the farthest site first. Mutual: who meets
/// `me` is met by it.
std::vector<Rank> contacts_of(const Topology& topology, const Tuning& tuning, ContactExtent extent, Rank me);

/// An empty message to and from each of `contacts`, which have `me` among theirs.
Program plan_contact(Rank me, Rank size, std::span<const Rank> contacts);

}  // namespace wan
