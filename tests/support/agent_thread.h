// SPDX-License-Identifier: BSD-3-Clause
// What answers orders line by line over pipes, as on another host, in a thread of the test.
#pragma once

#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include "tools/doctor/facts_json.h"
#include "tools/doctor/sockets.h"

namespace wan::tools::doctor {

/// It, and the two ends of its pipes. It ends when its orders do.
class AgentThread {
 public:
  /// run(orders, answers): two file descriptors.
  template <class Run>
  explicit AgentThread(Run run) {
    if (::pipe(orders_.data()) != 0 || ::pipe(answers_.data()) != 0) std::abort();
    thread_ = std::thread([this, run] { run(orders_[0], answers_[1]); });
  }
  AgentThread(const AgentThread&) = delete;
  AgentThread& operator=(const AgentThread&) = delete;
  ~AgentThread() {
    ::close(orders_[1]);
    thread_.join();
    for (const int fd : {orders_[0], answers_[0], answers_[1]}) ::close(fd);
  }

  void order(const std::string& order) { channel().write(order, after(std::chrono::seconds(10))); }
  SortedJson answer() {
    return SortedJson::parse(channel().line(after(std::chrono::seconds(60))).value_or("null"));
  }
  SortedJson ask(const std::string& what) {
    order(what);
    return answer();
  }

 private:
  LineChannel channel() const { return LineChannel(answers_[0], orders_[1]); }

  std::array<int, 2> orders_{}, answers_{};
  std::thread thread_;
};

}  // namespace wan::tools::doctor
