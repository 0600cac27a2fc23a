// SPDX-License-Identifier: BSD-3-Clause
// The reservation of a communicator's tags (process/tags.h) with Open MPI. Threads: one for each
// communicator.
#pragma once

#include "mca/ompi.h"
#include "process/tags.h"

namespace wan {

/// Early releases of Open MPI build distributed graphs with the tags -50 and -51, which lie inside the range
/// that nonblocking collectives draw theirs from (ompi#13918): those are left out.
inline constexpr int kTagsLeftOut = 64;

/// Of each stream, with the PML of this job; 0: it has too few.
inline int tags_in_stream() {
  return TagStreams::tags_in_stream(mca_pml.pml_max_tag, kTagsLeftOut);
}

/// The highest of the tags of all streams on `comm`, which nobody else has from now on. Every process of
/// `comm` must ask before anything is under way there.
inline int reserve_tags(ompi_communicator_t* comm) {
  const int tags = TagStreams::tags(tags_in_stream());
  return ompi_coll_base_nbc_reserve_tags(comm, kTagsLeftOut + tags) - kTagsLeftOut;
}

}  // namespace wan
