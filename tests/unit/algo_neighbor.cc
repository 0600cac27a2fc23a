// SPDX-License-Identifier: BSD-3-Clause
// algo/collectives/neighbor.h: what each edge carries arrives at its other end, in any graph, with edges to
// oneself, several edges between two ranks and none at all (MPI_PROC_NULL); cartesian rings of one and two;
// each edge by itself and many as one message.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "algo/collectives/neighbor.h"
#include "check/verify.h"
#include "tests/support/interpreter.h"
#include "tests/support/layouts.h"
#include "tests/support/neighborhoods.h"
#include "tests/support/pick.h"

namespace wan {
namespace {

using Memory = Interpreter::Memory;
using Ranks = std::vector<Rank>;

/// One process: its edges, its data, and what must have come in the end.
struct Process {
  Neighborhood edges = {};
  Memory input = {}, wanted = {};

  void send(Rank to, const Memory& data) {
    edges.destinations.push_back(
        {to, {Buffer::input, static_cast<Count>(input.size()), static_cast<Count>(data.size())}});
    input.insert(input.end(), data.begin(), data.end());
  }
  void send_all_of(Rank to, const Memory& data) {
    input = data;
    edges.destinations.push_back({to, {Buffer::input, 0, static_cast<Count>(data.size())}});
  }
  void receive(Rank from, const Memory& data) {
    edges.sources.push_back(
        {from, {Buffer::output, static_cast<Count>(wanted.size()), static_cast<Count>(data.size())}});
    wanted.insert(wanted.end(), data.begin(), data.end());
  }
  NeighborCall call(NeighborTraits traits) const {
    return {traits, {static_cast<Count>(input.size()), static_cast<Count>(wanted.size()), 0}, edges};
  }
};

/// The k-th process in site k / 2.
Topology pairs(Rank size) {
  std::vector<Path> paths;
  for (Rank rank = 0; rank < size; ++rank) paths.push_back({"s" + std::to_string(rank / 2)});
  const Layout layout(paths);
  return {layout, Network(layout.sites(), Link{10'000'000, 1'000, 0})};
}

using Programs = std::vector<Program>;

/// After the surveys.
Programs plan_all(const Topology& topology, const Tuning& tuning, NeighborTraits traits,
                  const std::vector<Process>& processes) {
  std::vector<NeighborCall> calls;
  for (const Process& each : processes) calls.push_back(each.call(traits));
  const std::vector<Bundles> bundles = bundles_of_all(topology, tuning, calls);
  tell_lengths(topology, bundles, calls);
  Programs programs;
  for (Rank me = 0; me < topology.layout.size(); ++me)
    programs.push_back(plan_neighbors(topology, tuning, me, calls[static_cast<std::size_t>(me)],
                                      bundles[static_cast<std::size_t>(me)]));
  return programs;
}

void run(const Programs& programs, const std::vector<Process>& processes) {
  Interpreter interpreter;
  for (std::size_t me = 0; me < processes.size(); ++me) {
    ASSERT_TRUE(hazards(programs[me]).empty());
    interpreter.add(ProgramEditor::edited(programs[me]), processes[me].input, {});
  }
  ASSERT_TRUE(interpreter.run(1));
  for (std::size_t me = 0; me < processes.size(); ++me)
    EXPECT_EQ(interpreter.output(static_cast<int>(me)), processes[me].wanted);
}

void run(const std::vector<Process>& processes) {
  run(plan_all(pairs(static_cast<Rank>(processes.size())), {}, {}, processes), processes);
}

/// A site, and maybe a host in it, for each of so many ranks.
std::string any_layout(int ranks) {
  std::string words;
  for (int rank = 0; rank < ranks; ++rank) {
    words += static_cast<char>('a' + pick_by_size(0, 2));
    words += static_cast<char>('1' + pick_by_size(0, 1));
    words += ' ';
  }
  return words;
}

Tuning any_tuning() {
  Tuning tuning;
  tuning.segment = pick_by_size(1, 4);
  tuning.alltoall_aggregate_limit = pick_by_size(0, 6);
  tuning.algorithms.force_neighbors(
      *rc::gen::element(Algorithm::automatic, Algorithm::direct, Algorithm::aggregate));
  return tuning;
}

/// What each process sends to all alike, or for each edge by itself; of one length, or of any.
std::vector<Process> any_processes(int ranks, NeighborTraits traits) {
  std::vector<Process> processes(static_cast<std::size_t>(ranks));
  const int equal = pick_by_size(0, 5), edges = pick_by_size(0, 30);
  const auto data = [&](int from, int edge, int length) {
    return Memory(static_cast<std::size_t>(traits.vector ? length : equal),
                  (traits.gathers ? "from " + std::to_string(from) : "edge " + std::to_string(edge)));
  };
  std::vector<int> lengths;
  for (int rank = 0; rank < ranks; ++rank) lengths.push_back(pick_by_size(0, 5));
  for (int edge = 0; edge < edges; ++edge) {
    const int from = pick_by_size(-1, ranks - 1), to = pick_by_size(-1, ranks - 1);
    const int length = !traits.gathers ? pick_by_size(0, 5)
                       : from < 0      ? 1
                                       : lengths[static_cast<std::size_t>(from)];
    const Memory sent = data(from, edge, length);
    if (from >= 0 && traits.gathers) processes[static_cast<std::size_t>(from)].send_all_of(to, sent);
    if (from >= 0 && !traits.gathers) processes[static_cast<std::size_t>(from)].send(to, sent);
    if (to >= 0)
      processes[static_cast<std::size_t>(to)].receive(from, from < 0 ? Memory(sent.size(), "?") : sent);
  }
  return processes;
}

RC_GTEST_PROP(Neighbors, GetWhatTheirEdgesCarry, ()) {
  const int ranks = pick_by_size(1, 8);
  const NeighborTraits traits{*rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>()};
  const std::vector<Process> processes = any_processes(ranks, traits);
  Topology topology = topology_of(any_layout(ranks));
  topology.network = Network(topology.layout.sites(),
                             Link{10'000'000, *rc::gen::element<BytesPerSecond>(1'000, 1'000'000'000), 0});
  run(plan_all(topology, any_tuning(), traits, processes), processes);
}

/// Messages to other sites and their units.
Traffic wide_traffic(const Topology& topology, const Programs& programs) {
  Traffic all;
  for (std::size_t me = 0; me < programs.size(); ++me)
    for (StepIndex i = 0; i < programs[me].size(); ++i) {
      const Step step = programs[me].step(i);
      if (step.kind != StepKind::send ||
          topology.layout.site_of(step.peer) == topology.layout.site_of(static_cast<Rank>(me)))
        continue;
      ++all.messages;
      all.units += step.length();
    }
  return all;
}

/// Each of the first half to each of the second, 4 units.
std::vector<Process> halves(int ranks, bool gathers) {
  std::vector<Process> processes(static_cast<std::size_t>(ranks));
  for (int from = 0; from < ranks / 2; ++from)
    for (int to = ranks / 2; to < ranks; ++to) {
      const Memory data(4, "from " + std::to_string(from) + (gathers ? "" : " to " + std::to_string(to)));
      Process& source = processes[static_cast<std::size_t>(from)];
      gathers ? source.send_all_of(to, data) : source.send(to, data);
      processes[static_cast<std::size_t>(to)].receive(from, data);
    }
  return processes;
}

TEST(Neighbors, GetWhatComesOnceAlongEachOfTheirEdges) {
  Tuning together;
  together.algorithms.force_neighbors(Algorithm::aggregate);
  std::vector<Process> processes(5);
  const auto edge = [&](Rank from, Rank to) {
    const Memory data(3, "from " + std::to_string(from));
    processes[static_cast<std::size_t>(from)].send_all_of(to, data);
    processes[static_cast<std::size_t>(to)].receive(from, data);
  };
  for (const auto& [from, to] : std::vector<Crossing>{{1, 4}, {0, 3}, {0, 4}, {0, 3}, {1, 4}, {0, 4}, {1, 3}})
    edge(from, to);
  const Topology topology = topology_of("a a a b b");
  const Programs programs = plan_all(topology, together, {true, false}, processes);
  run(programs, processes);
  EXPECT_EQ(wide_traffic(topology, programs), (Traffic{1, 6}));
}

TEST(Neighbors, SendOneMessageFromSiteToSite) {
  const Topology topology = topology_of("a a a b b b");
  Tuning together, apart;
  together.algorithms.force_neighbors(Algorithm::aggregate);
  apart.algorithms.force_neighbors(Algorithm::direct);
  const auto traffic = [&](const Tuning& tuning, NeighborTraits traits) {
    const std::vector<Process> processes = halves(6, traits.gathers);
    const Programs programs = plan_all(topology, tuning, traits, processes);
    run(programs, processes);
    return wide_traffic(topology, programs);
  };
  EXPECT_EQ(traffic(apart, {}), (Traffic{9, 36}));
  EXPECT_EQ(traffic(together, {}), (Traffic{1, 36}));
  EXPECT_EQ(traffic(together, {false, true}), (Traffic{1, 36}));
  EXPECT_EQ(traffic(apart, {true, false}), (Traffic{9, 36}));
  EXPECT_EQ(traffic(together, {true, false}), (Traffic{1, 12}));
  EXPECT_EQ(traffic(together, {true, true}), (Traffic{1, 12}));
}

TEST(Neighbors, FarOnesAreSentToFirstAndOfThoseTheOneWhoGetsMost) {
  const Neighborhood edges{{},
                           {{1, {Buffer::input, 0, 9}},
                            {2, {Buffer::input, 0, 3}},
                            {3, {Buffer::input, 0, 2}},
                            {3, {Buffer::input, 2, 2}}}};
  const Program program = plan_neighbors(pairs(4), {}, 0, {{}, {9, 0, 0}, edges});
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
  const auto edge = [](Rank peer, Rank sends, Count load) {
    return Edge{peer, {Buffer::input, 0, 4}, sends, load};
  };
  const auto order = [](std::vector<Edge> edges) {
    return peers_of(plan_neighbors(pairs(6), {}, 0, {{}, {4, 0, 0}, {{}, std::move(edges)}}));
  };
  EXPECT_EQ(order({edge(1, 0, 2), edge(2, 0, 1), edge(3, 0, 3), edge(3, 0, 3)}), (Ranks{3, 3, 1, 2}));
  EXPECT_EQ(order({edge(2, 4, 0), edge(3, 9, 0), edge(4, 6, 0), edge(1, 99, 0)}), (Ranks{3, 4, 2, 1}));
}

TEST(Neighbors, TellThoseThatSendToThemWhatTheyHaveToDo) {
  const Edge nobody{-1, {}}, two{2, {}}, one{1, {}}, zero{0, {}};
  const std::vector<Neighborhood> all{
      {{two, nobody}, {two, one, zero, two}}, {{zero}, {nobody}}, {{zero, zero}, {zero}}};
  const std::vector<Ranks> receivers{{1, 2}, {}, {0}};
  const auto entry = [](Rank rank) { return Memory(8, "load of " + std::to_string(rank)); };
  Interpreter interpreter;
  for (Rank me = 0; me < 3; ++me) {
    const Survey survey = plan_load_survey(me, 3, all[static_cast<std::size_t>(me)]);
    EXPECT_EQ(survey.ranks, receivers[static_cast<std::size_t>(me)]);
    interpreter.add(ProgramEditor::edited(survey.program), entry(me), {});
  }
  ASSERT_TRUE(interpreter.run(1));
  for (Rank me = 0; me < 3; ++me) {
    Memory heard;
    for (const Rank rank : receivers[static_cast<std::size_t>(me)])
      for (const std::string& each : entry(rank)) heard.push_back(each);
    EXPECT_EQ(interpreter.output(me), heard);
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

TEST(Neighbors, OfARingOfOneAreOneselfTwice) {
  run(ring(1));
}
TEST(Neighbors, OfARingOfTwoAreTheSameRankTwice) {
  run(ring(2));
}
TEST(Neighbors, OfARingOfThree) {
  run(ring(3));
}

TEST(Neighbors, MustListAsManyEdgesToOneselfAsFromOneself) {
  EXPECT_DEATH(plan_neighbors(pairs(2), {}, 0, {{}, {1, 0, 0}, {{}, {{0, {Buffer::input, 0, 1}}}}}),
               "as many edges to oneself");
}

}  // namespace
}  // namespace wan
