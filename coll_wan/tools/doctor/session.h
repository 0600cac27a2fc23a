// SPDX-License-Identifier: BSD-3-Clause
// The doctor's end of an agent: a process that runs the agent on a host, by ssh or what else starts programs
// there, and the pipes to it. Threads: one. Tested by tests/unit/doctor_agent.cc.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <stdexcept>
#include <string>

#include "tools/doctor/facts_json.h"
#include "tools/doctor/sockets.h"

namespace wan::tools::doctor {

/// The agent did not start, did not answer in time, or did not understand; with its last words.
class SessionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Session {
 public:
  /// Runs `launcher` HOST `command` in a shell, as mpirun runs its agent.
  Session(const std::string& launcher, const std::string& host, const std::string& command);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  /// Closes the agent's input, which ends it; a process that is still there after two seconds is killed.
  ~Session();

  void order(const SortedJson& order);
  /// The answer to the oldest order that has none; throws SessionError.
  SortedJson answer(std::chrono::seconds patience);

 private:
  [[noreturn]] void fail(const std::string& what);
  std::string last_words() const;

  std::string host_;
  Socket to_, from_, complaints_;
  LineChannel channel_;
  pid_t process_ = -1;
};

}  // namespace wan::tools::doctor
