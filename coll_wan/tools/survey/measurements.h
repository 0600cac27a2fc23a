// SPDX-License-Identifier: BSD-3-Clause
// What was tried and measured between hosts, in one round of wanctl probe or in several, and what cannot be
// said by it. Pure functions; no threads. Tested by tests/unit/survey_report.cc.
#pragma once

#include <vector>

#include "probe/clusters.h"
#include "probe/explore.h"
#include "probe/measurement.h"

namespace wan::tools::survey {

struct Measurements {
  std::vector<probe::Errand> errands;    ///< that were wanted
  std::vector<probe::Finding> findings;  ///< of those that were run
};

/// `more` joins `all`.
void append(Measurements& all, const Measurements& more);

/// From the one that was to measure, to the one that it should have reached.
struct Pair {
  probe::Host from = 0, to = 0;
  friend bool operator==(const Pair&, const Pair&) = default;
};

/// Pairs of which no round has a round trip, each once. In front are those of the host that most of them
/// have, as it is probably the cause.
std::vector<Pair> unreached_pairs(const Measurements& measured);

/// Sites between which bytes were to be timed, and no train has come through in this direction; as a pair of
/// hosts between which that was tried. The rate of such a link is not known.
std::vector<Pair> untimed_pairs(const probe::Partition& sites, const Measurements& measured);

/// Surroundings that another's measurements go through, and that keep them.
class Recorder : public probe::Surroundings {
 public:
  explicit Recorder(probe::Surroundings& surroundings) : surroundings_(surroundings) {}
  std::vector<probe::Finding> run(const std::vector<probe::Errand>& errands) override;
  const Measurements& measured() const { return measured_; }

 private:
  probe::Surroundings& surroundings_;
  Measurements measured_;
};

}  // namespace wan::tools::survey
