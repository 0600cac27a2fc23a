// SPDX-License-Identifier: BSD-3-Clause
#include "discover/subnet.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <sstream>

#include "topo/address_block.h"

namespace wan {
namespace {

/// An IPv4 or IPv6 address in network order.
struct Address {
  int family = AF_INET;
  std::array<std::uint8_t, 16> bytes{};

  std::size_t length() const { return family == AF_INET ? 4 : 16; }
  int bits() const { return static_cast<int>(8 * length()); }
  bool is_link_local() const {
    return family == AF_INET ? bytes[0] == 169 && bytes[1] == 254
                             : bytes[0] == 0xfe && (bytes[1] & 0xc0) == 0x80;
  }
  std::string text() const {
    std::array<char, INET6_ADDRSTRLEN> text{};
    inet_ntop(family, bytes.data(), text.data(), text.size());
    return text.data();
  }
};

std::optional<Address> address_named(const std::string& text) {
  for (const int family : {AF_INET, AF_INET6}) {
    Address address{family};
    if (inet_pton(family, text.c_str(), address.bytes.data()) == 1) return address;
  }
  return std::nullopt;
}

std::optional<Address> address_in(const sockaddr* socket) {
  if (socket == nullptr) return std::nullopt;
  Address address{socket->sa_family};
  if (socket->sa_family == AF_INET)
    std::ranges::copy(std::as_bytes(std::span(&reinterpret_cast<const sockaddr_in*>(socket)->sin_addr, 1)),
                      reinterpret_cast<std::byte*>(address.bytes.data()));
  else if (socket->sa_family == AF_INET6)
    std::ranges::copy(std::as_bytes(std::span(&reinterpret_cast<const sockaddr_in6*>(socket)->sin6_addr, 1)),
                      reinterpret_cast<std::byte*>(address.bytes.data()));
  else
    return std::nullopt;
  return address;
}

int ones(const Address& mask) {
  int number = 0;
  for (const std::uint8_t byte : mask.bytes) number += std::popcount(byte);
  return number;
}

std::string subnet_text(Address address, int prefix_bits) {
  const int usual = address.family == AF_INET ? 24 : 64;
  if (prefix_bits >= address.bits() - 1) prefix_bits = usual;
  for (int bit = prefix_bits; bit < address.bits(); ++bit)
    address.bytes[static_cast<std::size_t>(bit) / 8] &= static_cast<std::uint8_t>(~(0x80 >> bit % 8));
  return address.text() + "/" + std::to_string(prefix_bits);
}

}  // namespace

std::vector<InterfaceAddress> own_addresses() {
  std::vector<InterfaceAddress> addresses;
  ifaddrs* first = nullptr;
  if (getifaddrs(&first) != 0) return addresses;
  for (const ifaddrs* each = first; each != nullptr; each = each->ifa_next) {
    if ((each->ifa_flags & IFF_LOOPBACK) != 0) continue;
    const auto address = address_in(each->ifa_addr), mask = address_in(each->ifa_netmask);
    if (address) addresses.push_back({each->ifa_name, address->text(), mask ? ones(*mask) : address->bits()});
  }
  freeifaddrs(first);
  return addresses;
}

std::string interface_of_default_route(std::string_view table) {
  std::istringstream lines{std::string(table)};
  std::string line, best;
  long least = std::numeric_limits<long>::max();
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    std::string interface, destination, gateway, flags, references, uses, mask;
    long metric = 0;
    if (!(fields >> interface >> destination >> gateway >> flags >> references >> uses >> metric >> mask))
      continue;
    if (destination != "00000000" || mask != "00000000" || metric >= least) continue;
    least = metric;
    best = interface;
  }
  return best;
}

std::string own_routes() {
  std::ifstream file("/proc/net/route");
  return {std::istreambuf_iterator<char>(file), {}};
}

bool is_listed(const InterfaceAddress& address, std::string_view list) {
  while (!list.empty()) {
    const std::string_view entry = list.substr(0, list.find(','));
    list.remove_prefix(std::min(entry.size() + 1, list.size()));
    if (entry == address.interface) return true;
    const auto block = AddressBlock::parse(entry);
    if (AddressBlock::looks_like(entry) && block && block->contains(address.address)) return true;
  }
  return false;
}

std::string interface_between_hosts(const std::vector<InterfaceAddress>& addresses, std::string_view included,
                                    std::string_view table) {
  if (included.empty()) return interface_of_default_route(table);
  while (!included.empty()) {
    const std::string_view entry = included.substr(0, included.find(','));
    included.remove_prefix(std::min(entry.size() + 1, included.size()));
    if (!AddressBlock::looks_like(entry)) return std::string(entry);
    for (const InterfaceAddress& each : addresses)
      if (is_listed(each, entry)) return each.interface;
  }
  return "";
}

std::string subnet_of(const std::vector<InterfaceAddress>& addresses, std::string_view interface) {
  std::string any;
  for (const InterfaceAddress& each : addresses) {
    const auto address = address_named(each.address);
    if (!address || address->is_link_local()) continue;
    const std::string subnet = subnet_text(*address, each.prefix_bits);
    if (each.interface == interface) return subnet;
    if (any.empty()) any = subnet;
  }
  return any;
}

Path subnets_around(const std::string& subnet) {
  const auto slash = subnet.find('/');
  const auto address = address_named(subnet.substr(0, slash));
  if (slash == subnet.npos || !address) return {subnet};
  const int bits = std::atoi(subnet.c_str() + slash + 1);
  const std::vector<int> usual =
      address->family == AF_INET ? std::vector{8, 16, 24} : std::vector{32, 48, 56, 64};
  Path around;
  for (const int wider : usual)
    if (wider < bits) around.push_back(subnet_text(*address, wider));
  around.push_back(subnet);
  return around;
}

std::string own_subnet(const std::vector<InterfaceAddress>& addresses) {
  return subnet_of(addresses, interface_of_default_route(own_routes()));
}

}  // namespace wan
