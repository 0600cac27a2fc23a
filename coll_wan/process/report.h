// SPDX-License-Identifier: BSD-3-Clause
// What coll_wan_report writes: what was called, what it took, what was predicted of it and of Open MPI's own
// component, and what crossed the links, as JSON and as a page of text. It is the view of one process, the
// job's first: of calls on communicators that it belongs to. What all their ranks sent is what the plans say.
// Knows nothing of Open MPI; no threads. Tested by tests/unit/process_report.cc.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "process/plan_record.h"
#include "process/statistics.h"

namespace wan {

struct ReportedJob {
  int processes = 0;
  std::string pml = {};                ///< by which its messages go
  int eager_limit = 0;                 ///< bytes that it sends without asking
  Totals totals;                       ///< of this process
  std::vector<Statistics::Sent> sent;  ///< by this process
  std::vector<std::shared_ptr<const PlanRecord>> plans;
};

/// What all ranks sent in the calls that were predicted, by pairs of sites.
std::vector<Statistics::Sent> traffic_of(const std::vector<std::shared_ptr<const PlanRecord>>& plans);

std::string report_json(const ReportedJob& job);
std::string report_text(const ReportedJob& job);

/// Where the value of coll_wan_report sends which of them; empty: nowhere. FILE.txt: the page alone; FILE:
/// the JSON, and the page in FILE.txt.
struct ReportFiles {
  std::string json, text;
};
ReportFiles files_of_report(const std::string& value);

}  // namespace wan
