// SPDX-License-Identifier: BSD-3-Clause
#include "bench/lab/tcp_streams.h"

namespace wan::lab {

Bytes TcpStreams::advance(const PacketInfo& packet) {
  if (!packet.tcp) return 0;
  const TcpSegment& segment = *packet.tcp;
  std::uint32_t& next = next_.try_emplace(*flow_of(packet), segment.sequence).first->second;
  if (segment.is_first) {
    next = segment.sequence + 1;  // SYN has a number of its own
    return 0;
  }
  if (segment.payload == 0) return 0;
  const std::uint32_t end = segment.sequence + static_cast<std::uint32_t>(segment.payload);
  const auto ahead = static_cast<std::int32_t>(end - next);  // numbers wrap around
  if (ahead <= 0) return 0;
  next = end;
  return ahead;
}

}  // namespace wan::lab
