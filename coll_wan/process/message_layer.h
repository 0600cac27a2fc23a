// SPDX-License-Identifier: BSD-3-Clause
// The layers that carry Open MPI's messages (PML), and what plans must know of each: how long a message may
// be that is sent without asking its receiver, and how much a connection has under way. Between sites a
// question costs one round trip (ob1, libfabric) or two (UCX 1.13), so segments are no longer than that.
//
// Which layer a job uses is known only after its first process has published its record, so the record has
// the limits of all of them, and each process takes those of the layer that was selected.
//
// Pure functions; no threads. Tested by tests/unit/process_message_layer.cc, and by tests/mpi/pml_test.sh
// with the layers themselves.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/types.h"

namespace wan {

enum class MessageLayer : std::uint8_t {
  ob1,   ///< pml/ob1: Open MPI's own, over its BTLs
  ucx,   ///< pml/ucx
  cm,    ///< pml/cm: the MTLs, such as libfabric's
  other  ///< one that coll_wan does not know
};
inline constexpr std::size_t kMessageLayers = 4;

/// By the name of Open MPI's component.
MessageLayer layer_named(std::string_view pml);

/// Of a layer that coll_wan does not know: no longer than what Open MPI sends eagerly even through shared
/// memory. Longer segments might ask, which costs time and is not wrong either.
inline constexpr int kCautiousEagerLimit = 4'096;

struct MessageLimits {
  int eager = kCautiousEagerLimit;  ///< bytes of the longest message that is sent without asking, 1 or more
  int flow_window = 0;              ///< bytes that a TCP connection has under way at most; 0: not known
  int idle_window = 0;              ///< the same after a pause; 0: not known, or pauses leave it as it is
  int under_way = 0;                ///< messages that a process should have under way at most; 0: any number
  friend bool operator==(const MessageLimits&, const MessageLimits&) = default;
};

/// By MessageLayer.
using LimitsOfLayers = std::array<MessageLimits, kMessageLayers>;

/// The value of an environment variable; nullopt if it is not set.
using Environment = std::function<std::optional<std::string>(const char* name)>;

/// As UCX_RNDV_THRESH says for other hosts. Where UCX decides, it reckons with the speed of the interface,
/// and sends what fits into a buffer of its TCP without asking (UCX_TCP_TX_SEG_SIZE, 8 KiB; seen with UCX
/// 1.13 and 1.18).
int eager_limit_of_ucx(const Environment& environment);
/// Of libfabric's providers over TCP: `tcp;ofi_rxm` asks beyond FI_OFI_RXM_EAGER_LIMIT, or
/// FI_OFI_RXM_BUFFER_SIZE (16 KiB); `tcp` of libfabric 2 beyond FI_TCP_MAX_SAVED_SIZE, which has no default.
int eager_limit_of_libfabric(const Environment& environment);

/// Half of the messages that libfabric's `tcp;ofi_rxm` has places for, to send or to receive
/// (FI_OFI_RXM_TX_SIZE, FI_OFI_RXM_RX_SIZE: 2,048). The other half is the application's. Where none is free
/// Open MPI waits inside its call, and lets nobody but libfabric make progress: a process that has asked for
/// more than that before it sends what others wait for stays there.
int most_under_way_of_libfabric(const Environment& environment);

/// What the environment requests of a socket's buffer for UCX_TCP_SNDBUF or UCX_TCP_RCVBUF; 0: the system
/// decides.
int buffer_of_ucx(const Environment& environment, const char* name);

/// The network interfaces that the environment names for a layer, separated by commas ("eth0,eth1"); empty if
/// it names none, or only what is left out. Of ob1 Open MPI's parameters say it instead.
std::string interfaces_of(MessageLayer layer, const Environment& environment);

/// "8K", "64kb", "16384": bytes. nullopt if it is no such text. "inf" is as much as an int holds.
std::optional<int> parse_memory_units(std::string_view text);

}  // namespace wan
