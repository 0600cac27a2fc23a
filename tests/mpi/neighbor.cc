// SPDX-License-Identifier: BSD-3-Clause
#include "neighbor.h"

namespace mpitest {
namespace {

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
      case NeighborKind::kAllgather:
        return mpitest::issue(form, request, NEIGHBOR_FORMS(allgather, allgather), s.buffer, s.count, s.type,
                              r.buffer, r.count, r.type, comm);
      case NeighborKind::kAllgatherv:
        return mpitest::issue(form, request, NEIGHBOR_FORMS(allgatherv, allgatherv), s.buffer, s.count,
                              s.type, r.buffer, r.counts.data(), r.displacements.data(), r.type, comm);
      case NeighborKind::kAlltoall:
        return mpitest::issue(form, request, NEIGHBOR_FORMS(alltoall, alltoall), s.buffer, s.count, s.type,
                              r.buffer, r.count, r.type, comm);
      case NeighborKind::kAlltoallv:
        return mpitest::issue(form, request, NEIGHBOR_FORMS(alltoallv, alltoallv), s.buffer, s.counts.data(),
                              s.displacements.data(), s.type, r.buffer, r.counts.data(),
                              r.displacements.data(), r.type, comm);
      case NeighborKind::kAlltoallw:
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

}  // namespace

/// Edges are named by dimension and direction of travel: 2d downwards, 2d + 1 upwards.
Neighborhood on_grid(const Grid& grid, int rank, MPI_Comm comm) {
  Neighborhood n{grid.name, MPI_COMM_NULL, rank, {}, {}};
  for (std::size_t d = 0; d < grid.dims.size(); ++d) {
    const int down = shifted(grid, rank, d, -1), up = shifted(grid, rank, d, 1),
              name = static_cast<int>(2 * d);
    n.destinations.insert(n.destinations.end(), {{down, name}, {up, name + 1}});
    n.sources.insert(n.sources.end(), {{down, name + 1}, {up, name}});
  }
  MPI_Cart_create(comm, static_cast<int>(grid.dims.size()), grid.dims.data(), grid.periods.data(), 0,
                  &n.comm);
  return n;
}

std::unique_ptr<Checked> neighbor_call(const NeighborCase& c, const Neighborhood& n, const ShapeSet& shapes) {
  Exchange exchange = Maker(c, n, shapes).make();
  give_datatype(exchange, *shapes[recipe_index("four_ints")]);
  return std::make_unique<NeighborCall>(c, n.comm, std::move(exchange));
}

}  // namespace mpitest
