// SPDX-License-Identifier: BSD-3-Clause
// Barrier: empty messages up the tree of each site, one from every site to every other, down the tree. Of two
// groups nobody waits for the own one.
//
//   0 1 2 -> 0 ===> 3 <- 3 4      WAN: one latency, C (C - 1) empty messages.
//   0 1 2 <- 0 <=== 3 -> 3 4
#include "algo/collectives/collectives.h"
#include "algo/exchange/call_builder.h"

namespace wan {

namespace {

/// Tells the parent, or all other sites, and hears from them; returns what the children must wait for.
std::vector<StepIndex> meet(Builder& b, const Position& position, std::span<const StepIndex> arrivals) {
  if (const auto parent = position.parent()) {
    b.send_signal(*parent, arrivals);
    return {b.receive_signal(*parent)};
  }
  std::vector<StepIndex> heard;
  if (position.hears(position.site())) heard.assign(arrivals.begin(), arrivals.end());
  for (const SiteIndex site : position.other_sites()) b.send_signal(position.coordinator_of(site), arrivals);
  for (const SiteIndex site : position.other_sites())
    heard.push_back(b.receive_signal(position.coordinator_of(site)));
  return heard;
}

}  // namespace

Program plan_barrier(const Position& position, const Call& call, const Choice& choice) {
  Builder b = builder_for(position, call, choice);
  std::vector<StepIndex> arrivals;
  for (const Rank child : position.children()) arrivals.push_back(b.receive_signal(child));
  const auto heard = meet(b, position, arrivals);
  for (const Rank child : position.children()) b.send_signal(child, heard);
  return std::move(b).finish();
}

}  // namespace wan
