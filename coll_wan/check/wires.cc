// SPDX-License-Identifier: BSD-3-Clause
#include "check/wires.h"

#include <algorithm>

#include "cost/passage.h"

namespace wan {

Wires::Wires(const Model& model) : model_(model), sites_(model.layout().sites()) {
  const Network& network = model.network();
  for (SiteIndex from = 0; from < sites_; ++from)
    for (SiteIndex to = 0; to < sites_; ++to)
      wires_.push_back({network.link(from, to).bandwidth_bytes_per_s});
  for (SiteIndex site = 0; site < sites_; ++site) wires_.push_back({network.uplink(site).value_or(0)});
  for (SiteIndex site = 0; site < sites_; ++site) wires_.push_back({network.downlink(site).value_or(0)});
}

Wires::Way Wires::way(Rank from, Rank to) {
  const Proximity proximity = model_.proximity(from, to);
  if (proximity == Proximity::remote) return remote_way(from, to);
  const Layout& layout = model_.layout();
  const bool has_hosts = layout.levels() > 0 && proximity == Proximity::same_site;
  const LinkIndex link = has_hosts ? local_link(layout.group_of(0, from), layout.group_of(0, to), proximity)
                                   : local_link(from, to, proximity);
  return {{{link, model_.link(from, to).latency_ns}, {}, {}}, 1, 1};
}

Wires::Way Wires::remote_way(Rank from, Rank to) const {
  const Network& network = model_.network();
  const SiteIndex source = model_.layout().site_of(from), target = model_.layout().site_of(to);
  Way way;
  if (network.uplink(source)) way.hops[way.size++] = {uplink(source), 0};
  way.hops[way.size++] = {pair(source, target), network.link(source, target).latency_ns};
  way.own = way.size;
  if (network.downlink(target)) way.hops[way.size++] = {downlink(target), 0};
  return way;
}

Passage Wires::admit(Rank from, Rank to, Passage in, Bytes wire) {
  const Bytes window = model_.machine().flow_window;
  if (window == 0 || model_.proximity(from, to) != Proximity::remote) return in;
  const auto key = static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint64_t>(to);
  const Nanoseconds round_trip_ns =
      model_.network().round_trip_ns(model_.layout().site_of(from), model_.layout().site_of(to));
  Nanoseconds& acknowledged = acknowledged_at_[key];
  const Nanoseconds first = std::max(in.first_bit, acknowledged - round_trip_ns);
  acknowledged =
      std::max(in.first_bit, acknowledged) + static_cast<Nanoseconds>(Wide{wire} * round_trip_ns / window);
  return {first, std::max({first, in.last_bit, acknowledged - round_trip_ns})};
}

Wires::LinkIndex Wires::local_link(std::int32_t from, std::int32_t to, Proximity proximity) {
  const auto key = static_cast<std::uint64_t>(proximity) << 62 | static_cast<std::uint64_t>(from) << 31 |
                   static_cast<std::uint64_t>(to);
  const auto [found, is_new] = local_links_.try_emplace(key, static_cast<LinkIndex>(wires_.size()));
  const Machine& machine = model_.machine();
  const Link& link = proximity == Proximity::same_host ? machine.host_link : machine.site_link;
  if (is_new) wires_.push_back({link.bandwidth_bytes_per_s});
  return found->second;
}

Nanoseconds Wires::due(LinkIndex link, Passage in, Bytes wire) const {
  return std::max(in.first_bit, in.last_bit - time_of(wire, at(link).rate));
}

bool Wires::is_slow(LinkIndex link, Passage in, Bytes wire) const {
  return due(link, in, wire) > in.first_bit;
}

Passage Wires::carry(LinkIndex link, Passage in, Bytes payload, Bytes wire) {
  Wire& it = at(link);
  const Nanoseconds start = std::max(in.first_bit, it.free_at), time = time_of(wire, it.rate);
  it.free_at = std::max(start + time, in.last_bit);
  it.use.payload += payload;
  it.use.wire += wire;
  it.use.busy_ns += time;
  return {start, it.free_at};
}

void Wires::count_transmission(LinkIndex link) {
  ++at(link).use.transmissions;
}

SiteMatrix<LinkUse> Wires::between_sites() const {
  SiteMatrix<LinkUse> uses(sites_);
  for (SiteIndex from = 0; from < sites_; ++from)
    for (SiteIndex to = 0; to < sites_; ++to) uses.at(from, to) = at(pair(from, to)).use;
  return uses;
}

std::vector<LinkUse> Wires::uplinks() const {
  return uses_from(uplink(0));
}

std::vector<LinkUse> Wires::downlinks() const {
  return uses_from(downlink(0));
}

std::vector<LinkUse> Wires::uses_from(LinkIndex first) const {
  std::vector<LinkUse> uses;
  for (SiteIndex site = 0; site < sites_; ++site) uses.push_back(at(first + site).use);
  return uses;
}

}  // namespace wan
