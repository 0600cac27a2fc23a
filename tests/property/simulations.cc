// SPDX-License-Identifier: BSD-3-Clause
// Every collective x random topology x root x sizes x machine, simulated (check/simulate.h): it finishes, the
// same way each time, in a possible order, moves the Schedule's bytes, and never takes less than the lower
// bound (cost/bounds.h), with headers on the wire and without. With nothing but equal latencies it takes
// exactly one.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <random>
#include <sstream>

#include "algo/schedule.h"
#include "base/index.h"
#include "check/simulate.h"
#include "cost/bounds.h"
#include "tests/support/free_machine.h"
#include "tests/support/property_main.h"
#include "tests/support/random_call.h"

namespace wan {

const int kCases = 2'000;

namespace {

/// Numbers of a case that RapidCheck need not shrink one by one.
class Draw {
 public:
  Draw() : engine_(static_cast<unsigned>(pick(0, 1 << 20))) {}
  std::int64_t operator()(std::int64_t from, std::int64_t to) {
    return from + static_cast<std::int64_t>(engine_()) % (to - from + 1);
  }
  template <class T>
  T of(std::initializer_list<T> values) {
    return values.begin()[(*this)(0, static_cast<std::int64_t>(values.size()) - 1)];
  }

 private:
  std::mt19937 engine_;
};

/// A call, and the world it is simulated in.
struct Case {
  RandomCall random;
  Bytes element_bytes = 1;
  Topology topology;
  Machine machine;

  Model model() const { return Model(topology, machine); }
  Schedule schedule() const { return plan_all(topology, random.tuning, random.call); }
};

Network random_network(const RandomCall& random, SiteIndex sites, Draw& draw) {
  std::vector<Link> links = random.links;
  for (Link& link : links)
    link.bandwidth_bytes_per_s = draw.of<BytesPerSecond>({1'000'000, 12'500'000, 80'000'000, 1'250'000'000});
  std::vector<std::optional<BytesPerSecond>> uplinks(at(sites)), downlinks(at(sites));
  for (auto* caps : {&uplinks, &downlinks})
    for (auto& cap : *caps)
      if (draw(0, 2) == 0) cap = draw.of<BytesPerSecond>({3'000'000, 50'000'000, 2'000'000'000});
  return {sites, std::move(links), std::move(uplinks), std::move(downlinks)};
}

Medium random_medium(Draw& draw) {
  return {{draw(0, 50'000), draw(0, 50'000)},
          draw(0, 2'000),
          draw(0, 2'000),
          draw.of<Bytes>({0, 100, 4'040, 65'480, 1'000'000'000})};
}

Machine random_machine(Draw& draw) {
  Machine machine;
  machine.shared_memory = random_medium(draw);
  machine.tcp = random_medium(draw);
  machine.copy_ps_per_byte = draw(0, 1'000);
  machine.reduce_ps_per_byte = draw(0, 1'000);
  machine.framing = Framing::none();
  machine.processors = draw.of<std::int32_t>({0, 0, 1, 2, 5});
  machine.turn_ns = draw(0, 50'000);
  machine.flow_window = draw.of<Bytes>({0, 0, 100, 10'000, 1'000'000});
  return machine;
}

/// Blocks of bytes are made longer, so are elements and the segments that both are cut into. Seldom to the
/// most: a call then has many segments.
void scale(Case& world, Draw& draw) {
  const Bytes factor = draw.of<Bytes>({1, 1, 1, 100, 100, 100, 10'000, 10'000, 10'000, 1'000'000});
  GlobalCall& call = world.random.call;
  world.random.tuning.segment *= factor;
  world.random.tuning.eager_window *= factor;
  if (unit_of(call.collective) == Unit::elements) {
    world.element_bytes = call.unit_bytes = factor;
    return;
  }
  call.block *= factor;
  for (Count& count : call.counts) count *= factor;
}

Case random_case(Collective collective) {
  RandomCall random = random_call(collective, 1, 40);
  Draw draw;
  const Layout layout(random.paths, random.near_network);
  Case world{random, 1, {layout, random_network(random, layout.sites(), draw)}, random_machine(draw)};
  scale(world, draw);
  for (Rank rank = 0; rank < layout.size(); ++rank)
    world.topology.overheads.push_back({draw(0, 100'000), draw(0, 100'000)});
  return world;
}

Nanoseconds bound_of(const Case& world) {
  GlobalCall in_bytes = world.random.call;
  in_bytes.block *= world.element_bytes;
  for (Count& count : in_bytes.counts) count *= world.element_bytes;
  return lower_bound(world.topology.network, demand_of(world.topology.layout, in_bytes));
}

/// What the sends of the Schedule put on each pair of sites.
SiteMatrix<Bytes> bytes_of(const Case& world, const Schedule& schedule) {
  const Layout& layout = world.topology.layout;
  SiteMatrix<Bytes> bytes(layout.sites());
  for (Rank rank = 0; rank < layout.size(); ++rank) {
    const Program& program = schedule[at(rank)];
    const Bytes unit = program.unit() == Unit::bytes ? 1 : world.element_bytes;
    for (StepIndex i = 0; i < program.size(); ++i)
      if (const Step step = program.step(i); step.kind == StepKind::send)
        bytes.at(layout.site_of(rank), layout.site_of(step.peer)) += step.length() * unit;
  }
  return bytes;
}

using Complaints = std::vector<std::string>;

void check_order(const Schedule& schedule, const Simulation& simulation, Complaints& complaints) {
  for (std::size_t rank = 0; rank < schedule.size(); ++rank)
    for (StepIndex i = 0; i < schedule[rank].size(); ++i) {
      const StepTimes& times = simulation.steps[rank][at(i)];
      bool is_possible =
          times.ready <= times.start && times.start <= times.end && times.end <= simulation.rank_end[rank];
      for (const StepIndex earlier : schedule[rank].step(i).after)
        is_possible = is_possible && simulation.steps[rank][at(earlier)].end <= times.ready;
      if (!is_possible)
        complaints.push_back("impossible times of rank " + std::to_string(rank) + " step " +
                             std::to_string(i));
    }
}

void check_links(const Case& world, const Schedule& schedule, const Simulation& simulation,
                 Complaints& complaints) {
  const SiteMatrix<Bytes> bytes = bytes_of(world, schedule);
  for (SiteIndex from = 0; from < bytes.sites(); ++from)
    for (SiteIndex to = 0; to < bytes.sites(); ++to) {
      if (from == to) continue;
      const LinkUse& use = simulation.between_sites.at(from, to);
      if (use.payload != bytes.at(from, to))
        complaints.push_back("other bytes than the Schedule's between sites");
      if (use.busy_ns > simulation.end) complaints.push_back("a link that was busy for longer than all took");
    }
}

/// What is wrong with the simulation of a case.
Complaints complaints_of(const Case& world, const Schedule& schedule, const Simulation& simulation) {
  Complaints complaints;
  if (!simulation.is_finished()) return {"it does not finish"};
  if (const Nanoseconds bound = bound_of(world); simulation.end < bound)
    complaints.push_back("takes " + std::to_string(simulation.end) + " ns, less than the bound of " +
                         std::to_string(bound));
  check_order(schedule, simulation, complaints);
  check_links(world, schedule, simulation, complaints);
  return complaints;
}

std::string text_of(const Case& world, const Complaints& complaints) {
  std::ostringstream text;
  text << world.random << " elements of " << world.element_bytes << " bytes\n links:";
  for (SiteIndex from = 0; from < world.topology.network.sites(); ++from)
    for (SiteIndex to = 0; to < world.topology.network.sites(); ++to) {
      const Link& link = world.topology.network.link(from, to);
      text << ' ' << link.latency_ns << "ns," << link.bandwidth_bytes_per_s << "B/s";
    }
  for (SiteIndex site = 0; site < world.topology.network.sites(); ++site)
    text << "\n site " << site << " up " << world.topology.network.uplink(site).value_or(0) << " down "
         << world.topology.network.downlink(site).value_or(0);
  for (const auto& complaint : complaints) text << '\n' << complaint;
  return text.str();
}

void obeys_the_bound(Collective collective) {
  Case world = random_case(collective);
  const Schedule schedule = world.schedule();
  for (const Framing framing : {Framing::none(), Framing::ethernet()}) {
    world.machine.framing = framing;
    const auto simulation = [&] { return simulate(schedule, world.model(), world.element_bytes); };
    const Simulation first = simulation();
    Complaints complaints = complaints_of(world, schedule, first);
    if (simulation().steps != first.steps) complaints.push_back("another time, it is different");
    if (!complaints.empty()) RC_FAIL(text_of(world, complaints));
  }
}

/// No overheads, no rates to speak of: latency is all there is.
Case latency_only(Collective collective, Nanoseconds latency_ns) {
  constexpr BytesPerSecond kWide = 1'000'000'000'000'000'000;
  RandomCall random = random_call(collective, 1, 40);
  random.tuning.algorithms = {};  // a spread that is forced takes two latencies
  random.tuning.flow_window = 0;  // what windows hold up may go another way
  const Layout layout(random.paths, random.near_network);
  return {random, 1, {layout, Network(layout.sites(), Link{latency_ns, kWide, 0})}, free_machine()};
}

void takes_one_latency(Collective collective) {
  const Case world = latency_only(collective, 10'000'000);
  const Simulation simulation = simulate(world.schedule(), world.model(), 1);
  const Nanoseconds bound = bound_of(world);
  RC_ASSERT(bound == 0 || bound >= 10'000'000);
  constexpr Nanoseconds kRounding = 1'000;  // a nanosecond for each byte's worth that follows another
  if (simulation.end > bound + kRounding) RC_FAIL(text_of(world, {std::to_string(simulation.end) + " ns"}));
}

class Simulations : public testing::TestWithParam<CollectiveTraits> {};

TEST_P(Simulations, NeverBeatTheBound) {
  EXPECT_TRUE(rc::check(std::string(GetParam().name), [] { obeys_the_bound(GetParam().collective); }));
}

TEST_P(Simulations, TakeOneLatencyWhereThatIsAllThereIs) {
  EXPECT_TRUE(rc::check(std::string(GetParam().name), [] { takes_one_latency(GetParam().collective); }));
}

INSTANTIATE_TEST_SUITE_P(Every, Simulations,
                         testing::ValuesIn(all_collectives().begin(), all_collectives().end()),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace wan
