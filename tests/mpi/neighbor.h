// SPDX-License-Identifier: BSD-3-Clause
// Calls of the neighbourhood collectives on communicators with a process topology, checked against values
// that each process computes from a formula. Invariant: what is sent downwards in a dimension arrives in the
// receiver's upward slot, also where a period of one or two makes both neighbours the same process. Source:
// MPI 4.0 section 8.6. Threads: one. Tested by: mpi_neighbor.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

#include "call.h"

namespace mpitest {

/// One end of an edge: the other process, and the name of the edge, the same at both ends.
struct Edge {
  int peer;  // MPI_PROC_NULL at a border
  int name;
};

/// A communicator with a process topology and this process's edges in MPI's order.
struct Neighborhood {
  std::string name;
  MPI_Comm comm;
  int rank;
  std::vector<Edge> sources;
  std::vector<Edge> destinations;
};

/// A grid of `dims`, periodic where `periods` is 1; ranks in row-major order as MPI has them.
struct Grid {
  std::string name;
  std::vector<int> dims;
  std::vector<int> periods;
};

/// A communicator on a grid of all processes of `comm`, of which this one has `rank`.
Neighborhood on_grid(const Grid& grid, int rank, MPI_Comm comm = MPI_COMM_WORLD);

/// The five collectives.
enum class NeighborKind { kAllgather, kAllgatherv, kAlltoall, kAlltoallv, kAlltoallw };
inline constexpr const char* kNeighborNames[] = {"neighbor_allgather", "neighbor_allgatherv",
                                                 "neighbor_alltoall", "neighbor_alltoallv",
                                                 "neighbor_alltoallw"};

/// One case.
struct NeighborCase {
  NeighborKind kind;
  Form form;
  const char* shape;  // "mixed": contiguous on even ranks, with gaps on odd ones
  int units;          // -1: uneven

  bool to_all() const { return kind == NeighborKind::kAllgather || kind == NeighborKind::kAllgatherv; }
  bool vector() const { return kind != NeighborKind::kAllgather && kind != NeighborKind::kAlltoall; }
};

/// One rank's call.
std::unique_ptr<Checked> neighbor_call(const NeighborCase& c, const Neighborhood& n, const ShapeSet& shapes);

}  // namespace mpitest
