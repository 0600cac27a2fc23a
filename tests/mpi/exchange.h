// SPDX-License-Identifier: BSD-3-Clause
// What one rank hands to a collective and what it must find afterwards, from the case, its rank and a formula
// alone. Nothing here calls MPI. Invariants: blocks of one buffer share no byte; a block's contents depend on
// (salt, source, target, index) or on (salt, rank, item), never on who asks. Source: MPI 4.0 chapter 6 (what
// each collective defines). Threads: no shared state. Tested by: mpi_collectives on stock Open MPI; the
// negative controls of tests/mpi/run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "case.h"
#include "image.h"
#include "operators.h"
#include "shape.h"

namespace mpitest {

/// Living shapes, one for each recipe.
using ShapeSet = std::vector<std::unique_ptr<Shape>>;
ShapeSet make_shapes();

/// Who asks: this process's place in the case's communicator, and the root.
struct Place {
  int rank;
  int size;
  int root;
};

/// Data that `source` has for `target`.
struct Moved {
  int source;
  int target;
};

/// The combination in rank order of the contributions of ranks [from, to), for items from `first_item` on.
struct Reduced {
  int from;
  int to;
  int first_item;
};

/// Consecutive items in a buffer and what they hold.
struct Block {
  const Shape* shape;
  std::ptrdiff_t at;  // byte offset of the first item's origin
  int items;
  std::optional<Moved> moved;
  std::optional<Reduced> reduced;
};
using Blocks = std::vector<Block>;

/// Whether a buffer argument counts.
enum class Presence { kSignificant, kInPlace, kIgnored };

/// A buffer argument: one block, or one block for each rank. An ignored one has blocks only where MPI's own
/// argument check demands a valid count and datatype.
struct Buffer {
  Presence presence = Presence::kIgnored;
  Blocks blocks;
};

/// Everything about one rank's call.
struct Exchange {
  Buffer send;
  Buffer receive;
  std::vector<int> counts_of_ranks;  // reduce_scatter
  Blocks before;                     // contents of the receive buffer before the call
  Blocks after;                      // contents that it must have after the call
  Blocks undefined;                  // items that may hold anything after the call
};

/// The call of the process at `place`; `seed` varies the uneven counts and the order of displaced blocks.
Exchange exchange_of(const Case& c, const Place& place, const ShapeSet& shapes, std::uint64_t seed);

/// Writes the blocks' contents; `op` is needed where blocks are reduced.
void write(Image& image, const Blocks& blocks, std::uint64_t salt, const OperatorRecipe* op);

/// Bytes that the blocks touch.
Span span_of(const Blocks& blocks);
Span united(Span a, Span b);

}  // namespace mpitest
