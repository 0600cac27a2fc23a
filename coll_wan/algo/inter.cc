// SPDX-License-Identifier: BSD-3-Clause
#include "algo/inter.h"

#include <numeric>
#include <utility>

#include "algo/blocks.h"
#include "algo/partial.h"
#include "base/invariant.h"
#include "plan/builder.h"

namespace wan {

namespace {

Count sum(const std::vector<Count>& counts) { return std::accumulate(counts.begin(), counts.end(), Count{0}); }

bool takes_part(const InterCall& call) { return !traits(call.collective).rooted || call.role != InterRole::idle; }

void send_to_all(Builder& b, Range data) {
  for (Rank remote = 0; remote < b.size(); ++remote) b.send(remote, data);
}
void send_blocks(Builder& b, const InterCall& call) {
  const Blocks blocks(b.input(), call.send_counts);
  for (Rank remote = 0; remote < b.size(); ++remote) b.send(remote, blocks.of(remote));
}
void receive_blocks(Builder& b, const InterCall& call) {
  const Blocks blocks(b.output(), call.receive_counts);
  for (Rank remote = 0; remote < b.size(); ++remote) b.receive(remote, blocks.of(remote));
}

void barrier(Builder& b) {
  for (Rank remote = 0; remote < b.size(); ++remote) b.send_signal(remote);
  for (Rank remote = 0; remote < b.size(); ++remote) b.receive_signal(remote);
}

/// Receives `length` units from every remote rank and joins the part of them that is wanted into the output.
void join_all(Builder& b, const InterCall& call, Count length) {
  if (length == 0) return;
  std::vector<Partial> partials;
  for (Rank remote = 0; remote < b.size(); ++remote) {
    const Range whole = b.scratch(length);
    b.receive(remote, whole);
    partials.push_back({{remote, remote}, whole.part(call.offset, b.output().length)});
  }
  b.copy(joined(b, std::move(partials), OperandOrder::rank).front().value, b.output());
}

void rooted(Builder& b, const InterCall& call) {
  const bool is_root = call.role == InterRole::root;
  switch (call.collective) {
    case Collective::bcast: return is_root ? send_to_all(b, b.output()) : b.receive(call.root, b.output());
    case Collective::gather:
    case Collective::gatherv: return is_root ? receive_blocks(b, call) : b.send(call.root, b.input());
    case Collective::scatter:
    case Collective::scatterv: return is_root ? send_blocks(b, call) : b.receive(call.root, b.output());
    case Collective::reduce: return is_root ? join_all(b, call, call.block) : b.send(call.root, b.input());
    default: broken("a rooted collective");
  }
}

void unrooted(Builder& b, const InterCall& call) {
  switch (call.collective) {
    case Collective::barrier: return barrier(b);
    case Collective::allgather:
    case Collective::allgatherv: send_to_all(b, b.input()); return receive_blocks(b, call);
    case Collective::alltoall:
    case Collective::alltoallv:
    case Collective::alltoallw: send_blocks(b, call); return receive_blocks(b, call);
    case Collective::allreduce:
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block: send_to_all(b, b.input()); return join_all(b, call, b.input().length);
    default: broken("a collective of intercommunicators");
  }
}

}  // namespace

BufferLengths buffer_lengths(const InterCall& call) {
  if (!takes_part(call)) return {};
  const bool is_root = call.role == InterRole::root;
  switch (call.collective) {
    case Collective::bcast: return {0, call.block, 0};
    case Collective::reduce: return is_root ? BufferLengths{0, call.block, 0} : BufferLengths{call.block, 0, 0};
    case Collective::allreduce: return {call.block, call.block, 0};
    default: return {sum(call.send_counts), sum(call.receive_counts), 0};
  }
}

Program plan_inter(const InterCall& call) {
  constexpr Rank kNoRemoteRank = -1;  // nobody in the remote group is this process
  Builder b(unit_of(call.collective), kNoRemoteRank, call.remote_size, buffer_lengths(call));
  if (!takes_part(call)) return std::move(b).finish();
  traits(call.collective).rooted ? rooted(b, call) : unrooted(b, call);
  return std::move(b).finish();
}

}  // namespace wan
