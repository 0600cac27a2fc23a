// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "tools/doctor/judge.h"
#include "tools/doctor/pairs.h"
#include "tools/doctor/units.h"

namespace wan::tools::doctor {
namespace {

/// Differences of clocks from here on confuse logs, make and file times, and may end security tickets.
constexpr Nanoseconds kClockTolerance = 500'000'000;

/// Measured and stated differ by so much before it is a fault: a busy host measures too little, and one
/// connection cannot fill every link.
constexpr double kTimeFactor = 3, kRateAbove = 3, kRateBelow = 5;
constexpr double kTimeSlack_ns = 2e6;

struct Clock {
  int host = 0;
  Nanoseconds ahead_ns = 0;  ///< of the first host that measured
};

/// The clocks of all hosts that some host measured, against that host.
std::vector<Clock> clocks_of(const Facts& facts) {
  std::vector<Clock> clocks;
  const auto first =
      std::ranges::find_if(facts.pairs, [](const PairFacts& pair) { return pair.measured.has_value(); });
  if (first == facts.pairs.end()) return clocks;
  clocks.push_back({first->from, 0});
  for (const PairFacts& pair : facts.pairs)
    if (pair.from == first->from && pair.measured)
      clocks.push_back({pair.to, pair.measured->clock_offset_ns});
  return clocks;
}

Finding wrong_clock(const Facts& facts, const Clock& clock, const Clock& usual) {
  const Nanoseconds difference = clock.ahead_ns - usual.ahead_ns;
  return {"clock-offset",
          Severity::fault,
          {facts.name(clock.host)},
          fmt::format("The clock of {} is {:.1f} s {} that of {}.", facts.name(clock.host),
                      static_cast<double>(std::abs(difference)) / 1e9, difference > 0 ? "ahead of" : "behind",
                      facts.name(usual.host)),
          {fmt::format("# {}", facts.name(clock.host)), "timedatectl set-ntp true",
           "chronyc makestep   # or, with systemd-timesyncd: systemctl restart systemd-timesyncd"}};
}

Finding wrong_latency(const std::vector<std::string>& hosts, const PairFacts& pair) {
  const Nanoseconds half = pair.measured->round_trip_ns / 2;
  return {"link-latency",
          Severity::fault,
          hosts,
          fmt::format("The round trip from {} to {} takes {}; the topology file says {}.", hosts[0], hosts[1],
                      time_text(pair.measured->round_trip_ns), time_text(pair.stated->round_trip_ns)),
          {"# the topology file, in the [[link]] of these sites",
           fmt::format("latency = \"{}\"", time_text(half))}};
}

Finding wrong_rate(const std::vector<std::string>& hosts, const PairFacts& pair) {
  return {"link-rate",
          Severity::fault,
          hosts,
          fmt::format("One connection from {} to {} carries {}; the topology file says {}.", hosts[0],
                      hosts[1], rate_text(pair.measured->rate), rate_text(pair.stated->rate)),
          {"# the topology file, in the [[link]] of these sites",
           fmt::format("bandwidth = \"{}\"", rate_text(pair.measured->rate))}};
}

bool is_time_off(const PairFacts& pair) {
  const auto measured = static_cast<double>(pair.measured->round_trip_ns),
             stated = static_cast<double>(pair.stated->round_trip_ns);
  return measured > kTimeFactor * stated + kTimeSlack_ns || stated > kTimeFactor * measured + kTimeSlack_ns;
}

bool is_rate_off(const PairFacts& pair) {
  const auto measured = static_cast<double>(pair.measured->rate),
             stated = static_cast<double>(pair.stated->rate);
  return measured > kRateAbove * stated || stated > kRateBelow * measured;
}

/// True if judge_tcp() names what keeps a connection of these hosts slow.
bool is_explained(const std::vector<std::string>& hosts, const std::vector<Finding>& settings) {
  return std::ranges::any_of(settings, [&](const Finding& finding) {
    return std::ranges::any_of(finding.hosts, [&](const std::string& host) {
      return std::ranges::find(hosts, host) != hosts.end();
    });
  });
}

}  // namespace

std::vector<Finding> judge_clocks(const Facts& facts) {
  std::vector<Finding> findings;
  std::vector<Clock> clocks = clocks_of(facts);
  if (clocks.empty()) return findings;
  auto sorted = clocks;
  std::ranges::stable_sort(sorted, {}, &Clock::ahead_ns);
  Clock usual = sorted[(sorted.size() - 1) / 2];
  if (clocks.size() == 2) usual = clocks.front();  // no majority: the host that asked is believed
  for (const Clock& clock : clocks)
    if (std::abs(clock.ahead_ns - usual.ahead_ns) > kClockTolerance)
      findings.push_back(wrong_clock(facts, clock, usual));
  return findings;
}

std::vector<Finding> judge_links(const Facts& facts) {
  std::vector<Finding> findings;
  const std::vector<Finding> settings = judge_tcp(facts);
  for (const PairFacts& pair : facts.pairs) {
    if (!pair.measured || !pair.stated || pair.measured->is_stalled) continue;
    const std::vector<std::string> hosts{facts.name(pair.from), facts.name(pair.to)};
    if (is_time_off(pair))
      findings.push_back(wrong_latency(hosts, pair));
    else if (is_rate_off(pair) && !is_explained(hosts, settings))
      findings.push_back(wrong_rate(hosts, pair));
  }
  return findings;
}

}  // namespace wan::tools::doctor
