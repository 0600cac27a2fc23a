// SPDX-License-Identifier: BSD-3-Clause
#include "check/entries.h"

#include "base/index.h"

namespace wan {
namespace {

void add(std::vector<bool>& ranks, const std::vector<bool>& more) {
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) ranks[rank] = ranks[rank] || more[rank];
}

}  // namespace

Entries::Entries(const Schedule& schedule) {
  for (std::size_t rank = 0; rank < schedule.size(); ++rank) {
    Ranks own(schedule.size());
    own[rank] = true;
    entered_.emplace_back(at(schedule[rank].size()), own);
  }
}

void Entries::follow(Place earlier, Place later) {
  add(entered_[at(later.rank)][at(later.step)], entered_[at(earlier.rank)][at(earlier.step)]);
}

std::vector<Rank> Entries::missing_at(Rank rank) const {
  Ranks entered(entered_.size());
  entered[at(rank)] = true;
  for (const Ranks& step : entered_[at(rank)]) add(entered, step);
  std::vector<Rank> missing;
  for (Rank other = 0; at(other) < entered.size(); ++other)
    if (!entered[at(other)]) missing.push_back(other);
  return missing;
}

}  // namespace wan
