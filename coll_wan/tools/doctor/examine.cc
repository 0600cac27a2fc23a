// SPDX-License-Identifier: BSD-3-Clause
#include "tools/doctor/examine.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "tools/doctor/interfaces.h"
#include "tools/doctor/protocol.h"
#include "tools/doctor/session.h"
#include "topo/site_file.h"

namespace wan::tools::doctor {
namespace {

using namespace std::chrono_literals;

constexpr auto kFactsTime = 60s, kReachTime = 20s, kMeasureTime = 60s;
/// A busy host measures too little now and then: what looks wrong is measured again.
constexpr int kMeasurements = 3;
constexpr double kSuspicious = 2;

class Examination {
 public:
  explicit Examination(const Inquiry& inquiry) : inquiry_(inquiry) {}

  Facts run() {
    start();
    gather();
    reach();
    if (inquiry_.with_rates) measure();
    return std::move(facts_);
  }

 private:
  /// Runs `action` with a host's agent; the host is left out from then on if that fails.
  template <class Action>
  void with_host(int host, Action action) {
    auto& session = sessions_[static_cast<std::size_t>(host)];
    if (!session) return;
    HostFacts& facts = at(host);
    try {
      action(*session, facts);
    } catch (const SessionError& error) {
      facts.failure = error.what();
    } catch (const SortedJson::exception& error) {
      facts.failure = fmt::format("its agent is of another version: {}", error.what());
    }
    if (!facts.failure.empty()) session.reset();
  }

  template <class Action>
  void with_all(Action action) {
    for (int host = 0; host < std::ssize(facts_.hosts); ++host) with_host(host, action);
  }

  HostFacts& at(int host) { return facts_.hosts[static_cast<std::size_t>(host)]; }

  void start() {
    inquiry_.progress("starting the agents");
    for (const std::string& host : inquiry_.helpers.hosts) {
      facts_.hosts.push_back({});
      facts_.hosts.back().name = host;
      sessions_.push_back(std::make_unique<Session>(inquiry_.helpers.launcher, host,
                                                    inquiry_.helpers.program + " doctor --serve"));
    }
  }

  void gather() {
    SortedJson order = FactsOrder{inquiry_.helpers.environment, inquiry_.helpers.hosts, inquiry_.topology};
    order["do"] = "facts";
    with_all([&](Session& session, HostFacts&) { session.order(order); });
    with_all([](Session& session, HostFacts& facts) {
      const std::string name = facts.name;
      facts = session.answer(kFactsTime).at("facts").get<HostFacts>();
      facts.name = name;
    });
  }

  bool is_there(int host) { return sessions_[static_cast<std::size_t>(host)] != nullptr; }

  Target target(const Way& way, int to) {
    return {way.address, way.listener.port, way.listener.purpose, at(to).token};
  }

  /// The targets of one host, in the order of the pairs.
  std::vector<Target> targets_of(int from) {
    std::vector<Target> targets;
    for (const PairFacts& pair : facts_.pairs)
      if (pair.from == from)
        for (const Way& way : ways_to(facts_.hosts, pair.to)) targets.push_back(target(way, pair.to));
    return targets;
  }

  void reach() {
    inquiry_.progress("connecting each host to each");
    for (int from = 0; from < std::ssize(facts_.hosts); ++from)
      for (int to = 0; to < std::ssize(facts_.hosts); ++to)
        if (from != to && is_there(from) && is_there(to))
          facts_.pairs.push_back({from, to, {}, {}, stated_link(facts_.hosts, from, to)});
    with_all([&](Session& session, HostFacts& facts) {
      session.order({{"do", "reach"}, {"targets", targets_of(index_of(facts))}});
    });
    with_all([&](Session& session, HostFacts& facts) {
      hand_out(session.answer(kReachTime).at("reaches").get<std::vector<Reach>>(), index_of(facts));
    });
  }

  int index_of(const HostFacts& facts) { return static_cast<int>(&facts - facts_.hosts.data()); }

  void hand_out(const std::vector<Reach>& reaches, int from) {
    std::size_t next = 0;
    for (PairFacts& pair : facts_.pairs) {
      if (pair.from != from) continue;
      const std::size_t number = ways_to(facts_.hosts, pair.to).size();
      for (std::size_t i = 0; i < number && next < reaches.size(); ++i)
        pair.reaches.push_back(reaches[next++]);
    }
  }

  void measure() {
    int number = 0;
    for (PairFacts& pair : facts_.pairs) {
      inquiry_.progress(fmt::format("measuring {} -> {} ({} of {})", at(pair.from).name, at(pair.to).name,
                                    ++number, facts_.pairs.size()));
      for (int i = 0; i < kMeasurements && (i == 0 || is_suspicious(pair)); ++i) measure(pair);
    }
  }

  void measure(PairFacts& pair) {
    const auto open = std::ranges::find(pair.reaches, Answer::answered, &Reach::answer);
    if (open == pair.reaches.end()) return;
    with_host(pair.from, [&](Session& session, HostFacts&) {
      const Way way{open->address, {open->purpose, open->port}};
      session.order({{"do", "measure"}, {"target", target(way, pair.to)}});
      const auto measured = session.answer(kMeasureTime).at("measured").get<Measurement>();
      if (measured.round_trip_ns > 0) keep_better(pair, measured);
    });
  }

  /// Of several measurements each number that was disturbed least.
  static void keep_better(PairFacts& pair, Measurement measured) {
    if (pair.measured) {
      const Measurement before = *pair.measured;
      if (!before.is_stalled) measured.is_stalled = false;
      measured.rate = std::max(measured.rate, before.rate);
      if (before.round_trip_ns < measured.round_trip_ns) {
        measured.round_trip_ns = before.round_trip_ns;
        measured.clock_offset_ns = before.clock_offset_ns;
      }
    }
    pair.measured = measured;
  }

  static bool is_off(double measured, double stated) {
    return measured > kSuspicious * stated || stated > kSuspicious * measured;
  }

  static bool is_suspicious(const PairFacts& pair) {
    if (!pair.measured) return false;
    if (pair.measured->is_stalled) return true;
    return pair.stated &&
           (is_off(static_cast<double>(pair.measured->rate), static_cast<double>(pair.stated->rate)) ||
            is_off(static_cast<double>(pair.measured->round_trip_ns),
                   static_cast<double>(pair.stated->round_trip_ns)));
  }

  const Inquiry& inquiry_;
  Facts facts_;
  std::vector<std::unique_ptr<Session>> sessions_;
};

}  // namespace

std::vector<Way> ways_to(const std::vector<HostFacts>& hosts, int to) {
  const HostFacts& host = hosts[static_cast<std::size_t>(to)];
  std::vector<Interface> used;
  for (const Interface& each : message_interfaces(host))
    if (!is_on_several_hosts(hosts, each.address)) used.push_back(each);
  // Where Open MPI is left nothing, the way is still of interest.
  const Interface* best = used.empty() ? main_interface(host.interfaces) : main_interface(used);
  std::vector<Way> ways;
  if (best == nullptr) return ways;
  for (const Listener& listener : host.listeners) ways.push_back({best->address, listener});
  for (const Interface& each : used)
    if (each.address != best->address && !host.listeners.empty())
      ways.push_back({each.address, host.listeners.front()});
  return ways;
}

std::optional<StatedLink> stated_link(const std::vector<HostFacts>& hosts, int from, int to) {
  const TopologyFacts& topology = hosts[static_cast<std::size_t>(from)].topology;
  const auto file = SiteFile::parse(topology.text, topology.path);
  if (!file) return std::nullopt;
  const auto here = file->site_named(topology.site),
             there = file->site_named(hosts[static_cast<std::size_t>(to)].topology.site);
  if (!here || !there || *here == *there) return std::nullopt;
  const Link& out = file->link(*here, *there);
  return StatedLink{out.latency_ns + file->link(*there, *here).latency_ns, out.bandwidth_bytes_per_s};
}

Facts examine(const Inquiry& inquiry) {
  return Examination(inquiry).run();
}

}  // namespace wan::tools::doctor
