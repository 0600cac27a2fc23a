// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>

#include "tools/doctor/judge.h"
#include "tools/doctor/pairs.h"
#include "tools/doctor/units.h"

namespace wan::tools::doctor {
namespace {

/// Of a buffer about half holds data, the rest is the kernel's own.
constexpr double kBufferOverhead = 2;
/// A connection that its buffer limits measures half of the buffer, or a little more, as the product.
constexpr double kLimitedByBuffer = 2.5;
/// Every kernel allows as much.
constexpr double kSmallProduct = 65536;
constexpr Bytes kGenerousBuffer = 16 << 20;

/// Ways of congestion control that fill long links; Reno and its like take minutes to recover from a loss.
constexpr std::array<std::string_view, 7> kFast = {"cubic", "bbr",       "bbr2",    "bbr3",
                                                   "htcp",  "highspeed", "scalable"};

bool is_long(const PairFacts& pair) {
  const StatedLink link = link_of(pair);
  return link.round_trip_ns >= kLongRoundTrip && product_of(link) > kSmallProduct;
}

/// The pair of the host, as `end` of it, whose links hold most; nullptr if none is long.
const PairFacts* fullest(const Facts& facts, int host, int PairFacts::*end) {
  const PairFacts* found = nullptr;
  for (const PairFacts& pair : facts.pairs)
    if (pair.*end == host && is_long(pair) &&
        (found == nullptr || product_of(link_of(pair)) > product_of(link_of(*found))))
      found = &pair;
  return found;
}

struct Buffer {
  const char* finding;
  const char* setting;
  const char* first_values;  ///< smallest and initial size
  int PairFacts::*end;
  Bytes TcpSettings::*size;
};

constexpr Buffer kBuffers[] = {
    {"tcp-receive-buffer", "net.ipv4.tcp_rmem", "4096 131072", &PairFacts::to, &TcpSettings::receive_buffer},
    {"tcp-send-buffer", "net.ipv4.tcp_wmem", "4096 65536", &PairFacts::from, &TcpSettings::send_buffer}};

void judge_buffer(const Facts& facts, int host, const Buffer& buffer, std::vector<Finding>& findings) {
  const PairFacts* pair = fullest(facts, host, buffer.end);
  if (pair == nullptr) return;
  const StatedLink link = link_of(*pair);
  const Bytes size = facts.hosts[static_cast<std::size_t>(host)].tcp.*buffer.size;
  const double product = product_of(link);
  if (static_cast<double>(size) >= product * (pair->stated ? kBufferOverhead : kLimitedByBuffer)) return;
  const auto wanted = std::bit_ceil(static_cast<std::uint64_t>(2 * kBufferOverhead * product));
  findings.push_back(
      {buffer.finding,
       Severity::fault,
       {facts.name(host)},
       fmt::format(
           "The largest {} of {} is {}. The link from {} to {} ({} round trip, {}{}) holds {}, and of a "
           "buffer the kernel uses about half.",
           buffer.setting, facts.name(host), bytes_text(size), facts.name(pair->from), facts.name(pair->to),
           time_text(link.round_trip_ns), rate_text(link.rate), pair->stated ? "" : " measured",
           bytes_text(static_cast<Bytes>(product))),
       {fmt::format("# {}", facts.name(host)),
        fmt::format("sysctl -w {}=\"{} {}\"", buffer.setting, buffer.first_values,
                    std::max<std::uint64_t>(wanted, kGenerousBuffer))}});
}

/// One finding for all hosts with a long way that have the setting.
template <class Has>
void judge_setting(const Facts& facts, Has has, Finding finding, std::vector<Finding>& findings) {
  for (int host = 0; host < std::ssize(facts.hosts); ++host) {
    const HostFacts& each = facts.hosts[static_cast<std::size_t>(host)];
    const bool concerns = each.failure.empty() && has(each.tcp);
    if (concerns && fullest(facts, host, &PairFacts::from) != nullptr) finding.hosts.push_back(each.name);
  }
  if (finding.hosts.empty()) return;
  finding.mend.insert(finding.mend.begin(), fmt::format("# {}", fmt::join(finding.hosts, ", ")));
  findings.push_back(std::move(finding));
}

void judge_settings(const Facts& facts, std::vector<Finding>& findings) {
  judge_setting(
      facts, [](const TcpSettings& tcp) { return tcp.slow_start_after_idle; },
      {"slow-start-after-idle",
       Severity::fault,
       {},
       "net.ipv4.tcp_slow_start_after_idle is 1: after each pause of a job a connection starts slowly again, "
       "and "
       "takes several round trips to fill the link.",
       {"sysctl -w net.ipv4.tcp_slow_start_after_idle=0"}},
      findings);
  judge_setting(
      facts, [](const TcpSettings& tcp) { return !tcp.window_scaling; },
      {"window-scaling",
       Severity::fault,
       {},
       "net.ipv4.tcp_window_scaling is 0: a connection carries at most 64 KiB in a round trip.",
       {"sysctl -w net.ipv4.tcp_window_scaling=1"}},
      findings);
}

void judge_congestion(const Facts& facts, std::vector<Finding>& findings) {
  for (int host = 0; host < std::ssize(facts.hosts); ++host) {
    const PairFacts* pair = fullest(facts, host, &PairFacts::from);
    if (pair == nullptr || !pair->measured || pair->measured->congestion_control.empty()) continue;
    const std::string& used = pair->measured->congestion_control;
    if (std::ranges::find(kFast, used) != kFast.end()) continue;
    findings.push_back(
        {"congestion-control",
         Severity::fault,
         {facts.name(host)},
         fmt::format(
             "Connections from {} to {} use {}, which takes long to fill a link of {} and {} again after "
             "a loss.",
             facts.name(host), facts.name(pair->to), used, time_text(link_of(*pair).round_trip_ns),
             rate_text(link_of(*pair).rate)),
         {fmt::format("# {}; a route may have its own: ip route get ADDRESS", facts.name(host)),
          "sysctl -w net.ipv4.tcp_congestion_control=cubic"}});
  }
}

}  // namespace

std::vector<Finding> judge_tcp(const Facts& facts) {
  std::vector<Finding> findings;
  for (int host = 0; host < std::ssize(facts.hosts); ++host)
    for (const Buffer& buffer : kBuffers) judge_buffer(facts, host, buffer, findings);
  judge_settings(facts, findings);
  judge_congestion(facts, findings);
  return findings;
}

}  // namespace wan::tools::doctor
