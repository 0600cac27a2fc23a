// SPDX-License-Identifier: BSD-3-Clause
#include "process/explanation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "algo/choice/choice.h"
#include "algo/schedule.h"
#include "base/time.h"
#include "check/simulate.h"

namespace wan {
namespace {

Simulation simulation_of(const Topology& topology, const Tuning& tuning, const GlobalCall& call) {
  return simulate(plan_all(topology, tuning, call), Model(topology, met_by(tuning, topology.machine)),
                  call.unit_bytes);
}

std::string lanes_of(const Choice& choice) {
  return choice.lanes > 1 ? fmt::format(" over {} lanes", choice.lanes) : "";
}

std::string traffic_of(const Forecast& predicted) {
  LinkForecast all;
  for (const LinkForecast& link : predicted.links) {
    all.messages += link.messages;
    all.bytes += link.bytes;
  }
  return fmt::format("{} messages with {} bytes between sites", all.messages, all.bytes);
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
                          const GlobalCall& whole, const Forecast& predicted) {
  const auto other = runner_up(topology, tuning, chosen, call, whole);
  return fmt::format(
      ", predicted {:.3f} ms (lower bound {:.3f} ms), {}; {}", in_ms(predicted.time_ns),
      in_ms(predicted.bound_ns), traffic_of(predicted),
      other ? fmt::format("next best: {} with {:.3f} ms", name_of(other->algorithm), in_ms(other->time_ns))
            : "no other algorithm fits");
}

std::string text_of(const Link& link) {
  return fmt::format("{:.1f} ms and {:.1f} MB/s", in_ms(link.latency_ns),
                     static_cast<double>(link.bandwidth_bytes_per_s) / 1e6);
}

std::string uplink_text(std::optional<BytesPerSecond> rate) {
  return rate ? fmt::format("{:.1f} MB/s", static_cast<double>(*rate) / 1e6) : "no limit";
}

std::vector<std::string> corrections(const Layout& layout, const Network& before, const Network& after) {
  std::vector<std::string> texts;
  for (SiteIndex from = 0; from < layout.sites(); ++from) {
    for (SiteIndex to = 0; to < layout.sites(); ++to)
      if (from != to && after.link(from, to) != before.link(from, to))
        texts.push_back(fmt::format("{} to {} has {} instead of {}", layout.site_name(from),
                                    layout.site_name(to), text_of(after.link(from, to)),
                                    text_of(before.link(from, to))));
    if (after.uplink(from) != before.uplink(from))
      texts.push_back(fmt::format("what leaves {} has {} instead of {}", layout.site_name(from),
                                  uplink_text(after.uplink(from)), uplink_text(before.uplink(from))));
  }
  return texts;
}

}  // namespace

std::string correction_text(const Layout& layout, const Network& before, const Network& after) {
  constexpr std::size_t kMost = 6;
  std::vector<std::string> texts = corrections(layout, before, after);
  const std::size_t others = texts.size() - std::min(texts.size(), kMost);
  texts.resize(texts.size() - others);
  return fmt::format("links are not as they were believed to be: {}{}", fmt::join(texts, "; "),
                     others > 0 ? fmt::format("; and {} more", others) : "");
}

std::string explain(const Topology& topology, const Tuning& tuning, Rank me, const Call& call,
                    const std::optional<Forecast>& predicted) {
  const Choice choice = choose(topology, tuning, call);
  const Algorithm chosen = choice.algorithm();
  const auto whole = known_call(call, me, topology.layout.size());
  const std::string text = fmt::format("{}: {}{}", title_of(call), name_of(chosen), lanes_of(choice));
  if (!whole) return text + ", not predicted: no process knows all lengths";
  if (!predicted) return text + fmt::format(", not predicted: more than {} processes", kMostRanksPredicted);
  return text + prediction_of(topology, tuning, chosen, call, *whole, *predicted);
}

std::string explain(const Topology& topology, const Tuning& tuning, Rank me, const Call& call) {
  return explain(topology, tuning, me, call, forecast(topology, tuning, me, call, Extent::own_plan));
}

}  // namespace wan
