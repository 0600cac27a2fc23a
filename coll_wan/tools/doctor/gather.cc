// SPDX-License-Identifier: BSD-3-Clause
#include "tools/doctor/gather.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <net/if.h>
#include <netdb.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "discover/subnet.h"
#include "tools/doctor/command_output.h"
#include "tools/doctor/sockets.h"
#include "topo/site_file.h"

namespace wan::tools::doctor {
namespace {

std::string contents_of(const char* path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Bytes mtu_of(const std::string& interface) {
  const Socket socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ifreq request{};
  interface.copy(request.ifr_name, sizeof request.ifr_name - 1);
  return ::ioctl(socket.fd(), SIOCGIFMTU, &request) == 0 ? request.ifr_mtu : 0;
}

std::vector<Interface> interfaces() {
  const std::string best = interface_of_default_route(contents_of("/proc/net/route"));
  std::vector<Interface> found;
  for (const InterfaceAddress& each : own_addresses())
    if (each.address.find(':') == each.address.npos)
      found.push_back(
          {each.interface, each.address, each.prefix_bits, mtu_of(each.interface), each.interface == best});
  return found;
}

Resolution resolve(const std::string& name) {
  Resolution resolution{name, {}, {}};
  addrinfo hints{};
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  if (const int error = ::getaddrinfo(name.c_str(), nullptr, &hints, &list); error != 0) {
    resolution.error = ::gai_strerror(error);
    return resolution;
  }
  for (const addrinfo* each = list; each != nullptr; each = each->ai_next) {
    std::array<char, NI_MAXHOST> text{};
    ::getnameinfo(each->ai_addr, each->ai_addrlen, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST);
    resolution.addresses.emplace_back(text.data());
  }
  ::freeaddrinfo(list);
  return resolution;
}

/// The last of the numbers in a file of /proc/sys/net/ipv4; 0 where there is no such file.
Bytes setting(const std::string& name) {
  std::istringstream numbers(contents_of(("/proc/sys/net/ipv4/" + name).c_str()));
  Bytes last = 0;
  for (Bytes number; numbers >> number;) last = number;
  return last;
}

TcpSettings tcp_settings() {
  return {setting("tcp_rmem"), setting("tcp_wmem"), setting("tcp_slow_start_after_idle") != 0,
          setting("tcp_window_scaling") != 0};
}

TopologyFacts topology_facts(const std::string& path, const HostFacts& host) {
  TopologyFacts facts{path, {}, false, {}, {}};
  if (path.empty()) return facts;
  const auto text = SiteFile::read(path);
  facts.is_missing = !text;
  if (!text) {
    facts.error = text.error().message();
    return facts;
  }
  facts.text = *text;
  const auto file = SiteFile::parse(*text, path);
  if (!file) {
    facts.error = file.error().message();
    return facts;
  }
  std::vector<std::string> addresses;
  for (const Interface& each : host.interfaces) addresses.push_back(each.address);
  if (const auto site = file->site_of(host.hostname, addresses))
    facts.site = file->sites()[static_cast<std::size_t>(*site)].name;
  return facts;
}

/// What follows `key` on its line; empty if no line begins with it.
std::string_view value_after(std::string_view text, const std::string& key) {
  std::size_t begin = text.starts_with(key) ? 0 : text.find("\n" + key);
  if (begin == text.npos) return {};
  if (begin != 0 || !text.starts_with(key)) ++begin;
  const std::string_view rest = text.substr(begin + key.size());
  return rest.substr(0, rest.find('\n'));
}

int number_in(std::string_view text, int otherwise) {
  int number = otherwise;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string own_hostname() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

}  // namespace

std::string parameter_in(std::string_view ompi_info, std::string_view name) {
  const std::string middle = fmt::format(":param:{}:value:", name);
  const std::size_t at = ompi_info.find(middle);
  if (at == ompi_info.npos) return {};
  const std::string_view rest = ompi_info.substr(at + middle.size());
  std::string value(rest.substr(0, rest.find('\n')));
  if (value.size() > 1 && value.front() == '"' && value.back() == '"')
    value = value.substr(1, value.size() - 2);
  return value;
}

Software software_in(std::string_view ompi_info) {
  Software software;
  software.open_mpi = value_after(ompi_info, "ompi:version:full:");
  std::string_view component = value_after(ompi_info, "mca:coll:wan:version:\"component:");
  software.coll_wan = component.substr(0, component.find('"'));
  software.if_include = parameter_in(ompi_info, "btl_tcp_if_include");
  software.if_exclude = parameter_in(ompi_info, "btl_tcp_if_exclude");
  software.port_min = number_in(parameter_in(ompi_info, "btl_tcp_port_min_v4"), software.port_min);
  software.port_range = number_in(parameter_in(ompi_info, "btl_tcp_port_range_v4"), software.port_range);
  return software;
}

HostFacts gather(const std::vector<std::string>& names, const std::string& topology) {
  HostFacts facts;
  facts.hostname = own_hostname();
  facts.interfaces = interfaces();
  facts.own = resolve(facts.hostname);
  for (const std::string& name : names) facts.peers.push_back(resolve(name));
  facts.tcp = tcp_settings();
  const CommandOutput info = output_of("ompi_info --all --parsable");
  facts.software = software_in(info.text);
  if (facts.software.open_mpi.empty())
    facts.software.error = info.status == 127 ? fmt::format("no ompi_info in PATH={}",
                                                            std::getenv("PATH") ? std::getenv("PATH") : "")
                                              : fmt::format("ompi_info ended with status {}", info.status);
  const char* variable = std::getenv("OMPI_MCA_coll_wan_topology");
  std::string path = topology;
  if (path.empty()) path = parameter_in(info.text, "coll_wan_topology");
  if (path.empty() && variable != nullptr) path = variable;
  facts.topology = topology_facts(path, facts);
  return facts;
}

}  // namespace wan::tools::doctor
