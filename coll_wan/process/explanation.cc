// SPDX-License-Identifier: BSD-3-Clause
#include "process/explanation.h"

#include <fmt/format.h>

#include <optional>

#include "algo/choice/choice.h"
#include "algo/schedule.h"
#include "check/simulate.h"

namespace wan {
namespace {

constexpr Rank kMostRanks = 256;

double in_ms(Nanoseconds time) {
  return static_cast<double>(time) / 1e6;
}

Simulation simulation_of(const Topology& topology, const Tuning& tuning, const GlobalCall& call) {
  return simulate(plan_all(topology, tuning, call),
                  Model(topology, Machine{.flow_window = tuning.flow_window}), call.unit_bytes);
}

std::string length_of(const Call& call) {
  if (traits(call.collective).vector) return " of several lengths";
  const Bytes bytes = call.block * call.unit_bytes;
  return call.collective == Collective::barrier ? "" : fmt::format(" of {} bytes", bytes);
}

std::string name_of(const Call& call) {
  const CollectiveTraits& known = traits(call.collective);
  const char* preposition = call.collective == Collective::bcast || call.collective == Collective::scatter ||
                                    call.collective == Collective::scatterv
                                ? "from"
                                : "to";
  return fmt::format("{}{}{}", known.name, length_of(call),
                     known.rooted ? fmt::format(" {} rank {}", preposition, call.root) : "");
}

std::string lanes_of(const Choice& choice) {
  return choice.lanes > 1 ? fmt::format(" over {} lanes", choice.lanes) : "";
}

std::string traffic_of(const Simulation& simulation, SiteIndex sites) {
  LinkUse all;
  for (SiteIndex from = 0; from < sites; ++from)
    for (SiteIndex to = 0; to < sites; ++to) {
      all.transmissions += simulation.between_sites.at(from, to).transmissions;
      all.payload += simulation.between_sites.at(from, to).payload;
    }
  return fmt::format("{} messages with {} bytes between sites", all.transmissions, all.payload);
}

struct Alternative {
  Algorithm algorithm;
  Nanoseconds time_ns;
};

/// The quickest of those that are not chosen; nullopt where there is none.
std::optional<Alternative> runner_up(const Topology& topology, const Tuning& tuning, Algorithm chosen,
                                     const Call& call, const GlobalCall& whole) {
  std::optional<Alternative> best;
  for (const Algorithm other : algorithms_of(call.collective)) {
    Tuning forced = tuning;
    forced.algorithms.force(call.collective, other);
    if (other == Algorithm::automatic || other == chosen ||
        choose(topology, forced, call).algorithm() != other)
      continue;
    const Nanoseconds time_ns = simulation_of(topology, forced, whole).end;
    if (!best || time_ns < best->time_ns) best = {other, time_ns};
  }
  return best;
}

std::string prediction_of(const Topology& topology, const Tuning& tuning, Algorithm chosen, const Call& call,
                          const GlobalCall& whole) {
  const Simulation simulation = simulation_of(topology, tuning, whole);
  const auto other = runner_up(topology, tuning, chosen, call, whole);
  return fmt::format(
      ", predicted {:.3f} ms (lower bound {:.3f} ms), {}; {}", in_ms(simulation.end),
      in_ms(bound_of(topology, whole)), traffic_of(simulation, topology.layout.sites()),
      other ? fmt::format("next best: {} with {:.3f} ms", name_of(other->algorithm), in_ms(other->time_ns))
            : "no other algorithm fits");
}

}  // namespace

std::string explain(const Topology& topology, const Tuning& tuning, Rank me, const Call& call) {
  const Choice choice = choose(topology, tuning, call);
  const Algorithm chosen = choice.algorithm();
  const auto whole = known_call(call, me, topology.layout.size());
  const std::string text = fmt::format("{}: {}{}", name_of(call), name_of(chosen), lanes_of(choice));
  if (!whole) return text + ", not predicted: no process knows all lengths";
  if (whole->size > kMostRanks)
    return text + fmt::format(", not predicted: more than {} processes", kMostRanks);
  return text + prediction_of(topology, tuning, chosen, call, *whole);
}

}  // namespace wan
