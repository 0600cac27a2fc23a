// SPDX-License-Identifier: BSD-3-Clause
// Three sound hosts as wanctl doctor sees them: a1 and a2 of site a, b1 of site b, 40 ms and 12.5 MB/s away.
// Tests spoil them.
#pragma once

#include <string>
#include <vector>

#include "tools/doctor/facts.h"
#include "tools/doctor/judge.h"

namespace wan::tools::doctor {

constexpr const char* kSites = R"([defaults]
latency = "20 ms"
bandwidth = "12.5 MB/s"
[site.a]
hosts = ["a[1-2]"]
[site.b]
hosts = ["b1"]
)";

inline HostFacts sound_host(const std::string& name, const std::string& address) {
  HostFacts host;
  host.name = host.hostname = host.token = name;
  host.interfaces = {{"eth0", address, 16, 9000, true}};
  host.own = {name, {address}, ""};
  host.peers = {{"a1", {"10.1.0.1"}, ""}, {"a2", {"10.1.0.2"}, ""}, {"b1", {"10.2.0.1"}, ""}};
  host.listeners = {{Purpose::messages, 1024}, {Purpose::launcher, 40111}, {Purpose::sample, 10000},
                    {Purpose::sample, 30000},  {Purpose::sample, 40000},   {Purpose::sample, 50000}};
  host.tcp = {64 << 20, 64 << 20, false, true};
  host.software = {"4.1.4", "", "0.1.0", "", "127.0.0.1/8,sppp"};
  host.topology = {"sites.toml", "", false, kSites, name.substr(0, 1)};
  return host;
}

inline PairFacts sound_pair(const std::vector<HostFacts>& hosts, int from, int to) {
  const HostFacts& source = hosts[static_cast<std::size_t>(from)];
  const HostFacts& target = hosts[static_cast<std::size_t>(to)];
  const std::string &own = source.interfaces[0].address, &address = target.interfaces[0].address;
  const bool is_far = source.topology.site != target.topology.site;
  PairFacts pair{from, to, {}, {}, {}};
  for (const Listener& listener : target.listeners)
    pair.reaches.push_back({address, listener.port, listener.purpose, Answer::answered, "", own, own});
  pair.measured = Measurement{
      is_far ? 40'100'000 : 40'000, is_far ? 12'300'000 : 2'000'000'000, 1000, 9000, "cubic", false, 0};
  if (is_far) pair.stated = StatedLink{40'000'000, 12'500'000};
  return pair;
}

inline Facts sound_facts() {
  Facts facts;
  facts.hosts = {sound_host("a1", "10.1.0.1"), sound_host("a2", "10.1.0.2"), sound_host("b1", "10.2.0.1")};
  for (int from = 0; from < 3; ++from)
    for (int to = 0; to < 3; ++to)
      if (from != to) facts.pairs.push_back(sound_pair(facts.hosts, from, to));
  return facts;
}

/// The pair of two hosts of sound_facts().
inline PairFacts& pair_of(Facts& facts, int from, int to) {
  for (PairFacts& pair : facts.pairs)
    if (pair.from == from && pair.to == to) return pair;
  std::abort();
}

/// "firewall(a1,b1) no-route(b1,a1)": the findings, in order.
inline std::string names_of(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    text += (text.empty() ? "" : " ") + finding.name + "(";
    for (std::size_t i = 0; i < finding.hosts.size(); ++i) text += (i == 0 ? "" : ",") + finding.hosts[i];
    text += ")";
  }
  return text;
}

inline std::string judged(const Facts& facts) {
  return names_of(judge(facts));
}

/// All lines that mend anything.
inline std::string mend_of(const Facts& facts) {
  std::string text;
  for (const Finding& finding : judge(facts))
    for (const std::string& line : finding.mend) text += line + "\n";
  return text;
}

}  // namespace wan::tools::doctor
