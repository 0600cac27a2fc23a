// SPDX-License-Identifier: BSD-3-Clause
// The reservation of a communicator's tags (process/tags.h) with Open MPI. Threads: one for each
// communicator.
#pragma once

#include "mca/ompi.h"
#include "process/tags.h"

namespace wan {

/// The highest of TagStreams::kTags tags of `comm`, which nobody else has from now on. Every process of
/// `comm` must ask before anything is under way there.
///
/// Early releases of Open MPI build distributed graphs with the tags -50 and -51, which lie inside the range
/// that nonblocking collectives draw theirs from (ompi#13918): those are left out.
inline int reserve_tags(ompi_communicator_t* comm) {
  constexpr int kLeftOut = 64;
  return ompi_coll_base_nbc_reserve_tags(comm, kLeftOut + TagStreams::kTags) - kLeftOut;
}

}  // namespace wan
