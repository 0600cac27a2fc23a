// SPDX-License-Identifier: BSD-3-Clause
// The row-column-parallel multiply y = A x of a partitioned matrix, and what papers/003 says of its messages.
// Whoever has a nonzero multiplies it: first the entries of x go to those who have nonzeros in their column
// (expand), then sums of products to those who own the entries of y (fold). Pure; tested by
// bench/ordering/phases_test.cc.
#pragma once

#include <map>
#include <vector>

#include "base/types.h"
#include "bench/ordering/pattern.h"

namespace wan::bench {

/// Who owns x and y, entry by entry, and who has which nonzero.
struct Partition {
  int ranks = 1;
  std::vector<Rank> of_entries, of_nonzeros;
};

/// By METIS, the graph of A + A^T into parts of equally many nonzeros. The nonzeros of a block, whose rows
/// are one rank's and whose columns another's, all go to one of the two, so that a block costs one message:
/// the one that less has to be sent with, by chance where it is equal (semi-two-dimensional: Kayaaslan,
/// Aykanat and Ucar, 2015).
Partition partition(const Pattern& pattern, int ranks);

/// The messages of one phase: of each rank to each that it sends to, which entries of x or y; ascending.
using Messages = std::vector<std::map<Rank, std::vector<Index>>>;
struct Phases {
  Messages expand, fold;
};
Phases phases_of(const Pattern& pattern, const Partition& partition);

/// Receivers of each rank, in the order of sending.
using Orders = std::vector<std::vector<Rank>>;
/// By descending key of the receivers, and of equal ones by number.
Orders ordered_by(const Messages& messages, const std::vector<std::int64_t>& keys);
/// The paper's keys: |S2|, how many messages each sends in the second phase.
std::vector<std::int64_t> post_loads(const Phases& phases);

/// Equations 1, 2, 6 and 7 with W = 0: a message takes a unit of its sender's time and has then arrived.
std::int64_t completion(const Orders& orders, const std::vector<std::int64_t>& post_loads);
/// The least of all orders: the earliest time by which every sender can have sent to each receiver so early
/// that its second phase ends by then. Of unit jobs with deadlines that is possible if no k + 1 of them are
/// due by k.
std::int64_t least_completion(const Messages& expand, const std::vector<std::int64_t>& post_loads);

}  // namespace wan::bench
