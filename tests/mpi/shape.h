// SPDX-License-Identifier: BSD-3-Clause
// Datatype shapes: an MPI datatype together with a typemap written down by hand, so that what MPI does with
// the datatype is checked against bytes computed without MPI. Shapes of one family have equal signatures unit
// by unit: a unit sent as one may be received as another. Invariants: extent and true bounds that MPI reports
// equal the hand-written ones (checked when made). Threads: Shapes is built and destroyed by one thread;
// shape_of() may be called from any. Tested by: every program here; the negative controls of tests/mpi/run
// show that a wrong byte is seen.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mpitest {

/// The basic types that the typemaps are made of.
enum class Basic : std::uint8_t { kInt32, kDouble, kChar };

/// Size of a basic type in bytes.
std::size_t size_of(Basic basic);

/// One entry of a typemap: where it lies relative to the item's origin, in bytes, and what it is.
struct Element {
  std::ptrdiff_t offset;
  Basic basic;
};

/// Byte range [low, high) relative to a buffer's address.
struct Span {
  std::ptrdiff_t low = 0;
  std::ptrdiff_t high = 0;
};

/// How a shape is made; the typemap is the hand-written truth.
struct Recipe {
  const char* name;
  const char* family;
  int items_per_unit;  // items of this datatype in one unit of the family
  std::ptrdiff_t extent;
  std::vector<Element> elements;  // in signature order
  MPI_Datatype (*make)();
};

/// The shapes of the test, in a fixed order: the same on every process.
const std::vector<Recipe>& recipes();

/// Position of a recipe by name; aborts if there is none.
std::size_t recipe_index(const std::string& name);

/// A committed datatype and its typemap.
class Shape {
 public:
  explicit Shape(const Recipe& recipe);
  ~Shape();
  Shape(const Shape&) = delete;
  Shape& operator=(const Shape&) = delete;

  const Recipe& recipe() const { return *recipe_; }
  MPI_Datatype type() const { return type_; }
  std::ptrdiff_t extent() const { return recipe_->extent; }
  const std::vector<Element>& elements() const { return recipe_->elements; }

  /// Bytes that `items` items starting at address 0 touch; empty at 0 items.
  Span span(int items) const;

  /// Bytes of data in one unit.
  std::size_t unit_bytes() const;

  /// Gives the datatype back to MPI now; the typemap stays. A predefined datatype is left alone.
  void free_type();

 private:
  void check_against_mpi() const;

  const Recipe* recipe_;
  MPI_Datatype type_;
};

/// The typemap of a datatype that a living Shape made (also after free_type()); aborts if unknown.
const Recipe& recipe_of(MPI_Datatype type);

}  // namespace mpitest
