// SPDX-License-Identifier: BSD-3-Clause
// Every neighbourhood collective in every form, on cartesian communicators (periods of one and two, borders),
// graphs and directed graphs with a double edge, checked against values that each process computes from a
// formula.
//   mpi_neighbor [--form blocking|nonblocking|persistent]
// Invariant: what is sent downwards in a dimension arrives in the receiver's upward slot, also where a period
// of one or two makes both neighbours the same process. Source: MPI 4.0 section 8.6. Threads: one. Tested by:
// coll/basic of stock Open MPI, blocking (must pass; coll/libnbc pairs the slots of short periods otherwise).
#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

#include "neighbor.h"
#include "perform.h"
#include "session.h"
#include "value.h"

namespace mpitest {
namespace {

std::vector<Grid> grids(int size) {
  std::vector<Grid> all = {{"ring", {size}, {1}}, {"line", {size}, {0}}, {"flat torus", {1, size}, {1, 1}}};
  if (size % 2 == 0) all.push_back({"torus with period 2", {2, size / 2}, {1, 1}});
  if (size % 2 == 0) all.push_back({"mixed grid", {size / 2, 2, 1}, {0, 1, 1}});
  return all;
}

/// Neighbours of `rank` in a star around rank 0 whose points also form a line; symmetric, ascending.
std::vector<int> star(int rank, int size) {
  std::vector<int> all;
  for (int other = 0; other < size; ++other) {
    const bool spoke = (rank == 0) != (other == 0);
    const bool line = rank > 0 && other > 0 && (rank - other == 1 || other - rank == 1);
    if (spoke || line) all.push_back(other);
  }
  return all;
}

Neighborhood on_graph(int rank, int size) {
  Neighborhood n{"graph", MPI_COMM_NULL, rank, {}, {}};
  std::vector<int> index, edges;
  edges.reserve(1);  // MPI refuses a null array, even an empty one
  for (int r = 0; r < size; ++r) {
    for (int other : star(r, size)) edges.push_back(other);
    index.push_back(static_cast<int>(edges.size()));
  }
  for (int other : star(rank, size)) {
    n.sources.push_back({other, 0});
    n.destinations.push_back({other, 0});
  }
  MPI_Graph_create(MPI_COMM_WORLD, size, index.data(), edges.data(), 0, &n.comm);
  return n;
}

std::vector<int> peers(const std::vector<Edge>& edges) {
  std::vector<int> all;
  for (const Edge& e : edges) all.push_back(e.peer);
  return all;
}

/// Two edges to the next rank, one to oneself, one to rank 0. Edges between the same two processes stand in
/// the same order at both ends, as MPI pairs them.
Neighborhood on_directed_graph(int rank, int size) {
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  Neighborhood n{"directed graph", MPI_COMM_NULL, rank, {}, {}};
  n.destinations = {{next, 1}, {rank, 4}, {next, 2}, {0, 3}};
  n.sources = {{previous, 1}, {rank, 4}, {previous, 2}};
  for (int r = 0; r < size && rank == 0; ++r) n.sources.push_back({r, 3});
  const std::vector<int> from = peers(n.sources), to = peers(n.destinations);
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, static_cast<int>(from.size()), from.data(), MPI_UNWEIGHTED,
                                 static_cast<int>(to.size()), to.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &n.comm);
  return n;
}

const char* const form_names[] = {"blocking", "nonblocking", "persistent"};

void run_case(Session& session, const Neighborhood& n, const NeighborCase& c, const ShapeSet& shapes) {
  const std::string kind = kNeighborNames[static_cast<int>(c.kind)];
  const std::string form = form_names[static_cast<int>(c.form)];
  session.begin(kind + " --form " + form + " on " + n.name + ", shape " + c.shape + ", units " +
                std::to_string(c.units));
  const auto call = neighbor_call(c, n, shapes);
  perform(session.complaint(), *call, c.form, hash_of(c.kind, c.form, c.units));
}

void run_form(Session& session, const Neighborhood& n, Form form, const ShapeSet& shapes) {
  using Kind = NeighborKind;
  for (Kind kind : {Kind::kAllgather, Kind::kAllgatherv, Kind::kAlltoall, Kind::kAlltoallv, Kind::kAlltoallw})
    for (const char* shape : {"four_ints", "negative_lb", "natural_struct", "mixed"})
      for (int units : {0, 1, 7, 5000, -1}) run_case(session, n, {kind, form, shape, units}, shapes);
}

std::vector<Form> wanted_forms(int argc, char** argv) {
  const std::string wanted = argc == 3 && std::string(argv[1]) == "--form" ? argv[2] : "";
  std::vector<Form> forms;
  for (Form form : {Form::kBlocking, Form::kNonblocking, Form::kPersistent})
    if (wanted.empty() || wanted == form_names[static_cast<int>(form)]) forms.push_back(form);
  return forms;
}

/// The directed graph comes first: Open MPI 4.1.4 may hang when it is made after other communicators.
std::vector<Neighborhood> make_all(const Session& session) {
  std::vector<Neighborhood> all = {on_directed_graph(session.rank(), session.size())};
  all.push_back(on_graph(session.rank(), session.size()));
  for (const Grid& grid : grids(session.size())) all.push_back(on_grid(grid, session.rank()));
  for (Neighborhood& n : all) MPI_Comm_set_errhandler(n.comm, MPI_ERRORS_RETURN);
  return all;
}

int run_all(int argc, char** argv) {
  Session session(argc, argv);
  {
    session.stage("making the communicators");
    const ShapeSet shapes = make_shapes();
    std::vector<Neighborhood> neighborhoods = make_all(session);
    for (const Neighborhood& n : neighborhoods)
      for (Form form : wanted_forms(argc, argv)) run_form(session, n, form, shapes);
    for (Neighborhood& n : neighborhoods) MPI_Comm_free(&n.comm);
  }
  return session.finish("mpi_neighbor");
}

}  // namespace
}  // namespace mpitest

int main(int argc, char** argv) {
  return mpitest::run_all(argc, argv);
}
