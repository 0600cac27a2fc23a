// SPDX-License-Identifier: BSD-3-Clause
#include "intercomm.h"

#include <cstddef>
#include <numeric>

namespace mpitest {
namespace {

constexpr int kAnyone = 0;

int group_of(Cut cut, int rank, int size) {
  if (cut == Cut::kParity) return rank % 2;
  return rank < (cut == Cut::kHalves ? (size + 1) / 2 : 1) ? 0 : 1;
}

/// World rank of the first process of a group.
int leader(Cut cut, int group, int size) {
  for (int r = 0; r < size; ++r)
    if (group_of(cut, r, size) == group) return r;
  return MPI_PROC_NULL;
}

/// Makes the exchange of one process.
class Maker {
 public:
  Maker(const InterCase& c, const Groups& g, const ShapeSet& shapes) : c_(c), g_(g), shapes_(shapes) {}

  Exchange make() const;
  int root_argument() const;

 private:
  const Shape& shape() const { return *shapes_[recipe_index(c_.shape)]; }
  int root() const { return c_.last_root ? g_.sizes[c_.root_group] - 1 : 0; }
  bool in_root_group() const { return g_.mine == c_.root_group; }
  bool is_root() const { return in_root_group() && g_.rank == root(); }

  int units(int source, int target) const;
  Block moved(int source, int target) const;
  Block reduced(int count, Reduced what) const { return {&shape(), 0, count, std::nullopt, what}; }
  Reduced my_input() const { return {g_.my_id(), g_.my_id() + 1, 0}; }
  Reduced remote_result(int first) const {
    return {g_.id(g_.other(), 0), g_.id(g_.other(), g_.remote_size()), first};
  }
  template <class Make>
  Blocks from_remote(Make make) const;

  Exchange bcast() const;
  Exchange gather() const;
  Exchange scatter() const;
  Exchange allgather() const;
  Exchange alltoall() const;
  Exchange reduce() const;
  Exchange allreduce() const;
  Exchange reduce_scatter() const;

  const InterCase& c_;
  const Groups& g_;
  const ShapeSet& shapes_;
};

int Maker::root_argument() const {
  if (!in_root_group()) return root();
  return is_root() ? MPI_ROOT : MPI_PROC_NULL;
}

/// Units that process `source` has for `target`; in the collectives without counts for each rank, a group's
/// count.
int Maker::units(int source, int target) const {
  if (c_.units >= 0) return c_.units;
  if (traits_of(c_.collective).vector) return (3 * source + 5 * target) % 7;
  return c_.collective == Collective::allgather && source >= kGroupStride ? 0 : 3;
}

Block Maker::moved(int source, int target) const {
  return {&shape(), 0, units(source, target) * shape().recipe().items_per_unit, Moved{source, target}, {}};
}

/// One block for each remote process, displaced in descending order with a hole where displacements exist.
template <class Make>
Blocks Maker::from_remote(Make make) const {
  Blocks blocks;
  for (int r = 0; r < g_.remote_size(); ++r) blocks.push_back(make(r));
  const bool vector = traits_of(c_.collective).vector;
  std::ptrdiff_t at = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    Block& b = blocks[vector ? blocks.size() - 1 - i : i];
    b.at = at;
    at += (b.items + (vector ? 1 : 0)) * b.shape->extent();
  }
  return blocks;
}

Exchange Maker::bcast() const {
  Exchange e;
  const Block block = moved(g_.id(c_.root_group, root()), kAnyone);
  const bool takes_part = !in_root_group() || is_root();
  e.receive = {takes_part ? Presence::kSignificant : Presence::kIgnored, {block}};
  if (is_root()) e.before = {block};
  if (takes_part) e.after = {block};
  return e;
}

Exchange Maker::gather() const {
  Exchange e;
  if (!in_root_group()) e.send = {Presence::kSignificant, {moved(g_.my_id(), kAnyone)}};
  if (!is_root()) return e;
  const auto from = [&](int r) { return moved(g_.id(g_.other(), r), kAnyone); };
  e.receive = {Presence::kSignificant, from_remote(from)};
  e.after = e.receive.blocks;
  return e;
}

Exchange Maker::scatter() const {
  Exchange e;
  const int source = g_.id(c_.root_group, root());
  if (!in_root_group()) e.receive = {Presence::kSignificant, {moved(source, g_.my_id())}};
  e.after = e.receive.blocks;
  const auto to = [&](int r) { return moved(source, g_.id(g_.other(), r)); };
  if (is_root()) e.send = {Presence::kSignificant, from_remote(to)};
  return e;
}

Exchange Maker::allgather() const {
  Exchange e;
  const auto from = [&](int r) { return moved(g_.id(g_.other(), r), kAnyone); };
  e.send = {Presence::kSignificant, {moved(g_.my_id(), kAnyone)}};
  e.receive = {Presence::kSignificant, from_remote(from)};
  e.after = e.receive.blocks;
  return e;
}

Exchange Maker::alltoall() const {
  Exchange e;
  const auto to = [&](int r) { return moved(g_.my_id(), g_.id(g_.other(), r)); };
  const auto from = [&](int r) { return moved(g_.id(g_.other(), r), g_.my_id()); };
  e.send = {Presence::kSignificant, from_remote(to)};
  e.receive = {Presence::kSignificant, from_remote(from)};
  e.after = e.receive.blocks;
  if (c_.collective != Collective::alltoallw) return e;
  // Byte displacements: a type with a negative lower bound needs room before its first item.
  for (Buffer* buffer : {&e.send, &e.receive})
    for (Block& b : buffer->blocks) b.at += 64;
  e.after = e.receive.blocks;
  return e;
}

Exchange Maker::reduce() const {
  Exchange e;
  const int n = units(0, 0);
  if (!in_root_group()) e.send = {Presence::kSignificant, {reduced(n, my_input())}};
  e.receive = {is_root() ? Presence::kSignificant : Presence::kIgnored, {reduced(n, remote_result(0))}};
  if (is_root()) e.after = e.receive.blocks;
  return e;
}

Exchange Maker::allreduce() const {
  Exchange e;
  const int n = units(0, 0);
  e.send = {Presence::kSignificant, {reduced(n, my_input())}};
  e.receive = {Presence::kSignificant, {reduced(n, remote_result(0))}};
  e.after = e.receive.blocks;
  return e;
}

/// Both groups cut the same number of items into their own pieces.
Exchange Maker::reduce_scatter() const {
  Exchange e;
  const int n = units(0, 0);
  const int total = n * g_.local_size() * g_.remote_size();
  e.counts_of_ranks.assign(static_cast<std::size_t>(g_.local_size()), n * g_.remote_size());
  if (c_.collective == Collective::reduce_scatter && g_.local_size() > 1) {
    e.counts_of_ranks.front() -= n;
    e.counts_of_ranks.back() += n;
  }
  const auto mine = e.counts_of_ranks.begin() + g_.rank;
  const int first = std::accumulate(e.counts_of_ranks.begin(), mine, 0);
  e.send = {Presence::kSignificant, {reduced(total, my_input())}};
  e.receive = {Presence::kSignificant, {reduced(*mine, remote_result(first))}};
  e.after = e.receive.blocks;
  return e;
}

Exchange Maker::make() const {
  switch (c_.collective) {
    case Collective::bcast:
      return bcast();
    case Collective::gather:
    case Collective::gatherv:
      return gather();
    case Collective::scatter:
    case Collective::scatterv:
      return scatter();
    case Collective::allgather:
    case Collective::allgatherv:
      return allgather();
    case Collective::alltoall:
    case Collective::alltoallv:
    case Collective::alltoallw:
      return alltoall();
    case Collective::reduce:
      return reduce();
    case Collective::allreduce:
      return allreduce();
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      return reduce_scatter();
    default:
      return {};
  }
}

}  // namespace

Groups make_groups(Cut cut, MPI_Comm comm) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  Groups g{};
  g.mine = group_of(cut, rank, size);
  for (int r = 0; r < size; ++r) ++g.sizes[group_of(cut, r, size)];
  MPI_Comm_split(comm, g.mine, rank, &g.local);
  MPI_Comm_rank(g.local, &g.rank);
  MPI_Intercomm_create(g.local, 0, comm, leader(cut, g.other(), size), 1, &g.inter);
  MPI_Comm_set_errhandler(g.inter, MPI_ERRORS_RETURN);
  return g;
}

void free_groups(Groups& groups) {
  MPI_Comm_free(&groups.inter);
  MPI_Comm_free(&groups.local);
}

const char* const cut_names[] = {"halves", "parity", "first_alone"};

std::string InterCase::name() const {
  return "--collective " + value_names(kCollective)[static_cast<std::size_t>(collective)] + " --form " +
         value_names(kForm)[static_cast<std::size_t>(form)] + " groups " + cut_names[static_cast<int>(cut)] +
         " root group " + std::to_string(root_group) + (last_root ? " last" : " first") + " shape " + shape +
         " operator " + operator_name + " units " + std::to_string(units);
}

bool exists_between_groups(Collective what) {
  return what != Collective::scan && what != Collective::exscan && what != Collective::reduce_local;
}

std::unique_ptr<Call> inter_call(const InterCase& c, const Groups& groups, const ShapeSet& shapes,
                                 const Operator* op) {
  const Maker maker(c, groups, shapes);
  return std::make_unique<Call>(Target{c.collective, c.form, groups.inter, maker.root_argument()},
                                maker.make(), op);
}

}  // namespace mpitest
