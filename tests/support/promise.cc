// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/promise.h"

#include <algorithm>
#include <utility>

#include "algo/choice/aggregation.h"
#include "algo/choice/choice.h"
#include "algo/choice/lane_choice.h"
#include "check/simulate.h"
#include "check/verify.h"
#include "tests/support/free_machine.h"
#include "tests/support/stated_traffic.h"

namespace wan {
namespace {

constexpr Count kNeverCut = 8192;  ///< longer than all that the tests send

bool moves_blocks(Collective collective) {
  switch (collective) {
    case Collective::gather:
    case Collective::gatherv:
    case Collective::scatter:
    case Collective::scatterv:
    case Collective::alltoall:
    case Collective::alltoallv:
    case Collective::alltoallw:
      return true;
    default:
      return false;
  }
}

std::string text_of(const TrafficMatrix& traffic) {
  std::string text;
  for (const auto& [pair, sum] : traffic)
    text += " " + std::to_string(pair.first) + ">" + std::to_string(pair.second) + ": " +
            std::to_string(sum.messages) + " messages " + std::to_string(sum.units) + " units";
  return text;
}

/// With nothing but the wide area costing anything: without the nanosecond that any message costs all the
/// same, if all were one after the other.
Nanoseconds time_of_schedule(const Schedule& schedule, const GlobalCall& call, const Topology& topology) {
  Nanoseconds steps = 0;
  for (const Program& program : schedule) steps += program.size();
  return simulate(schedule, Model(topology, free_machine()), call.unit_bytes).end - steps;
}

/// Of what crosses the links, all of them at once, each message from its own site to the one that it is for.
Nanoseconds time_on_links(const TrafficMatrix& traffic, const Network& network, Bytes unit_bytes) {
  Nanoseconds time = 0;
  for (const auto& [sites, sum] : traffic) {
    const Link& link = network.link(sites.first, sites.second);
    time = std::max(time, link.latency_ns + time_of(sum.units * unit_bytes, link.bandwidth_bytes_per_s));
  }
  return time;
}

/// What the best exchange of one latency sends.
TrafficMatrix direct_traffic(const GlobalCall& call, const Layout& layout) {
  const Demand demand = demand_of(layout, call);
  TrafficMatrix traffic;
  for (SiteIndex from = 0; from < layout.sites(); ++from)
    for (SiteIndex to = 0; to < layout.sites(); ++to)
      if (const PairTraffic& least = demand.traffic.at(from, to); least.messages > 0)
        traffic[{from, to}] = {least.messages, least.bytes};
  return traffic;
}

/// As if each site needed of each other what the best exchange of one latency sends, or what is sent. (In
/// order, a site's values are more than its information, and those of several sites together may be more than
/// of each.)
Nanoseconds bound_of_sent(const TrafficMatrix& sent, const GlobalCall& call, const Topology& topology) {
  Demand demand = demand_of(topology.layout, call);
  for (const TrafficMatrix& traffic : {direct_traffic(call, topology.layout), sent})
    for (const auto& [sites, sum] : traffic) {
      auto& needed = demand.information.at(sites.first, sites.second);
      needed = std::max(needed.value_or(0), sum.units * call.unit_bytes);
    }
  demand.combined_everywhere *= call.unit_bytes;
  return lower_bound(topology.network, demand);
}

/// Between the sites of `layout`, of which those that a call is planned for may be parts.
TrafficMatrix joined(const TrafficMatrix& between_parts, const Layout& parts, const Layout& layout) {
  const auto whole = [&](SiteIndex part) { return layout.site_of(parts.ranks_of(part).front()); };
  TrafficMatrix traffic;
  for (const auto& [sites, sum] : between_parts) {
    if (whole(sites.first) == whole(sites.second)) continue;
    Traffic& all = traffic[{whole(sites.first), whole(sites.second)}];
    all.messages += sum.messages;
    all.units += sum.units;
  }
  return traffic;
}

/// What is divided by itself of all that one site sends to another.
Count divided(const GlobalCall& call, const Layout& layout, SiteIndex from, SiteIndex to) {
  const auto ranks = [&](SiteIndex site) { return std::ssize(layout.ranks_of(site)); };
  switch (call.collective) {
    case Collective::gather:
      return ranks(from);
    case Collective::scatter:
      return ranks(to);
    case Collective::alltoall:
      return ranks(from) * ranks(to);
    default:
      return 1;
  }
}

/// Of `bytes(from, to)` over each link, on the link where that takes longest.
template <class BytesOfPair>
Nanoseconds longest_transmission(const Topology& topology, BytesOfPair bytes) {
  Nanoseconds longest = 0;
  for (SiteIndex from = 0; from < topology.layout.sites(); ++from)
    for (SiteIndex to = 0; to < topology.layout.sites(); ++to)
      if (from != to)
        longest = std::max(longest,
                           time_of(bytes(from, to), topology.network.link(from, to).bandwidth_bytes_per_s));
  return longest;
}

/// Shares are whole units: on either of its ways a share of a block, or of what a lane carries, may be one
/// too long.
Nanoseconds rounding_of(const GlobalCall& call, const Topology& topology, int lanes) {
  return 2 * longest_transmission(topology, [&](SiteIndex from, SiteIndex to) {
           return divided(call, topology.layout, from, to) * lanes * call.unit_bytes;
         });
}

/// A segment is passed on when all of it has come.
Nanoseconds segment_time(const GlobalCall& call, const Topology& topology, const Tuning& tuning) {
  const Bytes segment = std::min(tuning.segment, call.block) * call.unit_bytes;
  return longest_transmission(topology, [segment](SiteIndex, SiteIndex) { return segment; });
}

/// Do blocks go from rank to rank? (On one site nobody passes on what others do not know the length of.)
bool goes_by_rank(const GlobalCall& call, const Topology& topology, const Tuning& tuning) {
  return moves_blocks(call.collective) &&
         (aggregate_limit(topology, call.collective, tuning) < kNeverCut ||
          (has_count_matrix(call.collective) && topology.layout.sites() == 1));
}

/// Of a site.
int fewest_ranks(const Layout& layout) {
  int fewest = layout.size();
  for (SiteIndex site = 0; site < layout.sites(); ++site)
    fewest = std::min(fewest, static_cast<int>(layout.ranks_of(site).size()));
  return fewest;
}

class Check {
 public:
  Check(const Schedule& schedule, const GlobalCall& call, const Topology& topology, const Tuning& tuning)
      : schedule_(schedule),
        call_(call),
        topology_(topology),
        tuning_(tuning),
        choice_(choose(topology, tuning, call.view(0))),
        planned_(planned_layout(topology, choice_)),
        stated_(stated_traffic(call, topology, tuning, choice_)),
        verdict_(verify(schedule, call, planned_)),
        broken_(verdict_.defects) {}

  std::vector<std::string> broken_promises() && {
    check_latencies();
    check_traffic();
    if (follows_hosts(call_, topology_, tuning_)) check_hosts();
    if (verdict_.is_correct()) check_time();
    return std::move(broken_);
  }

 private:
  void check_latencies() {
    if (const int most = stated_latencies(choice_, planned_); verdict_.latencies > most)
      broken_.push_back(std::to_string(verdict_.latencies) + " inter-site latencies, not " +
                        std::to_string(most));
  }

  void check_traffic() {
    if (verdict_.between_sites != stated_)
      broken_.push_back("between sites:" + text_of(verdict_.between_sites) + "; stated:" + text_of(stated_));
    if (verdict_.repeated_units > 0)
      broken_.push_back("a datum enters a site twice: " + std::to_string(verdict_.repeated_units) + " units");
  }

  void check_hosts() {
    for (const auto& [hosts, sum] : verdict_.between_hosts)
      if (sum.messages > 1)
        broken_.push_back("between hosts: " + std::to_string(sum.messages) + " messages " +
                          std::to_string(hosts.first) + ">" + std::to_string(hosts.second));
  }

  /// On the links as the choice sees them.
  void check_time() {
    Topology seen = topology_;
    if (auto held_up = network_of_windows(topology_, tuning_, call_.view(0)))
      seen.network = std::move(*held_up);
    const Nanoseconds time = time_of_schedule(schedule_, call_, seen);
    if (const Nanoseconds most = most_time(seen); time > most)
      broken_.push_back("time: " + std::to_string(time) + " ns, not " + std::to_string(most));
    if (stated_latencies(choice_, planned_) > 1 && is_chosen_for_its_time() && time >= worth_below(seen))
      broken_.push_back("another latency for nothing");
  }

  Nanoseconds most_time(const Topology& seen) const {
    const Nanoseconds on_links =
        time_on_links(joined(stated_, planned_, topology_.layout), seen.network, call_.unit_bytes);
    const int times = times_the_bound(choice_.algorithm());
    if (times == 0) return on_links;
    if (is_chosen_for_its_time()) return times * bound_of_sent(stated_, call_, seen) + granularity_of(seen);
    return 2 * stated_latencies(choice_, planned_) * on_links + granularity_of(seen);
  }

  Nanoseconds granularity_of(const Topology& seen) const {
    return rounding_of(call_, seen, choice_.lanes) +
           (stated_latencies(choice_, planned_) - 1) * segment_time(call_, seen, tuning_);
  }

  /// Not if it is forced, nor if a process has several lanes: it passes them on one after the other, and
  /// waits for the last of one before it sends the first of the next.
  bool is_chosen_for_its_time() const {
    return tuning_.algorithms.of(call_.collective) == Algorithm::automatic &&
           choice_.lanes <= fewest_ranks(planned_);
  }

  /// A choice is made by an estimate, and a tree may have spared overheads: now and then it is quicker than
  /// directly by less than nothing.
  Nanoseconds worth_below(const Topology& seen) const {
    const Nanoseconds direct =
        time_on_links(direct_traffic(call_, seen.layout), seen.network, call_.unit_bytes);
    return direct + direct / 10 + granularity_of(seen);
  }

  const Schedule& schedule_;
  const GlobalCall& call_;
  const Topology& topology_;
  const Tuning& tuning_;
  Choice choice_;
  const Layout& planned_;
  TrafficMatrix stated_;
  Verdict verdict_;
  std::vector<std::string> broken_;
};

}  // namespace

bool follows_hosts(const GlobalCall& call, const Topology& topology, const Tuning& tuning) {
  const Choice choice = choose(topology, tuning, call.view(0));
  const Algorithm algorithm = choice.algorithm();
  if (algorithm == Algorithm::relayed || algorithm == Algorithm::spread) return false;  // what comes in parts
  if (call.collective == Collective::barrier) return true;
  return !goes_by_rank(call, topology, tuning) && choice.lanes == 1 && tuning.segment >= kNeverCut;
}

std::vector<std::string> broken_promises(const Schedule& schedule, const GlobalCall& call,
                                         const Topology& topology, const Tuning& tuning) {
  return Check(schedule, call, topology, tuning).broken_promises();
}

}  // namespace wan
