// SPDX-License-Identifier: BSD-3-Clause
// Where processes run and what lies between them, kept once for each list of processes: communicators of the
// same groups in the same order share it, and with it their plans (process/plan_cache.h). A topology never
// changes; when something else is believed of the same processes they get another one, with other epochs.
// Threads: any. Tested by: tests/unit/process_topologies.cc.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "learn/slowness.h"
#include "process/epoch.h"
#include "topo/topology.h"

namespace wan {

/// A topology with its epochs.
struct KnownTopology {
  Topology topology;
  bool loses = false;  ///< of what Open MPI's connections send packets get lost, though no queue is long
  Epoch epoch = {};    ///< of plans among all its ranks
  Epoch epoch_with_root = {};  ///< of plans among one of them and a group (with_root())
  /// By calls whose plans all ranks agree on, where links are learnt (mca/link_agreement.h).
  std::shared_ptr<SpentTime> spent = std::make_shared<SpentTime>();
};

class Topologies {
 public:
  /// A job and a rank in it.
  using Process = std::pair<std::uint32_t, std::uint32_t>;
  /// The processes of a communicator's group, or of both groups of an intercommunicator, by rank.
  using Groups = std::vector<std::vector<Process>>;
  /// So many are kept though nobody uses them: programs make the same communicators again and again.
  static constexpr std::size_t kUnusedKept = 8;

  /// The topology of these groups: the one that is kept, or else make()'s.
  template <class Make>
  std::shared_ptr<const KnownTopology> get(const Groups& groups, Make make) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const KnownTopology> known = find(groups);
    if (!known) known = std::make_shared<const KnownTopology>(KnownTopology{make()});
    keep(groups, known);
    return known;
  }

 private:
  using Known = std::shared_ptr<const KnownTopology>;
  Known find(const Groups& groups) const;
  void keep(const Groups& groups, const Known& known);

  std::mutex mutex_;
  std::map<Groups, std::weak_ptr<const KnownTopology>> known_;
  std::list<Known> latest_;  ///< asked for last: first
};

/// Those of this process.
Topologies& topologies();

}  // namespace wan
