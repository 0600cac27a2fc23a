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

/// The longest goes without a rendezvous, with what it says beside its bytes.
constexpr std::array<Bytes, 4> kSegments{60 << 10, 32 << 10, 16 << 10, 8 << 10};
/// A part of a time that is not worth twice as many messages.
constexpr Nanoseconds kNothing = 64;

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
  return static_cast<std::int64_t>(static_cast<__int128>(bytes) * 1'000'000'000'000 / rate);
}

Nanoseconds time_of(Bytes bytes, Position destinations, const Shape& shape, const Ground& ground) {
  const Machine& machine = ground.machine;
  const Fan site =
      shape.children > 0 ? chain(destinations, shape.children) : fan(destinations + 1, kColumns[shape.table]);
  const std::int64_t segments = segments_of(bytes, shape.segment);
  const Bytes piece = std::min(bytes, shape.segment);
  const std::int64_t feed = std::max(picoseconds(piece, machine.site_link.bandwidth_bytes_per_s),
                                     piece * machine.tcp.send_ps_per_byte);
  const Nanoseconds step = machine.tcp.overheads.send_ns + feed / 1'000;
  const Nanoseconds hop = machine.site_link.latency_ns + machine.tcp.overheads.receive_ns;
  const auto wide = [&](Bytes of) {
    return ground.wide_rate == 0 ? 0 : static_cast<Nanoseconds>(picoseconds(of, ground.wide_rate) / 1'000);
  };
  return std::max((segments - 1) * site.copies * step, wide(bytes - piece)) + wide(piece) + site.rows * hop +
         site.last * step;
}

/// With segments of this length, the preferred first: of what is one segment, the fewest processes on the
/// way; of what is several, the fewest copies of each, since a site may be slower than the model has it.
std::vector<Shape> shapes(Bytes bytes, Position destinations, Bytes segment) {
  std::vector<Shape> shapes;
  if (bytes > segment && destinations > 1)
    for (const int children : kChildren) shapes.push_back({0, segment, static_cast<std::uint8_t>(children)});
  for (std::size_t table = 0; table < kColumns.size(); ++table)
    shapes.push_back({static_cast<std::uint8_t>(table), segment});
  if (bytes <= segment) std::ranges::reverse(shapes);
  return shapes;
}

}  // namespace

Shape quickest_shape(Bytes bytes, Position destinations, const Ground& ground, Bytes segment) {
  const std::array<Bytes, 1> given{segment};
  Nanoseconds least = std::numeric_limits<Nanoseconds>::max();
  std::vector<std::pair<Shape, Nanoseconds>> times;  // the longest segments first, for the fewest messages
  for (const Bytes each : segment > 0 ? std::span<const Bytes>(given) : kSegments)
    for (const Shape& shape : shapes(bytes, destinations, each)) {
      times.emplace_back(shape, time_of(bytes, destinations, shape, ground));
      least = std::min(least, times.back().second);
    }
  const auto is_as_quick = [&](const auto& each) {
    return each.second <= (bytes <= each.first.segment ? least : least + least / kNothing);
  };
  return std::ranges::find_if(times, is_as_quick)->first;
}

}  // namespace wan::multicast
