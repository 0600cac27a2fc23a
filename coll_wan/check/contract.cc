// SPDX-License-Identifier: BSD-3-Clause
#include "check/contract.h"

#include "base/index.h"

namespace wan {

namespace {

/// Units before the block for `destination` in the data of `source`.
Count offset_at_source(const GlobalCall& call, Rank source, Rank destination) {
  Count offset = 0;
  for (Rank before = 0; before < destination; ++before) offset += call.block_between(source, before);
  return offset;
}

void put(std::vector<Value>& buffer, Count at_unit, Count length, Rank rank, Expressions& expressions) {
  for (Count i = 0; i < length; ++i) buffer[at(at_unit + i)] = expressions.leaf(rank, i);
}

/// `size`, a power of two, ranks: halves of halves.
Value block_of(Expressions& expressions, Rank first, Rank size, Count index) {
  if (size == 1) return expressions.leaf(first, index);
  const Value left = block_of(expressions, first, size / 2, index);
  return expressions.combine(left, block_of(expressions, first + size / 2, size / 2, index));
}

}  // namespace

Value in_fixed_order(Expressions& expressions, const Wanted& wanted) {
  Rank size = 1;
  while (size <= (wanted.last - wanted.first + 1) / 2) size *= 2;
  Value value = block_of(expressions, wanted.first, size, wanted.index);
  for (Rank next = wanted.first + size; next <= wanted.last; next += size) {
    while (size > wanted.last - next + 1) size /= 2;
    value = expressions.combine(value, block_of(expressions, next, size, wanted.index));
  }
  return value;
}

Contents contents_before(const GlobalCall& call, Rank rank, Expressions& expressions) {
  const BufferLengths lengths = buffer_lengths(call.view(rank), rank, call.size);
  Contents contents{std::vector<Value>(at(lengths.input), kUndefined),
                    std::vector<Value>(at(lengths.output), kUndefined)};
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
      for (Rank before = 0; before < rank; ++before) offset += call.block_between(before, rank);
      put(contents.output, offset, call.block_between(rank, rank), rank, expressions);
      break;
    }
    case Collective::scatter:
    case Collective::scatterv:
      break;
    default:
      put(contents.output, 0, lengths.output, rank, expressions);
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
  const bool is_personal = call.collective == Collective::alltoall || has_count_matrix(call.collective);
  for (Rank source = 0; source < call.size; ++source)
    want(wanted, source, source, is_personal ? offset_at_source(call, source, rank) : 0,
         call.block_between(source, rank));
}

}  // namespace

std::vector<std::optional<Wanted>> wanted_output(const GlobalCall& call, Rank rank) {
  WantedOutput wanted;
  const RankInterval partners = call.partners(rank);
  const Rank first = partners.first, last = partners.end - 1;
  const bool at_root = rank == call.root;
  const BufferLengths lengths = buffer_lengths(call.view(rank), rank, call.size);
  switch (call.collective) {
    case Collective::barrier:
      break;
    case Collective::bcast:
      want(wanted, call.root, call.root, 0, call.block);
      break;
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
    case Collective::alltoallw:
      want_blocks_from_all(wanted, call, rank);
      break;
    case Collective::reduce:
      if (at_root) want(wanted, first, last, 0, call.block);
      break;
    case Collective::allreduce:
      want(wanted, first, last, 0, call.block);
      break;
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      want(wanted, first, last, offset_at_source(call, first, rank), call.block_between(first, rank));
      break;
    case Collective::scan:
      want(wanted, 0, rank, 0, call.block);
      break;
    case Collective::exscan:
      if (rank > 0) want(wanted, 0, rank - 1, 0, call.block);
      break;
  }
  wanted.resize(at(lengths.output));
  return wanted;
}

}  // namespace wan
