// SPDX-License-Identifier: BSD-3-Clause
// The ranks of MPI_COMM_WORLD, and the sites that a topology file has them at.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "topo/site_file.h"

namespace wan::bench {

class World {
 public:
  /// Collective. Without a topology all ranks are at one site. Ends the job, in the name of `program`, if the
  /// file is wrong.
  World(const char* program, const std::string& topology);

  int me() const { return me_; }
  int size() const { return size_; }
  /// Index in the file; 0 for hosts that it does not know.
  int site(int rank) const { return sites_[static_cast<std::size_t>(rank)]; }
  /// Between the sites of two ranks; nullptr inside a site.
  const Link* link(int from, int to) const;

  /// Has every rank send to every other one, so that nothing that is measured pays for connections.
  /// Collective.
  void connect_all() const;

 private:
  int me_ = 0, size_ = 1;
  std::optional<SiteFile> file_{};
  std::vector<int> sites_{};
};

}  // namespace wan::bench
