// SPDX-License-Identifier: BSD-3-Clause
#include "bench/lab/lab.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>

#include "bench/lab/control.h"
#include "bench/lab/counter_file.h"
#include "bench/lab/emulator.h"
#include "bench/lab/job.h"
#include "bench/lab/job_environment.h"
#include "bench/lab/lab_directory.h"
#include "bench/lab/other_traffic.h"
#include "bench/lab/report.h"

namespace wan::lab {
namespace {

std::vector<std::string> site_names(const LabPlan& plan) {
  std::vector<std::string> names;
  for (const SitePlan& site : plan.sites) names.push_back(site.name);
  return names;
}

/// Writes the files that the job needs into the lab's directory.
void write_lab_files(const LabPlan& plan, const LabFiles& files, const std::string& program) {
  checked(::mkdir((files.directory + "/ns").c_str(), 0755), "mkdir");
  checked(::mkdir(files.temporary().c_str(), 01777), "mkdir");
  write_file(files.hosts(), hosts_file(plan));
  write_file(files.hostfile(), mpi_hostfile(plan));
  write_file(files.agent(), fmt::format("#!/bin/sh\nexec '{}' agent '{}' \"$@\"\n", program, files.directory),
             0755);
  write_file(files.link(), fmt::format("#!/bin/sh\nexec '{}' link '{}' \"$@\"\n", program, files.control()),
             0755);
}

void write_reports(const std::vector<ReportTarget>& targets, const CountersView& counters,
                   const std::string& scheduling, const std::string& departures) {
  for (const ReportTarget& target : targets) {
    const std::string text = target.format == ReportFormat::kJson
                                 ? report_json(counters, scheduling, departures)
                                 : report_csv(counters);
    write_file(fmt::format("/proc/self/fd/{}", target.file.get()), text);
  }
  if (const std::string warning = report_warning(counters); !warning.empty())
    fmt::print(stderr, "wan-lab: {}\n", warning);
}

std::unique_ptr<OtherTraffic> other_traffic(const LabPlan& plan, Sites& sites) {
  std::vector<std::string> addresses;
  for (const SitePlan& site : plan.sites)
    if (!site.other.empty()) addresses.push_back(site.other);
  if (addresses.empty()) return nullptr;
  return std::make_unique<OtherTraffic>(sites.take_others(), addresses);
}

/// Runs in the first process of the lab's namespaces. `program` is wan-lab itself.
int run_inside(const LabRun& run, const LabFiles& files, const std::string& program, const Fd& parent_alive) {
  mount_private_files(files.directory);
  write_lab_files(run.plan, files, program);
  mount_file_over(files.hosts(), "/etc/hosts");
  CounterFile counters(files.counters(), site_names(run.plan));
  Sites sites(run.plan, files.directory, run.network);
  const auto first = HostNamespaces::open(files.directory, run.plan.sites[0].hosts[0].name);
  set_job_environment(files, run.topology_path);
  int status = 0;
  std::string scheduling;
  {
    Emulator emulator(run.plan.fabric, sites.take_taps(), sites.departures(), counters);
    const auto others = other_traffic(run.plan, sites);
    const Control control(files.control(), site_names(run.plan), emulator);
    scheduling = emulator.scheduling();
    status = run_job(run.command, first, parent_alive);
    counters.set_device_drops(sites.device_drops());
  }
  write_reports(run.reports, CountersView(files.counters().c_str()), scheduling, name_of(sites.departures()));
  return status;
}

}  // namespace

int exit_status_of(const std::function<int()>& body) {
  try {
    return body();
  } catch (const Unavailable& error) {
    fmt::print(stderr, "wan-lab: no lab can be had here: {}\n", error.what());
    return kExitUnavailable;
  } catch (const std::exception& error) {
    fmt::print(stderr, "wan-lab: {}\n", error.what());
    return kExitBroken;
  }
}

int run_lab(const LabRun& run) {
  block_signals();
  const LabDirectory directory;
  const LabFiles files{directory.path()};
  const std::string program =
      std::filesystem::read_symlink("/proc/self/exe");  // not readable inside a lab inside a chroot
  return run_in_sandbox(run.privilege, [&](const Fd& parent_alive) {
    return exit_status_of([&] { return run_inside(run, files, program, parent_alive); });
  });
}

}  // namespace wan::lab
