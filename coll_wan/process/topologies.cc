// SPDX-License-Identifier: BSD-3-Clause
#include "process/topologies.h"

namespace wan {

Topologies::Known Topologies::find(const Groups& groups) const {
  const auto found = known_.find(groups);
  return found == known_.end() ? nullptr : found->second.lock();
}

void Topologies::keep(const Groups& groups, const Known& known) {
  latest_.remove(known);
  latest_.push_front(known);
  if (latest_.size() > kUnusedKept) latest_.pop_back();
  std::erase_if(known_, [](const auto& entry) { return entry.second.expired(); });
  known_[groups] = known;
}

Topologies& topologies() {
  static Topologies instance;
  return instance;
}

}  // namespace wan
