// SPDX-License-Identifier: BSD-3-Clause
#include "multicast/shape.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "multicast/message.h"

namespace wan::multicast {
namespace {

/// The longest goes without a rendezvous, with what it says beside its bytes; and those that need one, which
/// between processes of a host costs little. Still shorter ones take longer than the model has them where
/// hosts are busy.
constexpr std::array<Bytes, 5> kSegments{60 << 10, 32 << 10, 16 << 10, 8 << 10, 4 << 10};
constexpr std::array<Bytes, 6> kHostSegments{4 << 20, 1 << 20, 256 << 10, 60 << 10, 32 << 10, 16 << 10};
/// A part of a time, a twentieth, that is not worth twice as many messages: hosts may be busier than the
/// model has them.
constexpr Nanoseconds kNothing = 20;

/// How processes of a site pass on what is for all of them.
struct Fan {
  std::int64_t rows = 0;
  std::int64_t copies = 0;  ///< that the first one sends
  std::int64_t last = 0;    ///< those, and of each further row those of one that it has sent to
};

Fan fan(std::int64_t processes, std::int64_t columns) {
  Fan fan;
  for (std::int64_t left = processes; left > 1;) {
    const std::int64_t chunks = std::min(left, columns);
    ++fan.rows;
    fan.copies += chunks - 1;
    fan.last += fan.rows * (chunks - 1);
    left = (left + chunks - 1) / chunks;
  }
  return fan;
}

/// The longest way begins with the last child, whose part is the largest and which gets it last.
Fan chain(std::int64_t destinations, std::int64_t children) {
  Fan fan{.copies = std::min(destinations, children)};
  if (children == 1) return {destinations, fan.copies, destinations};
  for (std::int64_t left = destinations; left > 0; left = (left + children - 1) / children - 1) {
    ++fan.rows;
    fan.last += std::min(left, children);
  }
  return fan;
}

/// The time of so many bytes at a rate, in picoseconds: they are short.
std::int64_t picoseconds(Bytes bytes, BytesPerSecond rate) {
  return static_cast<std::int64_t>(Wide{bytes} * 1'000'000'000'000 / rate);
}

Nanoseconds time_of_shape(Bytes bytes, const Reach& reach, const Shape& shape, const Ground& ground) {
  const Machine& machine = ground.machine;
  const Fan site =
      shape.children > 0 ? chain(reach.hosts, shape.children) : fan(reach.hosts + 1, kColumns[shape.table]);
  const Fan host = fan(reach.processes + 1, kHostColumns);
  const std::int64_t segments = segments_of(bytes, shape.segment);
  const Bytes piece = std::min(bytes, shape.segment);
  const auto step = [&](const Medium& medium, const Link& link) {
    const std::int64_t feed =
        std::max(picoseconds(piece, link.bandwidth_bytes_per_s), piece * medium.send_ps_per_byte);
    return medium.overheads.send_ns + feed / 1'000;
  };
  const auto hop = [](const Medium& medium, const Link& link) {
    return link.latency_ns + medium.overheads.receive_ns;
  };
  const auto wide = [&](Bytes of) {
    return ground.wide_rate == 0 ? 0 : static_cast<Nanoseconds>(picoseconds(of, ground.wide_rate) / 1'000);
  };
  const Nanoseconds far = step(machine.tcp, machine.site_link),
                    near = step(machine.shared_memory, machine.host_link);
  return std::max((segments - 1) * (site.copies * far + host.copies * near), wide(bytes - piece)) +
         wide(piece) + site.rows * hop(machine.tcp, machine.site_link) + site.last * far +
         host.rows * hop(machine.shared_memory, machine.host_link) + host.last * near;
}

/// With segments of this length, the preferred first: of what is one segment, the fewest processes on the
/// way; of what is several, the fewest copies of each, since a site may be slower than the model has it.
std::vector<Shape> shapes(Bytes bytes, Position hosts, Bytes segment) {
  std::vector<Shape> shapes;
  if (bytes > segment && hosts > 1)
    for (const int children : kChildren) shapes.push_back({0, segment, static_cast<std::uint8_t>(children)});
  for (std::size_t table = 0; table < kColumns.size(); ++table)
    shapes.push_back({static_cast<std::uint8_t>(table), segment});
  if (bytes <= segment) std::ranges::reverse(shapes);
  return shapes;
}

/// What fits into one message goes as one, or as several of which the first are soon far ahead: alone it may
/// gain a little as two, and loses more where many multicasts are under way.
bool is_needless(Bytes bytes, std::span<const Bytes> segments, std::size_t index) {
  constexpr Bytes kFewest = 4;
  return bytes <= segments.front() && bytes > segments[index] && bytes < kFewest * segments[index];
}

}  // namespace

Shape quickest_shape(Bytes bytes, const Reach& reach, const Ground& ground, Bytes segment) {
  const std::array<Bytes, 1> given{segment};
  const bool is_one_host = reach.hosts == 0 && ground.wide_rate == 0;
  const std::span<const Bytes> segments = segment > 0   ? std::span<const Bytes>(given)
                                          : is_one_host ? std::span<const Bytes>(kHostSegments)
                                                        : std::span<const Bytes>(kSegments);
  Nanoseconds least = std::numeric_limits<Nanoseconds>::max();
  std::vector<std::pair<Shape, Nanoseconds>> times;  // the longest segments first, for the fewest messages
  for (std::size_t index = 0; index < segments.size(); ++index) {
    if (index + 1 < segments.size() && bytes <= segments[index + 1]) continue;  // one segment with either
    if (segment == 0 && is_needless(bytes, segments, index)) continue;
    for (const Shape& shape : shapes(bytes, reach.hosts, segments[index])) {
      times.emplace_back(shape, time_of_shape(bytes, reach, shape, ground));
      least = std::min(least, times.back().second);
    }
  }
  const auto is_as_quick = [&](const auto& each) {
    return each.second <= (bytes <= each.first.segment ? least : least + least / kNothing);
  };
  return std::ranges::find_if(times, is_as_quick)->first;
}

}  // namespace wan::multicast
