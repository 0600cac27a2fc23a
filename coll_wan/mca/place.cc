// SPDX-License-Identifier: BSD-3-Clause
#include "mca/place.h"

#include <algorithm>
#include <limits>

#include "mca/ompi.h"
#include "process/flow_window.h"
#include "process/subnet.h"
#include "topo/site_file.h"

namespace wan {
namespace {

/// The one site of a job in which nobody says where it runs.
constexpr const char* unnamed_site = "everywhere";

Result<std::string> read_text(const std::string& path) {
  auto text = SiteFile::read(path);
  if (text) return text;
  return tl::unexpected(
      InputError{"coll_wan_topology", 0, "", path,
                 text.error().remedy + "; name a file that every host of the job can read"});
}

using Bitmap = std::unique_ptr<hwloc_bitmap_s, decltype(&hwloc_bitmap_free)>;

/// "numa3" if this process is bound inside one of several NUMA domains; empty otherwise.
std::string own_numa_domain() {
  if (opal_hwloc_base_get_topology() != OPAL_SUCCESS || opal_hwloc_topology == nullptr) return "";
  if (hwloc_get_nbobjs_by_type(opal_hwloc_topology, HWLOC_OBJ_NUMANODE) < 2) return "";
  Bitmap cpus(hwloc_bitmap_alloc(), hwloc_bitmap_free), domains(hwloc_bitmap_alloc(), hwloc_bitmap_free);
  if (hwloc_get_cpubind(opal_hwloc_topology, cpus.get(), HWLOC_CPUBIND_PROCESS) != 0) return "";
  hwloc_cpuset_to_nodeset(opal_hwloc_topology, cpus.get(), domains.get());
  if (hwloc_bitmap_weight(domains.get()) != 1) return "";
  return "numa" + std::to_string(hwloc_bitmap_first(domains.get()));
}

struct NamedSite {
  SiteOrigin origin;
  std::string name;
};

/// Hosts that the file does not know are grouped by their subnets.
NamedSite site_in(const SiteFile& file, const std::vector<InterfaceAddress>& own,
                  const std::vector<std::string>& addresses) {
  auto site = file.site_of(ompi::host_name(), addresses);
  if (!site) {
    const std::string subnet = own_subnet(own);
    return {SiteOrigin::no_match, subnet.empty() ? ompi::host_name() : subnet};
  }
  return {SiteOrigin::file, file.sites()[static_cast<std::size_t>(*site)].name};
}

/// The site; in `record` the digest of the file that was read on the way, and what that states of this host.
Result<NamedSite> own_site(const Parameters& parameters, ProcessRecord& record) {
  NamedSite labelled{SiteOrigin::label, parameters.site};
  if (parameters.topology.empty())
    return parameters.site.empty() ? NamedSite{SiteOrigin::nowhere, unnamed_site} : labelled;
  auto text = read_text(parameters.topology);
  if (!text) return tl::unexpected(text.error());
  auto file = SiteFile::parse(*text, parameters.topology);
  if (!file) return tl::unexpected(file.error());
  record.file_digest = digest(*text);
  const std::vector<InterfaceAddress> own = own_addresses();
  std::vector<std::string> addresses;
  for (const InterfaceAddress& each : own) addresses.push_back(each.address);
  const Node node = file->node_of(ompi::host_name(), addresses);
  record.send_overhead_ns = node.send_overhead_ns;
  record.receive_overhead_ns = node.receive_overhead_ns;
  return parameters.site.empty() ? site_in(*file, own, addresses) : labelled;
}

/// The longest message that the point-to-point layer sends between hosts without asking; the BTLs are open by
/// now.
int longest_eager_message() {
  constexpr std::size_t longest_header = 128;  // of pml/ob1: 56 bytes
  const std::size_t limit =
      ompi::variable<std::size_t>("btl_tcp_eager_limit").value_or(std::numeric_limits<int>::max());
  return static_cast<int>(
      std::clamp<std::size_t>(limit, longest_header + 1, std::numeric_limits<int>::max()) - longest_header);
}

/// The window of a TCP connection between hosts like this one; 0: not known.
int own_flow_window() {
  const BufferLimits send = sending_limits(ompi::variable<int>("btl_tcp_sndbuf").value_or(0));
  const BufferLimits receive = receiving_limits(ompi::variable<int>("btl_tcp_rcvbuf").value_or(0));
  return static_cast<int>(std::min<Bytes>(flow_window(send, receive), std::numeric_limits<int>::max()));
}

}  // namespace

ProcessRecord find_place(const Result<Parameters>& parameters) {
  ProcessRecord record;
  Result<NamedSite> site = parameters ? own_site(*parameters, record) : tl::unexpected(parameters.error());
  if (!site) record.complaint = site.error().message();
  record.origin = site ? site->origin : SiteOrigin::nowhere;
  record.path = {site ? site->name : unnamed_site, ompi::host_name()};
  // A job inside one site has nothing to learn.
  if (parameters && parameters->learn != 0 && record.origin != SiteOrigin::nowhere)
    for (const InterfaceAddress& own : own_addresses()) record.addresses.push_back(own.address);
  if (std::string domain = own_numa_domain(); !domain.empty()) record.path.push_back(std::move(domain));
  return record;
}

JobRecord describe_job(const Parameters& parameters) {
  JobRecord job{parameters, ""};
  if (parameters.flow_window == 0) job.parameters.flow_window = own_flow_window();
  job.parameters.segment = std::min(parameters.segment, longest_eager_message());
  if (!parameters.topology.empty()) job.file_text = read_text(parameters.topology).value_or("");
  return job;
}

}  // namespace wan
