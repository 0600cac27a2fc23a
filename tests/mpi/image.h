// SPDX-License-Identifier: BSD-3-Clause
// Memory images: what a buffer holds and what it must hold, byte for byte, with guard bytes at both ends and
// a pattern in every gap, so that a stray write anywhere is seen. Invariant: a position's pattern depends on
// the position alone; two fresh images of equal spans are equal. Threads: an image belongs to one thread.
// Tested by: the negative controls of tests/mpi/run (a byte past the end, a byte of data, a byte of the send
// buffer).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shape.h"

namespace mpitest {

/// The basics of one item of a datatype, as bits in signature order; those beyond the typemap are 0.
using Item = std::array<std::uint64_t, 5>;

/// The bits of basic type `basic` that stand for the hash `h`; a double is a finite integer value.
std::uint64_t bits_of(Basic basic, std::uint64_t h);

/// Reads or writes one basic value.
std::uint64_t load(const std::byte* at, Basic basic);
void store(std::byte* at, Basic basic, std::uint64_t bits);

/// Reads or writes the item whose origin is `origin`.
Item load_item(const std::byte* origin, const Recipe& recipe);
void store_item(std::byte* origin, const Recipe& recipe, const Item& item);

/// A buffer for offsets [span.low, span.high) and guards around it.
class Image {
 public:
  Image() : Image(Span{}) {}
  explicit Image(Span span);

  /// The address to hand to MPI: offset 0.
  std::byte* base() { return bytes_.data() + origin_; }
  const std::byte* base() const { return bytes_.data() + origin_; }

  /// All bytes back to the pattern.
  void reset();

  /// Describes the first byte in which this (the truth) and `actual` differ, if any.
  std::optional<std::string> difference(const Image& actual) const;

 private:
  std::ptrdiff_t origin_;
  std::vector<std::byte> bytes_;
};

}  // namespace mpitest
