// SPDX-License-Identifier: BSD-3-Clause
#include "multicast/shape.h"

#include <algorithm>
#include <limits>
#include <span>

#include "base/invariant.h"
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
  Nanoseconds least = std::numeric_limits<Nanoseconds>::max();
  std::array<std::array<Nanoseconds, kColumns.size()>, kSegments.size()> times{};
  for (std::size_t i = 0; i < segments.size(); ++i)
    for (std::size_t table = 0; table < kColumns.size(); ++table) {
      times[i][table] = time_of(bytes, destinations, kColumns[table], segments[i], ground);
      least = std::min(least, times[i][table]);
    }
  // Of what is as quick, the fewest messages. Of what is one segment, then the fewest processes on the way;
  // of what is several, the fewest copies of each, since a site may be slower than the model has it.
  for (std::size_t i = 0; i < segments.size(); ++i)
    for (std::size_t each = 0; each < kColumns.size(); ++each) {
      const std::size_t table = bytes <= segments[i] ? kColumns.size() - 1 - each : each;
      const Nanoseconds most = bytes <= segments[i] ? least : least + least / kNothing;
      if (times[i][table] <= most) return {static_cast<std::uint8_t>(table), segments[i]};
    }
  invariant(false, "the least is not among them");
  return {};
}

}  // namespace wan::multicast
