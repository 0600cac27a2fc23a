// SPDX-License-Identifier: BSD-3-Clause
// How processes of a job change links: a socket in the lab's directory, which every host sees, takes one
// command a connection and answers once it is carried out. Tested by bench/lab/tests/lab_link_test.sh.
#pragma once

#include <string>
#include <thread>
#include <vector>

#include "bench/lab/emulator.h"
#include "bench/lab/system.h"

namespace wan::lab {

/// Listens while it lives. Threads: one, made by the constructor, joined by the destructor.
class Control {
 public:
  /// `sites` as the emulator numbers them; `emulator` outlives this.
  Control(const std::string& path, std::vector<std::string> sites, Emulator& emulator);
  ~Control();
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;

 private:
  void run();
  bool awaits(const Fd& from, int milliseconds) const;
  void serve_next();
  std::string carry_out(const std::vector<std::string>& words);

  std::vector<std::string> sites_;
  Emulator& emulator_;
  Fd socket_, stop_event_;
  std::thread thread_;
};

/// Asks the lab whose socket is at `path` for a link command (bench/lab/link_command.h); what is wrong with
/// it, else nothing. Throws LabError if no lab answers.
std::string ask_for_link(const std::string& path, const std::vector<std::string>& words);

}  // namespace wan::lab
