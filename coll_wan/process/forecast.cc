// SPDX-License-Identifier: BSD-3-Clause
#include "process/forecast.h"

#include <fmt/format.h>

#include "algo/schedule.h"
#include "check/simulate.h"

namespace wan {
namespace {

std::string length_of(const Call& call) {
  if (traits(call.collective).vector) return " of several lengths";
  const Bytes bytes = call.block * call.unit_bytes;
  return call.collective == Collective::barrier ? "" : fmt::format(" of {} bytes", bytes);
}

/// Adds what a rank sends to other sites.
void add_sends(const Program& program, Rank rank, const Layout& layout, Bytes unit_bytes,
               SiteMatrix<LinkForecast>& links) {
  for (StepIndex i = 0; i < program.size(); ++i) {
    const Step step = program.step(i);
    if (step.kind != StepKind::send || layout.site_of(step.peer) == layout.site_of(rank)) continue;
    LinkForecast& link = links.at(layout.site_of(rank), layout.site_of(step.peer));
    ++link.messages;
    link.bytes += step.length() * unit_bytes;
  }
}

/// Those that are used.
std::vector<LinkForecast> links_of(const Schedule& schedule, const Layout& layout, Bytes unit_bytes) {
  SiteMatrix<LinkForecast> links(layout.sites());
  for (Rank rank = 0; rank < layout.size(); ++rank)
    add_sends(schedule[static_cast<std::size_t>(rank)], rank, layout, unit_bytes, links);
  std::vector<LinkForecast> used;
  for (SiteIndex from = 0; from < layout.sites(); ++from)
    for (SiteIndex to = 0; to < layout.sites(); ++to)
      if (const LinkForecast& link = links.at(from, to); link.messages > 0)
        used.push_back({layout.site_name(from), layout.site_name(to), link.messages, link.bytes});
  return used;
}

}  // namespace

std::string title_of(const Call& call) {
  const CollectiveTraits& known = traits(call.collective);
  const char* preposition = call.collective == Collective::bcast || call.collective == Collective::scatter ||
                                    call.collective == Collective::scatterv
                                ? "from"
                                : "to";
  return fmt::format("{}{}{}", known.name, length_of(call),
                     known.rooted ? fmt::format(" {} rank {}", preposition, call.root) : "");
}

std::optional<Forecast> forecast(const Topology& topology, const Tuning& tuning, Rank me, const Call& call,
                                 Extent extent) {
  const auto whole = known_call(call, me, topology.layout.size());
  if (!whole || whole->size > kMostRanksPredicted) return std::nullopt;
  const Model model(topology, met_by(tuning, topology.machine));
  const Schedule schedule = plan_all(topology, tuning, *whole);
  const Simulation simulation = simulate(schedule, model, whole->unit_bytes);
  Forecast made{simulation.end, simulation.rank_end[static_cast<std::size_t>(me)], bound_of(topology, *whole),
                links_of(schedule, topology.layout, whole->unit_bytes)};
  if (extent == Extent::with_stock)
    made.stock = forecast_stock(Model(topology, met_by_stock(tuning, topology.machine)), *whole);
  return made;
}

}  // namespace wan
