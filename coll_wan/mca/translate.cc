// SPDX-License-Identifier: BSD-3-Clause
#include "mca/translate.h"

namespace wan::translate {
namespace {

std::size_t times(int count, Rank ranks) { return static_cast<std::size_t>(count) * static_cast<std::size_t>(ranks); }
Count bytes(int count, Type type) { return static_cast<Count>(count) * static_cast<Count>(type->super.size); }
Placement placement_of(const void* buffer) {
  return buffer == MPI_IN_PLACE ? Placement::in_place : Placement::separate;
}

const char* at(const void* base, ptrdiff_t displacement) {
  return reinterpret_cast<const char*>(reinterpret_cast<std::uintptr_t>(base) +
                                       static_cast<std::uintptr_t>(displacement));
}
ptrdiff_t extent(Type type) { return type->super.ub - type->super.lb; }

Call make_call(Collective collective, Count block, Placement placement) {
  Call call;
  call.collective = collective;
  call.block = block;
  call.placement = placement;
  return call;
}

Call rooted_call(Collective collective, Count block, Placement placement, int root) {
  Call call = make_call(collective, block, placement);
  call.root = root;
  return call;
}

/// The packed lengths of `ranks` blocks.
std::vector<Count> lengths(const int* counts, Type type, Rank ranks) {
  std::vector<Count> all;
  for (Rank rank = 0; rank < ranks; ++rank) all.push_back(bytes(counts[rank], type));
  return all;
}
std::vector<Count> lengths(const int* counts, Types types, Rank ranks) {
  std::vector<Count> all;
  for (Rank rank = 0; rank < ranks; ++rank) all.push_back(bytes(counts[rank], types[rank]));
  return all;
}

/// One block of a vector collective.
struct Block {
  const char* address;
  std::size_t count;
  Type type;
};
/// Displacements in extents of the datatype.
Block block_of(const void* base, const int* counts, const int* displacements, Type type, Rank rank) {
  return {at(base, displacements[rank] * extent(type)), static_cast<std::size_t>(counts[rank]), type};
}
/// Displacements in bytes.
Block block_of(const void* base, const int* counts, const int* displacements, Types types, Rank rank) {
  return {at(base, displacements[rank]), static_cast<std::size_t>(counts[rank]), types[rank]};
}

template <class TypeOrTypes>
void add_inputs(Task& task, const void* base, const int* counts, const int* displacements, TypeOrTypes type,
                Rank ranks) {
  for (Rank rank = 0; rank < ranks; ++rank) {
    Block block = block_of(base, counts, displacements, type, rank);
    task.add_input(block.address, block.count, block.type);
  }
}
template <class TypeOrTypes>
void add_outputs(Task& task, const void* base, const int* counts, const int* displacements, TypeOrTypes type,
                 Rank ranks) {
  for (Rank rank = 0; rank < ranks; ++rank) {
    Block block = block_of(base, counts, displacements, type, rank);
    task.add_output(block.address, block.count, block.type);
  }
}

/// A task for a reduction: `inputs` and `outputs` elements at `send` and `receive`.
Task reduction(Communicator& comm, Call call, const void* send, std::size_t inputs, const void* receive,
               std::size_t outputs, Type type, Op op) {
  Task task;
  call.order = ompi_op_is_commute(op) ? OperandOrder::any : OperandOrder::rank;
  task.op = op;
  task.element = type;
  task.retained.keep(op);
  task.retained.keep(type);
  if (call.placement == Placement::separate) task.add_input(send, inputs, type);
  task.add_output(receive, outputs, type);
  task.program = comm.plan_for(call);
  return task;
}

/// allreduce, scan, exscan: a block each.
Task whole_reduction(Communicator& comm, Collective collective, const void* send, void* receive, int count, Type type,
                     Op op) {
  auto length = static_cast<std::size_t>(count);
  return reduction(comm, make_call(collective, count, placement_of(send)), send, length, receive, length, type, op);
}

template <class TypeOrTypes>
Task exchange(Communicator& comm, Collective collective, const void* send, const int* send_counts,
              const int* send_displacements, TypeOrTypes send_type, void* receive, const int* receive_counts,
              const int* receive_displacements, TypeOrTypes receive_type) {
  Task task;
  Call call = make_call(collective, 0, placement_of(send));
  Rank ranks = comm.size();
  call.receive_counts = lengths(receive_counts, receive_type, ranks);
  bool separate = call.placement == Placement::separate;
  call.send_counts = separate ? lengths(send_counts, send_type, ranks) : call.receive_counts;
  if (separate) add_inputs(task, send, send_counts, send_displacements, send_type, ranks);
  add_outputs(task, receive, receive_counts, receive_displacements, receive_type, ranks);
  task.program = comm.plan_for(call);
  return task;
}

}  // namespace

Task allgather(Communicator& comm, const void* send, int send_count, Type send_type, void* receive, int receive_count,
               Type receive_type) {
  Task task;
  Call call = make_call(Collective::allgather, bytes(receive_count, receive_type), placement_of(send));
  if (call.placement == Placement::separate)
    task.add_input(send, static_cast<std::size_t>(send_count), send_type);
  task.add_output(receive, times(receive_count, comm.size()), receive_type);
  task.program = comm.plan_for(call);
  return task;
}

Task allgatherv(Communicator& comm, const void* send, int send_count, Type send_type, void* receive,
                const int* receive_counts, const int* displacements, Type receive_type) {
  Task task;
  Call call = make_call(Collective::allgatherv, 0, placement_of(send));
  call.receive_counts = lengths(receive_counts, receive_type, comm.size());
  if (call.placement == Placement::separate)
    task.add_input(send, static_cast<std::size_t>(send_count), send_type);
  add_outputs(task, receive, receive_counts, displacements, receive_type, comm.size());
  task.program = comm.plan_for(call);
  return task;
}

Task allreduce(Communicator& comm, const void* send, void* receive, int count, Type type, Op op) {
  return whole_reduction(comm, Collective::allreduce, send, receive, count, type, op);
}

Task alltoall(Communicator& comm, const void* send, int send_count, Type send_type, void* receive, int receive_count,
              Type receive_type) {
  Task task;
  Call call = make_call(Collective::alltoall, bytes(receive_count, receive_type), placement_of(send));
  if (call.placement == Placement::separate) task.add_input(send, times(send_count, comm.size()), send_type);
  task.add_output(receive, times(receive_count, comm.size()), receive_type);
  task.program = comm.plan_for(call);
  return task;
}

Task alltoallv(Communicator& comm, const void* send, const int* send_counts, const int* send_displacements,
               Type send_type, void* receive, const int* receive_counts, const int* receive_displacements,
               Type receive_type) {
  return exchange(comm, Collective::alltoallv, send, send_counts, send_displacements, send_type, receive,
                  receive_counts, receive_displacements, receive_type);
}

Task alltoallw(Communicator& comm, const void* send, const int* send_counts, const int* send_displacements,
               Types send_types, void* receive, const int* receive_counts, const int* receive_displacements,
               Types receive_types) {
  return exchange(comm, Collective::alltoallw, send, send_counts, send_displacements, send_types, receive,
                  receive_counts, receive_displacements, receive_types);
}

Task barrier(Communicator& comm) {
  Task task;
  task.program = comm.plan_for(make_call(Collective::barrier, 0, Placement::separate));
  return task;
}

Task bcast(Communicator& comm, void* buffer, int count, Type type, int root) {
  Task task;
  task.add_output(buffer, static_cast<std::size_t>(count), type);
  task.program = comm.plan_for(rooted_call(Collective::bcast, bytes(count, type), Placement::separate, root));
  return task;
}

Task exscan(Communicator& comm, const void* send, void* receive, int count, Type type, Op op) {
  return whole_reduction(comm, Collective::exscan, send, receive, count, type, op);
}

Task gather(Communicator& comm, const void* send, int send_count, Type send_type, void* receive, int receive_count,
            Type receive_type, int root) {
  Task task;
  bool here = comm.me() == root;
  Count block = here ? bytes(receive_count, receive_type) : bytes(send_count, send_type);
  Call call = rooted_call(Collective::gather, block, placement_of(send), root);
  if (call.placement == Placement::separate)
    task.add_input(send, static_cast<std::size_t>(send_count), send_type);
  if (here) task.add_output(receive, times(receive_count, comm.size()), receive_type);
  task.program = comm.plan_for(call);
  return task;
}

Task gatherv(Communicator& comm, const void* send, int send_count, Type send_type, void* receive,
             const int* receive_counts, const int* displacements, Type receive_type, int root) {
  Task task;
  Call call = rooted_call(Collective::gatherv, 0, placement_of(send), root);
  bool here = comm.me() == root, separate = call.placement == Placement::separate;
  call.send_counts = {separate ? bytes(send_count, send_type) : bytes(receive_counts[root], receive_type)};
  if (separate) task.add_input(send, static_cast<std::size_t>(send_count), send_type);
  if (here) {
    call.receive_counts = lengths(receive_counts, receive_type, comm.size());
    add_outputs(task, receive, receive_counts, displacements, receive_type, comm.size());
  }
  task.program = comm.plan_for(call);
  return task;
}

Task reduce(Communicator& comm, const void* send, void* receive, int count, Type type, Op op, int root) {
  auto length = static_cast<std::size_t>(count);
  Call call = rooted_call(Collective::reduce, count, placement_of(send), root);
  return reduction(comm, call, send, length, receive, comm.me() == root ? length : 0, type, op);
}

Task reduce_scatter(Communicator& comm, const void* send, void* receive, const int* receive_counts, Type type, Op op) {
  Call call = make_call(Collective::reduce_scatter, 0, placement_of(send));
  call.receive_counts.assign(receive_counts, receive_counts + comm.size());
  std::size_t all = 0;
  for (Count count : call.receive_counts) all += static_cast<std::size_t>(count);
  auto mine = static_cast<std::size_t>(receive_counts[comm.me()]);
  bool separate = call.placement == Placement::separate;
  return reduction(comm, std::move(call), send, all, receive, separate ? mine : all, type, op);
}

Task reduce_scatter_block(Communicator& comm, const void* send, void* receive, int receive_count, Type type, Op op) {
  Call call = make_call(Collective::reduce_scatter_block, receive_count, placement_of(send));
  std::size_t all = times(receive_count, comm.size());
  std::size_t outputs = call.placement == Placement::separate ? times(receive_count, 1) : all;
  return reduction(comm, std::move(call), send, all, receive, outputs, type, op);
}

Task scan(Communicator& comm, const void* send, void* receive, int count, Type type, Op op) {
  return whole_reduction(comm, Collective::scan, send, receive, count, type, op);
}

Task scatter(Communicator& comm, const void* send, int send_count, Type send_type, void* receive, int receive_count,
             Type receive_type, int root) {
  Task task;
  bool here = comm.me() == root;
  Count block = here ? bytes(send_count, send_type) : bytes(receive_count, receive_type);
  Call call = rooted_call(Collective::scatter, block, placement_of(receive), root);
  if (here) task.add_input(send, times(send_count, comm.size()), send_type);
  if (call.placement == Placement::separate)
    task.add_output(receive, static_cast<std::size_t>(receive_count), receive_type);
  task.program = comm.plan_for(call);
  return task;
}

Task scatterv(Communicator& comm, const void* send, const int* send_counts, const int* displacements, Type send_type,
              void* receive, int receive_count, Type receive_type, int root) {
  Task task;
  Call call = rooted_call(Collective::scatterv, 0, placement_of(receive), root);
  bool here = comm.me() == root, separate = call.placement == Placement::separate;
  call.receive_counts = {separate ? bytes(receive_count, receive_type) : bytes(send_counts[root], send_type)};
  if (separate) task.add_output(receive, static_cast<std::size_t>(receive_count), receive_type);
  if (here) {
    call.send_counts = lengths(send_counts, send_type, comm.size());
    add_inputs(task, send, send_counts, displacements, send_type, comm.size());
  }
  task.program = comm.plan_for(call);
  return task;
}

}  // namespace wan::translate
