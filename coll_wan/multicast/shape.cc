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

/// The time of so many bytes at a rate, in picoseconds: they are short.
std::int64_t picoseconds(Bytes bytes, BytesPerSecond rate) {
  return static_cast<std::int64_t>(static_cast<__int128>(bytes) * 1'000'000'000'000 / rate);
}

Nanoseconds time_of(Bytes bytes, Position destinations, int columns, Bytes segment, const Ground& ground) {
  const Machine& machine = ground.machine;
  const Fan site = fan(destinations + 1, columns);
  const std::int64_t segments = segments_of(bytes, segment);
  const Bytes piece = std::min(bytes, segment);
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

}  // namespace

Shape quickest_shape(Bytes bytes, Position destinations, const Ground& ground, Bytes segment) {
  const std::array<Bytes, 1> given{segment};
  const std::span<const Bytes> segments = segment > 0 ? std::span<const Bytes>(given) : kSegments;
  std::vector<std::pair<Nanoseconds, Shape>> all;  // the best of each segment
  for (const Bytes each : segments) {
    auto& [least, shape] = all.emplace_back(std::numeric_limits<Nanoseconds>::max(), Shape{0, each});
    for (std::size_t i = kColumns.size(); i-- > 0;)
      if (const Nanoseconds time = time_of(bytes, destinations, kColumns[i], each, ground); time < least) {
        least = time;
        shape.table = static_cast<std::uint8_t>(i);
      }
  }
  const Nanoseconds least = std::ranges::min(all, {}, &std::pair<Nanoseconds, Shape>::first).first;
  return std::ranges::find_if(all, [&](const auto& each) { return each.first <= least + least / kNothing; })
      ->second;
}

}  // namespace wan::multicast
