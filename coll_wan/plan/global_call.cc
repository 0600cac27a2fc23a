// SPDX-License-Identifier: BSD-3-Clause
#include "plan/global_call.h"

#include "base/index.h"
#include "base/invariant.h"

namespace wan {
namespace {

std::vector<Count> row(const GlobalCall& call, Rank source) {
  std::vector<Count> counts;
  for (Rank to = 0; to < call.size; ++to) counts.push_back(call.block_between(source, to));
  return counts;
}

std::vector<Count> column(const GlobalCall& call, Rank destination) {
  std::vector<Count> counts;
  for (Rank from = 0; from < call.size; ++from) counts.push_back(call.block_between(from, destination));
  return counts;
}

/// The counts of a vector form; of the others, one block for each rank or pair of ranks.
std::vector<Count> shares(const GlobalCall& call, std::size_t number) {
  return call.counts.empty() ? std::vector<Count>(number, call.block) : call.counts;
}

/// Without what differs between ranks.
Call view_of_uniform(const GlobalCall& whole) {
  Call call{whole.collective, whole.root, Placement::separate, whole.order, whole.block, {}, {}};
  call.unit_bytes = whole.unit_bytes;
  call.split = whole.split;
  call.back = whole.back;
  call.loads = whole.loads;
  return call;
}

/// Of the counts of all ranks those of these, 0 for the others.
std::vector<Count> counts_of(const GlobalCall& call, RankInterval ranks) {
  std::vector<Count> counts(call.counts.size(), 0);
  for (Rank rank = ranks.first; rank < ranks.end; ++rank) counts[at(rank)] = call.counts[at(rank)];
  return counts;
}

}  // namespace

Count GlobalCall::block_between(Rank source, Rank destination) const {
  if (!partners(source).contains(destination)) return 0;
  switch (collective) {
    case Collective::alltoallv:
    case Collective::alltoallw:
      return counts[at(source) * at(size) + at(destination)];
    case Collective::gatherv:
    case Collective::allgatherv:
      return counts[at(source)];
    case Collective::scatterv:
    case Collective::reduce_scatter:
      return counts[at(destination)];
    case Collective::reduce_scatter_block:
      return split == 0 ? block : block / group_of(destination, split, size).size();
    default:
      return view_of_uniform(*this).block_between(source, destination);
  }
}

Call GlobalCall::view(Rank rank) const {
  Call call = view_of_uniform(*this);
  call.placement = placement(rank);
  const bool at_root = rank == root;
  switch (collective) {
    case Collective::gatherv:
      if (call.placement == Placement::separate) call.send_counts = {counts[at(rank)]};
      if (at_root) call.receive_counts = counts;
      break;
    case Collective::scatterv:
      if (at_root) call.send_counts = counts;
      if (call.placement == Placement::separate) call.receive_counts = {counts[at(rank)]};
      break;
    case Collective::allgatherv:
      call.receive_counts = counts_of(*this, partners(rank));
      if (call.is_inter()) call.send_counts = {counts[at(rank)]};
      break;
    case Collective::reduce_scatter:
      call.receive_counts = counts_of(*this, group_of(rank, split, size));
      break;
    case Collective::alltoallv:
    case Collective::alltoallw:
      call.send_counts = row(*this, rank);
      call.receive_counts = column(*this, rank);
      break;
    default:
      break;
  }
  return call;
}

namespace {

/// Has each rank something else for each other?
bool is_by_rank(Collective collective) {
  return collective == Collective::gather || collective == Collective::scatter ||
         collective == Collective::alltoall;
}

/// What each rank has for each other, row-major.
std::vector<Count> blocks_between(const GlobalCall& call) {
  std::vector<Count> blocks;
  for (Rank from = 0; from < call.size; ++from)
    for (Rank to = 0; to < call.size; ++to) blocks.push_back(call.block_between(from, to));
  return blocks;
}

Count blocks_from(const GlobalCall& call, Rank rank) {
  return call.block_between(rank, call.partners(rank).first);
}
Count blocks_to(const GlobalCall& call, Rank rank) {
  return call.block_between(call.partners(rank).first, rank);
}

std::vector<Count> blocks_of_ranks(const GlobalCall& call, Count (*block_of)(const GlobalCall&, Rank)) {
  std::vector<Count> blocks;
  for (Rank rank = 0; rank < call.size; ++rank) blocks.push_back(block_of(call, rank));
  return blocks;
}

/// Of the sites' halves, one for each group, as if they were sites of one communicator.
Demand demand_of_halves(const Layout& halves, const GlobalCall& call) {
  const Combining combining(call.order, call.split);
  switch (call.collective) {
    case Collective::barrier:
      return Demand::barrier(halves);
    case Collective::allreduce:
      return Demand::allreduce(halves, combining, call.block);
    case Collective::allgather:
    case Collective::allgatherv:
      return Demand::allgather(halves, blocks_of_ranks(call, &blocks_from));
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      return Demand::reduce_scatter(halves, combining, blocks_of_ranks(call, &blocks_to));
    default:
      broken("a collective of intercommunicators");
  }
}

Demand demand_between_groups(const Layout& layout, const GlobalCall& call) {
  if (is_by_rank(call.collective)) return Demand::alltoall(layout, blocks_between(call));
  const Layout halves = layout.split_at(call.split);
  return demand_of_halves(halves, call).between_groups(layout, halves, call.split);
}

}  // namespace

Demand demand_of(const Layout& layout, const GlobalCall& call) {
  invariant(layout.size() == call.size, "a call of another communicator");
  if (call.split > 0 && call.collective != Collective::reduce) return demand_between_groups(layout, call);
  const std::size_t ranks = at(call.size);
  const Combining combining(call.order, call.split);
  switch (call.collective) {
    case Collective::barrier:
      return Demand::barrier(layout);
    case Collective::bcast:
      return Demand::bcast(layout, call.root, call.block);
    case Collective::gather:
    case Collective::gatherv:
      return Demand::gather(layout, call.root, shares(call, ranks));
    case Collective::scatter:
    case Collective::scatterv:
      return Demand::scatter(layout, call.root, shares(call, ranks));
    case Collective::allgather:
    case Collective::allgatherv:
      return Demand::allgather(layout, shares(call, ranks));
    case Collective::alltoall:
    case Collective::alltoallv:
    case Collective::alltoallw:
      return Demand::alltoall(layout, shares(call, ranks * ranks));
    case Collective::reduce:
      return Demand::reduce(layout, call.root, combining, call.block);
    case Collective::allreduce:
      return Demand::allreduce(layout, combining, call.block);
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      return Demand::reduce_scatter(layout, combining, shares(call, ranks));
    case Collective::scan:
    case Collective::exscan:
      return Demand::scan(layout, combining, call.block);
  }
  broken("a collective that is not in collectives.def");
}

Nanoseconds bound_of(const Topology& topology, const GlobalCall& call) {
  GlobalCall in_bytes = call;
  in_bytes.block *= call.unit_bytes;
  for (Count& count : in_bytes.counts) count *= call.unit_bytes;
  return lower_bound(topology.network, demand_of(topology.layout, in_bytes));
}

std::optional<GlobalCall> known_call(const Call& call, Rank me, Rank size) {
  GlobalCall known{call.collective, size, call.root, call.order, call.block, {}, {}, call.unit_bytes};
  switch (call.collective) {
    case Collective::alltoallv:
    case Collective::alltoallw:
      return std::nullopt;
    case Collective::scatterv:
      known.counts = call.send_counts;
      break;
    default:
      known.counts = call.receive_counts;
      break;
  }
  if (call.is_inter()) return std::nullopt;
  const bool has_counts = traits(call.collective).vector;
  if (has_counts && traits(call.collective).rooted && me != call.root) return std::nullopt;
  return known;
}

}  // namespace wan
