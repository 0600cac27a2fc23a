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

std::vector<LinkForecast> links_of(const Simulation& simulation, const Layout& layout) {
  std::vector<LinkForecast> links;
  for (SiteIndex from = 0; from < layout.sites(); ++from)
    for (SiteIndex to = 0; to < layout.sites(); ++to) {
      const LinkUse& use = simulation.between_sites.at(from, to);
      if (use.transmissions > 0)
        links.push_back({layout.site_name(from), layout.site_name(to), use.transmissions, use.payload});
    }
  return links;
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
  const Model model(topology, Machine{.flow_window = tuning.flow_window});
  const Simulation simulation = simulate(plan_all(topology, tuning, *whole), model, whole->unit_bytes);
  Forecast made{simulation.end, simulation.rank_end[static_cast<std::size_t>(me)], bound_of(topology, *whole),
                links_of(simulation, topology.layout)};
  if (extent == Extent::with_stock) made.stock = forecast_stock(model, *whole);
  return made;
}

}  // namespace wan
