// SPDX-License-Identifier: BSD-3-Clause
// What all processes have published, read from the modex and kept. Equal on every process: whatever is
// decided from it (the sites, the links, the tuning, whether coll_wan takes part) is the same everywhere
// without asking. Threads: all functions may be called from any thread. Tested by: tests/mpi.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "discover/source.h"
#include "mca/ompi.h"
#include "process/record.h"
#include "topo/machine.h"
#include "topo/site_file.h"

namespace wan {

/// A job's record with its topology file and its list of sources parsed, and the layer that was selected.
struct Job {
  JobRecord record;
  std::optional<SiteFile> file;
  std::vector<Ask> asks;
  std::string pml = {};       ///< by which its messages go (mca/pml_in_use.h)
  MessageLimits limits = {};  ///< of that
  Machine machine = {};
};

/// Whether what the probe has found counts as well. It does among the processes of the job that it has
/// measured for: others do not know of it.
enum class Belief : std::uint8_t { published, probed };

class Directory {
 public:
  static void publish(const ProcessRecord& process);
  static void publish(const JobRecord& job);

  /// The record of a process; nullptr if it runs without coll_wan, or with another version of it.
  const ProcessRecord* process(opal_process_name_t name, Belief belief = Belief::published);
  /// Those of a group, in rank order.
  std::vector<const ProcessRecord*> processes(ompi_group_t* group, Belief belief = Belief::published);
  /// The record of the job that a process belongs to; nullptr as above.
  const Job* job(opal_process_name_t member, Belief belief = Belief::published);
  /// The probe has found this between the hosts of the job that `member` belongs to.
  void believe(opal_process_name_t member, SiteFile probed);

 private:
  const ProcessRecord* published(opal_process_name_t name);
  using Key = std::pair<std::uint64_t, std::uint64_t>;
  std::mutex mutex_;
  std::map<Key, std::optional<ProcessRecord>> processes_;
  std::map<std::uint64_t, std::optional<Job>> jobs_;
  std::map<Key, ProcessRecord> probed_processes_;
  std::map<std::uint64_t, Job> probed_jobs_;
};

/// The one of this process.
Directory& directory();

}  // namespace wan
