// SPDX-License-Identifier: BSD-3-Clause
// The streams of this process (streams/streams.h), and whom of a communicator they may lead to: processes of
// other sites that take calls. Threads: those of a communicator do not change; the streams as streams.h says.
// Tested by: tests/mpi/streams_test.sh.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "process/parameters.h"
#include "process/record.h"
#include "process/topologies.h"
#include "streams/streams.h"

namespace wan {

struct StreamPeer {
  ProcessName name = 0;
  std::optional<probe::Endpoint> endpoint = {};  ///< nullopt: of the same site, or it takes no calls
};

/// By rank, those of both groups as the Pacer knows them; empty where this process has no streams.
using StreamPeers = std::vector<StreamPeer>;
StreamPeers stream_peers(const Topologies::Groups& processes, std::span<const ProcessRecord* const> records,
                         const Layout& layout, Rank me);

/// Takes calls, if the parameters say so, and writes down where. Once, while the component opens.
void open_streams(const Parameters& parameters, ProcessRecord& record);
/// Nothing is under way any more.
void close_streams();
/// Those of this process; nullptr if it has none.
Streams* own_streams();

/// A message of as many bytes may go over streams: what is shorter fits into a window as it is.
constexpr std::size_t kLeastStreamed = 4 << 10;

}  // namespace wan
