// SPDX-License-Identifier: BSD-3-Clause
#include "plan/workload.h"

#include "base/invariant.h"

namespace wan {
namespace {

std::vector<Count> counts_of(std::span<const Call> calls) {
  const Call& first = calls.front();
  const Call& root = calls[static_cast<std::size_t>(first.root)];
  switch (first.collective) {
    case Collective::gatherv:
      return root.receive_counts;
    case Collective::scatterv:
      return root.send_counts;
    case Collective::allgatherv:
    case Collective::reduce_scatter:
      return first.receive_counts;
    case Collective::alltoallv:
    case Collective::alltoallw:
      break;
    default:
      return {};
  }
  std::vector<Count> rows;
  for (const Call& call : calls) rows.insert(rows.end(), call.send_counts.begin(), call.send_counts.end());
  return rows;
}

/// The counts of a vector form; of the others, one block for each rank or pair of ranks.
std::vector<Bytes> shares(const Workload& workload, std::size_t number) {
  return workload.counts.empty() ? std::vector<Bytes>(number, workload.block) : workload.counts;
}

}  // namespace

Workload workload_of(std::span<const Call> calls, Bytes unit_bytes) {
  invariant(!calls.empty(), "a call has at least one rank");
  const Call& call = calls.front();
  Workload workload{call.collective, call.root, call.order, call.block * unit_bytes, counts_of(calls)};
  for (Bytes& count : workload.counts) count *= unit_bytes;
  return workload;
}

Demand demand_of(const Layout& layout, const Workload& workload) {
  const auto ranks = static_cast<std::size_t>(layout.size());
  const auto combining = workload.order == OperandOrder::any ? Combining::any_order : Combining::rank_order;
  switch (workload.collective) {
    case Collective::barrier:
      return Demand::barrier(layout);
    case Collective::bcast:
      return Demand::bcast(layout, workload.root, workload.block);
    case Collective::gather:
    case Collective::gatherv:
      return Demand::gather(layout, workload.root, shares(workload, ranks));
    case Collective::scatter:
    case Collective::scatterv:
      return Demand::scatter(layout, workload.root, shares(workload, ranks));
    case Collective::allgather:
    case Collective::allgatherv:
      return Demand::allgather(layout, shares(workload, ranks));
    case Collective::alltoall:
    case Collective::alltoallv:
    case Collective::alltoallw:
      return Demand::alltoall(layout, shares(workload, ranks * ranks));
    case Collective::reduce:
      return Demand::reduce(layout, workload.root, combining, workload.block);
    case Collective::allreduce:
      return Demand::allreduce(layout, combining, workload.block);
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      return Demand::reduce_scatter(layout, combining, shares(workload, ranks));
    case Collective::scan:
    case Collective::exscan:
      return Demand::scan(layout, combining, workload.block);
  }
  broken("a collective that is not in collectives.def");
}

}  // namespace wan
