// SPDX-License-Identifier: BSD-3-Clause
// algo/inter.h: both groups of an intercommunicator as processes of one machine (tests/support/machine.h), a at 0.., b
// behind; every collective, every role, random sizes; results against what MPI says, written down here.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>

#include "algo/inter.h"
#include "check/verify.h"
#include "tests/support/machine.h"

namespace wan {
namespace {

using Counts = std::vector<Count>;
using Memory = Machine::Memory;

int pick(int from, int to) { return *rc::gen::inRange(from, to + 1); }

Counts random_counts(int number) {
  Counts counts;
  for (int i = 0; i < number; ++i) counts.push_back(pick(0, 3));
  return counts;
}

Count sum(const Counts& counts) { return std::accumulate(counts.begin(), counts.end(), Count{0}); }

/// `length` units from `offset` of what process `rank` of group `group` has.
Memory units(char group, int rank, Count offset, Count length) {
  Memory memory;
  for (Count i = 0; i < length; ++i)
    memory.push_back(group + std::to_string(rank) + "." + std::to_string(offset + i) + " ");
  return memory;
}

void append(Memory& memory, const Memory& more) { memory.insert(memory.end(), more.begin(), more.end()); }

/// Element by element, in rank order, what ranks 0.. of `group` have.
Memory product(char group, int ranks, Count offset, Count length) {
  Memory result(static_cast<std::size_t>(length));
  for (int rank = 0; rank < ranks; ++rank) {
    const Memory more = units(group, rank, offset, length);
    for (std::size_t i = 0; i < more.size(); ++i) result[i] += more[i];
  }
  return result;
}

/// Two groups, the call of each process and what must be in its output in the end.
struct Groups {
  struct Process {
    InterCall call;
    Memory output = {};  ///< before
    Memory wanted = {};  ///< after
  };
  std::vector<Process> a, b;

  Groups(Collective collective, int size_a, int size_b) {
    InterCall call;
    call.collective = collective;
    call.remote_size = size_b;
    a.assign(static_cast<std::size_t>(size_a), {call});
    call.remote_size = size_a;
    b.assign(static_cast<std::size_t>(size_b), {call});
  }

  /// Gives the root (in a) and the idle ones their roles; returns the root's process.
  Process& root(int rank) {
    for (Process& process : a) process.call.role = InterRole::idle;
    for (Process& process : b) process.call.root = rank;
    Process& root = a[static_cast<std::size_t>(rank)];
    root.call.role = InterRole::root;
    return root;
  }

  void run() {
    Machine machine;
    const int size_a = static_cast<int>(a.size());
    for (int rank = 0; rank < size_a; ++rank) add(machine, 'a', rank, a[static_cast<std::size_t>(rank)], size_a);
    for (int rank = 0; rank < static_cast<int>(b.size()); ++rank) add(machine, 'b', rank, b[static_cast<std::size_t>(rank)], 0);
    RC_ASSERT(machine.run(1));
    for (std::size_t rank = 0; rank < a.size(); ++rank) RC_ASSERT(machine.output(static_cast<int>(rank)) == a[rank].wanted);
    for (std::size_t rank = 0; rank < b.size(); ++rank)
      RC_ASSERT(machine.output(size_a + static_cast<int>(rank)) == b[rank].wanted);
  }

 private:
  static void add(Machine& machine, char group, int rank, const Process& process, int first_remote) {
    const Program program = plan_inter(process.call);
    RC_ASSERT(hazards(program).empty());
    EditedProgram edited = ProgramEditor::edited(program);
    for (EditedStep& step : edited.steps)
      if (step.peer >= 0) step.peer += first_remote;
    machine.add(edited, units(group, rank, 0, edited.lengths.input), process.output);
  }
};

struct Sizes {
  int a = pick(1, 5), b = pick(1, 5);
};

RC_GTEST_PROP(Inter, BarrierHearsFromEveryRemoteRank, ()) {
  const Sizes size;
  Groups(Collective::barrier, size.a, size.b).run();
  InterCall call;
  call.remote_size = size.b;
  const Program program = plan_inter(call);
  for (Rank remote = 0; remote < size.b; ++remote) {
    int received = 0;
    for (StepIndex i = 0; i < program.size(); ++i)
      received += program.step(i).kind == StepKind::receive && program.step(i).peer == remote;
    RC_ASSERT(received == 1);
  }
}

RC_GTEST_PROP(Inter, BcastGivesTheRootsDataToTheOtherGroup, ()) {
  const Sizes size;
  Groups groups(Collective::bcast, size.a, size.b);
  const int root_rank = pick(0, size.a - 1);
  auto& root = groups.root(root_rank);
  const Count block = pick(0, 3);
  root.call.block = block;
  root.output = root.wanted = units('a', root_rank, 0, block);
  for (auto& process : groups.b) {
    process.call.block = block;
    process.wanted = root.output;
  }
  groups.run();
}

RC_GTEST_PROP(Inter, GatherCollectsTheOtherGroupAtTheRoot, ()) {
  const Sizes size;
  Groups groups(*rc::gen::element(Collective::gather, Collective::gatherv), size.a, size.b);
  auto& root = groups.root(pick(0, size.a - 1));
  root.call.receive_counts = random_counts(size.b);
  for (int rank = 0; rank < size.b; ++rank) {
    const Count count = root.call.receive_counts[static_cast<std::size_t>(rank)];
    groups.b[static_cast<std::size_t>(rank)].call.send_counts = {count};
    append(root.wanted, units('b', rank, 0, count));
  }
  groups.run();
}

RC_GTEST_PROP(Inter, ScatterHandsTheRootsBlocksToTheOtherGroup, ()) {
  const Sizes size;
  Groups groups(*rc::gen::element(Collective::scatter, Collective::scatterv), size.a, size.b);
  const int root_rank = pick(0, size.a - 1);
  auto& root = groups.root(root_rank);
  root.call.send_counts = random_counts(size.b);
  Count offset = 0;
  for (int rank = 0; rank < size.b; ++rank) {
    const Count count = root.call.send_counts[static_cast<std::size_t>(rank)];
    groups.b[static_cast<std::size_t>(rank)].call.receive_counts = {count};
    groups.b[static_cast<std::size_t>(rank)].wanted = units('a', root_rank, offset, count);
    offset += count;
  }
  groups.run();
}

RC_GTEST_PROP(Inter, AllgatherCollectsTheOtherGroupEverywhere, ()) {
  const Sizes size;
  Groups groups(*rc::gen::element(Collective::allgather, Collective::allgatherv), size.a, size.b);
  const Counts of_a = random_counts(size.a), of_b = random_counts(size.b);
  const auto state = [](auto& processes, const Counts& own, const Counts& others, char remote) {
    Memory all;
    for (std::size_t rank = 0; rank < others.size(); ++rank) append(all, units(remote, static_cast<int>(rank), 0, others[rank]));
    for (std::size_t rank = 0; rank < own.size(); ++rank) {
      processes[rank].call.send_counts = {own[rank]};
      processes[rank].call.receive_counts = others;
      processes[rank].wanted = all;
    }
  };
  state(groups.a, of_a, of_b, 'b');
  state(groups.b, of_b, of_a, 'a');
  groups.run();
}

RC_GTEST_PROP(Inter, AlltoallGivesEachRemoteRankItsBlock, ()) {
  const Sizes size;
  Groups groups(*rc::gen::element(Collective::alltoall, Collective::alltoallv, Collective::alltoallw), size.a, size.b);
  for (auto& process : groups.a) process.call.send_counts = random_counts(size.b);
  for (auto& process : groups.b) process.call.send_counts = random_counts(size.a);
  const auto state = [](auto& processes, const auto& remote, char group) {
    for (std::size_t rank = 0; rank < processes.size(); ++rank)
      for (std::size_t source = 0; source < remote.size(); ++source) {
        const Counts& sent = remote[source].call.send_counts;
        processes[rank].call.receive_counts.push_back(sent[rank]);
        const Count offset = std::accumulate(sent.begin(), sent.begin() + static_cast<std::ptrdiff_t>(rank), Count{0});
        append(processes[rank].wanted, units(group, static_cast<int>(source), offset, sent[rank]));
      }
  };
  state(groups.a, groups.b, 'b');
  state(groups.b, groups.a, 'a');
  groups.run();
}

RC_GTEST_PROP(Inter, ReduceJoinsTheOtherGroupInRankOrder, ()) {
  const Sizes size;
  Groups groups(Collective::reduce, size.a, size.b);
  auto& root = groups.root(pick(0, size.a - 1));
  root.call.block = pick(0, 3);
  root.wanted = product('b', size.b, 0, root.call.block);
  for (auto& process : groups.b) process.call.block = root.call.block;
  groups.run();
}

RC_GTEST_PROP(Inter, AllreduceJoinsTheOtherGroupEverywhere, ()) {
  const Sizes size;
  Groups groups(Collective::allreduce, size.a, size.b);
  const Count block = pick(0, 3);
  for (auto& process : groups.a) {
    process.call.block = block;
    process.wanted = product('b', size.b, 0, block);
  }
  for (auto& process : groups.b) {
    process.call.block = block;
    process.wanted = product('a', size.a, 0, block);
  }
  groups.run();
}

/// `total` cut into `number` shares.
Counts shares(Count total, int number) {
  Counts counts(static_cast<std::size_t>(number));
  for (; total > 0; --total) ++counts[static_cast<std::size_t>(pick(0, number - 1))];
  return counts;
}

RC_GTEST_PROP(Inter, ReduceScatterSharesTheOtherGroupsProduct, ()) {
  const Sizes size;
  Groups groups(*rc::gen::element(Collective::reduce_scatter, Collective::reduce_scatter_block), size.a, size.b);
  const Count total = pick(0, 8);
  const auto state = [&](auto& processes, const Counts& own, char remote, int remotes) {
    Count offset = 0;
    for (std::size_t rank = 0; rank < own.size(); ++rank) {
      processes[rank].call.send_counts = {total};
      processes[rank].call.receive_counts = {own[rank]};
      processes[rank].call.offset = offset;
      processes[rank].wanted = product(remote, remotes, offset, own[rank]);
      offset += own[rank];
    }
    RC_ASSERT(offset == sum(own));
  };
  state(groups.a, shares(total, size.a), 'b', size.b);
  state(groups.b, shares(total, size.b), 'a', size.a);
  groups.run();
}

TEST(Inter, ScanIsNotDefined) {
  InterCall call;
  call.collective = Collective::scan;
  EXPECT_DEATH(plan_inter(call), "a collective of intercommunicators");
}

}  // namespace
}  // namespace wan
