// SPDX-License-Identifier: BSD-3-Clause
#include "mca/translate.h"

namespace wan::translate {
namespace {

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

/// Do all ranks know that the call moves nothing? (gatherv, scatterv and alltoallv know of themselves only.)
bool moves_nothing(const Call& call) {
  switch (call.collective) {
    case Collective::barrier:
    case Collective::gatherv:
    case Collective::scatterv:
    case Collective::alltoallv:
    case Collective::alltoallw:
      return false;
    case Collective::allgatherv:
    case Collective::reduce_scatter:
      return sum(call.receive_counts) == 0;
    default:
      return call.block == 0;
  }
}

Task planned(Communicator& comm, Task task, const Call& call) {
  const bool nothing = moves_nothing(call);
  if (!nothing) task.tag = comm.tags().of_all(call.collective).across;
  task.program = nothing ? comm.empty_plan() : comm.plan_for(call);
  return task;
}

/// A task for a reduction: `inputs` and `outputs` elements at `send` and `receive`.
Task reduction(Communicator& comm, Call call, const void* send, std::size_t inputs, const void* receive,
               std::size_t outputs, Type type, Op op) {
  Task task;
  call.order = order_of(comm, op, type);
  call.unit_bytes = unit_bytes_of(type);
  task.set_operator(op, type);
  if (call.placement == Placement::separate) task.add_input(send, inputs, type);
  task.add_output(receive, outputs, type);
  return planned(comm, std::move(task), call);
}

/// allreduce, scan, exscan: a block each.
Task whole_reduction(Communicator& comm, Collective collective, const void* send, void* receive, int count,
                     Type type, Op op) {
  Call call = make_call(collective, count, placement_of(send));
  return reduction(comm, std::move(call), send, elements(count), receive, elements(count), type, op);
}

/// What all ranks have to do afterwards, this one so much.
Inquiry inquiry_for_loads(Communicator& comm, int given, Count load) {
  std::vector<Rank> all(static_cast<std::size_t>(comm.size()));
  std::iota(all.begin(), all.end(), 0);
  return {comm.plan_for(make_call(Collective::allgather, sizeof(Count), Placement::separate)),
          {load},
          [&comm, given, all](std::span<const Count> heard) { comm.loads().learn(given, all, heard); }};
}

/// As planned(), after what has to be asked first.
Task planned_after_inquiries(Communicator& comm, Task task, Call call) {
  task.tag = comm.tags().of_all(call.collective).across;
  const auto shared = std::make_shared<Call>(std::move(call));
  const int given = comm.info().post_loads_given();
  const Count load = comm.info().post_load().value_or(0);
  if (comm.loads().are_due(given))
    task.inquiries.push_back([&comm, given, load] { return inquiry_for_loads(comm, given, load); });
  std::shared_ptr<CountMemory::Survey> survey;
  if (comm.surveys(*shared)) survey = add_survey(comm, task, *shared);
  task.plan = [&comm, shared, survey] {
    shared->loads = comm.loads().by_rank(comm.size());
    return survey ? comm.plan_for(*shared, survey->known()) : comm.plan_for(*shared);
  };
  if (task.inquiries.empty()) task.program = task.plan();
  return task;
}

/// alltoallv, alltoallw.
template <class Arguments>
Task exchange(Communicator& comm, Collective collective, const Arguments& send, const Arguments& receive) {
  Task task;
  Call call = make_call(collective, 0, placement_of(send.base));
  bool separate = call.placement == Placement::separate;
  call.receive_counts = receive.lengths();
  call.send_counts = separate ? send.lengths() : call.receive_counts;
  if (separate) send.add_inputs(task);
  receive.add_outputs(task);
  return planned_after_inquiries(comm, std::move(task), std::move(call));
}

}  // namespace

std::shared_ptr<CountMemory::Survey> add_survey(Communicator& comm, Task& task, const Call& call) {
  const auto survey = comm.begin_survey(call);
  const auto lengths = std::make_shared<std::vector<Count>>();
  task.inquiries.push_back([&comm, survey, lengths] {
    return Inquiry(comm.notices(), survey->notice(), [survey, lengths](std::span<const Count> heard) {
      *lengths = survey->hear_notices(heard);
    });
  });
  task.inquiries.push_back([&comm, survey, lengths] {
    return Inquiry(comm.entries(*lengths), survey->told(),
                   [survey](std::span<const Count> heard) { survey->hear_entries(heard); });
  });
  return survey;
}

Task allgather(Communicator& comm, const void* send, int send_count, Type send_type, void* receive,
               int receive_count, Type receive_type) {
  Task task;
  Call call = make_call(Collective::allgather, bytes(receive_count, receive_type), placement_of(send));
  if (call.placement == Placement::separate) task.add_input(send, elements(send_count), send_type);
  task.add_output(receive, elements(receive_count, comm.size()), receive_type);
  return planned(comm, std::move(task), call);
}

Task allgatherv(Communicator& comm, const void* send, int send_count, Type send_type, void* receive,
                const int* receive_counts, const int* displacements, Type receive_type) {
  Task task;
  Call call = make_call(Collective::allgatherv, 0, placement_of(send));
  VectorArgument blocks{receive, receive_counts, displacements, receive_type, comm.size()};
  call.receive_counts = blocks.lengths();
  if (call.placement == Placement::separate) task.add_input(send, elements(send_count), send_type);
  blocks.add_outputs(task);
  return planned(comm, std::move(task), call);
}

Task allreduce(Communicator& comm, const void* send, void* receive, int count, Type type, Op op) {
  return whole_reduction(comm, Collective::allreduce, send, receive, count, type, op);
}

Task alltoall(Communicator& comm, const void* send, int send_count, Type send_type, void* receive,
              int receive_count, Type receive_type) {
  Task task;
  Call call = make_call(Collective::alltoall, bytes(receive_count, receive_type), placement_of(send));
  if (call.placement == Placement::separate)
    task.add_input(send, elements(send_count, comm.size()), send_type);
  task.add_output(receive, elements(receive_count, comm.size()), receive_type);
  return planned(comm, std::move(task), call);
}

Task alltoallv(Communicator& comm, const void* send, const int* send_counts, const int* send_displacements,
               Type send_type, void* receive, const int* receive_counts, const int* receive_displacements,
               Type receive_type) {
  return exchange(comm, Collective::alltoallv,
                  VectorArgument{send, send_counts, send_displacements, send_type, comm.size()},
                  VectorArgument{receive, receive_counts, receive_displacements, receive_type, comm.size()});
}

Task alltoallw(Communicator& comm, const void* send, const int* send_counts, const int* send_displacements,
               Types send_types, void* receive, const int* receive_counts, const int* receive_displacements,
               Types receive_types) {
  return exchange(comm, Collective::alltoallw,
                  VectorArgument{send, send_counts, send_displacements, send_types, comm.size()},
                  VectorArgument{receive, receive_counts, receive_displacements, receive_types, comm.size()});
}

Task barrier(Communicator& comm) {
  Task task;
  return planned(comm, std::move(task), make_call(Collective::barrier, 0, Placement::separate));
}

Task bcast(Communicator& comm, void* buffer, int count, Type type, int root) {
  Task task;
  task.add_output(buffer, elements(count), type);
  return planned(comm, std::move(task),
                 rooted_call(Collective::bcast, bytes(count, type), Placement::separate, root));
}

Task exscan(Communicator& comm, const void* send, void* receive, int count, Type type, Op op) {
  return whole_reduction(comm, Collective::exscan, send, receive, count, type, op);
}

Task gather(Communicator& comm, const void* send, int send_count, Type send_type, void* receive,
            int receive_count, Type receive_type, int root) {
  Task task;
  bool here = comm.me() == root;
  Count block = here ? bytes(receive_count, receive_type) : bytes(send_count, send_type);
  Call call = rooted_call(Collective::gather, block, placement_of(send), root);
  if (call.placement == Placement::separate) task.add_input(send, elements(send_count), send_type);
  if (here) task.add_output(receive, elements(receive_count, comm.size()), receive_type);
  return planned(comm, std::move(task), call);
}

Task gatherv(Communicator& comm, const void* send, int send_count, Type send_type, void* receive,
             const int* receive_counts, const int* displacements, Type receive_type, int root) {
  Task task;
  Call call = rooted_call(Collective::gatherv, 0, placement_of(send), root);
  bool here = comm.me() == root, separate = call.placement == Placement::separate;
  call.send_counts = {separate ? bytes(send_count, send_type) : bytes(receive_counts[root], receive_type)};
  if (separate) task.add_input(send, elements(send_count), send_type);
  if (here) {
    VectorArgument blocks{receive, receive_counts, displacements, receive_type, comm.size()};
    call.receive_counts = blocks.lengths();
    blocks.add_outputs(task);
  }
  return planned(comm, std::move(task), call);
}

Task reduce(Communicator& comm, const void* send, void* receive, int count, Type type, Op op, int root) {
  Call call = rooted_call(Collective::reduce, count, placement_of(send), root);
  std::size_t outputs = comm.me() == root ? elements(count) : 0;
  return reduction(comm, std::move(call), send, elements(count), receive, outputs, type, op);
}

Task reduce_scatter(Communicator& comm, const void* send, void* receive, const int* receive_counts, Type type,
                    Op op) {
  Call call = make_call(Collective::reduce_scatter, 0, placement_of(send));
  call.receive_counts.assign(receive_counts, receive_counts + comm.size());
  auto all = static_cast<std::size_t>(sum(call.receive_counts));
  std::size_t mine = elements(receive_counts[comm.me()]);
  bool separate = call.placement == Placement::separate;
  return reduction(comm, std::move(call), send, all, receive, separate ? mine : all, type, op);
}

Task reduce_scatter_block(Communicator& comm, const void* send, void* receive, int receive_count, Type type,
                          Op op) {
  Call call = make_call(Collective::reduce_scatter_block, receive_count, placement_of(send));
  std::size_t all = elements(receive_count, comm.size());
  std::size_t outputs = call.placement == Placement::separate ? elements(receive_count) : all;
  return reduction(comm, std::move(call), send, all, receive, outputs, type, op);
}

Task scan(Communicator& comm, const void* send, void* receive, int count, Type type, Op op) {
  return whole_reduction(comm, Collective::scan, send, receive, count, type, op);
}

Task scatter(Communicator& comm, const void* send, int send_count, Type send_type, void* receive,
             int receive_count, Type receive_type, int root) {
  Task task;
  bool here = comm.me() == root;
  Count block = here ? bytes(send_count, send_type) : bytes(receive_count, receive_type);
  Call call = rooted_call(Collective::scatter, block, placement_of(receive), root);
  if (here) task.add_input(send, elements(send_count, comm.size()), send_type);
  if (call.placement == Placement::separate) task.add_output(receive, elements(receive_count), receive_type);
  return planned(comm, std::move(task), call);
}

Task scatterv(Communicator& comm, const void* send, const int* send_counts, const int* displacements,
              Type send_type, void* receive, int receive_count, Type receive_type, int root) {
  Task task;
  Call call = rooted_call(Collective::scatterv, 0, placement_of(receive), root);
  bool here = comm.me() == root, separate = call.placement == Placement::separate;
  call.receive_counts = {separate ? bytes(receive_count, receive_type) : bytes(send_counts[root], send_type)};
  if (separate) task.add_output(receive, elements(receive_count), receive_type);
  if (here) {
    VectorArgument blocks{send, send_counts, displacements, send_type, comm.size()};
    call.send_counts = blocks.lengths();
    blocks.add_inputs(task);
  }
  return planned(comm, std::move(task), call);
}

}  // namespace wan::translate
