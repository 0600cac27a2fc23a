// SPDX-License-Identifier: BSD-3-Clause
// A process's routing table (papers/001, section 5): from its topology ID to whom it forwards. Immutable.
// Tested by tests/unit/multicast_routing_table.cc and tests/property/multicasts.cc.
//
// A topology ID is a sequence of digits. The digits of a level of the network (places.h) number its groups; a
// level with more groups than columns has several digits. The last digits number the processes of a group.
// Row i of the table of process x has an entry for each digit j other than x's own: all processes whose IDs
// have x's first i digits and then j. Since the processes with a common prefix are a range of positions, an
// entry needs no IDs: it keeps that range, and one process of it, its master. A prefix that no process has is
// a hole, for which nothing is kept. So a table takes O(log n) however many processes there are, and the ID
// of another process need not be known: the entry whose range contains it is that of its next digit.
//
// The paper's LCD(x, z), the length of the common prefix, is the row of the entry that contains z. What its
// lemma 1 says follows: each process y of that entry has LCD(y, z) > LCD(x, z).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "multicast/places.h"
#include "multicast/range.h"

namespace wan::multicast {

/// All processes with one digit more, and who receives for them.
struct Entry {
  Range range;
  Position master = 0;  ///< the paper's virtual master: it forwards though it may be no destination
};

/// What it takes to have a process forward; the least is chosen among an entry's. Any unit, all of one table.
using ForwardingCost = std::function<double(Position)>;

class RoutingTable {
 public:
  /// columns[level]: the most digits (two or more) of each level of `places`, and then of the processes
  /// inside the last; the last number also stands for all that are missing. Where several masters cost as
  /// much (without `cost`: all), each process takes another, so that none forwards for all. Where columns are
  /// powers of those of another table of these places, all entries are entries of that one, of some process.
  RoutingTable(const Places& places, Position self, std::span<const int> columns,
               const ForwardingCost& cost = {});

  Position self() const { return self_; }
  /// Digits of this process's ID, without those that have only one value.
  int rows() const { return static_cast<int>(rows_.size()); }
  std::vector<int> digits() const;
  /// Those that share this process's first `row` digits: all in row 0, and itself in row rows().
  Range range(int row) const;
  /// Those of this process's group of the widest level; all where there are no levels. It is the range of
  /// some row.
  const Range& site() const { return site_; }
  /// The same of the level below: one process where there is none.
  const Range& host() const { return host_; }
  /// The row from which on all lies in host().
  int host_row() const { return host_row_; }
  /// In the order of digits, without this process's own.
  std::span<const Entry> entries(int row) const { return rows_[static_cast<std::size_t>(row)].entries; }
  /// Digits that the IDs of this process and another one have in common: the row whose entry contains it, and
  /// rows() of itself. Aborts where there is no such process.
  int common_digits(Position other) const;

  /// Of this object and what it holds.
  std::size_t bytes() const;

 private:
  struct Row {
    Range range;
    int digit = 0;  ///< this process's
    std::vector<Entry> entries;
  };
  Range add_rows(const std::vector<Position>& borders, int columns, const ForwardingCost& cost);
  Position master_of(const Range& range, const ForwardingCost& cost) const;

  Position self_;
  Range site_, host_;
  int host_row_ = 0;
  std::vector<Row> rows_;
};

}  // namespace wan::multicast
