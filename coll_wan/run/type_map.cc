// SPDX-License-Identifier: BSD-3-Clause
#include "run/type_map.h"

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace wan {
namespace {

/// Addresses may be absolute (MPI_BOTTOM), so they are added to as integers.
template <class Char>
Char* shifted(Char* address, std::ptrdiff_t bytes) {
  return reinterpret_cast<Char*>(reinterpret_cast<std::uintptr_t>(address) +
                                 static_cast<std::uintptr_t>(bytes));
}

/// Calls copy(i, length) for each block; with the length as a constant where that is a usual one, for which
/// the compiler then needs no call.
template <class Copy>
void for_each_block(const BlockRun& run, Copy copy) {
  const auto all = [&](auto length) {
    for (Count i = 0; i < run.count; ++i) copy(i, length);
  };
  switch (run.length) {
    case 4:
      return all(std::integral_constant<std::size_t, 4>{});
    case 8:
      return all(std::integral_constant<std::size_t, 8>{});
    case 16:
      return all(std::integral_constant<std::size_t, 16>{});
    default:
      return all(static_cast<std::size_t>(run.length));
  }
}

}  // namespace

void TypeMap::append(std::ptrdiff_t offset, Count length) {
  if (length == 0) return;
  size_ += length;
  if (open_.length == 0) {
    open_ = {offset, length, 1, 0};
  } else if (open_.count == 1 && offset == open_.offset + static_cast<std::ptrdiff_t>(open_.length)) {
    open_.length += length;
  } else if (joins({offset, length, 1, 0})) {
    if (open_.count == 1) open_.stride = offset - open_.offset;
    ++open_.count;
  } else {
    close_run();
    open_ = {offset, length, 1, 0};
  }
}

/// Does the block continue the open run?
bool TypeMap::joins(const BlockRun& next) const {
  return next.length == open_.length &&
         (open_.count == 1 ||
          next.offset == open_.offset + static_cast<std::ptrdiff_t>(open_.count) * open_.stride);
}

/// Puts the open run behind the entries, or into the last one as another repetition of its run.
void TypeMap::close_run() {
  if (open_.length == 0) return;
  const BlockRun run = std::exchange(open_, {});
  if (!entries_.empty()) {
    Entry& last = entries_.back();
    const std::ptrdiff_t distance =
        run.offset - last.run.offset - static_cast<std::ptrdiff_t>(last.repeats - 1) * last.distance;
    const bool is_same =
        run.length == last.run.length && run.count == last.run.count && run.stride == last.run.stride;
    if (is_same && (last.repeats == 1 || distance == last.distance)) {
      last.distance = distance;
      ++last.repeats;
      return;
    }
  }
  const Count begin = entries_.empty() ? 0 : entries_.back().begin + entries_.back().bytes();
  entries_.push_back({begin, run, 1, 0});
}

void TypeMap::finish() {
  close_run();
  entries_.shrink_to_fit();
}

Count gather(const BlockRun& run, const char* base, char* packed) {
  const char* from = shifted(base, run.offset);
  for_each_block(run, [&](Count i, auto length) {
    std::memcpy(packed + static_cast<std::size_t>(i) * length,
                shifted(from, static_cast<std::ptrdiff_t>(i) * run.stride), length);
  });
  return run.length * run.count;
}

Count scatter(const BlockRun& run, const char* packed, char* base) {
  char* to = shifted(base, run.offset);
  for_each_block(run, [&](Count i, auto length) {
    std::memcpy(shifted(to, static_cast<std::ptrdiff_t>(i) * run.stride),
                packed + static_cast<std::size_t>(i) * length, length);
  });
  return run.length * run.count;
}

}  // namespace wan
