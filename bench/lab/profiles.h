// SPDX-License-Identifier: BSD-3-Clause
// Hosts and links as people have them, under names that a measurement can state. The options of wan-lab that
// set one value by itself take precedence. Tested by bench/lab/tests/lab_profiles_test.sh.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/types.h"

namespace wan::lab {

/// Sizes of a TCP socket's buffer (net.ipv4.tcp_rmem, tcp_wmem): least, at first, largest.
struct SocketBuffer {
  int least = 4096, first = 0, largest = 0;
  std::string text() const;
  SocketBuffer with_largest(int bytes) const;
};

struct HostProfile {
  const char* name;
  int mtu;  ///< largest IP packet inside and between sites
  SocketBuffer receive, send;
  bool opens_windows;  ///< a connection may send at once what the fullest link holds; else as Linux has it
  bool slow_start_after_idle;  ///< a window shrinks in a pause
  bool remembers_connections;  ///< a new one begins with what the last one to the same host learnt
};

/// Of all links, with any of these; beyond it many packets are late (bench/lab/README.md).
inline constexpr BytesPerSecond kFastestSum = 160'000'000;

inline constexpr std::array<HostProfile, 3> kHostProfiles{{
    // A host tuned for wide-area transfers (bench/lab/README.md gives the reasons).
    {"tuned", 9000, {4096, 1 << 20, 64 << 20}, {4096, 1 << 20, 64 << 20}, true, false, false},
    // What Linux comes with.
    {"linux", 1500, {4096, 131'072, 6'291'456}, {4096, 16'384, 4'194'304}, false, true, true},
    // The same with what some sites set, or what many connections leave of tcp_mem.
    {"small-buffers", 1500, {4096, 131'072, 262'144}, {4096, 16'384, 262'144}, false, true, true},
}};

struct LinkProfile {
  const char* name;
  std::optional<int> loss_ppm;  ///< of the packets; none: what the topology file says
  int jitter_ppm = 0;           ///< of the latency
  std::optional<int>
      queue_ppm;  ///< of what a link has on its way in a round trip; none: twice that, at least 4 MiB
  bool is_shared = false;  ///< somebody else sends over each link all the time, by one TCP connection
};

inline constexpr std::array<LinkProfile, 5> kLinkProfiles{{
    {"clean", std::nullopt, 0, std::nullopt, false},
    {"lossy", 1'000, 0, std::nullopt, false},
    {"shallow", std::nullopt, 0, 250'000, false},
    {"jitter", std::nullopt, 200'000, std::nullopt, false},
    {"shared", std::nullopt, 0, std::nullopt, true},
}};

/// nullptr: there is none of that name.
constexpr const HostProfile* host_profile(std::string_view name) {
  for (const HostProfile& profile : kHostProfiles)
    if (profile.name == name) return &profile;
  return nullptr;
}
constexpr const LinkProfile* link_profile(std::string_view name) {
  for (const LinkProfile& profile : kLinkProfiles)
    if (profile.name == name) return &profile;
  return nullptr;
}

}  // namespace wan::lab
