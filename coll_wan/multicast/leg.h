// SPDX-License-Identifier: BSD-3-Clause
// By what a multicast comes to a process. Plain data.
#pragma once

#include <cstdint>

namespace wan::multicast {

/// Along the legs of a way a multicast never goes back to one before.
enum class Leg : std::uint8_t {
  table,   ///< by an entry of a routing table, or from the source itself to one that has missed it
  chain,   ///< to greater positions of a site
  wrapped  ///< to greater positions of a site, after the one step to lesser ones
};

}  // namespace wan::multicast
