// SPDX-License-Identifier: BSD-3-Clause
// The sites of a lab: for each a network namespace with the emulator's TAP device, and for each host one
// whose eth0 is a macvlan device on that (bridge mode: what goes to another host of the site goes there at
// once, everything else to the emulator), with a UTS namespace of the host's name. All lie in the lab's own
// namespaces and go away with them. Tested through bench/lab/tests/lab_*_test.sh.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/lab/departures.h"
#include "bench/lab/namespaces.h"
#include "bench/lab/plan.h"
#include "bench/lab/processors.h"
#include "bench/lab/profiles.h"
#include "bench/lab/tap.h"

namespace wan::lab {

/// The hosts. What is not set is as their profile has it.
struct NetworkSettings {
  HostProfile profile = kHostProfiles.front();
  std::string tcp_congestion = "cubic";
  std::optional<int> initial_window = {};  ///< packets
  std::optional<BytesPerSecond> host_rate =
      {};  ///< at which a host sends, whereto ever; none: as fast as it can
};

/// A host's namespaces and processors, under the paths by which `enter_host` finds them.
class HostNamespaces {
 public:
  /// Makes them and publishes them in the lab's directory.
  static HostNamespaces create(const std::string& lab_directory, const std::string& host,
                               Processors processors);
  /// Those of a host of a running lab; LabError if it has no such host.
  static HostNamespaces open(const std::string& lab_directory, const std::string& host);

  /// Moves the calling thread into the host.
  void join() const;
  const Namespace& network() const { return network_; }
  /// Where the network namespace of `host` is published.
  static std::string network_path(const std::string& lab_directory, const std::string& host);

 private:
  HostNamespaces(Namespace network, Namespace uts, Processors processors)
      : network_(std::move(network)), uts_(std::move(uts)), processors_(std::move(processors)) {}
  Namespace network_, uts_;
  Processors processors_;
};

/// The sites while they are up.
class Sites {
 public:
  Sites(const LabPlan& plan, const std::string& lab_directory, const NetworkSettings& settings);

  /// The devices for the emulator, one a site; can be taken once.
  std::vector<TapDevice> take_taps() { return std::move(taps_); }
  /// The hosts that take no part in the job, one a site or none; can be taken once.
  std::vector<Namespace> take_others() { return std::move(others_); }
  Departures departures() const {
    return stamps_.size() == networks_.size() ? Departures::kernel : Departures::emulator;
  }
  /// Packets that the kernel dropped on the way to the emulator.
  std::uint64_t device_drops() const;

 private:
  void add_site(const SitePlan& site, const std::vector<Processors>& processors);
  void add_host(const SitePlan& site, const std::string& address);
  void connect(const SitePlan& site, const Namespace& network);

  std::string directory_;
  NetworkSettings settings_;
  std::optional<int> initial_window_;
  std::vector<Namespace> networks_;  ///< of the sites
  std::vector<Namespace> others_;
  std::vector<HostNamespaces> hosts_;
  std::vector<TapDevice> taps_;
  std::vector<DepartureStamps> stamps_;  ///< of the sites, or of none
};

/// The names and addresses of all hosts, as an /etc/hosts file.
std::string hosts_file(const LabPlan& plan);
/// All hosts with their slots, as an Open MPI hostfile.
std::string mpi_hostfile(const LabPlan& plan);

}  // namespace wan::lab
