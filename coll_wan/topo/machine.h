// SPDX-License-Identifier: BSD-3-Clause
// What a message costs besides the wide-area link: processor time, the links inside a site, the protocol.
// Integer nanoseconds, picoseconds a byte and bytes, so that every rank computes the same (invariant 8).
//
// The defaults are those of Open MPI 4.1 (pml/ob1 over btl/tcp and btl/vader) on a present-day Linux host.
// The limits are read from its source; the times are orders of magnitude (blueprint, section 5: 5 to 50 us a
// message). wan-calibrate measures them (cost/machine_file.h). They hold while a process has a core of its
// own and while a link is slower than the processors that feed it (below about 1 GB/s for TCP). Models: LogGP
// (Alexandrov et al., 1995), and the sender-receiver model of papers/002 for hosts that differ. Plain data;
// no threads. Tested by tests/unit/cost_model.cc.
#pragma once

#include "base/types.h"
#include "topo/link.h"

namespace wan {

/// Processor time for each message to or from another host, whatever its length: papers/002's sending and
/// receiving time.
struct Overheads {
  Nanoseconds send_ns = 0, receive_ns = 0;
  friend bool operator==(const Overheads&, const Overheads&) = default;
};

/// Processor time for each byte.
using PicosecondsPerByte = std::int64_t;

/// How the processors bring a message onto a kind of connection and off it.
struct Medium {
  Overheads overheads;
  PicosecondsPerByte send_ps_per_byte = 0,
                     receive_ps_per_byte = 0;  ///< copies into and out of the kernel or the segment
  /// Longest message that is sent without asking. A longer one sends its first `eager_limit` bytes with a
  /// request; the rest follows the answer, which the receiver gives once the receive is posted (rendezvous).
  Bytes eager_limit = 0;
  friend bool operator==(const Medium&, const Medium&) = default;
};

/// What a TCP connection adds to the bytes of a message. The lab's bandwidth counts bytes of IP packets, so
/// does this.
struct Framing {
  Bytes segment_payload;  ///< of one IP packet; 0: no packets are counted
  Bytes segment_headers;  ///< of IP and TCP (with timestamps)
  Bytes message_header;   ///< of the PML and the BTL, on an eager message
  Bytes control_header;   ///< on a request, an answer, the rest of a rendezvous

  /// Of an Ethernet frame of 1,500 bytes. ob1: match header of 14, rendezvous, acknowledgement and fragment
  /// headers of 32 to 40 bytes; btl/tcp: 8. Acknowledgements of TCP are not counted: they add up to 2 % the
  /// other way.
  static constexpr Framing ethernet() { return {1'448, 52, 22, 44}; }
  /// Payload only: what the lower bounds count.
  static constexpr Framing none() { return {0, 0, 0, 0}; }

  Bytes wire_bytes(Bytes payload, Bytes header) const {
    const Bytes bytes = payload + header;
    if (segment_payload == 0) return bytes;
    const Bytes segments = bytes == 0 ? 1 : (bytes + segment_payload - 1) / segment_payload;
    return bytes + segments * segment_headers;
  }
  friend bool operator==(const Framing&, const Framing&) = default;
};

struct Machine {
  /// btl/vader without XPMEM: btl_eager_limit 4,096, less ob1's longest header (56 bytes); one copy in, one
  /// out.
  Medium shared_memory{{500, 500}, 100, 100, 4'096 - 56};
  /// btl/tcp: btl_eager_limit 65,536, less the same; system calls, the stack and a copy on either side.
  Medium tcp{{10'000, 10'000}, 250, 250, 65'536 - 56};
  Link host_link{300, 10'000'000'000, 0};       ///< between two processes of a host
  Link site_link{30'000, 1'250'000'000, 0};     ///< between two hosts of a site: 10 Gbit/s through a switch
  PicosecondsPerByte copy_ps_per_byte = 100;    ///< within a process: 10 GB/s
  PicosecondsPerByte reduce_ps_per_byte = 250;  ///< of either operand: a sum of doubles out of cache, 4 GB/s
  Framing framing = Framing::ethernet();
  /// Processors that all ranks share, each rank for as long as it has something to do; 0: a processor for
  /// each rank. A lab on one machine has fewer processors than ranks.
  std::int32_t processors = 0;
  /// Where they are shared, from what a waiting rank waits for to its turn: half a round of the others'
  /// looking in vain.
  Nanoseconds turn_ns = 0;
  /// What a TCP connection between sites has under way at most, headers included: its window. 0: no limit.
  Bytes flow_window = 0;
  /// Does a message to another site that is longer than tcp's eager limit ask first? Not where it goes over
  /// connections of coll_wan's own (streams/streams.h).
  bool asks_other_sites = true;

  friend bool operator==(const Machine&, const Machine&) = default;
};

}  // namespace wan
