// SPDX-License-Identifier: BSD-3-Clause
// What each collective moves and combines, written as blocks. Threads: no shared state. Tested by:
// mpi_collectives.
#include "exchange.h"

#include <algorithm>
#include <numeric>

#include "value.h"

namespace mpitest {
namespace {

constexpr int kAnyone = 0;                  // target of data that goes to everyone alike
constexpr std::size_t kLargeBytes = 66000;  // beyond the eager limit of btl/tcp

/// Makes the exchange of one case for one rank.
class Maker {
 public:
  Maker(const Case& c, const Place& place, const ShapeSet& shapes, std::uint64_t seed)
      : c_(c), place_(place), shapes_(shapes), seed_(seed) {}

  Exchange make();

 private:
  int me() const { return place_.rank; }
  int size() const { return place_.size; }
  bool is_root() const { return me() == place_.root; }
  bool vector() const { return traits_of(c_.collective()).vector != 0; }

  const Shape& base() const { return *shapes_[c_.value[kShape]]; }
  const Shape& member(int shift) const;
  const Shape& send_shape(int peer) const;
  const Shape& receive_shape(int peer) const;

  int units(int i, int j) const;
  int large() const { return static_cast<int>(kLargeBytes / base().unit_bytes()) + 1; }

  Block one(const Shape& shape, int units, Moved what) const;
  Block items(int count, Reduced what) const;
  Blocks displaced(Blocks blocks) const;
  Blocks spread(Blocks blocks) const;
  Blocks in_line(Blocks blocks) const;
  Blocks placed(Blocks blocks) const;
  template <class Make>
  Blocks for_each_rank(Make make) const;

  Exchange bcast();
  Exchange gather();
  Exchange scatter();
  Exchange allgather();
  Exchange alltoall();
  Exchange reduce();
  Exchange reduce_scatter();
  Exchange prefix(int to);
  Exchange reduce_local();
  Exchange reduced(Block input, Block result);

  const Case& c_;
  const Place& place_;
  const ShapeSet& shapes_;
  std::uint64_t seed_;
};

/// The base shape's family, `shift` places on.
const Shape& Maker::member(int shift) const {
  const std::string family = base().recipe().family;
  std::vector<std::size_t> members;
  for (std::size_t i = 0; i < shapes_.size(); ++i)
    if (family == shapes_[i]->recipe().family) members.push_back(i);
  const auto at = std::find(members.begin(), members.end(), c_.value[kShape]) - members.begin();
  return *shapes_[members[static_cast<std::size_t>(at + shift) % members.size()]];
}

/// alltoallw has a datatype for each peer.
const Shape& Maker::send_shape(int peer) const {
  if (c_.mix() != Mix::kRanksDiffer) return base();
  return member(me() + (c_.collective() == Collective::alltoallw ? peer : 0));
}

const Shape& Maker::receive_shape(int peer) const {
  if (c_.mix() == Mix::kSame) return base();
  if (c_.mix() == Mix::kReceiversDiffer) return member(1);
  return member(me() + 1 + (c_.collective() == Collective::alltoallw ? peer : 0));
}

/// Units of the block that concerns ranks i and j. In place, what i sends to j must fit what j sends to i.
int Maker::units(int i, int j) const {
  if (c_.in_place() && i > j) std::swap(i, j);
  static constexpr int uneven[] = {0, 1, 5, 0, 13, 2, 40};
  const std::size_t h = static_cast<std::size_t>(3 * i + j) + seed_ % 7;
  switch (c_.amount()) {
    case Amount::kZero:
      return 0;
    case Amount::kOne:
      return 1;
    case Amount::kSeven:
      return 7;
    case Amount::kThousand:
      return 1000;
    case Amount::kLarge:
      return large();
    case Amount::kUneven:
      return uneven[h % 7];
    case Amount::kUnevenLarge:
      return h % 4 == 0 ? large() : uneven[h % 7];
  }
  return 0;
}

Block Maker::one(const Shape& shape, int units, Moved what) const {
  return {&shape, 0, units * shape.recipe().items_per_unit, what, std::nullopt};
}

Block Maker::items(int count, Reduced what) const {
  return {&base(), 0, count, std::nullopt, what};
}

/// One block for each rank of the communicator.
template <class Make>
Blocks Maker::for_each_rank(Make make) const {
  Blocks blocks;
  for (int r = 0; r < size(); ++r) blocks.push_back(make(r));
  return blocks;
}

/// Block after block, as in the collectives without displacements.
Blocks Maker::in_line(Blocks blocks) const {
  std::ptrdiff_t at = 0;
  for (Block& b : blocks) {
    b.at = at;
    at += b.items * b.shape->extent();
  }
  return blocks;
}

/// Displacements in extents: in descending rank order with holes.
Blocks Maker::displaced(Blocks blocks) const {
  std::ptrdiff_t item = static_cast<std::ptrdiff_t>(seed_ % 3);
  for (std::size_t i = blocks.size(); i-- > 0;) {
    blocks[i].at = item * blocks[i].shape->extent();
    item += blocks[i].items + static_cast<std::ptrdiff_t>(i % 3);
  }
  return blocks;
}

/// Displacements in bytes: no two blocks' bytes meet, whatever their datatypes.
Blocks Maker::spread(Blocks blocks) const {
  std::ptrdiff_t cursor = 0;
  for (std::size_t i = blocks.size(); i-- > 0;) {
    const Span span = blocks[i].shape->span(blocks[i].items);
    blocks[i].at = cursor - span.low;
    cursor += span.high - span.low + 8 * static_cast<std::ptrdiff_t>(i % 3);
  }
  return blocks;
}

Blocks Maker::placed(Blocks blocks) const {
  if (c_.collective() == Collective::alltoallw) return spread(std::move(blocks));
  return vector() ? displaced(std::move(blocks)) : in_line(std::move(blocks));
}

Exchange Maker::bcast() {
  const Moved what{place_.root, kAnyone};
  const Shape& shape = is_root() ? send_shape(0) : receive_shape(0);
  const Blocks blocks = {one(shape, units(0, 0), what)};
  Exchange e;
  e.receive = {Presence::kSignificant, blocks};
  if (is_root()) e.before = blocks;
  e.after = blocks;
  return e;
}

Exchange Maker::gather() {
  Exchange e;
  e.send = {Presence::kSignificant, {one(send_shape(0), units(me(), 0), {me(), kAnyone})}};
  if (!is_root()) return e;
  const auto from = [&](int r) { return one(receive_shape(0), units(r, 0), {r, kAnyone}); };
  e.receive = {Presence::kSignificant, placed(for_each_rank(from))};
  e.after = e.receive.blocks;
  if (!c_.in_place()) return e;
  e.send = {Presence::kInPlace, {}};
  e.before = {e.receive.blocks[static_cast<std::size_t>(me())]};
  return e;
}

Exchange Maker::scatter() {
  Exchange e;
  e.receive = {Presence::kSignificant, {one(receive_shape(0), units(me(), 0), {place_.root, me()})}};
  e.after = e.receive.blocks;
  if (!is_root()) return e;
  const auto to = [&](int r) { return one(send_shape(0), units(r, 0), {me(), r}); };
  e.send = {Presence::kSignificant, placed(for_each_rank(to))};
  if (!c_.in_place()) return e;
  e.receive = {Presence::kInPlace, {}};
  e.after.clear();
  return e;
}

Exchange Maker::allgather() {
  Exchange e;
  e.send = {Presence::kSignificant, {one(send_shape(0), units(me(), 0), {me(), kAnyone})}};
  const auto from = [&](int r) { return one(receive_shape(0), units(r, 0), {r, kAnyone}); };
  e.receive = {Presence::kSignificant, placed(for_each_rank(from))};
  e.after = e.receive.blocks;
  if (!c_.in_place()) return e;
  e.send = {Presence::kInPlace, {}};
  e.before = {e.receive.blocks[static_cast<std::size_t>(me())]};
  return e;
}

Exchange Maker::alltoall() {
  Exchange e;
  const auto to = [&](int r) { return one(send_shape(r), units(me(), r), {me(), r}); };
  const auto from = [&](int r) { return one(receive_shape(r), units(r, me()), {r, me()}); };
  e.receive = {Presence::kSignificant, placed(for_each_rank(from))};
  e.after = e.receive.blocks;
  if (!c_.in_place()) {
    e.send = {Presence::kSignificant, placed(for_each_rank(to))};
    return e;
  }
  e.send = {Presence::kInPlace, {}};
  e.before = e.receive.blocks;
  for (Block& b : e.before) b.moved = Moved{me(), b.moved->source};
  return e;
}

/// An exchange that takes `input` and leaves `result`, with the in-place variant.
Exchange Maker::reduced(Block input, Block result) {
  Exchange e;
  e.receive = {Presence::kSignificant, {result}};
  e.after = {result};
  if (c_.in_place()) {
    e.send = {Presence::kInPlace, {}};
    e.before = {input};
  } else {
    e.send = {Presence::kSignificant, {input}};
  }
  return e;
}

Exchange Maker::reduce() {
  const int n = units(0, 0);
  const Block input = items(n, {me(), me() + 1, 0});
  if (c_.collective() == Collective::allreduce || is_root()) return reduced(input, items(n, {0, size(), 0}));
  Exchange e;
  e.send = {Presence::kSignificant, {input}};
  return e;
}

Exchange Maker::reduce_scatter() {
  std::vector<int> counts;
  for (int r = 0; r < size(); ++r) counts.push_back(units(r, 0));
  const int first = std::accumulate(counts.begin(), counts.begin() + me(), 0);
  const int total = std::accumulate(counts.begin(), counts.end(), 0);
  const int mine = counts[static_cast<std::size_t>(me())];
  Exchange e = reduced(items(total, {me(), me() + 1, 0}), items(mine, {0, size(), first}));
  e.counts_of_ranks = counts;
  if (!c_.in_place()) return e;
  Block rest = items(total - mine, {0, 0, 0});
  rest.at = mine * base().extent();
  e.undefined = {rest};
  return e;
}

/// scan and exscan: the result covers ranks [0, to); with none, the receive buffer is not significant and
/// stays.
Exchange Maker::prefix(int to) {
  const int n = units(0, 0);
  Exchange e = reduced(items(n, {me(), me() + 1, 0}), items(n, {0, to, 0}));
  if (to == 0) e.after.clear();
  return e;
}

Exchange Maker::reduce_local() {
  const int n = units(0, 0);
  Exchange e = reduced(items(n, {0, 1, 0}), items(n, {0, 2, 0}));
  e.before = {items(n, {1, 2, 0})};
  return e;
}

Exchange Maker::make() {
  switch (c_.collective()) {
    case Collective::barrier:
      return {};
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
    case Collective::allreduce:
      return reduce();
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      return reduce_scatter();
    case Collective::scan:
      return prefix(me() + 1);
    case Collective::exscan:
      return prefix(me());
    case Collective::reduce_local:
      return reduce_local();
  }
  return {};
}

void write_moved(std::byte* at, const Block& block, std::uint64_t salt) {
  const std::uint64_t stream = hash_of(salt, block.moved->source, block.moved->target);
  std::uint64_t index = 0;
  for (int i = 0; i < block.items; ++i, at += block.shape->extent())
    for (const Element& e : block.shape->elements())
      store(at + e.offset, e.basic, bits_of(e.basic, hash_of(stream, index++)));
}

Item combined(const Reduced& what, int item, std::uint64_t salt, const OperatorRecipe& op) {
  const auto contribution = [&](int rank) {
    return op.contribution(hash_of(salt, rank, what.first_item + item));
  };
  Item result = contribution(what.to - 1);
  for (int rank = what.to - 2; rank >= what.from; --rank) op.combine(contribution(rank), result);
  return result;
}

void write_reduced(std::byte* at, const Block& block, std::uint64_t salt, const OperatorRecipe& op) {
  for (int i = 0; i < block.items; ++i, at += block.shape->extent())
    store_item(at, block.shape->recipe(), combined(*block.reduced, i, salt, op));
}

}  // namespace

ShapeSet make_shapes() {
  ShapeSet shapes;
  for (const Recipe& recipe : recipes()) shapes.push_back(std::make_unique<Shape>(recipe));
  return shapes;
}

Exchange exchange_of(const Case& c, const Place& place, const ShapeSet& shapes, std::uint64_t seed) {
  return Maker(c, place, shapes, seed).make();
}

void write(Image& image, const Blocks& blocks, std::uint64_t salt, const OperatorRecipe* op) {
  for (const Block& block : blocks) {
    if (block.moved) write_moved(image.base() + block.at, block, salt);
    if (block.reduced) write_reduced(image.base() + block.at, block, salt, *op);
  }
}

Span united(Span a, Span b) {
  if (a.low == a.high) return b;
  if (b.low == b.high) return a;
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

Span span_of(const Blocks& blocks) {
  Span all;
  for (const Block& block : blocks) {
    const Span span = block.shape->span(block.items);
    if (span.low != span.high) all = united(all, {span.low + block.at, span.high + block.at});
  }
  return all;
}

}  // namespace mpitest
