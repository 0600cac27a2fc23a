// SPDX-License-Identifier: BSD-3-Clause
#include "bench/lab/sites.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

namespace wan::lab {
namespace {

/// Packets that may wait for the emulator in a site's device; the kernel's 500 are too few for a burst of
/// TCP.
constexpr int kDeviceQueue = 20'000;
constexpr const char* kTun = "wan0";

/// What hosts and routers have in common. IPv6 is off: nothing but the job's packets shall be counted.
constexpr std::pair<const char*, const char*> kCommonSettings[] = {
    {"net/ipv6/conf/all/disable_ipv6", "1"},
    {"net/ipv6/conf/default/disable_ipv6", "1"},
};

/// TCP of a host tuned for wide-area transfers (bench/lab/README.md gives the reasons).
constexpr std::pair<const char*, const char*> kHostSettings[] = {
    {"net/ipv4/tcp_slow_start_after_idle", "0"},
    {"net/ipv4/tcp_no_metrics_save", "1"},
    {"net/ipv4/tcp_sack", "1"},
    {"net/ipv4/tcp_timestamps", "1"},
    {"net/ipv4/tcp_window_scaling", "1"},
};

constexpr std::pair<const char*, const char*> kRouterSettings[] = {
    {"net/ipv4/ip_forward", "1"},
    {"net/ipv4/conf/all/send_redirects", "0"},
};

/// Packets on the bridge need not pass the firewall; these exist only where the kernel would let them.
constexpr const char* kBridgeFirewall[] = {"net/bridge/bridge-nf-call-iptables", "net/bridge/bridge-nf-call-arptables"};

void set_kernel(const char* name, const char* value) { write_file(fmt::format("/proc/sys/{}", name), value); }

/// At first 1 MiB, so that windows need not grow from the kernel's 64 KiB.
void set_tcp_buffers(int largest) {
  const std::string sizes = fmt::format("4096 {} {}", std::min(1 << 20, largest), largest);
  for (const char* name : {"net/ipv4/tcp_rmem", "net/ipv4/tcp_wmem"}) set_kernel(name, sizes.c_str());
}

void set_common() {
  if (::access("/proc/sys/net/ipv6", F_OK) != 0) return;
  for (const auto& [name, value] : kCommonSettings) set_kernel(name, value);
}

void bypass_firewall() {
  for (const char* name : kBridgeFirewall)
    if (::access(fmt::format("/proc/sys/{}", name).c_str(), F_OK) == 0) set_kernel(name, "0");
}

void run_ip(const std::string& commands) { run_tool({"ip", "-batch", "-"}, commands); }

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
  constexpr int kFrame = 64;             // around a packet
  constexpr int kQueue = 4 << 20;        // bytes that may wait
  run_tool({"tc", "qdisc", "add", "dev", "eth0", "root", "tbf", "rate", fmt::format("{}bps", rate), "burst",
            std::to_string(mtu + kFrame), "limit", std::to_string(kQueue)}, "");
}

std::string uts_path(const std::string& directory, const std::string& host) {
  return fmt::format("{}/ns/{}.uts", directory, host);
}

}  // namespace

std::string HostNamespaces::network_path(const std::string& directory, const std::string& host) {
  return fmt::format("{}/ns/{}.net", directory, host);
}

HostNamespaces HostNamespaces::create(const std::string& directory, const std::string& host) {
  HostNamespaces made(Namespace::create(NamespaceKind::kNetwork), Namespace::create(NamespaceKind::kUts));
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
          Namespace::open(NamespaceKind::kUts, uts_path(directory, host))};
}

void HostNamespaces::join() const {
  network_.join();
  uts_.join();
}

Sites::Sites(const LabPlan& plan, const std::string& lab_directory, const NetworkSettings& settings)
    : directory_(lab_directory),
      settings_(settings),
      initial_window_(settings.initial_window.value_or(packets_of_a_round_trip(plan.fabric, settings.mtu))) {
  for (const SitePlan& site : plan.sites) add_site(site);
}

void Sites::add_site(const SitePlan& site) {
  for (const HostPlan& host : site.hosts) hosts_.push_back(HostNamespaces::create(directory_, host.name));
  routers_.push_back(Namespace::create(NamespaceKind::kNetwork));
  connect(site, routers_.back());
  for (std::size_t h = 0; h < site.hosts.size(); ++h) {
    const Inside inside(hosts_[hosts_.size() - site.hosts.size() + h].network());
    add_host(site, site.hosts[h]);
  }
}

void Sites::connect(const SitePlan& site, const Namespace& router) {
  const Inside inside(router);
  set_common();
  for (const auto& [name, value] : kRouterSettings) set_kernel(name, value);
  bypass_firewall();
  tuns_.emplace_back(kTun);
  std::string commands = fmt::format(
      "link set lo up\n"
      "link add name br0 mtu {0} type bridge stp_state 0 forward_delay 0 mcast_snooping 0\n"
      "address add {1}/16 dev br0\n"
      "link set br0 up\n"
      "link set {2} mtu {0} txqueuelen {3} up\n"
      "route add 10.0.0.0/8 dev {2}\n",
      settings_.mtu, site.router, kTun, kDeviceQueue);
  for (std::size_t h = 0; h < site.hosts.size(); ++h)
    commands += fmt::format(
        "link add name h{0} mtu {1} type veth peer name eth0 mtu {1} netns {2}\n"
        "link set h{0} master br0 up\n",
        h, settings_.mtu, HostNamespaces::network_path(directory_, site.hosts[h].name));
  run_ip(commands);
}

void Sites::add_host(const SitePlan& site, const HostPlan& host) {
  set_common();
  for (const auto& [name, value] : kHostSettings) set_kernel(name, value);
  set_tcp_buffers(settings_.tcp_buffer);
  run_ip(
      fmt::format("link set lo up\n"
                  "link set eth0 up\n"
                  "address add {0}/16 dev eth0 noprefixroute\n"
                  "route add {1} dev eth0 src {0} congctl {3}\n"
                  "route add default via {2} src {0} congctl {3} initcwnd {4} initrwnd {4}\n",
                  host.address, site.network, site.router, settings_.tcp_congestion, initial_window_));
  if (settings_.host_rate) limit_rate(*settings_.host_rate, settings_.mtu);
}

std::uint64_t Sites::device_drops() const {
  std::uint64_t drops = 0;
  for (const Namespace& router : routers_) {
    const Inside inside(router);
    drops += dropped_by(kTun);
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
