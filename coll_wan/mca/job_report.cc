// SPDX-License-Identifier: BSD-3-Clause
#include "mca/job_report.h"

#include <fstream>

#include "mca/directory.h"
#include "mca/report.h"
#include "process/report.h"

namespace wan {
namespace {

ReportFiles& files() {
  static ReportFiles instance;
  return instance;
}

void complain(const std::string& path) {
  report_unwritable(path, std::strerror(errno));
}

/// Creates the file, or leaves it as it is.
bool is_writable(const std::string& path) {
  if (path.empty()) return true;
  errno = 0;
  if (std::ofstream(path, std::ios::app)) return true;
  complain(path);
  return false;
}

void write(const std::string& path, const std::string& text) {
  if (path.empty()) return;
  errno = 0;
  std::ofstream file(path);
  if (!(file << text << std::flush)) complain(path);
}

void write_report() {
  ReportedJob job;
  job.processes = ompi_comm_size(&ompi_mpi_comm_world.comm);
  if (const Job* const own = directory().job(OPAL_PROC_MY_NAME)) {
    job.pml = own->pml;
    job.eager_limit = own->limits.eager;
  }
  job.totals = all_statistics().all();
  job.sent = all_statistics().sent();
  job.plans = ledger().records();
  write(files().json, report_json(job));
  write(files().text, report_text(job));
}

}  // namespace
}  // namespace wan

extern "C" {
static int wan_reporting(ompi_communicator_t*, int, void*, void*) {
  try {
    wan::write_report();
  } catch (const std::bad_alloc&) {
    return OMPI_ERR_OUT_OF_RESOURCE;
  }
  return MPI_SUCCESS;
}
}

namespace wan {

void prepare_report(const Parameters& parameters) {
  if (OPAL_PROC_MY_NAME.vpid != 0 || ompi::was_spawned()) return;
  const ReportFiles wanted = files_of_report(parameters.report);
  if (is_writable(wanted.json) && is_writable(wanted.text)) files() = wanted;
}

bool reports() {
  return !files().text.empty();
}

void report_at_finalize() {
  if (reports()) ompi::at_finalize(wan_reporting);
}

}  // namespace wan
