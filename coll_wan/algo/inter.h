// SPDX-License-Identifier: BSD-3-Clause
// Collectives on intercommunicators: every message goes directly from its process to each process of the other group that
// needs it. Peers of the Programs are ranks of the remote group.
#pragma once

#include <vector>

#include "plan/call.h"
#include "plan/program.h"

namespace wan {

/// What the `root` argument makes of this process in a rooted collective.
enum class InterRole : std::uint8_t {
  root,    ///< MPI_ROOT
  idle,    ///< MPI_PROC_NULL: in the root's group, takes no part
  remote   ///< in the other group: `root` is the root's rank there
};

/// One process's view of a collective call on an intercommunicator. Buffers (lengths in units of the collective):
///   barrier               nothing
///   bcast                 output: block (root: the data); idle: none
///   gather, gatherv       remote: input; root: output, one block for each remote rank
///   scatter, scatterv     root: input, one block for each remote rank; remote: output
///   allgather(v)          input: own block; output: one block for each remote rank
///   alltoall(v,w)         input and output: one block for each remote rank
///   reduce                remote: input, block; root: output, block
///   allreduce             input, output: block
///   reduce_scatter(_block)   input: the whole vector (of send_counts[0]); output: own share (receive_counts[0]) of the
///                         remote group's result, which begins at unit `offset`
struct InterCall {
  Collective collective = Collective::barrier;
  Rank remote_size = 1;
  InterRole role = InterRole::remote;
  Rank root = 0;
  OperandOrder order = OperandOrder::rank;
  Count block = 0;                                 ///< bcast, reduce, allreduce
  /// What goes to each remote rank and comes from it: one entry a remote rank (alltoall*, scatter(v) at the root;
  /// gather(v) at the root, allgather(v) receive), or one entry alone (own block).
  std::vector<Count> send_counts, receive_counts;
  Count offset = 0;                                ///< reduce_scatter(_block)
};

BufferLengths buffer_lengths(const InterCall& call);
/// scan and exscan are not defined on intercommunicators.
Program plan_inter(const InterCall& call);

}  // namespace wan
