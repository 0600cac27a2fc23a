// SPDX-License-Identifier: BSD-3-Clause
#include "bench/common/world.h"

#include <fmt/format.h>
#include <mpi.h>

#include <array>

namespace wan::bench {

World::World(const char* program, const std::string& topology) {
  MPI_Comm_rank(MPI_COMM_WORLD, &me_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  sites_.resize(static_cast<std::size_t>(size_));
  if (topology.empty()) return;
  auto file = SiteFile::load(topology);
  if (!file) {
    fmt::print(stderr, "{}: {}\n", program, file.error().message());
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  file_ = std::move(*file);
  std::array<char, MPI_MAX_PROCESSOR_NAME> host{};
  int length = 0;
  MPI_Get_processor_name(host.data(), &length);
  const int site = file_->site_of(host.data(), {}).value_or(0);
  MPI_Allgather(&site, 1, MPI_INT, sites_.data(), 1, MPI_INT, MPI_COMM_WORLD);
}

const Link* World::link(int from, int to) const {
  return site(from) == site(to) ? nullptr : &file_->link(site(from), site(to));
}

void World::connect_all() const {
  for (int distance = 1; distance < size_; ++distance)
    MPI_Sendrecv(nullptr, 0, MPI_INT, (me_ + distance) % size_, 0, nullptr, 0, MPI_INT,
                 (me_ + size_ - distance) % size_, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

}  // namespace wan::bench
