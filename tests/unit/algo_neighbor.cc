// SPDX-License-Identifier: BSD-3-Clause
// algo/neighbor.h: what each edge carries arrives at its other end, in any graph, with edges to oneself, several edges
// between two ranks and none at all (MPI_PROC_NULL); cartesian rings of one and two.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "algo/neighbor.h"
#include "check/verify.h"
#include "tests/support/machine.h"

namespace wan {
namespace {

using Memory = Machine::Memory;
using Ranks = std::vector<Rank>;

int pick(int from, int to) { return *rc::gen::inRange(from, to + 1); }

/// One process: its edges, its data, and what must have come in the end.
struct Process {
  Neighborhood edges = {};
  Memory input = {}, wanted = {};

  void send(Rank to, const Memory& data) {
    edges.destinations.push_back({to, {Buffer::input, static_cast<Count>(input.size()), static_cast<Count>(data.size())}});
    input.insert(input.end(), data.begin(), data.end());
  }
  void receive(Rank from, const Memory& data) {
    edges.sources.push_back({from, {Buffer::output, static_cast<Count>(wanted.size()), static_cast<Count>(data.size())}});
    wanted.insert(wanted.end(), data.begin(), data.end());
  }
};

/// The k-th process in site k / 2.
Topology pairs(Rank size) {
  std::vector<Path> paths;
  for (Rank rank = 0; rank < size; ++rank) paths.push_back({"s" + std::to_string(rank / 2)});
  const Layout layout(paths);
  return {layout, Network(layout.sites(), Link{10'000'000, 1'000, 0})};
}

void run(const std::vector<Process>& processes, const Tuning& tuning = {}) {
  Machine machine;
  const auto size = static_cast<Rank>(processes.size());
  const Topology topology = pairs(size);
  for (Rank me = 0; me < size; ++me) {
    const Process& each = processes[static_cast<std::size_t>(me)];
    const BufferLengths lengths{static_cast<Count>(each.input.size()), static_cast<Count>(each.wanted.size()), 0};
    const Program program = plan_neighbors(topology, tuning, me, lengths, each.edges);
    ASSERT_TRUE(hazards(program).empty());
    machine.add(ProgramEditor::edited(program), each.input, {});
  }
  ASSERT_TRUE(machine.run(1));
  for (Rank me = 0; me < size; ++me) EXPECT_EQ(machine.output(me), processes[static_cast<std::size_t>(me)].wanted);
}

RC_GTEST_PROP(Neighbors, GetWhatTheirEdgesCarry, ()) {
  std::vector<Process> processes(static_cast<std::size_t>(pick(1, 5)));
  const int last = static_cast<int>(processes.size()) - 1;
  const int edges = pick(0, 20);
  for (int edge = 0; edge < edges; ++edge) {
    const int from = pick(-1, last), to = pick(-1, last);
    const Memory data(static_cast<std::size_t>(pick(0, 5)), "edge " + std::to_string(edge));
    if (from >= 0) processes[static_cast<std::size_t>(from)].send(to, data);
    if (to >= 0) processes[static_cast<std::size_t>(to)].receive(from, from < 0 ? Memory(data.size(), "?") : data);
  }
  Tuning tuning;
  tuning.segment = pick(1, 4);
  run(processes, tuning);
}

TEST(Neighbors, FarOnesAreSentToFirstAndOfThoseTheOneWhoGetsMost) {
  const Neighborhood edges{{}, {{1, {Buffer::input, 0, 9}}, {2, {Buffer::input, 0, 3}}, {3, {Buffer::input, 0, 2}}, {3, {Buffer::input, 2, 2}}}};
  const Program program = plan_neighbors(pairs(4), {}, 0, {9, 0, 0}, edges);
  std::vector<Rank> peers;
  for (StepIndex i = 0; i < program.size(); ++i) peers.push_back(program.step(i).peer);
  EXPECT_EQ(peers, (std::vector<Rank>{3, 3, 2, 1}));
  EXPECT_EQ(program.step(1).from.front().offset, 2);
}

Ranks peers_of(const Program& program) {
  Ranks peers;
  for (StepIndex i = 0; i < program.size(); ++i) peers.push_back(program.step(i).peer);
  return peers;
}

TEST(Neighbors, WithMoreToDoAfterwardsAreSentToFirst) {
  const auto edge = [](Rank peer, Rank sends, Count load) { return Edge{peer, {Buffer::input, 0, 4}, sends, load}; };
  const auto order = [](std::vector<Edge> edges) { return peers_of(plan_neighbors(pairs(6), {}, 0, {4, 0, 0}, {{}, std::move(edges)})); };
  EXPECT_EQ(order({edge(1, 0, 2), edge(2, 0, 1), edge(3, 0, 3), edge(3, 0, 3)}), (Ranks{3, 3, 1, 2}));
  EXPECT_EQ(order({edge(2, 4, 0), edge(3, 9, 0), edge(4, 6, 0), edge(1, 99, 0)}), (Ranks{3, 4, 2, 1}));
}

TEST(Neighbors, TellThoseThatSendToThemWhatTheyHaveToDo) {
  const Edge nobody{-1, {}}, two{2, {}}, one{1, {}}, zero{0, {}};
  const std::vector<Neighborhood> all{{{two, nobody}, {two, one, zero, two}}, {{zero}, {nobody}}, {{zero, zero}, {zero}}};
  const std::vector<Ranks> receivers{{1, 2}, {}, {0}};
  const auto entry = [](Rank rank) { return Memory(8, "load of " + std::to_string(rank)); };
  Machine machine;
  for (Rank me = 0; me < 3; ++me) {
    const Survey survey = plan_load_survey(me, 3, all[static_cast<std::size_t>(me)]);
    EXPECT_EQ(survey.ranks, receivers[static_cast<std::size_t>(me)]);
    machine.add(ProgramEditor::edited(survey.program), entry(me), {});
  }
  ASSERT_TRUE(machine.run(1));
  for (Rank me = 0; me < 3; ++me) {
    Memory heard;
    for (const Rank rank : receivers[static_cast<std::size_t>(me)])
      for (const std::string& each : entry(rank)) heard.push_back(each);
    EXPECT_EQ(machine.output(me), heard);
  }
}

/// A ring listed as the header says: destinations down, up; sources up, down.
std::vector<Process> ring(int size) {
  std::vector<Process> processes(static_cast<std::size_t>(size));
  for (int me = 0; me < size; ++me) {
    const auto name = [](const char* way, int rank) { return Memory{way + std::to_string(rank)}; };
    const int down = (me + size - 1) % size, up = (me + 1) % size;
    Process& process = processes[static_cast<std::size_t>(me)];
    process.send(down, name("down from ", me));
    process.send(up, name("up from ", me));
    process.receive(up, name("down from ", up));
    process.receive(down, name("up from ", down));
  }
  return processes;
}

TEST(Neighbors, OfARingOfOneAreOneselfTwice) { run(ring(1)); }
TEST(Neighbors, OfARingOfTwoAreTheSameRankTwice) { run(ring(2)); }
TEST(Neighbors, OfARingOfThree) { run(ring(3)); }

TEST(Neighbors, MustListAsManyEdgesToOneselfAsFromOneself) {
  EXPECT_DEATH(plan_neighbors(pairs(2), {}, 0, {1, 0, 0}, {{}, {{0, {Buffer::input, 0, 1}}}}), "as many edges to oneself");
}

}  // namespace
}  // namespace wan
