// SPDX-License-Identifier: BSD-3-Clause
#include "bench/lab/sites.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "bench/lab/frame.h"

namespace wan::lab {
namespace {

/// Packets that may wait for the emulator in a site's device; the kernel's 500 are too few for a burst of
/// TCP.
constexpr int kDeviceQueue = 20'000;
constexpr const char* kTap = "wan0";

/// IPv6 is off: nothing but the job's packets shall be counted.
constexpr std::pair<const char*, const char*> kCommonSettings[] = {
    {"net/ipv6/conf/all/disable_ipv6", "1"},
    {"net/ipv6/conf/default/disable_ipv6", "1"},
};

constexpr std::pair<const char*, const char*> kHostSettings[] = {
    {"net/ipv4/tcp_sack", "1"},
    {"net/ipv4/tcp_timestamps", "1"},
    {"net/ipv4/tcp_window_scaling", "1"},
};

void set_kernel(const char* name, std::string_view value) {
  write_file(fmt::format("/proc/sys/{}", name), value);
}

void set_tcp(const HostProfile& profile) {
  for (const auto& [name, value] : kHostSettings) set_kernel(name, value);
  set_kernel("net/ipv4/tcp_rmem", profile.receive.text());
  set_kernel("net/ipv4/tcp_wmem", profile.send.text());
  set_kernel("net/ipv4/tcp_slow_start_after_idle", profile.slow_start_after_idle ? "1" : "0");
  set_kernel("net/ipv4/tcp_no_metrics_save", profile.remembers_connections ? "0" : "1");
}

void set_common() {
  if (::access("/proc/sys/net/ipv6", F_OK) != 0) return;
  for (const auto& [name, value] : kCommonSettings) set_kernel(name, value);
}

void run_ip(const std::string& commands) {
  run_tool({"ip", "-batch", "-"}, commands);
}

/// The dropped packets of device `name` on their way out, from /proc/net/dev.
std::uint64_t dropped_by(const std::string& name) {
  std::istringstream lines(read_file("/proc/thread-self/net/dev"));
  constexpr int kTransmitDropField = 11;  // after the name: 8 receive fields, then bytes, packets, errs, drop
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string word;
    fields >> word;
    if (word != name + ":") continue;
    for (int field = 0; field <= kTransmitDropField; ++field) fields >> word;
    return std::stoull(word);
  }
  return 0;
}

/// Of the host that the thread is in: one packet after the other, a packet's bytes ahead of the rate.
void limit_rate(BytesPerSecond rate, int mtu) {
  constexpr int kFrame = 64;       // around a packet
  constexpr int kQueue = 4 << 20;  // bytes that may wait
  run_tool({"tc", "qdisc", "add", "dev", "eth0", "root", "tbf", "rate", fmt::format("{}bps", rate), "burst",
            std::to_string(mtu + kFrame), "limit", std::to_string(kQueue)},
           "");
}

std::string hardware_address(const std::string& address) {
  return HardwareAddress::of(ipv4_address(address)).text();
}

/// Under which the host that takes no part in the job is published; no host of a job has such a name.
std::string name_of_other(const SitePlan& site) {
  return "@" + site.name;
}

std::string uts_path(const std::string& directory, const std::string& host) {
  return fmt::format("{}/ns/{}.uts", directory, host);
}

std::string processors_path(const std::string& directory, const std::string& host) {
  return fmt::format("{}/ns/{}.processors", directory, host);
}

}  // namespace

std::string HostNamespaces::network_path(const std::string& directory, const std::string& host) {
  return fmt::format("{}/ns/{}.net", directory, host);
}

HostNamespaces HostNamespaces::create(const std::string& directory, const std::string& host,
                                      Processors processors) {
  write_file(processors_path(directory, host), to_text(processors));
  HostNamespaces made(Namespace::create(NamespaceKind::kNetwork), Namespace::create(NamespaceKind::kUts),
                      std::move(processors));
  made.network_.publish(network_path(directory, host));
  made.uts_.publish(uts_path(directory, host));
  const Inside inside(made.uts_);
  checked(::sethostname(host.c_str(), host.size()), "cannot set a host name");
  return made;
}

HostNamespaces HostNamespaces::open(const std::string& directory, const std::string& host) {
  if (::access(network_path(directory, host).c_str(), F_OK) != 0)
    throw LabError(fmt::format("the lab in {} has no host '{}'", directory, host));
  return {Namespace::open(NamespaceKind::kNetwork, network_path(directory, host)),
          Namespace::open(NamespaceKind::kUts, uts_path(directory, host)),
          processors_in(read_file(processors_path(directory, host)))};
}

void HostNamespaces::join() const {
  network_.join();
  uts_.join();
  run_on(processors_);
}

Sites::Sites(const LabPlan& plan, const std::string& lab_directory, const NetworkSettings& settings)
    : directory_(lab_directory), settings_(settings), initial_window_(settings.initial_window) {
  if (settings.profile.opens_windows && !initial_window_)
    initial_window_ = packets_of_a_round_trip(plan.fabric, settings.profile.mtu);
  const auto processors = share_processors(plan.sites, allowed_processors());
  for (std::size_t s = 0; s < plan.sites.size(); ++s) add_site(plan.sites[s], processors[s]);
}

void Sites::add_site(const SitePlan& site, const std::vector<Processors>& processors) {
  for (std::size_t h = 0; h < site.hosts.size(); ++h)
    hosts_.push_back(HostNamespaces::create(directory_, site.hosts[h].name, processors[h]));
  networks_.push_back(Namespace::create(NamespaceKind::kNetwork));
  if (!site.other.empty()) {
    others_.push_back(Namespace::create(NamespaceKind::kNetwork));
    others_.back().publish(HostNamespaces::network_path(directory_, name_of_other(site)));
  }
  connect(site, networks_.back());
  for (std::size_t h = 0; h < site.hosts.size(); ++h) {
    const Inside inside(hosts_[hosts_.size() - site.hosts.size() + h].network());
    add_host(site, site.hosts[h].address);
  }
  if (site.other.empty()) return;
  const Inside inside(others_.back());
  add_host(site, site.other);
}

void Sites::connect(const SitePlan& site, const Namespace& network) {
  const Inside inside(network);
  set_common();
  taps_.emplace_back(kTap);
  if (auto stamps = DepartureStamps::of(kTap)) stamps_.push_back(std::move(*stamps));
  std::string commands =
      fmt::format("link set {} mtu {} txqueuelen {} up\n", kTap, settings_.profile.mtu, kDeviceQueue);
  const auto add = [&](const std::string& name, const std::string& address) {
    commands += fmt::format(
        "link add link {0} name host address {1} mtu {2} type macvlan mode bridge\n"
        "link set host netns {3} name eth0\n",
        kTap, hardware_address(address), settings_.profile.mtu,
        HostNamespaces::network_path(directory_, name));
  };
  for (const HostPlan& host : site.hosts) add(host.name, host.address);
  if (!site.other.empty()) add(name_of_other(site), site.other);
  run_ip(commands);
}

void Sites::add_host(const SitePlan& site, const std::string& address) {
  set_common();
  set_tcp(settings_.profile);
  const std::string window =
      initial_window_ ? fmt::format("initcwnd {0} initrwnd {0}", *initial_window_) : "";
  run_ip(fmt::format(
      "link set lo up\n"
      "link set eth0 up\n"
      "address add {0}/16 dev eth0 noprefixroute\n"
      "route add {1} dev eth0 src {0} congctl {3}\n"
      "neighbor add {2} lladdr {5} dev eth0 nud permanent\n"
      "route add default via {2} src {0} congctl {3} {4}\n",
      address, site.network, site.router, settings_.tcp_congestion, window, hardware_address(site.router)));
  if (settings_.host_rate) limit_rate(*settings_.host_rate, settings_.profile.mtu);
}

std::uint64_t Sites::device_drops() const {
  std::uint64_t drops = 0;
  for (const Namespace& network : networks_) {
    const Inside inside(network);
    drops += dropped_by(kTap);
  }
  return drops;
}

std::string hosts_file(const LabPlan& plan) {
  std::string text = "127.0.0.1 localhost\n";
  for (const SitePlan& site : plan.sites)
    for (const HostPlan& host : site.hosts) text += fmt::format("{} {}\n", host.address, host.name);
  return text;
}

std::string mpi_hostfile(const LabPlan& plan) {
  std::string text;
  for (const SitePlan& site : plan.sites)
    for (const HostPlan& host : site.hosts) text += fmt::format("{} slots={}\n", host.name, host.slots);
  return text;
}

}  // namespace wan::lab
