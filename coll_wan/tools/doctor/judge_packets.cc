// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "tools/doctor/interfaces.h"
#include "tools/doctor/judge.h"

namespace wan::tools::doctor {
namespace {

constexpr Bytes kHeaders = 40;  // IP and TCP; options count as part of the segment

/// The interface over which the pair's first host sends; nullptr if it is not known.
const Interface* sending_interface(const Facts& facts, const PairFacts& pair) {
  const HostFacts& host = facts.hosts[static_cast<std::size_t>(pair.from)];
  const auto answered = std::ranges::find(pair.reaches, Answer::answered, &Reach::answer);
  const Interface* found = answered == pair.reaches.end() ? nullptr : interface_with(host, answered->source);
  return found ? found : main_interface(host.interfaces);
}

Finding black_hole(const std::vector<std::string>& hosts, const Interface& interface, Bytes passing) {
  return {
      "mtu-black-hole",
      Severity::fault,
      hosts,
      fmt::format("From {} to {} short messages pass and long ones vanish: packets of {} bytes (the MTU of "
                  "{}) are lost without a word, packets of {} bytes pass.",
                  hosts[0], hosts[1], interface.mtu, interface.name, passing + kHeaders),
      {fmt::format("# {}", hosts[0]),
       fmt::format("ip link set dev {} mtu {}", interface.name, passing + kHeaders),
       "# or let TCP find out by itself, and let routers send ICMP \"fragmentation needed\"",
       "sysctl -w net.ipv4.tcp_mtu_probing=1"}};
}

Finding no_data(const std::vector<std::string>& hosts) {
  return {
      "no-data",
      Severity::fault,
      hosts,
      fmt::format("From {} to {} short messages pass and long ones do not, whatever the length of packets.",
                  hosts[0], hosts[1]),
      {"# the counters of errors and drops of both interfaces, before and after a long message",
       "ip -s link show"}};
}

Finding short_packets(const std::vector<std::string>& hosts, const Interface& interface, Bytes path_mtu) {
  return {"path-mtu",
          Severity::note,
          hosts,
          fmt::format("From {} to {} packets of at most {} bytes pass; the MTU of {} is {}. TCP knows it.",
                      hosts[0], hosts[1], path_mtu, interface.name, interface.mtu),
          {fmt::format("# {}: where all hosts that matter are behind such a way", hosts[0]),
           fmt::format("ip link set dev {} mtu {}", interface.name, path_mtu)}};
}

}  // namespace

std::vector<Finding> judge_packets(const Facts& facts) {
  std::vector<Finding> findings;
  for (const PairFacts& pair : facts.pairs) {
    const Interface* interface = sending_interface(facts, pair);
    if (!pair.measured || interface == nullptr) continue;
    const std::vector<std::string> hosts{facts.hosts[static_cast<std::size_t>(pair.from)].name,
                                         facts.hosts[static_cast<std::size_t>(pair.to)].name};
    const Measurement& measured = *pair.measured;
    if (measured.is_stalled)
      findings.push_back(measured.passing_segment > 0
                             ? black_hole(hosts, *interface, measured.passing_segment)
                             : no_data(hosts));
    else if (measured.path_mtu > 0 && measured.path_mtu < interface->mtu)
      findings.push_back(short_packets(hosts, *interface, measured.path_mtu));
  }
  return findings;
}

}  // namespace wan::tools::doctor
