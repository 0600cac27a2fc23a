// SPDX-License-Identifier: BSD-3-Clause
#include "tools/doctor/interfaces.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

namespace wan::tools::doctor {
namespace {

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = text.find(',');
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return words;
}

/// In host byte order.
std::optional<std::uint32_t> ipv4(const std::string& text) {
  in_addr address{};
  if (::inet_pton(AF_INET, text.c_str(), &address) != 1) return std::nullopt;
  return ntohl(address.s_addr);
}

std::uint32_t mask_of(int prefix_bits) {
  return prefix_bits == 0 ? 0 : ~std::uint32_t{0} << (32 - prefix_bits);
}

bool is_named(const Interface& interface, const std::vector<std::string>& words) {
  return std::ranges::any_of(words, [&](const std::string& word) {
    return word == interface.name || is_in_network(interface.address, word);
  });
}

}  // namespace

bool is_in_network(const std::string& address, std::string_view network) {
  const std::size_t slash = network.find('/');
  if (slash == network.npos) return false;
  int bits = -1;
  const std::string_view number = network.substr(slash + 1);
  std::from_chars(number.data(), number.data() + number.size(), bits);
  const auto base = ipv4(std::string(network.substr(0, slash))), own = ipv4(address);
  return base && own && bits >= 0 && bits <= 32 && ((*base ^ *own) & mask_of(bits)) == 0;
}

std::string network_of(const Interface& interface) {
  const std::uint32_t base = ipv4(interface.address).value_or(0) & mask_of(interface.prefix_bits);
  return fmt::format("{}.{}.{}.{}/{}", base >> 24, base >> 16 & 255, base >> 8 & 255, base & 255,
                     interface.prefix_bits);
}

std::vector<Interface> message_interfaces(const HostFacts& host) {
  const auto included = split(host.software.if_include), excluded = split(host.software.if_exclude);
  std::vector<Interface> used;
  for (const Interface& each : host.interfaces)
    if (included.empty() ? !is_named(each, excluded) : is_named(each, included)) used.push_back(each);
  return used;
}

const Interface* main_interface(const std::vector<Interface>& interfaces) {
  const auto found = std::ranges::find_if(interfaces, &Interface::is_default);
  if (found != interfaces.end()) return &*found;
  return interfaces.empty() ? nullptr : &interfaces.front();
}

const Interface* interface_with(const HostFacts& host, std::string_view address) {
  const auto found = std::ranges::find(host.interfaces, address, &Interface::address);
  return found == host.interfaces.end() ? nullptr : &*found;
}

bool is_on_several_hosts(const std::vector<HostFacts>& hosts, std::string_view address) {
  return std::ranges::count_if(
             hosts, [&](const HostFacts& host) { return interface_with(host, address) != nullptr; }) > 1;
}

bool is_open_mpi_5(const HostFacts& host) {
  int major = 0;
  const std::string& version = host.software.open_mpi;
  std::from_chars(version.data(), version.data() + version.size(), major);
  return major >= 5;
}

std::string interface_options(const std::vector<HostFacts>& hosts) {
  std::set<std::string> names, networks;
  bool is_5 = false;
  for (const HostFacts& host : hosts) {
    is_5 = is_5 || is_open_mpi_5(host);
    const Interface* best = main_interface(host.interfaces);
    if (best == nullptr) continue;
    names.insert(best->name);
    networks.insert(network_of(*best));
  }
  const std::string choice = fmt::format("{}", fmt::join(names.size() == 1 ? names : networks, ","));
  return fmt::format("mpirun --mca btl_tcp_if_include {0} {1} {0} ...", choice,
                     is_5 ? "--prtemca prte_if_include" : "--mca oob_tcp_if_include");
}

}  // namespace wan::tools::doctor
