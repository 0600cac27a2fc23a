// SPDX-License-Identifier: BSD-3-Clause
// What a communicator with a process topology over several sites knows of its edges
// (algo/exchange/bundles.h). The first neighbourhood collective that is made begins the survey, in the
// background, on all ranks alike; this and later calls begin when it is over. Like every call, it fails if a
// process of the site has died. Threads: any. Tested by: tests/mpi (mpi_neighbor).
#pragma once

#include <array>
#include <atomic>
#include <memory>

#include "algo/collectives/neighbor.h"
#include "mca/channel.h"
#include "mca/ompi.h"
#include "process/event.h"
#include "process/tags.h"

namespace wan {

class EdgeSurvey {
 public:
  /// Both outlive it.
  EdgeSurvey(const Topology& topology, const Tuning& tuning, Rank me)
      : topology_(topology), tuning_(tuning), me_(me) {}

  /// channel: of the communicator. Where there is nothing to ask it is over at once.
  void begin(Channel channel, TagStreams& tags, const Neighborhood& edges);
  Event& over() { return over_; }
  /// The rest is for when it is over, with success.
  const Bundles& bundles() const { return bundles_; }
  /// Do vector forms of this kind ask for lengths, as far as this rank is concerned?
  bool asks_for_lengths(NeighborTraits traits) const;
  const LengthSurvey& lengths(NeighborTraits traits) const {
    return *length_surveys_[traits.gathers ? 1 : 0];
  }

 private:
  const Topology& topology_;
  const Tuning& tuning_;
  Rank me_;
  std::atomic<bool> begun_{false};
  Event over_;
  void learn(std::span<const Count> lists);

  std::vector<Count> numbers_;
  Bundles bundles_;
  std::array<std::unique_ptr<const LengthSurvey>, 2>
      length_surveys_;  ///< of alltoallv and alltoallw, of allgatherv
};

}  // namespace wan
