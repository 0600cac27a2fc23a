// SPDX-License-Identifier: BSD-3-Clause
// Three ways for results from process to process:
//
// - multicast: one WAN_Imulticast to all who need it.
// - flat: an MPI_Isend to each.
// - communicators: one for each row and each column of the grid, made beforehand. All members take part in
//   each MPI_Ibcast on theirs, needed or not, and begin them in the order of TileGraph::broadcasts(), as MPI
//   demands. So a result that is ready waits for those before it. They do not wait for ever: the first that
//   has not ended depends on earlier ones only. What a row and a column need goes along the row, and from
//   there along the column. What only one process needs is sent to it.
//
// Tested by bench/taskgraph/taskgraph_test.sh.
#pragma once

#include <mpi.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "api/wan_multicast.h"
#include "bench/taskgraph/tiles.h"
#include "bench/taskgraph/transport.h"

namespace wan::bench {

/// A communicator, and the broadcasts on it.
struct Line {
  struct Turn {
    Name name;
    int root;  ///< rank in the communicator
    std::size_t values;
  };
  MPI_Comm comm = MPI_COMM_NULL;
  std::vector<Turn> turns{};
  std::set<Name> rooted{};  ///< of this process
};

/// The ways of MPI_COMM_WORLD, with all that they need made.
class Ways {
 public:
  /// Collective. topology: file of the sites for libwan_multicast; empty: as its environment says. Ends the
  /// job where libwan_multicast refuses it.
  Ways(const TileGraph& graph, const std::string& topology);
  ~Ways();
  Ways(const Ways&) = delete;
  Ways& operator=(const Ways&) = delete;

  static const std::vector<std::string>& names();
  /// For one run.
  std::unique_ptr<Transport> transport(const std::string& way) const;

 private:
  enum { kRow, kColumn, kWorld };
  void plan(const TileGraph& graph, const Name& name);
  static void add_turn(Line& line, const Name& name, std::size_t values, int root);

  int me_ = 0;
  WAN_Domain domain_ = WAN_DOMAIN_NULL;
  MPI_Comm messages_ = MPI_COMM_NULL;
  std::vector<Line> lines_{3};
};

}  // namespace wan::bench
