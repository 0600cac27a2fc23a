// SPDX-License-Identifier: BSD-3-Clause
// One rank's view of one collective call, free of MPI: what to do, and the sizes that this rank knows.
//
// Sizes are in the unit of the call: bytes of the packed message for data movement (equal on sender and
// receiver whatever the datatypes), elements for reductions. A Program is chosen from what every rank knows;
// what only some ranks know (the counts of a gatherv, MPI_IN_PLACE) changes that rank's own steps only.
#pragma once

#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include "base/types.h"
#include "cost/combining.h"
#include "plan/program.h"

namespace wan {

enum class Collective : std::uint8_t {
#define WAN_COLLECTIVE(name, reduces, rooted, vector) name,
#include "plan/collectives.def"
#undef WAN_COLLECTIVE
};

/// How many there are.
#define WAN_COLLECTIVE(name, reduces, rooted, vector) +1
inline constexpr int kCollectives = 0
#include "plan/collectives.def"
    ;
#undef WAN_COLLECTIVE

/// Facts of collectives.def.
struct CollectiveTraits {
  Collective collective;
  std::string_view name;
  bool reduces, rooted, vector;
};
std::span<const CollectiveTraits> all_collectives();
const CollectiveTraits& traits(Collective collective);
/// Is it an alltoallv or alltoallw, whose counts are a matrix?
bool has_count_matrix(Collective collective);
/// Does its call on an intercommunicator say where the groups are (Call::split)? A bcast, gatherv or scatterv
/// among the root and the other group, and an alltoallv(w) with counts of 0 inside the groups, are calls like
/// others.
bool is_split_by_groups(Collective collective);

/// MPI_IN_PLACE, as this rank passed it (it is a local matter where MPI says so).
enum class Placement : std::uint8_t { separate, in_place };

/// A block for, or from, `peer`.
struct BlockLength {
  Rank peer = 0;
  Count length = 0;
  friend bool operator==(const BlockLength&, const BlockLength&) = default;
};

/// The counts that a rank passed to an alltoallv or alltoallw, those that are not 0, by ascending peer.
struct MemberCounts {
  Rank rank = 0;
  std::vector<BlockLength> sends, receives;
  friend bool operator==(const MemberCounts&, const MemberCounts&) = default;
};
using KnownCounts = std::vector<std::shared_ptr<const MemberCounts>>;

/// What the buffers hold (lengths in units), p = ranks, me = this rank:
///   barrier               nothing
///   bcast                 output: block, on the root also the data to send; no input
///   gather, gatherv       input: own block; output: at the root p blocks, elsewhere none
///                         in place (root): no input
///   scatter, scatterv     input: at the root p blocks, elsewhere none; output: own block
///                         in place (root): no output
///   allgather(v)          input: own block; output: p blocks; in place: no input
///   alltoall(v,w)         input: p blocks by destination; output: p blocks by source; in place: no input
///   reduce                input: block; output: block at the root, elsewhere none
///                         in place (root): no input
///   allreduce, scans      input: block; output: block; in place: no input
///   reduce_scatter(_block)  input: p blocks; output: own block
///                         in place: no input; output: p blocks, the result at the beginning
/// In place, the contribution stands in the output where the result's own part will stand (alltoall:
/// everywhere).
///
/// On an intercommunicator (`split`) what a rank has is for the other group: where it says p blocks above,
/// there is one for each rank of the other group, and a root has nothing itself. reduce_scatter_block: input:
/// block, which is the whole vector.
struct Call {
  Collective collective = Collective::barrier;
  Rank root = 0;
  Placement placement = Placement::separate;
  OperandOrder order = OperandOrder::any;
  /// One rank's share where it is the same for all (gather, scatter, allgather, alltoall,
  /// reduce_scatter_block), or the whole (bcast, reduce, allreduce, scan, exscan). Known to every rank.
  Count block = 0;
  /// Vector forms. gatherv: send_counts = {own}, receive_counts = p entries at the root, empty elsewhere.
  /// scatterv: send_counts = p entries at the root, empty elsewhere; receive_counts = {own}. allgatherv,
  /// reduce_scatter: receive_counts = p entries. alltoallv, alltoallw: both, p entries (in place: send_counts
  /// equals receive_counts).
  std::vector<Count> send_counts, receive_counts;
  /// What a survey told this rank of itself and others, by rank; empty where there was none
  /// (algo/services/survey.h).
  KnownCounts members = {};
  /// alltoallv, alltoallw: what each rank has to do afterwards, by rank, if this rank has been told;
  /// otherwise empty. It decides to whom this rank sends first, and nothing that others need know.
  std::vector<Count> loads = {};
  /// Bytes that one unit has in a message: 1 in data movement, in reductions the size of the datatype. Known
  /// to every rank.
  Bytes unit_bytes = 1;
  /// On an intercommunicator the ranks below this one are one group, the others the other; the root is a
  /// group by itself, rank 0. Otherwise 0. Vector forms: one entry for each rank all the same, 0 of
  /// allgatherv for those of the own group (send_counts = {own}), of reduce_scatter for those of the other.
  /// For which collectives: is_split_by_groups().
  Rank split = 0;
  /// As `block`, of what goes from the second group to the first (allgather, alltoall).
  Count back = 0;

  bool is_inter() const { return split > 0; }
  Combining combining() const { return {order, split}; }
  Count load_of(Rank rank) const { return loads.empty() ? 0 : loads[static_cast<std::size_t>(rank)]; }
  /// Where the collective cuts its data into equal blocks: the one that `source` has for `destination`.
  Count block_between(Rank source, Rank destination) const;

  friend bool operator==(const Call&, const Call&) = default;
};

/// Ranks of the group of `rank`, and of the group that it exchanges with, which without a split is the same:
/// [first, end).
struct RankInterval {
  Rank first = 0, end = 0;
  Rank size() const { return end - first; }
  bool contains(Rank rank) const { return first <= rank && rank < end; }
};
RankInterval group_of(Rank rank, Rank split, Rank size);
RankInterval partners_of(Rank rank, Rank split, Rank size);

/// Lengths of the call's input and output buffers on rank `me` of `size` (scratch is left 0).
BufferLengths buffer_lengths(const Call& call, Rank me, Rank size);
/// elements for reductions, bytes otherwise.
Unit unit_of(Collective collective);

}  // namespace wan
