// SPDX-License-Identifier: BSD-3-Clause
// Somebody else's bulk transfers: on every link of the lab one TCP connection that sends all the time,
// between hosts of the sites that take no part in the job. Their packets pass the links as the job's do, and
// count by themselves (LinkCounters::other_*). A connection that breaks, as a link may be cut, is made anew.
// Threads: one, made by the constructor and joined by the destructor. Tested by
// bench/lab/tests/lab_profiles_test.sh.
#pragma once

#include <netinet/in.h>

#include <atomic>
#include <thread>
#include <vector>

#include "bench/lab/namespaces.h"

namespace wan::lab {

class OtherTraffic {
 public:
  /// hosts[s]: the network namespace of site s's host, whose address is addresses[s].
  OtherTraffic(std::vector<Namespace> hosts, const std::vector<std::string>& addresses);
  ~OtherTraffic();
  OtherTraffic(const OtherTraffic&) = delete;
  OtherTraffic& operator=(const OtherTraffic&) = delete;

 private:
  struct Sender {
    std::size_t from = 0, to = 0;
    Fd socket;
  };
  void run();
  void connect(Sender& sender);
  void send(Sender& sender);
  void accept_from(const Fd& listener);
  void drain(Fd& socket);

  std::vector<Namespace> hosts_;
  std::vector<sockaddr_in> addresses_;
  std::vector<Fd> listeners_, receivers_;
  std::vector<Sender> senders_;
  std::vector<char> zeros_;
  Fd stop_event_;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace wan::lab
