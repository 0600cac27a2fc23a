// SPDX-License-Identifier: BSD-3-Clause
// Where the bytes of one element of a datatype lie: MPI's type map without the basic types, in packed order,
// as runs of equal blocks at equal distances, and runs of such runs. So a vector, a subarray of three
// dimensions or a struct takes a few entries whatever its size, and an irregular type one entry a block. Any
// range of the packed form is found by binary search, and visited in time proportional to the blocks that it
// touches.
//
//   vector of 3 blocks of 2 at distance 5:   x x . . . x x . . . x x     one entry: offset 0, 2 bytes, 3
//   times 5
//
// Invariants: entries are not empty, ascend in packed order and leave no gap in it. Threads: const functions
// from any. Tested by tests/unit/run_type_map.cc (against a list of single bytes).
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/types.h"

namespace wan {

/// Blocks of equal length at equal distances. Units: bytes.
struct BlockRun {
  std::ptrdiff_t offset = 0;  ///< of the first, from the element's address
  Count length = 0;           ///< of each
  Count count = 1;
  std::ptrdiff_t stride = 0;  ///< from one to the next
};

class TypeMap {
 public:
  /// The next block in packed order; `length` may be 0.
  void append(std::ptrdiff_t offset, Count length);
  /// After the last block.
  void finish();

  /// Of the packed form.
  Count size() const { return size_; }
  std::size_t entries() const { return entries_.size(); }

  /// Calls visit(BlockRun) for what the packed bytes [begin, end) of one element cover, in packed order.
  template <class Visit>
  void visit(Count begin, Count end, Visit visit) const;

 private:
  struct Entry {
    Count begin = 0;  ///< in the packed form
    BlockRun run;
    Count repeats = 1;  ///< of the run
    std::ptrdiff_t distance = 0;

    Count run_bytes() const { return run.length * run.count; }
    Count bytes() const { return run_bytes() * repeats; }
  };
  template <class Visit>
  static void visit_run(BlockRun run, Count begin, Count end, Visit& visit);
  bool joins(const BlockRun& next) const;
  void close_run();

  std::vector<Entry> entries_;
  BlockRun open_;  ///< being built; length 0: none
  Count size_ = 0;
};

/// The part [begin, end) of a run: the rest of a first block, whole blocks, the beginning of a last one.
template <class Visit>
void TypeMap::visit_run(BlockRun run, Count begin, Count end, Visit& visit) {
  const auto at = [&](Count block) { return run.offset + static_cast<std::ptrdiff_t>(block) * run.stride; };
  if (const Count within = begin % run.length; within > 0) {
    const Count length = std::min(run.length - within, end - begin);
    visit(BlockRun{at(begin / run.length) + static_cast<std::ptrdiff_t>(within), length, 1, 0});
    begin += length;
  }
  if (const Count whole = (end - begin) / run.length; whole > 0) {
    visit(BlockRun{at(begin / run.length), run.length, whole, run.stride});
    begin += whole * run.length;
  }
  if (begin < end) visit(BlockRun{at(begin / run.length), end - begin, 1, 0});
}

template <class Visit>
void TypeMap::visit(Count begin, Count end, Visit visit) const {
  if (begin == end) return;
  auto entry = std::ranges::upper_bound(entries_, begin, {}, &Entry::begin);
  for (--entry; begin < end; ++entry) {
    const Count last = std::min(end, entry->begin + entry->bytes());
    while (begin < last) {
      const Count number = (begin - entry->begin) / entry->run_bytes();
      const Count first = entry->begin + number * entry->run_bytes();
      const Count until = std::min(last, first + entry->run_bytes());
      BlockRun run = entry->run;
      run.offset += static_cast<std::ptrdiff_t>(number) * entry->distance;
      visit_run(run, begin - first, until - first, visit);
      begin = until;
    }
  }
}

/// Copies the blocks of a run at `base` one after the other to `packed`, or back; the bytes moved.
Count gather(const BlockRun& run, const char* base, char* packed);
Count scatter(const BlockRun& run, const char* packed, char* base);

}  // namespace wan
