// SPDX-License-Identifier: BSD-3-Clause
#include "plan/call.h"

#include <numeric>

namespace wan {

namespace {

constexpr CollectiveTraits kTraits[] = {
#define WAN_COLLECTIVE(name, reduces, rooted, vector) {Collective::name, #name, reduces, rooted, vector},
#include "plan/collectives.def"
#undef WAN_COLLECTIVE
};

Count sum(const std::vector<Count>& counts) {
  return std::accumulate(counts.begin(), counts.end(), Count{0});
}

BufferLengths lengths_between_groups(const Call& call, Rank me, Rank size) {
  const bool at_root = me == call.root;
  const RankInterval group = group_of(me, call.split, size), partners = partners_of(me, call.split, size);
  const Count to_all = call.block_between(me, partners.first) * partners.size();
  const Count from_all = call.block_between(partners.first, me) * partners.size();
  switch (call.collective) {
    case Collective::gather:
      return at_root ? BufferLengths{0, from_all, 0} : BufferLengths{call.block, 0, 0};
    case Collective::scatter:
      return at_root ? BufferLengths{to_all, 0, 0} : BufferLengths{0, call.block, 0};
    case Collective::reduce:
      return at_root ? BufferLengths{0, call.block, 0} : BufferLengths{call.block, 0, 0};
    case Collective::allgather:
      return {call.block_between(me, partners.first), from_all, 0};
    case Collective::allgatherv:
      return {sum(call.send_counts), sum(call.receive_counts), 0};
    case Collective::alltoall:
      return {to_all, from_all, 0};
    case Collective::reduce_scatter_block:
      return {call.block, call.block / group.size(), 0};
    default:
      return {};
  }
}

/// The lengths without regard to MPI_IN_PLACE.
BufferLengths separate_lengths(const Call& call, Rank me, Rank size) {
  const bool at_root = me == call.root;
  switch (call.collective) {
    case Collective::barrier:
      return {};
    case Collective::bcast:
      return {0, call.block, 0};
    case Collective::gather:
      return {call.block, at_root ? call.block * size : 0, 0};
    case Collective::gatherv:
      return {sum(call.send_counts), sum(call.receive_counts), 0};
    case Collective::scatter:
      return {at_root ? call.block * size : 0, call.block, 0};
    case Collective::scatterv:
      return {sum(call.send_counts), sum(call.receive_counts), 0};
    case Collective::allgather:
      return {call.block, call.block * size, 0};
    case Collective::allgatherv: {
      const Count own = call.receive_counts[static_cast<std::size_t>(me)];
      return {own, sum(call.receive_counts), 0};
    }
    case Collective::alltoall:
      return {call.block * size, call.block * size, 0};
    case Collective::alltoallv:
    case Collective::alltoallw:
      return {sum(call.send_counts), sum(call.receive_counts), 0};
    case Collective::reduce:
      return {call.block, at_root ? call.block : 0, 0};
    case Collective::allreduce:
    case Collective::scan:
    case Collective::exscan:
      return {call.block, call.block, 0};
    case Collective::reduce_scatter:
      return {sum(call.receive_counts), call.receive_counts[static_cast<std::size_t>(me)], 0};
    case Collective::reduce_scatter_block:
      return {call.block * size, call.block, 0};
  }
  return {};
}

/// Are the lengths those of a call within one group?
bool are_as_within_a_group(const Call& call) {
  switch (call.collective) {
    case Collective::barrier:
    case Collective::allreduce:
    case Collective::reduce_scatter:
      return true;
    default:
      return !call.is_inter();
  }
}

}  // namespace

std::span<const CollectiveTraits> all_collectives() {
  return kTraits;
}

const CollectiveTraits& traits(Collective collective) {
  return kTraits[static_cast<std::size_t>(collective)];
}

bool has_count_matrix(Collective collective) {
  return collective == Collective::alltoallv || collective == Collective::alltoallw;
}

Count Call::block_between(Rank source, Rank destination) const {
  if (!is_inter()) return block;
  if ((source < split) == (destination < split)) return 0;
  switch (collective) {
    case Collective::gather:
      return destination == root ? block : 0;
    case Collective::scatter:
      return source == root ? block : 0;
    default:
      return source < split ? block : back;
  }
}

RankInterval group_of(Rank rank, Rank split, Rank size) {
  return rank < split ? RankInterval{0, split} : RankInterval{split, size};
}

RankInterval partners_of(Rank rank, Rank split, Rank size) {
  return rank < split ? RankInterval{split, size} : RankInterval{0, split == 0 ? size : split};
}

bool is_split_by_groups(Collective collective) {
  switch (collective) {
    case Collective::scan:
    case Collective::exscan:
    case Collective::bcast:
    case Collective::gatherv:
    case Collective::scatterv:
    case Collective::alltoallv:
    case Collective::alltoallw:
      return false;
    default:
      return true;
  }
}

BufferLengths buffer_lengths(const Call& call, Rank me, Rank size) {
  if (!are_as_within_a_group(call)) return lengths_between_groups(call, me, size);
  BufferLengths lengths = separate_lengths(call, me, size);
  if (call.placement == Placement::separate) return lengths;
  switch (call.collective) {
    case Collective::scatter:
    case Collective::scatterv:
      lengths.output = 0;
      break;
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      lengths.output = lengths.input;
      lengths.input = 0;
      break;
    default:
      lengths.input = 0;
  }
  return lengths;
}

Unit unit_of(Collective collective) {
  return traits(collective).reduces ? Unit::elements : Unit::bytes;
}

}  // namespace wan
