// SPDX-License-Identifier: BSD-3-Clause
// Tags that all ranks of a communicator draw in step. Threads: any.
#pragma once

#include "mca/ompi.h"

namespace wan {

/// Early releases of Open MPI build distributed graphs with these tags, which lie inside the range that
/// nonblocking collectives draw theirs from (ompi#13918). Every rank draws the same tags, so every rank
/// leaves the same ones out.
inline bool used_by_dist_graph(int tag) {
  return tag == -50 || tag == -51;
}

inline int reserve_tag(ompi_communicator_t* comm) {
  int tag = ompi_coll_base_nbc_reserve_tags(comm, 1);
  while (used_by_dist_graph(tag)) tag = ompi_coll_base_nbc_reserve_tags(comm, 1);
  return tag;
}

}  // namespace wan
