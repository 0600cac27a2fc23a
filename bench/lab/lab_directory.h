// SPDX-License-Identifier: BSD-3-Clause
// The directory of a running lab, wan-lab-PID under the directory for temporary files, locked while the lab
// lives. Inside the lab a file system of its own is mounted on it, so that outside it stays empty, and all
// that a killed lab can leave is an empty directory. Tested by bench/lab/tests/lab_takedown_test.sh.
#pragma once

#include <string>
#include <vector>

#include "bench/lab/system.h"

namespace wan::lab {

class LabDirectory {
 public:
  /// Makes and locks it.
  LabDirectory();
  /// Removes it.
  ~LabDirectory();
  LabDirectory(const LabDirectory&) = delete;
  LabDirectory& operator=(const LabDirectory&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  Fd lock_;  ///< inherited by the lab's first process: locked as long as one of the two lives
};

/// Removes the directories of dead labs, and gives their paths; those of living labs and of other users stay.
std::vector<std::string> remove_dead_labs();

}  // namespace wan::lab
