// SPDX-License-Identifier: BSD-3-Clause
// The communicators of the test. Threads: one. Tested by: mpi_collectives.
#include "communicators.h"

#include <algorithm>
#include <functional>

#include "session.h"

namespace mpitest {
namespace {

/// What a communicator's maker must produce on this process: rank -1 where the process is outside.
struct Expected {
  int rank;
  int size;
};

/// A place that depends on labels which this process does not know.
constexpr Expected kBySite{-2, -2};

MPI_Comm split(int color, int key) {
  MPI_Comm made;
  MPI_Comm_split(MPI_COMM_WORLD, color, key, &made);
  return made;
}

MPI_Comm cartesian(int size) {
  int dims[2] = {0, 0};
  const int periodic[2] = {1, 0};
  MPI_Dims_create(size, 2, dims);
  MPI_Comm made;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periodic, 0, &made);
  return made;
}

MPI_Comm duplicate(MPI_Comm comm) {
  MPI_Comm made;
  MPI_Comm_dup(comm, &made);
  return made;
}

/// The members of a split that take the given world ranks in the given order; UNDEFINED elsewhere.
MPI_Comm chosen(const std::vector<int>& members, int rank) {
  const auto at = std::find(members.begin(), members.end(), rank);
  return split(at == members.end() ? MPI_UNDEFINED : 0, static_cast<int>(at - members.begin()));
}

Expected place_in(const std::vector<int>& members, int rank) {
  const auto at = std::find(members.begin(), members.end(), rank);
  if (at == members.end()) return {-1, 0};
  return {static_cast<int>(at - members.begin()), static_cast<int>(members.size())};
}

/// Even ranks ascending, odd ranks descending.
Expected parity_place(int rank, int size) {
  const int evens = (size + 1) / 2, odds = size / 2;
  return rank % 2 == 0 ? Expected{rank / 2, evens} : Expected{odds - 1 - rank / 2, odds};
}

std::vector<int> last_and_first(int size) {
  return size == 1 ? std::vector<int>{0} : std::vector<int>{size - 1, 0};
}

std::vector<int> middle_last_first(int size) {
  return size < 3 ? last_and_first(size) : std::vector<int>{size / 2, size - 1, 0};
}

int color_of(const std::string& site) {
  return static_cast<int>(std::hash<std::string>{}(site)&0x3fffffff);
}

Communicator described(MPI_Comm comm) {
  Communicator c{comm, -1, 0};
  if (comm == MPI_COMM_NULL) return c;
  MPI_Comm_rank(comm, &c.rank);
  MPI_Comm_size(comm, &c.size);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  return c;
}

void expect(Session& session, const std::string& name, const Communicator& c, Expected e) {
  if (e.size == kBySite.size) return;
  session.check(c.rank == e.rank && c.size == e.size,
                "communicator " + name + " has rank " + std::to_string(c.rank) + " of " +
                    std::to_string(c.size) + ", must be " + std::to_string(e.rank) + " of " +
                    std::to_string(e.size));
}

}  // namespace

const std::vector<std::string>& communicator_names() {
  static const std::vector<std::string> names = {"world", "reversed", "parity", "dup", "self",
                                                 "cart",  "site",     "one",    "two", "three"};
  return names;
}

Communicators::Communicators(Session& session, const std::string& site) {
  session.stage("making the communicators");
  const int rank = session.rank(), size = session.size();
  const MPI_Comm made[] = {MPI_COMM_WORLD,
                           split(0, size - rank),
                           split(rank % 2, rank % 2 ? -rank : rank),
                           duplicate(MPI_COMM_WORLD),
                           MPI_COMM_SELF,
                           cartesian(size),
                           split(color_of(site), rank),
                           split(rank, 0),
                           chosen(last_and_first(size), rank),
                           chosen(middle_last_first(size), rank)};
  for (MPI_Comm comm : made) all_.push_back(described(comm));
  const Expected expected[] = {{rank, size},
                               {size - 1 - rank, size},
                               parity_place(rank, size),
                               {rank, size},
                               {0, 1},
                               {rank, size},
                               kBySite,
                               {0, 1},
                               place_in(last_and_first(size), rank),
                               place_in(middle_last_first(size), rank)};
  for (std::size_t i = 0; i < all_.size(); ++i)
    expect(session, communicator_names()[i], all_[i], expected[i]);
}

Communicators::~Communicators() {
  for (Communicator& c : all_)
    if (c.comm != MPI_COMM_NULL && c.comm != MPI_COMM_WORLD && c.comm != MPI_COMM_SELF)
      MPI_Comm_free(&c.comm);
}

}  // namespace mpitest
