// SPDX-License-Identifier: BSD-3-Clause
// What a communicator with a process topology over several sites knows of its edges (algo/bundles.h). The first neighbourhood collective
// that is made begins the survey, in the background, on all ranks alike; this and later calls begin when it is over. Like every
// call, it fails if a process of the site has died. Threads: any. Tested by: tests/mpi (mpi_neighbor).
#pragma once

#include <atomic>

#include "algo/neighbor.h"
#include "mca/event.h"
#include "mca/ompi.h"

namespace wan {

class EdgeSurvey {
 public:
  /// Both outlive it.
  EdgeSurvey(const Topology& topology, const Tuning& tuning, Rank me) : topology_(topology), tuning_(tuning), me_(me) {}

  /// Where there is nothing to ask it is over at once.
  void begin(ompi_communicator_t* comm, const Neighborhood& edges);
  Event& over() { return over_; }
  /// Once it is over.
  const Bundles& bundles() const { return bundles_; }

 private:
  const Topology& topology_;
  const Tuning& tuning_;
  Rank me_;
  std::atomic<bool> begun_{false};
  Event over_;
  std::vector<Count> numbers_;
  Bundles bundles_;
};

}  // namespace wan
