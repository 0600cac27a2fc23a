// SPDX-License-Identifier: BSD-3-Clause
// Every neighbourhood collective in every form, on cartesian communicators (periods of one and two, borders),
// graphs and directed graphs with a double edge, checked against values that each process computes from a
// formula.
//   mpi_neighbor [--form blocking|nonblocking|persistent]
// Invariant: what is sent downwards in a dimension arrives in the receiver's upward slot, also where a period
// of one or two makes both neighbours the same process. Source: MPI 4.0 section 8.6. Threads: one. Tested by:
// coll/basic of stock Open MPI, blocking (must pass; coll/libnbc pairs the slots of short periods otherwise).
#include <mpi.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "call.h"
#include "session.h"
#include "value.h"

namespace mpitest {
namespace {

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

std::vector<int> coordinates(const Grid& grid, int rank) {
  std::vector<int> at(grid.dims.size());
  for (std::size_t d = at.size(); d-- > 0; rank /= grid.dims[d]) at[d] = rank % grid.dims[d];
  return at;
}

/// The rank `step` away in dimension d, or MPI_PROC_NULL beyond a border.
int shifted(const Grid& grid, int rank, std::size_t d, int step) {
  std::vector<int> at = coordinates(grid, rank);
  at[d] += step;
  const bool outside = at[d] < 0 || at[d] >= grid.dims[d];
  if (outside && !grid.periods[d]) return MPI_PROC_NULL;
  at[d] = (at[d] + grid.dims[d]) % grid.dims[d];
  int there = 0;
  for (std::size_t i = 0; i < at.size(); ++i) there = there * grid.dims[i] + at[i];
  return there;
}

/// Edges are named by dimension and direction of travel: 2d downwards, 2d + 1 upwards.
Neighborhood on_grid(const Grid& grid, int rank) {
  Neighborhood n{grid.name, MPI_COMM_NULL, rank, {}, {}};
  for (std::size_t d = 0; d < grid.dims.size(); ++d) {
    const int down = shifted(grid, rank, d, -1), up = shifted(grid, rank, d, 1),
              name = static_cast<int>(2 * d);
    n.destinations.insert(n.destinations.end(), {{down, name}, {up, name + 1}});
    n.sources.insert(n.sources.end(), {{down, name + 1}, {up, name}});
  }
  MPI_Cart_create(MPI_COMM_WORLD, static_cast<int>(grid.dims.size()), grid.dims.data(), grid.periods.data(),
                  0, &n.comm);
  return n;
}

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

/// The five collectives.
enum class Kind { kAllgather, kAllgatherv, kAlltoall, kAlltoallv, kAlltoallw };
const char* const kind_names[] = {"neighbor_allgather", "neighbor_allgatherv", "neighbor_alltoall",
                                  "neighbor_alltoallv", "neighbor_alltoallw"};
const char* const form_names[] = {"blocking", "nonblocking", "persistent"};

/// One case.
struct NeighborCase {
  Kind kind;
  Form form;
  const char* shape;  // "mixed": contiguous on even ranks, with gaps on odd ones
  int units;          // -1: uneven

  bool to_all() const { return kind == Kind::kAllgather || kind == Kind::kAllgatherv; }
  bool vector() const { return kind != Kind::kAllgather && kind != Kind::kAlltoall; }
};

/// Makes the exchange of one process.
class Maker {
 public:
  Maker(const NeighborCase& c, const Neighborhood& n, const ShapeSet& shapes)
      : c_(c), n_(n), shapes_(shapes) {}

  Exchange make() const {
    Exchange e;
    std::vector<Edge> out = n_.destinations;
    if (c_.to_all()) out.assign(1, Edge{0, 0});
    e.send = {Presence::kSignificant, placed(out, [&](const Edge& edge) {
                return Moved{n_.rank, name(edge)};
              })};
    e.receive = {Presence::kSignificant, placed(n_.sources, [&](const Edge& edge) {
                   return Moved{edge.peer, name(edge)};
                 })};
    for (const Block& b : e.receive.blocks)
      if (b.moved->source != MPI_PROC_NULL) e.after.push_back(b);
    return e;
  }

 private:
  int name(const Edge& edge) const { return c_.to_all() ? 0 : edge.name; }

  const Shape& shape() const {
    const bool mixed = std::string(c_.shape) == "mixed";
    return *shapes_[recipe_index(mixed ? (n_.rank % 2 ? "vector" : "four_ints") : c_.shape)];
  }

  int units(const Moved& what) const {
    if (c_.units >= 0) return c_.units;
    return c_.vector() ? (3 * what.source + 5 * what.target + 14) % 7 : 3;
  }

  /// Edge after edge; with displacements, in descending order with holes and room for a negative lower bound.
  template <class Contents>
  Blocks placed(const std::vector<Edge>& edges, Contents contents) const {
    Blocks blocks;
    for (const Edge& edge : edges) {
      const Moved what = contents(edge);
      blocks.push_back({&shape(), 0, units(what) * shape().recipe().items_per_unit, what, std::nullopt});
    }
    std::ptrdiff_t item = c_.vector() && !c_.to_all() ? 2 : 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      Block& b = blocks[c_.vector() ? blocks.size() - 1 - i : i];
      b.at = item * b.shape->extent();
      item += b.items + (c_.vector() ? 1 : 0);
    }
    return blocks;
  }

  const NeighborCase& c_;
  const Neighborhood& n_;
  const ShapeSet& shapes_;
};

#define NEIGHBOR_FORMS(Name, name) MPI_Neighbor_##Name, MPI_Ineighbor_##name, MPITEST_INIT(Neighbor_##name)

/// One rank's call.
class NeighborCall : public Checked {
 public:
  NeighborCall(const NeighborCase& c, MPI_Comm comm, Exchange exchange)
      : Checked(std::move(exchange), nullptr), case_(c), comm_(comm) {
    for (const Block& b : this->exchange().send.blocks) send_bytes_.push_back(b.at);
    for (const Block& b : this->exchange().receive.blocks) receive_bytes_.push_back(b.at);
  }

  int issue(MPI_Request* request) override {
    const Form form = case_.form;
    const Argument &s = send_argument_, &r = receive_argument_;
    const MPI_Comm comm = comm_;
    switch (case_.kind) {
      case Kind::kAllgather:
        return mpitest::issue(form, request, NEIGHBOR_FORMS(allgather, allgather), s.buffer, s.count, s.type,
                              r.buffer, r.count, r.type, comm);
      case Kind::kAllgatherv:
        return mpitest::issue(form, request, NEIGHBOR_FORMS(allgatherv, allgatherv), s.buffer, s.count,
                              s.type, r.buffer, r.counts.data(), r.displacements.data(), r.type, comm);
      case Kind::kAlltoall:
        return mpitest::issue(form, request, NEIGHBOR_FORMS(alltoall, alltoall), s.buffer, s.count, s.type,
                              r.buffer, r.count, r.type, comm);
      case Kind::kAlltoallv:
        return mpitest::issue(form, request, NEIGHBOR_FORMS(alltoallv, alltoallv), s.buffer, s.counts.data(),
                              s.displacements.data(), s.type, r.buffer, r.counts.data(),
                              r.displacements.data(), r.type, comm);
      case Kind::kAlltoallw:
        return mpitest::issue(form, request, NEIGHBOR_FORMS(alltoallw, alltoallw), s.buffer, s.counts.data(),
                              send_bytes_.data(), s.types.data(), r.buffer, r.counts.data(),
                              receive_bytes_.data(), r.types.data(), comm);
    }
    return MPI_ERR_INTERN;
  }

 private:
  NeighborCase case_;
  MPI_Comm comm_;
  std::vector<MPI_Aint> send_bytes_, receive_bytes_;
};

/// A process without edges still has to name a datatype.
void give_datatype(Exchange& e, const Shape& shape) {
  for (Buffer* buffer : {&e.send, &e.receive})
    if (buffer->blocks.empty()) buffer->blocks.push_back({&shape, 0, 0, std::nullopt, std::nullopt});
}

void run_case(Session& session, const Neighborhood& n, const NeighborCase& c, const ShapeSet& shapes) {
  const std::string kind = kind_names[static_cast<int>(c.kind)];
  const std::string form = form_names[static_cast<int>(c.form)];
  session.begin(kind + " --form " + form + " on " + n.name + ", shape " + c.shape + ", units " +
                std::to_string(c.units));
  Exchange exchange = Maker(c, n, shapes).make();
  give_datatype(exchange, *shapes[recipe_index("four_ints")]);
  NeighborCall call(c, n.comm, std::move(exchange));
  perform(session.complaint(), call, c.form, hash_of(c.kind, c.form, c.units));
}

void run_form(Session& session, const Neighborhood& n, Form form, const ShapeSet& shapes) {
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
