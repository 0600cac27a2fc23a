// SPDX-License-Identifier: BSD-3-Clause
// A whole lab, from plan to report: brings the sites up, runs one command in the first host, takes everything
// down.
// Tested by bench/lab/tests/lab_*_test.sh.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/lab/plan.h"
#include "bench/lab/sandbox.h"
#include "bench/lab/sites.h"

namespace wan::lab {

enum class ReportFormat { kJson, kCsv };

/// Where a report goes; opened before the lab changes its view of the file system.
struct ReportTarget {
  ReportFormat format = ReportFormat::kJson;
  Fd file;
};

struct LabRun {
  LabPlan plan;
  NetworkSettings network;
  std::string topology_path;  ///< absolute; the component reads it
  Privilege privilege = Privilege::kRoot;
  std::vector<ReportTarget> reports;
  std::vector<std::string> command;
};

/// What `body` returns, or the exit status for what it throws, with one sentence on standard error.
int exit_status_of(const std::function<int()>& body);

/// Returns the command's exit status. Throws LabError or Unavailable.
int run_lab(const LabRun& run);

}  // namespace wan::lab
