// SPDX-License-Identifier: BSD-3-Clause
// What a command finds in a lab: files in the lab's directory, and environment variables by which `mpirun` of
// Open MPI 4.1 (ORTE) and 5.0 (PRRTE) starts over all hosts without further options. Tested by
// bench/lab/tests/lab_mpirun_test.sh.
#pragma once

#include <string>

namespace wan::lab {

/// The files of a lab; they exist inside it only.
struct LabFiles {
  std::string directory;
  std::string hosts() const { return directory + "/hosts"; }
  std::string hostfile() const { return directory + "/hostfile"; }
  std::string agent() const { return directory + "/agent"; }
  std::string link() const { return directory + "/link"; }
  std::string control() const { return directory + "/control"; }
  std::string counters() const { return directory + "/counters"; }
  std::string temporary() const { return directory + "/tmp"; }
};

/// Sets the variables in this process, to be inherited by the job. `topology_path` is the file that coll_wan
/// reads.
void set_job_environment(const LabFiles& files, const std::string& topology_path);

}  // namespace wan::lab
