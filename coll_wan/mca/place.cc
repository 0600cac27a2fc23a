// SPDX-License-Identifier: BSD-3-Clause
#include "mca/place.h"

#include "cost/machine_file.h"
#include "discover/collect.h"
#include "discover/own_surroundings.h"
#include "mca/locality.h"
#include "mca/ompi.h"
#include "mca/pml_in_use.h"
#include "mca/site_probe.h"
#include "probe/cache.h"
#include "topo/site_file.h"

namespace wan {
namespace {

Result<std::string> read_text(const std::string& path) {
  auto text = SiteFile::read(path);
  if (text) return text;
  return tl::unexpected(
      InputError{"coll_wan_topology", 0, "", path,
                 text.error().remedy + "; name a file that every host of the job can read"});
}

Surroundings surroundings_of(const Parameters& parameters) {
  Surroundings here = own_surroundings(ompi::host_name());
  here.label = parameters.site;
  here.topograph = parameters.topograph;
  here.launcher = ompi::launcher_facts();
  return here;
}

/// Reads the topology file, if there is one; what it states of this host, and its digest, go into `record`.
Result<std::optional<SiteFile>> read_file(const std::string& path, const Surroundings& here,
                                          ProcessRecord& record) {
  if (path.empty()) return std::nullopt;
  auto text = read_text(path);
  if (!text) return tl::unexpected(text.error());
  auto file = SiteFile::parse(*text, path);
  if (!file) return tl::unexpected(file.error());
  record.file_digest = digest(*text);
  const Node node = file->node_of(here.host, here.addresses);
  record.send_overhead_ns = node.send_overhead_ns;
  record.receive_overhead_ns = node.receive_overhead_ns;
  return std::move(*file);
}

/// What the sources of sites say of this process; what its topology file states of its host goes into
/// `record`.
Result<std::vector<Finding>> look_around(const Parameters& parameters, ProcessRecord& record) {
  const auto asks = parse_sources(parameters.discover, "coll_wan_discover");
  if (!asks) return tl::unexpected(asks.error());
  Surroundings here = surroundings_of(parameters);
  if (!parameters.topology.empty() || is_named(*asks, Source::subnet)) add_own_addresses(here);
  const auto file = read_file(parameters.topology, here, record);
  if (!file) return tl::unexpected(file.error());
  if (*file) here.file = &**file;
  return collect(here, *asks);
}

/// Host, NUMA domain and, if they are wanted, addresses.
void describe_host(bool with_addresses, ProcessRecord& record) {
  const std::vector<InterfaceAddress> own = own_addresses();
  const Locality locality =
      own_locality(interface_between_hosts(own, interface_choice(own).included, own_routes()));
  record.place = {ompi::host_name()};
  if (!locality.numa_domain.empty()) record.place.push_back(locality.numa_domain);
  record.near_network = locality.near_network;
  for (const InterfaceAddress& each : own)
    if (with_addresses) record.addresses.push_back(each.address);
}

/// What has been kept of this host; nothing if that is damaged.
std::string measured_machine(int verbose) {
  const std::string path = probe::machine_path(probe::own_cache_folder(), ompi::host_name());
  const std::string text = probe::read_machine(path);
  const auto machine = parse_machine(text, path);
  if (verbose > 0 && !machine) opal_output(0, "coll_wan: %s", machine.error().message().c_str());
  if (verbose > 0 && machine && !text.empty())
    opal_output(0, "coll_wan: takes what messages cost a host from %s", path.c_str());
  return machine ? text : "";
}

}  // namespace

ProcessRecord find_place(const Result<Parameters>& parameters) {
  ProcessRecord record;
  auto findings = parameters ? look_around(*parameters, record) : tl::unexpected(parameters.error());
  if (findings)
    record.findings = std::move(*findings);
  else
    record.complaint = findings.error().message();
  describe_host(parameters && parameters->learn != 0, record);
  return record;
}

JobRecord describe_job(const Parameters& parameters) {
  JobRecord job{parameters, ""};
  job.limits = own_limits_of_layers();
  if (!parameters.topology.empty()) job.file_text = read_text(parameters.topology).value_or("");
  job.cached = read_probe_cache(parameters);
  job.machine = measured_machine(parameters.verbose);
  return job;
}

}  // namespace wan
