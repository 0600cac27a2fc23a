// SPDX-License-Identifier: BSD-3-Clause
#include "mca/translate_inter.h"

#include "algo/inter.h"
#include "base/invariant.h"

namespace wan::translate_inter {
namespace {

InterRole role_of(int root) {
  return root == MPI_ROOT ? InterRole::root : root == MPI_PROC_NULL ? InterRole::idle : InterRole::remote;
}

InterCall make_call(Communicator& comm, Collective collective, Count block = 0) {
  InterCall call;
  call.collective = collective;
  call.remote_size = comm.remote_size();
  call.block = block;
  return call;
}

InterCall rooted_call(Communicator& comm, Collective collective, int root, Count block = 0) {
  InterCall call = make_call(comm, collective, block);
  call.role = role_of(root);
  if (call.role == InterRole::remote) call.root = root;
  return call;
}

/// `length` for each rank of the other group.
std::vector<Count> for_each_remote(Communicator& comm, Count length) {
  return std::vector<Count>(static_cast<std::size_t>(comm.remote_size()), length);
}

/// Do both groups know that the call moves nothing?
bool moves_nothing(const InterCall& call) {
  switch (call.collective) {
    case Collective::allgather:
      return call.send_counts[0] == 0 && sum(call.receive_counts) == 0;
    case Collective::allreduce:
      return call.block == 0;
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      return call.send_counts[0] == 0;
    default:
      return false;
  }
}

Task planned(Task task, const InterCall& call) {
  if (moves_nothing(call)) task.matching = Matching::nothing;
  if (traits(call.collective).rooted) task.matching = Matching::order;
  task.program = std::make_shared<const Program>(plan_inter(call));
  return task;
}

/// Everybody reduces what the other group has; `outputs` elements of it from element `offset` stay here.
Task reduce_scatter_of(Communicator& comm, Collective collective, const void* send, std::size_t inputs,
                       void* receive, int outputs, Count offset, Type type, Op op) {
  Task task;
  InterCall call = make_call(comm, collective);
  call.order = order_of(op);
  call.send_counts = {static_cast<Count>(inputs)};
  call.receive_counts = {outputs};
  call.offset = offset;
  task.set_operator(op, type);
  task.add_input(send, inputs, type);
  task.add_output(receive, elements(outputs), type);
  return planned(std::move(task), call);
}

template <class Arguments>
Task exchange(Communicator& comm, Collective collective, const Arguments& send, const Arguments& receive) {
  Task task;
  InterCall call = make_call(comm, collective);
  call.send_counts = send.lengths();
  call.receive_counts = receive.lengths();
  send.add_inputs(task);
  receive.add_outputs(task);
  return planned(std::move(task), call);
}

}  // namespace

Task allgather(Communicator& comm, const void* send, int send_count, Type send_type, void* receive,
               int receive_count, Type receive_type) {
  Task task;
  InterCall call = make_call(comm, Collective::allgather);
  call.send_counts = {bytes(send_count, send_type)};
  call.receive_counts = for_each_remote(comm, bytes(receive_count, receive_type));
  task.add_input(send, elements(send_count), send_type);
  task.add_output(receive, elements(receive_count, comm.remote_size()), receive_type);
  return planned(std::move(task), call);
}

Task allgatherv(Communicator& comm, const void* send, int send_count, Type send_type, void* receive,
                const int* receive_counts, const int* displacements, Type receive_type) {
  Task task;
  VectorArgument blocks{receive, receive_counts, displacements, receive_type, comm.remote_size()};
  InterCall call = make_call(comm, Collective::allgatherv);
  call.send_counts = {bytes(send_count, send_type)};
  call.receive_counts = blocks.lengths();
  task.add_input(send, elements(send_count), send_type);
  blocks.add_outputs(task);
  return planned(std::move(task), call);
}

Task allreduce(Communicator& comm, const void* send, void* receive, int count, Type type, Op op) {
  Task task;
  InterCall call = make_call(comm, Collective::allreduce, count);
  call.order = order_of(op);
  task.set_operator(op, type);
  task.add_input(send, elements(count), type);
  task.add_output(receive, elements(count), type);
  return planned(std::move(task), call);
}

Task alltoall(Communicator& comm, const void* send, int send_count, Type send_type, void* receive,
              int receive_count, Type receive_type) {
  Task task;
  InterCall call = make_call(comm, Collective::alltoall);
  call.send_counts = for_each_remote(comm, bytes(send_count, send_type));
  call.receive_counts = for_each_remote(comm, bytes(receive_count, receive_type));
  task.add_input(send, elements(send_count, comm.remote_size()), send_type);
  task.add_output(receive, elements(receive_count, comm.remote_size()), receive_type);
  return planned(std::move(task), call);
}

Task alltoallv(Communicator& comm, const void* send, const int* send_counts, const int* send_displacements,
               Type send_type, void* receive, const int* receive_counts, const int* receive_displacements,
               Type receive_type) {
  Rank remote = comm.remote_size();
  return exchange(comm, Collective::alltoallv,
                  VectorArgument{send, send_counts, send_displacements, send_type, remote},
                  VectorArgument{receive, receive_counts, receive_displacements, receive_type, remote});
}

Task alltoallw(Communicator& comm, const void* send, const int* send_counts, const int* send_displacements,
               Types send_types, void* receive, const int* receive_counts, const int* receive_displacements,
               Types receive_types) {
  Rank remote = comm.remote_size();
  return exchange(comm, Collective::alltoallw,
                  VectorArgument{send, send_counts, send_displacements, send_types, remote},
                  VectorArgument{receive, receive_counts, receive_displacements, receive_types, remote});
}

Task barrier(Communicator& comm) {
  return planned(Task{}, make_call(comm, Collective::barrier));
}

Task bcast(Communicator& comm, void* buffer, int count, Type type, int root) {
  Task task;
  InterCall call = rooted_call(comm, Collective::bcast, root);
  if (call.role == InterRole::idle) return planned(std::move(task), call);
  call.block = bytes(count, type);
  task.add_output(buffer, elements(count), type);
  return planned(std::move(task), call);
}

Task exscan(Communicator&, const void*, void*, int, Type, Op) {
  broken("exscan on an intercommunicator");
}

Task gather(Communicator& comm, const void* send, int send_count, Type send_type, void* receive,
            int receive_count, Type receive_type, int root) {
  Task task;
  InterCall call = rooted_call(comm, Collective::gather, root);
  if (call.role == InterRole::remote) {
    call.send_counts = {bytes(send_count, send_type)};
    task.add_input(send, elements(send_count), send_type);
  } else if (call.role == InterRole::root) {
    call.receive_counts = for_each_remote(comm, bytes(receive_count, receive_type));
    task.add_output(receive, elements(receive_count, comm.remote_size()), receive_type);
  }
  return planned(std::move(task), call);
}

Task gatherv(Communicator& comm, const void* send, int send_count, Type send_type, void* receive,
             const int* receive_counts, const int* displacements, Type receive_type, int root) {
  Task task;
  InterCall call = rooted_call(comm, Collective::gatherv, root);
  if (call.role == InterRole::remote) {
    call.send_counts = {bytes(send_count, send_type)};
    task.add_input(send, elements(send_count), send_type);
  } else if (call.role == InterRole::root) {
    VectorArgument blocks{receive, receive_counts, displacements, receive_type, comm.remote_size()};
    call.receive_counts = blocks.lengths();
    blocks.add_outputs(task);
  }
  return planned(std::move(task), call);
}

Task reduce(Communicator& comm, const void* send, void* receive, int count, Type type, Op op, int root) {
  Task task;
  InterCall call = rooted_call(comm, Collective::reduce, root);
  if (call.role == InterRole::idle) return planned(std::move(task), call);
  call.block = count;
  call.order = order_of(op);
  task.set_operator(op, type);
  if (call.role == InterRole::remote) task.add_input(send, elements(count), type);
  if (call.role == InterRole::root) task.add_output(receive, elements(count), type);
  return planned(std::move(task), call);
}

Task reduce_scatter(Communicator& comm, const void* send, void* receive, const int* receive_counts, Type type,
                    Op op) {
  std::vector<Count> counts(receive_counts, receive_counts + comm.size());
  Count before = std::accumulate(counts.begin(), counts.begin() + comm.me(), Count{0});
  return reduce_scatter_of(comm, Collective::reduce_scatter, send, static_cast<std::size_t>(sum(counts)),
                           receive, receive_counts[comm.me()], before, type, op);
}

Task reduce_scatter_block(Communicator& comm, const void* send, void* receive, int receive_count, Type type,
                          Op op) {
  Count before = static_cast<Count>(receive_count) * comm.me();
  return reduce_scatter_of(comm, Collective::reduce_scatter_block, send, elements(receive_count, comm.size()),
                           receive, receive_count, before, type, op);
}

Task scan(Communicator&, const void*, void*, int, Type, Op) {
  broken("scan on an intercommunicator");
}

Task scatter(Communicator& comm, const void* send, int send_count, Type send_type, void* receive,
             int receive_count, Type receive_type, int root) {
  Task task;
  InterCall call = rooted_call(comm, Collective::scatter, root);
  if (call.role == InterRole::remote) {
    call.receive_counts = {bytes(receive_count, receive_type)};
    task.add_output(receive, elements(receive_count), receive_type);
  } else if (call.role == InterRole::root) {
    call.send_counts = for_each_remote(comm, bytes(send_count, send_type));
    task.add_input(send, elements(send_count, comm.remote_size()), send_type);
  }
  return planned(std::move(task), call);
}

Task scatterv(Communicator& comm, const void* send, const int* send_counts, const int* displacements,
              Type send_type, void* receive, int receive_count, Type receive_type, int root) {
  Task task;
  InterCall call = rooted_call(comm, Collective::scatterv, root);
  if (call.role == InterRole::remote) {
    call.receive_counts = {bytes(receive_count, receive_type)};
    task.add_output(receive, elements(receive_count), receive_type);
  } else if (call.role == InterRole::root) {
    VectorArgument blocks{send, send_counts, displacements, send_type, comm.remote_size()};
    call.send_counts = blocks.lengths();
    blocks.add_inputs(task);
  }
  return planned(std::move(task), call);
}

}  // namespace wan::translate_inter
