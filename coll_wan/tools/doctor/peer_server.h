// SPDX-License-Identifier: BSD-3-Clause
// What the agent of a host answers to those of other hosts. Lines of text over TCP:
//
//   server, at once:  wanctl TOKEN ADDRESS     who it is, and the address that it sees
//   client: ping      server: pong TIME        its clock, in nanoseconds since 1970
//   client: sink MS, then bytes without end    server, after MS milliseconds: took RATE BYTES
//
// It reads and throws away what it gets, and ends with the agent. Threads: one that accepts, one for each
// connection; none is seen outside. Tested by tests/unit/doctor_agent.cc.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tools/doctor/facts.h"

namespace wan::tools::doctor {

class PeerServer {
 public:
  /// Listens on the first free port from `port_min` as btl_tcp, on one that the kernel chooses as the
  /// launcher, and on samples of the whole range.
  PeerServer(std::string token, int port_min);
  ~PeerServer();

  const std::vector<Listener>& listeners() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace wan::tools::doctor
