// SPDX-License-Identifier: BSD-3-Clause
#include "process/topologies.h"

namespace wan {

Topologies::Known Topologies::find(const std::vector<Process>& processes) const {
  const auto found = known_.find(processes);
  return found == known_.end() ? nullptr : found->second.lock();
}

void Topologies::keep(const std::vector<Process>& processes, const Known& known) {
  latest_.remove(known);
  latest_.push_front(known);
  if (latest_.size() > kUnusedKept) latest_.pop_back();
  std::erase_if(known_, [](const auto& entry) { return entry.second.expired(); });
  known_[processes] = known;
}

Topologies& topologies() {
  static Topologies instance;
  return instance;
}

}  // namespace wan
