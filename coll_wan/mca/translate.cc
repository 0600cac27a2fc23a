// SPDX-License-Identifier: BSD-3-Clause
#include "mca/translate.h"

#include "base/invariant.h"

namespace wan::translate {
namespace {

Parties parties_of(const Communicator& comm, Collective collective) {
  return {collective, comm.me(), comm.split(), comm.size()};
}

/// `root` as MPI has it.
Parties parties_with_root(const Communicator& comm, Collective collective, int root) {
  const Rank first = comm.is_inter() && root != MPI_ROOT ? comm.others().first : 0;
  return {collective, comm.me(), comm.split(), comm.size(), root == MPI_ROOT ? comm.me() : first + root};
}

/// Is this process in the group of an intercommunicator's root, but not the root? Its other arguments may be
/// anything.
bool is_idle(int root) {
  return root == MPI_PROC_NULL;
}

/// Do all ranks that take part know that the call moves nothing? (Of gatherv, scatterv and alltoallv they
/// know of themselves only, of an allgatherv on an intercommunicator of the other group.)
bool moves_nothing(const Call& call) {
  switch (call.collective) {
    case Collective::barrier:
    case Collective::gatherv:
    case Collective::scatterv:
    case Collective::alltoallv:
    case Collective::alltoallw:
      return false;
    case Collective::allgatherv:
      return !call.is_inter() && sum(call.receive_counts) == 0;
    case Collective::reduce_scatter:
      return sum(call.receive_counts) == 0;
    default:
      return call.block == 0 && call.back == 0;
  }
}

Task planned(Communicator& comm, Task task, const Call& call) {
  if (moves_nothing(call)) return nothing(comm, std::move(task));
  task.channel = comm.channel_for(call);
  if (comm.is_inter()) {
    task.program = comm.plan_for(call);
    return task;
  }
  const auto belief = comm.belief_for(call);
  if (belief->agreed.status() == OMPI_SUCCESS) {
    task.program = comm.plan_for(call, *belief->known);
  } else {
    task.awaits = &belief->agreed;
    task.plan = [&comm, belief, call] { return comm.plan_for(call, *belief->known); };
  }
  return task;
}

/// `inputs` elements at `send` and `outputs` at `receive`, whose lengths `call` has.
Task reduction(Communicator& comm, Call call, const void* send, std::size_t inputs, const void* receive,
               std::size_t outputs, Type type, Op op) {
  Task task;
  call.order = order_of(comm, op, type);
  call.unit_bytes = unit_bytes_of(type);
  task.set_operator(op, type);
  if (is_separate(call)) task.add_input(send, inputs, type);
  task.add_output(receive, outputs, type);
  return planned(comm, std::move(task), call);
}

/// allreduce, scan, exscan: a block each.
Task whole_reduction(Communicator& comm, Collective collective, const void* send, void* receive,
                     Elements count, Type type, Op op) {
  const Parties parties = parties_of(comm, collective);
  Call call = parties.call(placement_of(parties, send));
  call.block = static_cast<Count>(count);
  return reduction(comm, std::move(call), send, elements(count), receive, elements(count), type, op);
}

/// MPI refuses scan and exscan on an intercommunicator before it calls a component.
Task prefix_reduction(Communicator& comm, Collective collective, const void* send, void* receive,
                      Elements count, Type type, Op op) {
  invariant(!comm.is_inter(), "scan or exscan on an intercommunicator");
  return whole_reduction(comm, collective, send, receive, count, type, op);
}

/// allgather, alltoall.
Task exchange(Communicator& comm, const Parties& parties, const EqualBlocks& send,
              const EqualBlocks& receive) {
  Task task;
  const Placement placement = placement_of(parties, send.base);
  const bool separate = placement == Placement::separate;
  if (separate) send.add_inputs(task);
  receive.add_outputs(task);
  return planned(comm, std::move(task),
                 parties.call_of_blocks(placement, separate ? send.length() : 0, receive.length()));
}

/// What all ranks have to do afterwards, this one so much.
Inquiry inquiry_for_loads(Communicator& comm, int given, Count load) {
  std::vector<Rank> all(static_cast<std::size_t>(comm.size()));
  std::iota(all.begin(), all.end(), 0);
  constexpr Count length = sizeof(Count);
  return {comm.plan_for(
              parties_of(comm, Collective::allgather).call_of_blocks(Placement::separate, length, length)),
          {load},
          [&comm, given, all](std::span<const Count> heard) { comm.loads().learn(given, all, heard); }};
}

/// Lets the ranks of this one's site tell each other what they have to know of `call`, an alltoallv or
/// alltoallw, first. The survey is over when the task's inquiries are.
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

/// As planned(), after what has to be asked first. Loads are asked for on intracommunicators only.
Task planned_after_inquiries(Communicator& comm, Task task, Call call) {
  task.channel = comm.channel_for(call);
  const auto shared = std::make_shared<Call>(std::move(call));
  const int given = comm.info().post_loads_given();
  const Count load = comm.info().post_load().value_or(0);
  if (!comm.is_inter() && comm.loads().are_due(given))
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
Task exchange_of_vectors(Communicator& comm, const Parties& parties, const Arguments& send,
                         const Arguments& receive) {
  Task task;
  Call call = parties.call(placement_of(parties, send.base));
  call.receive_counts = parties.counts_of_partners(receive.lengths());
  call.send_counts = is_separate(call) ? parties.counts_of_partners(send.lengths()) : call.receive_counts;
  if (is_separate(call)) send.add_inputs(task);
  receive.add_outputs(task);
  return planned_after_inquiries(comm, std::move(task), std::move(call));
}

}  // namespace

Task nothing(Communicator& comm, Task task) {
  task.channel = comm.channel();
  task.program = comm.empty_plan();
  return task;
}

Task allgather(Communicator& comm, const void* send, Elements send_count, Type send_type, void* receive,
               Elements receive_count, Type receive_type) {
  const Parties parties = parties_of(comm, Collective::allgather);
  return exchange(comm, parties, {send, send_count, send_type},
                  {receive, receive_count, receive_type, parties.blocks()});
}

Task allgatherv(Communicator& comm, const void* send, Elements send_count, Type send_type, void* receive,
                ElementArray receive_counts, Displacements displacements, Type receive_type) {
  Task task;
  const Parties parties = parties_of(comm, Collective::allgatherv);
  const EqualBlocks own{send, send_count, send_type};
  const VectorArgument blocks{receive, receive_counts, displacements, receive_type, parties.blocks()};
  Call call = parties.call(placement_of(parties, send));
  call.receive_counts = parties.counts_of_partners(blocks.lengths());
  if (parties.is_inter()) call.send_counts = {own.length()};
  if (is_separate(call)) own.add_inputs(task);
  blocks.add_outputs(task);
  return planned(comm, std::move(task), call);
}

Task allreduce(Communicator& comm, const void* send, void* receive, Elements count, Type type, Op op) {
  return whole_reduction(comm, Collective::allreduce, send, receive, count, type, op);
}

Task alltoall(Communicator& comm, const void* send, Elements send_count, Type send_type, void* receive,
              Elements receive_count, Type receive_type) {
  const Parties parties = parties_of(comm, Collective::alltoall);
  return exchange(comm, parties, {send, send_count, send_type, parties.blocks()},
                  {receive, receive_count, receive_type, parties.blocks()});
}

Task alltoallv(Communicator& comm, const void* send, ElementArray send_counts,
               Displacements send_displacements, Type send_type, void* receive, ElementArray receive_counts,
               Displacements receive_displacements, Type receive_type) {
  const Parties parties = parties_of(comm, Collective::alltoallv);
  return exchange_of_vectors(
      comm, parties, VectorArgument{send, send_counts, send_displacements, send_type, parties.blocks()},
      VectorArgument{receive, receive_counts, receive_displacements, receive_type, parties.blocks()});
}

Task alltoallw(Communicator& comm, const void* send, ElementArray send_counts,
               Displacements send_displacements, Types send_types, void* receive, ElementArray receive_counts,
               Displacements receive_displacements, Types receive_types) {
  const Parties parties = parties_of(comm, Collective::alltoallw);
  return exchange_of_vectors(
      comm, parties, VectorArgument{send, send_counts, send_displacements, send_types, parties.blocks()},
      VectorArgument{receive, receive_counts, receive_displacements, receive_types, parties.blocks()});
}

Task barrier(Communicator& comm) {
  return planned(comm, {}, parties_of(comm, Collective::barrier).call(Placement::separate));
}

Task bcast(Communicator& comm, void* buffer, Elements count, Type type, int root) {
  if (is_idle(root)) return nothing(comm);
  Task task;
  const EqualBlocks block{buffer, count, type};
  Call call = parties_with_root(comm, Collective::bcast, root).call(Placement::separate);
  call.block = block.length();
  block.add_outputs(task);
  return planned(comm, std::move(task), call);
}

Task exscan(Communicator& comm, const void* send, void* receive, Elements count, Type type, Op op) {
  return prefix_reduction(comm, Collective::exscan, send, receive, count, type, op);
}

Task gather(Communicator& comm, const void* send, Elements send_count, Type send_type, void* receive,
            Elements receive_count, Type receive_type, int root) {
  if (is_idle(root)) return nothing(comm);
  Task task;
  const Parties parties = parties_with_root(comm, Collective::gather, root);
  const EqualBlocks own{send, send_count, send_type},
      blocks{receive, receive_count, receive_type, parties.blocks()};
  Call call = parties.call(placement_of(parties, send));
  call.block = parties.is_root() ? blocks.length() : own.length();
  if (parties.is_partner() && is_separate(call)) own.add_inputs(task);
  if (parties.is_root()) blocks.add_outputs(task);
  return planned(comm, std::move(task), call);
}

Task gatherv(Communicator& comm, const void* send, Elements send_count, Type send_type, void* receive,
             ElementArray receive_counts, Displacements displacements, Type receive_type, int root) {
  if (is_idle(root)) return nothing(comm);
  Task task;
  const Parties parties = parties_with_root(comm, Collective::gatherv, root);
  const EqualBlocks own{send, send_count, send_type};
  Call call = parties.call(placement_of(parties, send));
  if (parties.is_root()) {
    const VectorArgument blocks{receive, receive_counts, displacements, receive_type, parties.blocks()};
    call.receive_counts = parties.counts_of_partners(blocks.lengths());
    blocks.add_outputs(task);
  }
  const bool gives = parties.is_partner() && is_separate(call);
  call.send_counts = {gives ? own.length() : parties.own_count(call.receive_counts)};
  if (gives) own.add_inputs(task);
  return planned(comm, std::move(task), call);
}

Task reduce(Communicator& comm, const void* send, void* receive, Elements count, Type type, Op op, int root) {
  if (is_idle(root)) return nothing(comm);
  const Parties parties = parties_with_root(comm, Collective::reduce, root);
  Call call = parties.call(placement_of(parties, send));
  call.block = static_cast<Count>(count);
  return reduction(comm, std::move(call), send, parties.is_partner() ? elements(count) : 0, receive,
                   parties.is_root() ? elements(count) : 0, type, op);
}

Task reduce_scatter(Communicator& comm, const void* send, void* receive, ElementArray receive_counts,
                    Type type, Op op) {
  const Parties parties = parties_of(comm, Collective::reduce_scatter);
  const RankInterval group = parties.group();
  Call call = parties.call(placement_of(parties, send));
  call.receive_counts = parties.counts_of_group(counts_of(receive_counts, group.size()));
  const auto all = static_cast<std::size_t>(sum(call.receive_counts));
  const std::size_t mine = ompi::count_at(receive_counts, comm.me() - group.first);
  const std::size_t outputs = is_separate(call) ? mine : all;
  return reduction(comm, std::move(call), send, all, receive, outputs, type, op);
}

/// Between two groups, which may differ in size, the block is the whole vector.
Task reduce_scatter_block(Communicator& comm, const void* send, void* receive, Elements receive_count,
                          Type type, Op op) {
  const Parties parties = parties_of(comm, Collective::reduce_scatter_block);
  const std::size_t mine = elements(receive_count), all = elements(receive_count, parties.group().size());
  Call call = parties.call(placement_of(parties, send));
  call.block = static_cast<Count>(parties.is_inter() ? all : mine);
  const std::size_t outputs = is_separate(call) ? mine : all;
  return reduction(comm, std::move(call), send, all, receive, outputs, type, op);
}

Task scan(Communicator& comm, const void* send, void* receive, Elements count, Type type, Op op) {
  return prefix_reduction(comm, Collective::scan, send, receive, count, type, op);
}

Task scatter(Communicator& comm, const void* send, Elements send_count, Type send_type, void* receive,
             Elements receive_count, Type receive_type, int root) {
  if (is_idle(root)) return nothing(comm);
  Task task;
  const Parties parties = parties_with_root(comm, Collective::scatter, root);
  const EqualBlocks own{receive, receive_count, receive_type},
      blocks{send, send_count, send_type, parties.blocks()};
  Call call = parties.call(placement_of(parties, receive));
  call.block = parties.is_root() ? blocks.length() : own.length();
  if (parties.is_root()) blocks.add_inputs(task);
  if (parties.is_partner() && is_separate(call)) own.add_outputs(task);
  return planned(comm, std::move(task), call);
}

Task scatterv(Communicator& comm, const void* send, ElementArray send_counts, Displacements displacements,
              Type send_type, void* receive, Elements receive_count, Type receive_type, int root) {
  if (is_idle(root)) return nothing(comm);
  Task task;
  const Parties parties = parties_with_root(comm, Collective::scatterv, root);
  const EqualBlocks own{receive, receive_count, receive_type};
  Call call = parties.call(placement_of(parties, receive));
  if (parties.is_root()) {
    const VectorArgument blocks{send, send_counts, displacements, send_type, parties.blocks()};
    call.send_counts = parties.counts_of_partners(blocks.lengths());
    blocks.add_inputs(task);
  }
  const bool takes = parties.is_partner() && is_separate(call);
  call.receive_counts = {takes ? own.length() : parties.own_count(call.send_counts)};
  if (takes) own.add_outputs(task);
  return planned(comm, std::move(task), call);
}

}  // namespace wan::translate
