// SPDX-License-Identifier: BSD-3-Clause
#include "mca/directory.h"

#include "cost/machine_file.h"
#include "mca/pml_in_use.h"
#include "process/probing.h"

namespace wan {
namespace {

constexpr const char* process_key = "coll.wan.process";
constexpr const char* job_key = "coll.wan.job";

std::optional<ProcessRecord> fetch_process(opal_process_name_t name) {
  auto bytes = ompi::modex_get(process_key, name);
  return bytes ? decode_process(*bytes) : std::nullopt;
}

std::optional<Job> fetch_job(opal_process_name_t member) {
  member.vpid = 0;
  auto bytes = ompi::modex_get(job_key, member);
  auto record = bytes ? decode_job(*bytes) : std::nullopt;
  if (!record) return std::nullopt;
  auto asks = parse_sources(record->parameters.discover, "");  // checked when it was read
  Job job{std::move(*record), std::nullopt, std::move(asks).value_or(std::vector<Ask>{}), pml_of(member)};
  job.limits = job.record.limits[static_cast<std::size_t>(layer_named(job.pml))];
  if (const auto measured = parse_machine(job.record.machine, "")) job.machine = believable(*measured);
  job.machine.tcp.eager_limit = job.limits.eager;
  if (job.record.parameters.topology.empty()) return job;
  auto file = SiteFile::parse(job.record.file_text, job.record.parameters.topology);
  if (file) job.file = std::move(*file);
  return job;
}

}  // namespace

void Directory::publish(const ProcessRecord& process) {
  ompi::modex_put(process_key, encode(process));
}
void Directory::publish(const JobRecord& job) {
  ompi::modex_put(job_key, encode(job));
}

const ProcessRecord* Directory::published(opal_process_name_t name) {
  auto [entry, is_new] = processes_.try_emplace({name.jobid, name.vpid});
  if (is_new) entry->second = fetch_process(name);
  return entry->second ? &*entry->second : nullptr;
}

const ProcessRecord* Directory::process(opal_process_name_t name, Belief belief) {
  std::lock_guard lock(mutex_);
  const ProcessRecord* record = published(name);
  const auto job = probed_jobs_.find(name.jobid);
  if (belief == Belief::published || record == nullptr || job == probed_jobs_.end()) return record;
  auto [entry, is_new] = probed_processes_.try_emplace({name.jobid, name.vpid});
  if (is_new) entry->second = with_probed_site(*record, *job->second.file);
  return &entry->second;
}

std::vector<const ProcessRecord*> Directory::processes(ompi_group_t* group, Belief belief) {
  std::vector<const ProcessRecord*> records;
  for (int rank = 0; rank < ompi_group_size(group); ++rank)
    records.push_back(process(ompi::process_name(group, rank), belief));
  return records;
}

const Job* Directory::job(opal_process_name_t member, Belief belief) {
  std::lock_guard lock(mutex_);
  const auto probed = probed_jobs_.find(member.jobid);
  if (belief == Belief::probed && probed != probed_jobs_.end()) return &probed->second;
  auto [entry, is_new] = jobs_.try_emplace(member.jobid);
  if (is_new) entry->second = fetch_job(member);
  return entry->second ? &*entry->second : nullptr;
}

void Directory::believe(opal_process_name_t member, SiteFile probed) {
  const Job* known = job(member);
  if (known == nullptr) return;
  std::lock_guard lock(mutex_);
  Job& believed = probed_jobs_[member.jobid] = *known;
  believed.file = std::move(probed);
}

Directory& directory() {
  static Directory instance;
  return instance;
}

}  // namespace wan
