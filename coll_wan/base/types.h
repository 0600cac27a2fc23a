// SPDX-License-Identifier: BSD-3-Clause
// The scalar types that every part of coll_wan speaks in. Units stand in the names.
#pragma once

#include <cstdint>

namespace wan {

/// Rank of a process in its communicator, from 0.
using Rank = std::int32_t;

/// A number of units of a Program: bytes of the packed message, or elements of the datatype (plan/program.h).
using Count = std::int64_t;

/// A number of bytes.
using Bytes = std::int64_t;

/// A duration or an instant of the model, in integer nanoseconds (invariant 8: every rank computes the same).
using Nanoseconds = std::int64_t;

/// A data rate in bytes per second; 0 never occurs in a valid topology.
using BytesPerSecond = std::int64_t;

/// A product of two of these, or a sum of many.
__extension__ using Wide = __int128;

/// Index of a site in a communicator's Layout (in order of the lowest rank), or in a SiteFile (in file
/// order).
using SiteIndex = std::int32_t;

}  // namespace wan
