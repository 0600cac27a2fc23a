// SPDX-License-Identifier: BSD-3-Clause
// How the ranks of a Program are addressed. On an intracommunicator they are its own. On an intercommunicator
// they are those of both groups (plan/call.h); Open MPI addresses the other group through the
// intercommunicator, and the own one through the intracommunicator that it keeps there. Plain data. Tested
// by: tests/mpi (intercommunicators).
#pragma once

#include <optional>

#include "mca/ompi.h"
#include "mca/stream_peers.h"
#include "process/statistics.h"
#include "run/pacer.h"

namespace wan {

/// Who the ranks of a Program on an intercommunicator are.
struct Groups {
  Rank split = 0;            ///< Program ranks below it are of one group, the others of the other
  bool is_first = true;      ///< is this process in the former?
  Rank first_begins_at = 0;  ///< rank in its group of the Program's rank 0: not 0 where that is a root, alone
  Rank paced[2] = {0, 0};    ///< of either group, its first rank among all that the Pacer knows
  ompi_communicator_t* inside =
      nullptr;         ///< the own group's communicator: Open MPI forgets it when the user frees the other
  int tag_inside = 0;  ///< of messages to the own group
};

/// The ranks' addresses and the tag of one call, and what holds its messages to a rate.
struct Channel {
  ompi_communicator_t* comm = nullptr;
  int tag = 0;             ///< a call without messages has none (process/tags.h)
  Pacer* pacer = nullptr;  ///< nullptr: nothing does
  std::optional<Groups> groups = {};
  const StreamPeers* peers = nullptr;  ///< whom streams may lead to; nullptr: nobody
  Statistics* statistics = nullptr;    ///< count its calls and messages; nullptr: nothing does
  bool explains = false;               ///< are the times of its plans printed?
  Lead lead = Lead::full;              ///< that its messages take; of a request mca/request.cc decides it
};

/// Where a message to or from a rank of the Program goes.
struct Address {
  ompi_communicator_t* comm;
  int rank;
  int tag;
  Rank paced;  ///< the rank as the Pacer knows it
};

inline Address address_of(const Channel& channel, Rank peer) {
  if (!channel.groups) return {channel.comm, peer, channel.tag, peer};
  const Groups& groups = *channel.groups;
  const bool is_first = peer < groups.split;
  const Rank rank = is_first ? peer + groups.first_begins_at : peer - groups.split;
  const Rank paced = groups.paced[is_first ? 0 : 1] + rank;
  if (is_first == groups.is_first) return {groups.inside, rank, groups.tag_inside, paced};
  return {channel.comm, rank, channel.tag, paced};
}

}  // namespace wan
