// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "tools/doctor/interfaces.h"
#include "tools/doctor/judge.h"
#include "tools/doctor/pairs.h"

namespace wan::tools::doctor {
namespace {

constexpr const char* kPurposes[] = {"messages of Open MPI", "Open MPI's launcher", "sample"};
constexpr const char* kAnswers[] = {"answers", "refuses", "is silent", "cannot be reached",
                                    "is answered by another host"};

const HostFacts& from(const Facts& facts, const PairFacts& pair) {
  return facts.hosts[static_cast<std::size_t>(pair.from)];
}

const HostFacts& to(const Facts& facts, const PairFacts& pair) {
  return facts.hosts[static_cast<std::size_t>(pair.to)];
}

// Interfaces.

/// An interface that Open MPI uses on several hosts under the same address: each host finds itself there.
void judge_common_addresses(const Facts& facts, std::vector<Finding>& findings) {
  std::map<std::string, std::vector<std::string>> owners, names;
  for (const HostFacts& host : facts.hosts)
    for (const Interface& each : message_interfaces(host)) {
      owners[each.address].push_back(host.name);
      names[each.address].push_back(each.name + " of " + host.name);
    }
  for (const auto& [address, hosts] : owners)
    if (hosts.size() > 1)
      findings.push_back(
          {"address-on-several-hosts",
           Severity::fault,
           hosts,
           fmt::format("{} have the same address {}. Open MPI uses it, and a host that connects "
                       "to it reaches itself.",
                       fmt::join(names[address], " and "), address),
           {interface_options(facts.hosts)}});
}

void judge_included(const Facts& facts, std::vector<Finding>& findings) {
  for (const HostFacts& host : facts.hosts) {
    if (host.interfaces.empty() || !message_interfaces(host).empty()) continue;
    std::set<std::string> own;
    for (const Interface& each : host.interfaces) own.insert(each.name);
    const std::string setting = host.software.if_include.empty()
                                    ? "btl_tcp_if_exclude is " + host.software.if_exclude
                                    : "btl_tcp_if_include is " + host.software.if_include;
    findings.push_back({"interface-missing",
                        Severity::fault,
                        {host.name},
                        fmt::format("{}, which leaves Open MPI no interface on {}. It has {}.", setting,
                                    host.name, fmt::join(own, ", ")),
                        {interface_options(facts.hosts)}});
  }
}

/// The main address answers, another one that Open MPI would use does not.
void judge_other_addresses(const Facts& facts, std::vector<Finding>& findings) {
  std::map<std::pair<int, std::string>, std::vector<std::string>> callers;
  for (const PairFacts& pair : facts.pairs)
    for (const Reach& reach : pair.reaches)
      if (reach.address != main_address(pair) && reach.answer != Answer::answered && !is_blocked(pair))
        callers[{pair.to, reach.address}].push_back(from(facts, pair).name);
  for (const auto& [place, hosts] : callers) {
    const HostFacts& owner = facts.hosts[static_cast<std::size_t>(place.first)];
    const Interface* interface = interface_with(owner, place.second);
    std::vector<std::string> concerned{owner.name};
    concerned.insert(concerned.end(), hosts.begin(), hosts.end());
    findings.push_back(
        {"interface-unreachable",
         Severity::fault,
         concerned,
         fmt::format("{} cannot reach {} at {} ({}), which Open MPI would use too.", fmt::join(hosts, ", "),
                     owner.name, place.second, interface ? interface->name : "?"),
         {interface_options(facts.hosts)}});
  }
}

// Ways.

/// The attempts at the main address.
std::vector<Reach> main_reaches(const PairFacts& pair) {
  std::vector<Reach> reaches;
  for (const Reach& each : pair.reaches)
    if (each.address == main_address(pair)) reaches.push_back(each);
  return reaches;
}

bool all_are(const std::vector<Reach>& reaches, Answer answer) {
  return !reaches.empty() &&
         std::ranges::all_of(reaches, [&](const Reach& each) { return each.answer == answer; });
}

Finding no_route(const Facts& facts, const PairFacts& pair) {
  return {
      "no-route",
      Severity::fault,
      {from(facts, pair).name, to(facts, pair).name},
      fmt::format("{} has no way to {} at {}: {}.", from(facts, pair).name, to(facts, pair).name,
                  main_address(pair), pair.reaches.front().error),
      {fmt::format("# {}: what the kernel would do; add the route that is missing", from(facts, pair).name),
       fmt::format("ip route get {}", main_address(pair)),
       fmt::format("ip route add {} via GATEWAY", main_address(pair))}};
}

Finding other_host(const Facts& facts, const PairFacts& pair) {
  return {"address-of-another-host",
          Severity::fault,
          {from(facts, pair).name, to(facts, pair).name},
          fmt::format("When {} connects to {} at {}, another host answers.", from(facts, pair).name,
                      to(facts, pair).name, main_address(pair)),
          {fmt::format("# {}: see which host it is", from(facts, pair).name),
           fmt::format("ip route get {0}; ip neigh show {0}", main_address(pair))}};
}

// Firewalls.

std::string port_text(const Reach& reach) {
  return fmt::format("port {} ({}) {}", reach.port, kPurposes[static_cast<int>(reach.purpose)],
                     kAnswers[static_cast<int>(reach.answer)]);
}

std::string blocked_text(const Facts& facts, const PairFacts& pair) {
  std::vector<std::string> failed;
  std::vector<int> open;
  for (const Reach& each : main_reaches(pair)) {
    if (each.answer == Answer::answered)
      open.push_back(each.port);
    else if (each.purpose != Purpose::sample)
      failed.push_back(port_text(each));
  }
  return fmt::format("{} calls {} at {}: {}. {}", from(facts, pair).name, to(facts, pair).name,
                     main_address(pair), fmt::join(failed, ", "),
                     open.empty() ? "No other port that was tried answers."
                                  : fmt::format("Ports that answer: {}.", fmt::join(open, ", ")));
}

/// The longest run of ports that answered, in order of their numbers; empty if there is none.
std::vector<int> open_run(std::vector<Reach> reaches) {
  std::ranges::sort(reaches, {}, &Reach::port);
  std::vector<int> run, longest;
  for (const Reach& each : reaches) {
    if (each.purpose != Purpose::sample) continue;
    if (each.answer == Answer::answered)
      run.push_back(each.port);
    else
      run.clear();
    if (run.size() > longest.size()) longest = run;
  }
  return longest;
}

/// Ports inside the run, half of them for messages, half for the launcher.
std::string port_options(const std::vector<int>& run, const HostFacts& host) {
  const int first = run.front(), number = (run.back() - run.front()) / 2, middle = first + number;
  return fmt::format(
      "mpirun --mca btl_tcp_port_min_v4 {} --mca btl_tcp_port_range_v4 {} {} oob_tcp_dynamic_ipv4_ports "
      "{}-{} "
      "...",
      first, number, is_open_mpi_5(host) ? "--prtemca" : "--mca", middle, run.back());
}

std::vector<std::string> firewall_mend(const Facts& facts, const PairFacts& pair) {
  const HostFacts& host = to(facts, pair);
  const std::vector<Interface> own = message_interfaces(from(facts, pair));
  const Interface* source = main_interface(own);
  std::vector<std::string> lines{
      fmt::format("# {}, or the firewall before it: let {} in (nftables; use your own table and chain)",
                  host.name, from(facts, pair).name),
      fmt::format("nft add rule inet filter input ip saddr {} tcp dport 1024-65535 accept",
                  source ? source->address : "ADDRESS")};
  const auto run = open_run(main_reaches(pair));
  if (run.size() < 2) return lines;
  lines.push_back("# or, if the firewall lets in all ports between those that answer, keep Open MPI to them");
  lines.push_back(port_options(run, host));
  return lines;
}

Finding firewall(const Facts& facts, const PairFacts& pair) {
  const PairFacts* back = reverse_of(facts, pair);
  const bool is_one_way = back != nullptr && !is_blocked(*back);
  std::string evidence = blocked_text(facts, pair);
  if (is_one_way) evidence += fmt::format(" In the other direction {} answers.", from(facts, pair).name);
  return {is_one_way ? "firewall-one-way" : "firewall",
          Severity::fault,
          {from(facts, pair).name, to(facts, pair).name},
          evidence,
          firewall_mend(facts, pair)};
}

/// True if `pair` has no way at all: the kernel of its first host says so.
bool has_no_route(const PairFacts& pair) {
  return all_are(main_reaches(pair), Answer::unreachable);
}

void judge_way(const Facts& facts, const PairFacts& pair, std::vector<Finding>& findings) {
  if (!is_blocked(pair)) return;
  const auto reaches = main_reaches(pair);
  const PairFacts* back = reverse_of(facts, pair);
  if (has_no_route(pair))
    findings.push_back(no_route(facts, pair));
  else if (back != nullptr && has_no_route(*back) && all_are(reaches, Answer::silent))
    return;  // who has no route cannot answer either
  else if (all_are(reaches, Answer::another_host))
    findings.push_back(other_host(facts, pair));
  else
    findings.push_back(firewall(facts, pair));
}

// Translated addresses.

std::vector<std::string> translation_mend(const Facts& facts, const PairFacts& pair, const Reach& reach) {
  if (reach.source == reach.seen)
    return {
        fmt::format("# {}: a route sends with an address that is on no interface", from(facts, pair).name),
        fmt::format("ip route get {}", reach.address),
        fmt::format("ip route change ROUTE src {}",
                    main_interface(from(facts, pair).interfaces) != nullptr
                        ? main_interface(from(facts, pair).interfaces)->address
                        : "ADDRESS")};
  return {
      fmt::format("# let packets from {} to {} pass the router untranslated (nftables; use your own table "
                  "and chain), or join the sites by a VPN",
                  reach.source, reach.address),
      fmt::format("nft insert rule ip nat postrouting ip saddr {} ip daddr {} accept", reach.source,
                  reach.address)};
}

void judge_translation(const Facts& facts, const PairFacts& pair, std::vector<Finding>& findings) {
  for (const Reach& reach : pair.reaches) {
    const bool is_known = interface_with(from(facts, pair), reach.seen) != nullptr;
    if (reach.answer != Answer::answered || reach.seen.empty() || is_known) continue;
    findings.push_back(
        {"address-translated",
         Severity::fault,
         {from(facts, pair).name, to(facts, pair).name},
         fmt::format(
             "{} sees connections of {} come from {}, which none of {}'s interfaces has (it sent from "
             "{}). Open MPI closes connections from addresses that a host does not have.",
             to(facts, pair).name, from(facts, pair).name, reach.seen, from(facts, pair).name, reach.source),
         translation_mend(facts, pair, reach)});
    return;
  }
}

}  // namespace

std::vector<Finding> judge_network(const Facts& facts) {
  std::vector<Finding> findings;
  judge_common_addresses(facts, findings);
  judge_included(facts, findings);
  for (const PairFacts& pair : facts.pairs) judge_way(facts, pair, findings);
  judge_other_addresses(facts, findings);
  for (const PairFacts& pair : facts.pairs) judge_translation(facts, pair, findings);
  return findings;
}

}  // namespace wan::tools::doctor
