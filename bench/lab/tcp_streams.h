// SPDX-License-Identifier: BSD-3-Clause
// Which bytes of TCP streams were not sent before (RFC 9293, 3.4): what an application sends, whatever TCP
// sends again. Tested by bench/lab/tests/emulator_test.cc.
#pragma once

#include <cstdint>
#include <map>

#include "base/types.h"
#include "bench/lab/packet.h"

namespace wan::lab {

/// Follows every directed stream of the packets that it is shown.
class TcpStreams {
 public:
  /// By how many bytes the packet's stream goes on; 0 if it carries nothing that was not sent before. A gap
  /// (packets that the kernel dropped before they were seen) counts when it is passed over.
  Bytes advance(const PacketInfo& packet);

 private:
  std::map<Flow, std::uint32_t> next_;  ///< the number of the first byte that was not sent
};

}  // namespace wan::lab
