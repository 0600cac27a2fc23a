// SPDX-License-Identifier: BSD-3-Clause
// How a multicast of some length is quickest: columns of the routing table or chains, and segments
// (papers/001, sections 5 and 9.1, where columns and segments are fixed). Pure functions. Tested by
// tests/unit/multicast_shape.cc.
//
// By a table of c columns n hosts of a site are reached in r = log_c(n) steps. What is sent to them takes
//
//   (segments - 1) (c - 1) r steps, or as long as a wide-area link takes for these, whichever is longer,
//   + the last segment's way: its time on that link, r L, and (c - 1) (r + (r - 1) + ... + 1) steps,
//
// with L from process to process, and a step of o and the time of a segment's bytes: all processes to which
// one sends get it at the same time. Many columns are quick for short multicasts, as few processes lie one
// after the other, and few columns for long ones, as no process sends many copies. Inside a host the columns
// are always kHostColumns, since there a process that passes something on copies it once more; that adds
// steps of its own, through memory.
//
// By chains of k children (forwarding.h) it takes (segments - 1) k steps, and then L and up to k steps for
// each process on the longest way. Multicasts of several segments may go so, as no process sends more than k
// copies. What is one segment goes by a table: its messages need not name destinations that all know.
#pragma once

#include <array>

#include "multicast/range.h"
#include "topo/machine.h"

namespace wan::multicast {

/// Each is a power of the first (engine.h says why).
inline constexpr std::array<int, 4> kColumns{2, 4, 16, 256};

/// Inside a host. Also a power of the first.
inline constexpr int kHostColumns = 16;

/// In a chain, of each process.
inline constexpr std::array<int, 2> kChildren{1, 2};

struct Shape {
  std::uint8_t table = 0;  ///< index of kColumns
  Bytes segment = 1;
  std::uint8_t children = 0;  ///< Inside
  friend bool operator==(const Shape&, const Shape&) = default;
};

/// What is equal on all processes of a domain.
struct Ground {
  Machine machine{};
  BytesPerSecond wide_rate = 0;  ///< of the slowest link between sites; 0: there is one site
};

/// The most at one site, beyond those where it comes in.
struct Reach {
  Position hosts = 0, processes = 0;  ///< processes: of one host
};

/// segment: where it is given; 0: not.
Shape quickest_shape(Bytes bytes, const Reach& reach, const Ground& ground, Bytes segment = 0);

}  // namespace wan::multicast
