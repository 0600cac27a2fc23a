// SPDX-License-Identifier: BSD-3-Clause
#include "cost/model.h"

#include <limits>
#include <utility>

#include "base/invariant.h"

namespace wan {

Model::Model(const Topology& topology, Machine machine)
    : topology_(&topology), machine_(machine), to_other_sites_(machine.tcp) {
  if (!machine.asks_other_sites) to_other_sites_.eager_limit = std::numeric_limits<Bytes>::max();
  invariant(topology.overheads.empty() || std::ssize(topology.overheads) == topology.layout.size(),
            "overheads for each rank");
}

Proximity Model::proximity(Rank a, Rank b) const {
  const Layout& layout = topology_->layout;
  if (layout.site_of(a) != layout.site_of(b)) return Proximity::remote;
  const bool shares_host = layout.levels() > 0 && layout.group_of(0, a) == layout.group_of(0, b);
  return shares_host ? Proximity::same_host : Proximity::same_site;
}

Overheads Model::overheads(Rank rank, Proximity proximity) const {
  if (proximity == Proximity::same_host) return machine_.shared_memory.overheads;
  const std::vector<Overheads>& stated = topology_->overheads;
  return stated.empty() ? machine_.tcp.overheads : stated[static_cast<std::size_t>(rank)];
}

const Link& Model::link(Rank from, Rank to) const {
  switch (proximity(from, to)) {
    case Proximity::same_host:
      return machine_.host_link;
    case Proximity::same_site:
      return machine_.site_link;
    case Proximity::remote:
      break;
  }
  return network().link(layout().site_of(from), layout().site_of(to));
}

BytesPerSecond Model::rate(Rank from, Rank to) const {
  const BytesPerSecond of_link = link(from, to).bandwidth_bytes_per_s;
  if (proximity(from, to) != Proximity::remote) return of_link;
  const auto up = network().uplink(layout().site_of(from)), down = network().downlink(layout().site_of(to));
  return std::min({of_link, up.value_or(of_link), down.value_or(of_link)});
}

/// From the first bit's leaving the processor, which feeds the wire for `feed_ns`, to the last bit's arrival.
Nanoseconds Model::flight_ns(Rank from, Rank to, Bytes wire, Nanoseconds feed_ns) const {
  return std::max(time_of(wire, rate(from, to)), feed_ns) + link(from, to).latency_ns;
}

Nanoseconds Model::message_ns(Rank from, Rank to, Bytes bytes) const {
  const Proximity distance = proximity(from, to);
  const Medium& way = medium(distance);
  if (bytes > way.eager_limit) return rendezvous_ns(from, to, bytes);
  const Bytes wire = wire_bytes(distance, bytes, machine_.framing.message_header);
  return overheads(from, distance).send_ns +
         flight_ns(from, to, wire, processor_ns(bytes, way.send_ps_per_byte)) +
         overheads(to, distance).receive_ns + processor_ns(bytes, way.receive_ps_per_byte);
}

Nanoseconds Model::rendezvous_ns(Rank from, Rank to, Bytes bytes) const {
  const Proximity distance = proximity(from, to);
  const Medium& way = medium(distance);
  const Overheads sender = overheads(from, distance), receiver = overheads(to, distance);
  const auto part_ns = [&](Bytes part) {
    const Bytes wire = wire_bytes(distance, part, machine_.framing.control_header);
    return sender.send_ns + flight_ns(from, to, wire, processor_ns(part, way.send_ps_per_byte)) +
           receiver.receive_ns + processor_ns(part, way.receive_ps_per_byte);
  };
  const Bytes answer = wire_bytes(distance, 0, machine_.framing.control_header);
  return part_ns(way.eager_limit) + receiver.send_ns + flight_ns(to, from, answer, 0) + sender.receive_ns +
         part_ns(bytes - way.eager_limit);
}

}  // namespace wan
