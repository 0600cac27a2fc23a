// SPDX-License-Identifier: BSD-3-Clause
// What a process sees of the sockets that lead it to another site, at one instant. Linux' TCP_INFO has it all
// (process/tcp_sight.h); here are numbers alone. Plain data. Tested by: tests/unit/learn_link_estimate.cc.
#pragma once

#include <cstdint>

#include "base/types.h"

namespace wan {

struct Sight {
  Nanoseconds at = 0;
  std::uint64_t sockets = 0;  ///< which ones they are: sights of others cannot be compared with this one
  Bytes delivered = 0;        ///< that the other end has, also behind a gap, since the sockets exist
  Bytes unsent = 0;           ///< given to the sockets, not to the network
  Bytes under_way = 0;        ///< given to the network, not delivered
  /// Smoothed by TCP; the least of the sockets that were in use. 0: none was.
  Nanoseconds round_trip = 0;
  Nanoseconds least_round_trip = 0;  ///< that TCP remembers, which is for minutes
  std::int64_t sent_again = 0;       ///< segments, since the sockets exist
  Nanoseconds held_by_hosts = 0;     ///< for which buffers of either host, not the network, held them back

  bool is_empty() const { return unsent == 0 && under_way == 0; }
  friend bool operator==(const Sight&, const Sight&) = default;
};

/// Of two times, either of which may be 0: not known.
Nanoseconds lesser(Nanoseconds a, Nanoseconds b);
/// Of both, seen at the later instant.
Sight together(const Sight& a, const Sight& b);

/// What a process has asked of a link since it was last looked at.
struct PaceDemand {
  bool held = false;  ///< something waits because of pacing
  int senders = 0;    ///< processes that send as much as this one at the same time; 0: nobody knows
};

}  // namespace wan
