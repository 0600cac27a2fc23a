// SPDX-License-Identifier: BSD-3-Clause
// Has hosts measure the network between them, round after round. Threads: one. Tested by
// tests/lab/wanctl_probe_test.sh.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tools/helpers.h"
#include "tools/survey/measurements.h"

namespace wan::tools::survey {

struct SurveyedHost {
  std::string asked;  ///< as the user named it
  std::string name;   ///< as it calls itself, and so as jobs know it
};

struct Survey {
  std::vector<SurveyedHost> hosts;  ///< each once
  std::vector<SurveyedHost> again;  ///< other names that the user gave to some of them
  int rounds = 0;
  Measurements measured;  ///< in all rounds
};

/// A host's helper did not start or failed; or two hosts have one name.
class SurveyError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// In each round the hosts measure as those of a job would (probe::explore), which takes two seconds at most.
/// A person can wait longer than a job: several rounds see what changes, and what is held up in one of them
/// passes in another. What follows from all together, probe::conclude() says.
Survey survey(const Helpers& helpers, int rounds, const std::function<void(const std::string&)>& progress);

}  // namespace wan::tools::survey
