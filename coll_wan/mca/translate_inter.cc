// SPDX-License-Identifier: BSD-3-Clause
#include "mca/translate_inter.h"

#include "mca/translate.h"

#include <algorithm>

#include "base/invariant.h"

namespace wan::translate_inter {
namespace {

/// Of the other group.
Rank number_of_others(Communicator& comm) {
  return comm.others().size();
}

Call make_call(Communicator& comm, Collective collective, Count block = 0) {
  Call call;
  call.collective = collective;
  call.split = comm.split();
  call.block = block;
  return call;
}

/// Blocks from this rank's group to the other, of `given`, and back, of `taken`.
Call exchange_call(Communicator& comm, Collective collective, Count given, Count taken) {
  const bool is_first = comm.me() < comm.split();
  Call call = make_call(comm, collective, is_first ? given : taken);
  call.back = is_first ? taken : given;
  return call;
}

/// Counts that belong to these ranks, as one for each rank that plans have.
std::vector<Count> for_all(Communicator& comm, const RankInterval& ranks, const std::vector<Count>& counts) {
  std::vector<Count> all(static_cast<std::size_t>(comm.size()), 0);
  std::ranges::copy(counts, all.begin() + ranks.first);
  return all;
}

Task without_messages(Communicator& comm, Task task) {
  task.program = comm.empty_plan();
  return task;
}

/// Do both groups know that the call moves nothing?
bool moves_nothing(const Call& call) {
  switch (call.collective) {
    case Collective::allgather:
      return call.block == 0 && call.back == 0;
    case Collective::allreduce:
    case Collective::reduce_scatter_block:
      return call.block == 0;
    case Collective::reduce_scatter:
      return sum(call.receive_counts) == 0;
    default:
      return false;
  }
}

void address(Task& task, const Groups& groups, const Tags& tags) {
  task.groups = groups;
  task.groups->tag_inside = tags.inside;
  task.tag = tags.across;
}

Task planned(Communicator& comm, Task task, const Call& call) {
  if (moves_nothing(call)) return without_messages(comm, std::move(task));
  address(task, comm.groups(), comm.tags().of_all(call.collective));
  task.program = comm.plan_for(call);
  return task;
}

/// A rooted call as its participants have it.
class Rooted {
 public:
  Rooted(Communicator& comm, int root)
      : comm_(comm), is_root_(root == MPI_ROOT), is_idle_(root == MPI_PROC_NULL) {
    root_ = is_root_ || is_idle_ ? comm.me() : comm.others().first + root;
  }
  /// In the root's group, but not the root: takes no part.
  bool is_idle() const { return is_idle_; }
  bool is_root() const { return is_root_; }
  bool is_other() const { return !is_root_ && !is_idle_; }

  /// gather, scatter, reduce have nothing from and for the root itself (plan/call.h).
  Call call(Collective collective, Count block = 0) const {
    Call call;
    call.collective = collective;
    call.root = root_;
    call.block = block;
    call.split = is_split_by_groups(collective) ? 1 : 0;
    return call;
  }
  /// What the root has for, or gets from, each rank: nothing of its own.
  std::vector<Count> counts(const std::vector<Count>& of_others) const {
    std::vector<Count> all{0};
    all.insert(all.end(), of_others.begin(), of_others.end());
    return all;
  }
  Task planned(Task task, const Call& call) const {
    const bool is_vector = traits(call.collective).vector;
    if (is_idle_ || (!is_vector && call.block == 0)) return without_messages(comm_, std::move(task));
    address(task, comm_.groups_with_root(root_),
            comm_.tags().with_root(call.collective, root_, root_ < comm_.split()));
    task.program = comm_.plan_with_root(call);
    return task;
  }

 private:
  Communicator& comm_;
  bool is_root_, is_idle_;
  Rank root_;
};

/// Everybody reduces what the other group has; `outputs` elements of it stay here.
Task reduce_scatter_of(Communicator& comm, Call call, const void* send, std::size_t inputs, void* receive,
                       int outputs, Type type, Op op) {
  Task task;
  call.order = order_of(comm, op, type);
  call.unit_bytes = unit_bytes_of(type);
  task.set_operator(op, type);
  task.add_input(send, inputs, type);
  task.add_output(receive, elements(outputs), type);
  return planned(comm, std::move(task), call);
}

/// alltoallv, alltoallw: among the ranks of both groups, none of which has anything for its own.
template <class Arguments>
Task exchange(Communicator& comm, Collective collective, const Arguments& send, const Arguments& receive) {
  Task task;
  Call call;
  call.collective = collective;
  call.send_counts = for_all(comm, comm.others(), send.lengths());
  call.receive_counts = for_all(comm, comm.others(), receive.lengths());
  send.add_inputs(task);
  receive.add_outputs(task);
  if (!comm.surveys(call)) return planned(comm, std::move(task), call);
  address(task, comm.groups(), comm.tags().of_all(collective));
  const auto shared = std::make_shared<Call>(std::move(call));
  const auto survey = translate::add_survey(comm, task, *shared);
  task.plan = [&comm, shared, survey] { return comm.plan_for(*shared, survey->known()); };
  return task;
}

}  // namespace

Task allgather(Communicator& comm, const void* send, int send_count, Type send_type, void* receive,
               int receive_count, Type receive_type) {
  Task task;
  task.add_input(send, elements(send_count), send_type);
  task.add_output(receive, elements(receive_count, number_of_others(comm)), receive_type);
  return planned(comm, std::move(task),
                 exchange_call(comm, Collective::allgather, bytes(send_count, send_type),
                               bytes(receive_count, receive_type)));
}

Task allgatherv(Communicator& comm, const void* send, int send_count, Type send_type, void* receive,
                const int* receive_counts, const int* displacements, Type receive_type) {
  Task task;
  VectorArgument blocks{receive, receive_counts, displacements, receive_type, number_of_others(comm)};
  Call call = make_call(comm, Collective::allgatherv);
  call.send_counts = {bytes(send_count, send_type)};
  call.receive_counts = for_all(comm, comm.others(), blocks.lengths());
  task.add_input(send, elements(send_count), send_type);
  blocks.add_outputs(task);
  return planned(comm, std::move(task), call);
}

Task allreduce(Communicator& comm, const void* send, void* receive, int count, Type type, Op op) {
  Task task;
  Call call = make_call(comm, Collective::allreduce, count);
  call.order = order_of(comm, op, type);
  call.unit_bytes = unit_bytes_of(type);
  task.set_operator(op, type);
  task.add_input(send, elements(count), type);
  task.add_output(receive, elements(count), type);
  return planned(comm, std::move(task), call);
}

Task alltoall(Communicator& comm, const void* send, int send_count, Type send_type, void* receive,
              int receive_count, Type receive_type) {
  Task task;
  task.add_input(send, elements(send_count, number_of_others(comm)), send_type);
  task.add_output(receive, elements(receive_count, number_of_others(comm)), receive_type);
  return planned(comm, std::move(task),
                 exchange_call(comm, Collective::alltoall, bytes(send_count, send_type),
                               bytes(receive_count, receive_type)));
}

Task alltoallv(Communicator& comm, const void* send, const int* send_counts, const int* send_displacements,
               Type send_type, void* receive, const int* receive_counts, const int* receive_displacements,
               Type receive_type) {
  Rank others = number_of_others(comm);
  return exchange(comm, Collective::alltoallv,
                  VectorArgument{send, send_counts, send_displacements, send_type, others},
                  VectorArgument{receive, receive_counts, receive_displacements, receive_type, others});
}

Task alltoallw(Communicator& comm, const void* send, const int* send_counts, const int* send_displacements,
               Types send_types, void* receive, const int* receive_counts, const int* receive_displacements,
               Types receive_types) {
  Rank others = number_of_others(comm);
  return exchange(comm, Collective::alltoallw,
                  VectorArgument{send, send_counts, send_displacements, send_types, others},
                  VectorArgument{receive, receive_counts, receive_displacements, receive_types, others});
}

Task barrier(Communicator& comm) {
  return planned(comm, Task{}, make_call(comm, Collective::barrier));
}

Task bcast(Communicator& comm, void* buffer, int count, Type type, int root) {
  Task task;
  Rooted rooted(comm, root);
  if (!rooted.is_idle()) task.add_output(buffer, elements(count), type);
  return rooted.planned(std::move(task),
                        rooted.call(Collective::bcast, rooted.is_idle() ? 0 : bytes(count, type)));
}

Task exscan(Communicator&, const void*, void*, int, Type, Op) {
  broken("exscan on an intercommunicator");
}

Task gather(Communicator& comm, const void* send, int send_count, Type send_type, void* receive,
            int receive_count, Type receive_type, int root) {
  Task task;
  Rooted rooted(comm, root);
  Call call = rooted.call(Collective::gather);
  if (rooted.is_other()) {
    call.block = bytes(send_count, send_type);
    task.add_input(send, elements(send_count), send_type);
  } else if (rooted.is_root()) {
    call.block = bytes(receive_count, receive_type);
    task.add_output(receive, elements(receive_count, number_of_others(comm)), receive_type);
  }
  return rooted.planned(std::move(task), call);
}

Task gatherv(Communicator& comm, const void* send, int send_count, Type send_type, void* receive,
             const int* receive_counts, const int* displacements, Type receive_type, int root) {
  Task task;
  Rooted rooted(comm, root);
  Call call = rooted.call(Collective::gatherv);
  if (rooted.is_other()) {
    call.send_counts = {bytes(send_count, send_type)};
    task.add_input(send, elements(send_count), send_type);
  } else if (rooted.is_root()) {
    VectorArgument blocks{receive, receive_counts, displacements, receive_type, number_of_others(comm)};
    call.send_counts = {0};
    call.receive_counts = rooted.counts(blocks.lengths());
    blocks.add_outputs(task);
  }
  return rooted.planned(std::move(task), call);
}

Task reduce(Communicator& comm, const void* send, void* receive, int count, Type type, Op op, int root) {
  Task task;
  Rooted rooted(comm, root);
  Call call = rooted.call(Collective::reduce, count);
  if (rooted.is_idle()) return rooted.planned(std::move(task), call);
  call.order = order_of(comm, op, type);
  call.unit_bytes = unit_bytes_of(type);
  task.set_operator(op, type);
  if (rooted.is_root())
    task.add_output(receive, elements(count), type);
  else
    task.add_input(send, elements(count), type);
  return rooted.planned(std::move(task), call);
}

Task reduce_scatter(Communicator& comm, const void* send, void* receive, const int* receive_counts, Type type,
                    Op op) {
  std::vector<Count> counts(receive_counts, receive_counts + comm.group().size());
  int mine = receive_counts[comm.me() - comm.group().first];
  Call call = make_call(comm, Collective::reduce_scatter);
  call.receive_counts = for_all(comm, comm.group(), counts);
  return reduce_scatter_of(comm, std::move(call), send, static_cast<std::size_t>(sum(counts)), receive, mine,
                           type, op);
}

Task reduce_scatter_block(Communicator& comm, const void* send, void* receive, int receive_count, Type type,
                          Op op) {
  std::size_t all = elements(receive_count, comm.group().size());
  Call call = make_call(comm, Collective::reduce_scatter_block, static_cast<Count>(all));
  return reduce_scatter_of(comm, std::move(call), send, all, receive, receive_count, type, op);
}

Task scan(Communicator&, const void*, void*, int, Type, Op) {
  broken("scan on an intercommunicator");
}

Task scatter(Communicator& comm, const void* send, int send_count, Type send_type, void* receive,
             int receive_count, Type receive_type, int root) {
  Task task;
  Rooted rooted(comm, root);
  Call call = rooted.call(Collective::scatter);
  if (rooted.is_other()) {
    call.block = bytes(receive_count, receive_type);
    task.add_output(receive, elements(receive_count), receive_type);
  } else if (rooted.is_root()) {
    call.block = bytes(send_count, send_type);
    task.add_input(send, elements(send_count, number_of_others(comm)), send_type);
  }
  return rooted.planned(std::move(task), call);
}

Task scatterv(Communicator& comm, const void* send, const int* send_counts, const int* displacements,
              Type send_type, void* receive, int receive_count, Type receive_type, int root) {
  Task task;
  Rooted rooted(comm, root);
  Call call = rooted.call(Collective::scatterv);
  if (rooted.is_other()) {
    call.receive_counts = {bytes(receive_count, receive_type)};
    task.add_output(receive, elements(receive_count), receive_type);
  } else if (rooted.is_root()) {
    VectorArgument blocks{send, send_counts, displacements, send_type, number_of_others(comm)};
    call.send_counts = rooted.counts(blocks.lengths());
    call.receive_counts = {0};
    blocks.add_inputs(task);
  }
  return rooted.planned(std::move(task), call);
}

}  // namespace wan::translate_inter
