// SPDX-License-Identifier: BSD-3-Clause
#include "mca/edge_survey.h"

#include <algorithm>

#include "mca/background.h"
#include "plan/builder.h"

namespace wan {

void EdgeSurvey::begin(Channel channel, TagStreams& tags, const Neighborhood& edges) {
  if (begun_.exchange(true)) return;
  if (!may_bundle(topology_, tuning_)) return over_.happen(OMPI_SUCCESS);
  channel.tag = tags.of_service(Service::edge_survey).across;
  const auto exchange = [this](const std::vector<Count>& lengths) {
    return std::make_shared<const Program>(plan_site_exchange(topology_, tuning_, me_, lengths));
  };
  Task task;
  task.channel = channel;
  task.inquiries.push_back([this, exchange, edges] {
    std::vector<Count> told = crossing_numbers(topology_.layout, me_, edges);
    const std::vector<Count> lengths(topology_.layout.ranks_of(topology_.layout.site_of(me_)).size(),
                                     std::ssize(told));
    return Inquiry(exchange(lengths), std::move(told),
                   [this](std::span<const Count> heard) { numbers_.assign(heard.begin(), heard.end()); });
  });
  task.inquiries.push_back([this, exchange, edges] {
    return Inquiry(exchange(list_lengths(topology_.layout, me_, numbers_)),
                   crossing_list(topology_.layout, me_, edges, numbers_),
                   [this](std::span<const Count> heard) { learn(heard); });
  });
  task.plan = [this] {
    return std::make_shared<const Plan>(Builder(Unit::bytes, me_, topology_.layout.size(), {}).finish());
  };
  run_in_background(std::move(task), [this](int status) { over_.happen(status); });
}

void EdgeSurvey::learn(std::span<const Count> lists) {
  bundles_ = bundles_of(topology_, tuning_, me_, numbers_, lists);
  numbers_ = {};
  for (const bool gathers : {false, true})
    length_surveys_[gathers ? 1 : 0] =
        std::make_unique<const LengthSurvey>(topology_.layout, me_, bundles_, NeighborTraits{gathers, true});
}

bool EdgeSurvey::asks_for_lengths(NeighborTraits traits) const {
  return traits.vector &&
         std::ranges::any_of(bundles_, [&](const Bundle& bundle) { return bundle.serves(traits); });
}

}  // namespace wan
