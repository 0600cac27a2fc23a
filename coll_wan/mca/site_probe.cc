// SPDX-License-Identifier: BSD-3-Clause
#include "mca/site_probe.h"

#include "mca/directory.h"
#include "mca/pml_in_use.h"
#include "mca/report.h"
#include "probe/agent.h"
#include "process/probing.h"

namespace wan {
namespace {

/// Of this process, until it is known whether it is needed.
std::optional<probe::Listener>& own_listener() {
  static std::optional<probe::Listener> listener;
  return listener;
}

/// Messages between the processes of a job that is about to begin.
class Mail {
 public:
  explicit Mail(ompi_communicator_t* world) : world_(world) {}
  ~Mail() { wait(); }
  Mail(const Mail&) = delete;
  Mail& operator=(const Mail&) = delete;

  /// `text` must stay until wait() returns.
  void send(const std::string& text, const std::vector<Rank>& to) {
    length_ = text.size();
    for (const Rank rank : to) {
      begin(&length_, sizeof length_, rank);
      if (length_ > 0) begin(text.data(), text.size(), rank);
    }
  }
  std::string receive(Rank from) {
    std::uint64_t length = 0;
    MCA_PML_CALL(recv(&length, sizeof length, MPI_BYTE, from, kTag, world_, MPI_STATUS_IGNORE));
    std::string text(length, '\0');
    if (length > 0) MCA_PML_CALL(recv(text.data(), length, MPI_BYTE, from, kTag, world_, MPI_STATUS_IGNORE));
    return text;
  }
  void wait() {
    for (ompi_request_t*& request : requests_) ompi_request_wait(&request, MPI_STATUS_IGNORE);
    requests_.clear();
  }

 private:
  /// Nobody else sends anything yet.
  static constexpr int kTag = MCA_COLL_BASE_TAG_BCAST;
  void begin(const void* bytes, std::size_t length, Rank to) {
    ompi_request_t* request = MPI_REQUEST_NULL;
    MCA_PML_CALL(isend(bytes, length, MPI_BYTE, to, kTag, MCA_PML_BASE_SEND_STANDARD, world_, &request));
    requests_.push_back(request);
  }

  ompi_communicator_t* world_;
  std::uint64_t length_ = 0;
  std::vector<ompi_request_t*> requests_;
};

/// This process's part in a task.
class Part {
 public:
  Part(ompi_communicator_t* world, const ProbeTask& task, const JobRecord& settings)
      : world_(world), task_(task), settings_(settings), me_(ompi_comm_rank(world)) {
    for (const ProbedHost& host : task.hosts)
      if (std::ranges::find(host.ranks, me_) != host.ranks.end())
        break;
      else
        ++host_;
  }
  /// The topology file that was found, equal on all processes; empty if nothing was.
  std::string play() {
    std::string text = me_ == 0 ? lead() : "";
    if (me_ != 0) help();
    Mail mail(world_);
    if (me_ != 0) text = mail.receive(first_of(host_) == me_ ? 0 : first_of(host_));
    mail.send(text, receivers());
    mail.wait();
    return text;
  }

 private:
  const ProbedHost& own() const { return task_.hosts[host_]; }
  Rank first_of(std::size_t host) const { return task_.hosts[host].ranks.front(); }
  bool is_agent() const { return own().agent == me_ && own_listener().has_value(); }

  probe::Agent agent() {
    return {std::move(*std::exchange(own_listener(), std::nullopt)), static_cast<probe::Host>(host_),
            task_.endpoints()};
  }
  void help() {
    if (is_agent()) return agent().serve();
    if (own().agent) probe::wait_for_agent(own().endpoint);
  }
  std::string lead() {
    if (!is_agent()) return "";
    const Nanoseconds begin = probe::now();
    probe::Agent leader = agent();
    const auto found = probe::explore(static_cast<int>(task_.hosts.size()), task_.known_labels(), leader);
    leader.finish();
    const std::string text = topology_found(task_, found);
    report(found, probe::now() - begin, keep(found, text));
    return text;
  }
  /// What is not whole is not kept. The file's path.
  std::optional<std::string> keep(const probe::Exploration& found, const std::string& text) const {
    if (!found.unreached.empty()) return std::nullopt;
    return probe::write_cache(probe::own_cache_folder(),
                              {task_.naming(), std::time(nullptr), task_.cached_hosts(), text});
  }
  void report(const probe::Exploration& found, Nanoseconds time, const std::optional<std::string>& file) {
    if (settings_.parameters.verbose >= 1)
      opal_output(0, "coll_wan: measured the network between %zu hosts in %.3f s and found %d site%s%s%s",
                  task_.hosts.size(), static_cast<double>(time) / 1e9, found.sites.groups,
                  found.sites.groups == 1 ? "" : "s", file ? "; kept in " : "", file.value_or("").c_str());
    std::string unreached;
    for (const probe::Host host : found.unreached)
      unreached += (unreached.empty() ? "" : ", ") + task_.hosts[static_cast<std::size_t>(host)].name;
    if (!unreached.empty()) report_unreached(unreached, task_.knows_sites);
  }
  /// The first process sends to the first one of each other host, and that one to the others of its host.
  std::vector<Rank> receivers() const {
    std::vector<Rank> ranks;
    if (me_ == 0)
      for (std::size_t host = 1; host < task_.hosts.size(); ++host) ranks.push_back(first_of(host));
    if (me_ == first_of(host_)) ranks.insert(ranks.end(), own().ranks.begin() + 1, own().ranks.end());
    return ranks;
  }

  ompi_communicator_t* world_;
  const ProbeTask& task_;
  const JobRecord& settings_;
  Rank me_;
  std::size_t host_ = 0;
};

void say_whence(const ProbeTask& task, const JobRecord& settings, ompi_communicator_t* world) {
  if (ompi_comm_rank(world) == 0 && settings.parameters.verbose >= 1)
    opal_output(0, "coll_wan: takes the network between %zu hosts from the cache in %s", task.hosts.size(),
                probe::own_cache_folder().c_str());
}

/// The topology between the hosts; empty if it is not looked for, or nothing was found.
std::string topology_between_hosts(ompi_communicator_t* world) {
  const auto records = directory().processes(world->c_local_group);
  const Job* job = directory().job(ompi::process_name(world->c_local_group, 0));
  if (job == nullptr) return "";
  const auto task = probe_task(records, job->asks, job->record);
  if (!task) return "";
  if (const auto cached = cached_topology(*task, job->record)) {
    say_whence(*task, job->record, world);
    return *cached;
  }
  return Part(world, *task, job->record).play();
}

}  // namespace

void open_probe(const Parameters& parameters, ProcessRecord& record) {
  const bool may_be_agent = opal_process_info.my_local_rank == 0 || OPAL_PROC_MY_NAME.vpid == 0;
  if (!may_be_agent || parameters.probe == "off" || !parameters.topology.empty()) return;
  own_listener() = listener_for_others();
  if (own_listener()) record.endpoint = encode(own_listener()->endpoint);
}

std::string read_probe_cache(const Parameters& parameters) {
  if (parameters.probe != "auto" || !parameters.topology.empty()) return "";
  return probe::read_cache(probe::own_cache_folder(), std::time(nullptr));
}

void probe_network(ompi_communicator_t* world) {
  const std::string text = topology_between_hosts(world);
  own_listener().reset();
  if (auto file = SiteFile::parse(text, "the probe"))
    directory().believe(ompi::process_name(world->c_local_group, 0), std::move(*file));
}

}  // namespace wan
