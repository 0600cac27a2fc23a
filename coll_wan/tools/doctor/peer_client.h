// SPDX-License-Identifier: BSD-3-Clause
// What the agent of a host tries with those of other hosts (peer_server.h). Threads: any; nothing is shared.
// Tested by tests/unit/doctor_agent.cc.
#pragma once

#include <string>
#include <vector>

#include "tools/doctor/facts.h"

namespace wan::tools::doctor {

/// A port of another host's agent.
struct Target {
  std::string address;
  int port = 0;
  Purpose purpose = Purpose::sample;
  std::string token;  ///< who should answer there
};

/// Connects to all at once; takes at most three seconds.
std::vector<Reach> reach_all(const std::vector<Target>& targets);

/// Round trip, clock, rate, and which packets pass; about a second, more where something is wrong. A rate and
/// a round trip of 0: the peer did not answer.
Measurement measure(const Target& target);

}  // namespace wan::tools::doctor
