// SPDX-License-Identifier: BSD-3-Clause
#include "check/contract.h"

#include <numeric>

namespace wan {

namespace {

std::size_t at(Count index) { return static_cast<std::size_t>(index); }

bool is_matrix(Collective collective) {
  return collective == Collective::alltoallv || collective == Collective::alltoallw;
}

/// Units of the block that goes from `source` to `destination` in collectives that move blocks.
Count block_between(const GlobalCall& call, Rank source, Rank destination) {
  switch (call.collective) {
    case Collective::alltoallv:
    case Collective::alltoallw: return call.counts[at(source) * at(call.size) + at(destination)];
    case Collective::gatherv:
    case Collective::allgatherv: return call.counts[at(source)];
    case Collective::scatterv:
    case Collective::reduce_scatter: return call.counts[at(destination)];
    default: return call.block;
  }
}

/// Units before the block for `destination` in the data of `source`.
Count offset_at_source(const GlobalCall& call, Rank source, Rank destination) {
  Count offset = 0;
  for (Rank before = 0; before < destination; ++before) offset += block_between(call, source, before);
  return offset;
}

std::vector<Count> row(const GlobalCall& call, Rank source) {
  std::vector<Count> counts;
  for (Rank to = 0; to < call.size; ++to) counts.push_back(block_between(call, source, to));
  return counts;
}

std::vector<Count> column(const GlobalCall& call, Rank destination) {
  std::vector<Count> counts;
  for (Rank from = 0; from < call.size; ++from) counts.push_back(block_between(call, from, destination));
  return counts;
}

void put(std::vector<Value>& buffer, Count at_unit, Count length, Rank rank, Expressions& expressions) {
  for (Count i = 0; i < length; ++i) buffer[at(at_unit + i)] = expressions.leaf(rank, i);
}

}  // namespace

Call GlobalCall::view(Rank rank) const {
  Call call{collective, root, placement(rank), order, block, {}, {}};
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
    case Collective::reduce_scatter: call.receive_counts = counts; break;
    case Collective::alltoallv:
    case Collective::alltoallw:
      call.send_counts = row(*this, rank);
      call.receive_counts = column(*this, rank);
      break;
    default: break;
  }
  return call;
}

Contents contents_before(const GlobalCall& call, Rank rank, Expressions& expressions) {
  const BufferLengths lengths = buffer_lengths(call.view(rank), rank, call.size);
  Contents contents{std::vector<Value>(at(lengths.input), kUndefined), std::vector<Value>(at(lengths.output), kUndefined)};
  put(contents.input, 0, lengths.input, rank, expressions);
  if (call.collective == Collective::bcast && rank == call.root)
    put(contents.output, 0, lengths.output, rank, expressions);
  if (call.placement(rank) == Placement::separate) return contents;
  switch (call.collective) {
    case Collective::gather:
    case Collective::gatherv:
    case Collective::allgather:
    case Collective::allgatherv: {
      Count offset = 0;
      for (Rank before = 0; before < rank; ++before) offset += block_between(call, before, rank);
      put(contents.output, offset, block_between(call, rank, rank), rank, expressions);
      break;
    }
    case Collective::scatter:
    case Collective::scatterv: break;
    default: put(contents.output, 0, lengths.output, rank, expressions);
  }
  return contents;
}

namespace {

using WantedOutput = std::vector<std::optional<Wanted>>;

/// `length` units from `offset` of the data of ranks first..last.
void want(WantedOutput& wanted, Rank first, Rank last, Count offset, Count length) {
  for (Count i = 0; i < length; ++i) wanted.push_back(Wanted{first, last, offset + i});
}

void want_blocks_from_all(WantedOutput& wanted, const GlobalCall& call, Rank rank) {
  const bool is_personal = call.collective == Collective::alltoall || is_matrix(call.collective);
  for (Rank source = 0; source < call.size; ++source)
    want(wanted, source, source, is_personal ? offset_at_source(call, source, rank) : 0, block_between(call, source, rank));
}

}  // namespace

std::vector<std::optional<Wanted>> wanted_output(const GlobalCall& call, Rank rank) {
  WantedOutput wanted;
  const Rank last = call.size - 1;
  const bool at_root = rank == call.root;
  const BufferLengths lengths = buffer_lengths(call.view(rank), rank, call.size);
  switch (call.collective) {
    case Collective::barrier: break;
    case Collective::bcast: want(wanted, call.root, call.root, 0, call.block); break;
    case Collective::gather:
    case Collective::gatherv:
      if (at_root) want_blocks_from_all(wanted, call, rank);
      break;
    case Collective::scatter:
    case Collective::scatterv:
      if (lengths.output > 0)
        want(wanted, call.root, call.root, offset_at_source(call, call.root, rank), lengths.output);
      break;
    case Collective::allgather:
    case Collective::allgatherv:
    case Collective::alltoall:
    case Collective::alltoallv:
    case Collective::alltoallw: want_blocks_from_all(wanted, call, rank); break;
    case Collective::reduce:
      if (at_root) want(wanted, 0, last, 0, call.block);
      break;
    case Collective::allreduce: want(wanted, 0, last, 0, call.block); break;
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      want(wanted, 0, last, offset_at_source(call, 0, rank), block_between(call, 0, rank));
      break;
    case Collective::scan: want(wanted, 0, rank, 0, call.block); break;
    case Collective::exscan:
      if (rank > 0) want(wanted, 0, rank - 1, 0, call.block);
      break;
  }
  wanted.resize(at(lengths.output));
  return wanted;
}

}  // namespace wan
