// SPDX-License-Identifier: BSD-3-Clause
// Datatype shapes: the recipes, and the registry from which user-defined operators learn a datatype's layout.
// Threads: the registry is guarded by a mutex. Tested by: every program here.
#include "shape.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>

namespace mpitest {
namespace {

constexpr Basic I = Basic::kInt32;
constexpr Basic D = Basic::kDouble;
constexpr Basic C = Basic::kChar;

[[noreturn]] void die(const std::string& what) {
  std::fprintf(stderr, "shape: %s\n", what.c_str());
  std::abort();
}

MPI_Datatype resized(MPI_Datatype old, MPI_Aint lb, MPI_Aint extent) {
  MPI_Datatype made;
  MPI_Type_create_resized(old, lb, extent, &made);
  return made;
}

MPI_Datatype padded_int() {
  return resized(MPI_INT, -4, 12);
}

MPI_Datatype contiguous() {
  MPI_Datatype made;
  MPI_Type_contiguous(4, MPI_INT, &made);
  return made;
}

MPI_Datatype vector_with_gaps() {
  MPI_Datatype made;
  MPI_Type_vector(2, 2, 3, MPI_INT, &made);
  return made;
}

MPI_Datatype indexed_of_ints(int length0, int displacement0, int length1, int displacement1) {
  const int lengths[] = {length0, length1};
  const int displacements[] = {displacement0, displacement1};
  MPI_Datatype made;
  MPI_Type_indexed(2, lengths, displacements, MPI_INT, &made);
  return made;
}

MPI_Datatype indexed_backwards() {
  return indexed_of_ints(1, 5, 3, 0);
}

MPI_Datatype negative_lower_bound() {
  return indexed_of_ints(2, -4, 2, 1);
}

MPI_Datatype resized_larger() {
  MPI_Datatype inner = contiguous();
  MPI_Datatype made = resized(inner, -8, 40);
  MPI_Type_free(&inner);
  return made;
}

/// Extent smaller than true extent: consecutive items interleave without sharing a byte.
MPI_Datatype interleaved() {
  MPI_Datatype inner = indexed_of_ints(2, 0, 2, 6);
  MPI_Datatype made = resized(inner, 0, 16);
  MPI_Type_free(&inner);
  return made;
}

MPI_Datatype subarray() {
  const int sizes[] = {3, 3};
  const int subsizes[] = {2, 2};
  const int starts[] = {1, 0};
  MPI_Datatype made;
  MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, &made);
  return made;
}

MPI_Datatype double_vector() {
  MPI_Datatype made;
  MPI_Type_vector(2, 1, 2, MPI_DOUBLE, &made);
  return made;
}

MPI_Datatype structure(MPI_Aint at_int, MPI_Aint at_double, MPI_Aint at_chars, MPI_Aint extent) {
  const int lengths[] = {1, 1, 3};
  const MPI_Aint displacements[] = {at_int, at_double, at_chars};
  const MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE, MPI_CHAR};
  MPI_Datatype inner;
  MPI_Type_create_struct(3, lengths, displacements, types, &inner);
  MPI_Datatype made = resized(inner, 0, extent);
  MPI_Type_free(&inner);
  return made;
}

MPI_Datatype packed_structure() {
  return structure(0, 4, 12, 15);
}
MPI_Datatype natural_structure() {
  return structure(0, 8, 16, 24);
}
MPI_Datatype backward_structure() {
  return structure(16, 8, 0, 24);
}

std::mutex registry_lock;
std::map<MPI_Datatype, const Recipe*> registry;

void remember(MPI_Datatype type, const Recipe* recipe) {
  const std::lock_guard guard(registry_lock);
  registry[type] = recipe;
}

bool is_predefined(MPI_Datatype type) {
  int integers, addresses, types, combiner;
  MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  return combiner == MPI_COMBINER_NAMED;
}

}  // namespace

std::size_t size_of(Basic basic) {
  return basic == Basic::kInt32 ? 4 : basic == Basic::kDouble ? 8 : 1;
}

const std::vector<Recipe>& recipes() {
  static const std::vector<Recipe> all = {
      {"int", "int", 1, 4, {{0, I}}, [] { return MPI_INT; }},
      {"padded_int", "int", 1, 12, {{0, I}}, padded_int},
      {"four_ints", "quad", 4, 4, {{0, I}}, [] { return MPI_INT; }},
      {"contiguous", "quad", 1, 16, {{0, I}, {4, I}, {8, I}, {12, I}}, contiguous},
      {"vector", "quad", 1, 20, {{0, I}, {4, I}, {12, I}, {16, I}}, vector_with_gaps},
      {"indexed", "quad", 1, 24, {{20, I}, {0, I}, {4, I}, {8, I}}, indexed_backwards},
      {"negative_lb", "quad", 1, 28, {{-16, I}, {-12, I}, {4, I}, {8, I}}, negative_lower_bound},
      {"resized", "quad", 1, 40, {{0, I}, {4, I}, {8, I}, {12, I}}, resized_larger},
      {"interleaved", "quad", 1, 16, {{0, I}, {4, I}, {24, I}, {28, I}}, interleaved},
      {"subarray", "quad", 1, 36, {{12, I}, {16, I}, {24, I}, {28, I}}, subarray},
      {"two_doubles", "doubles", 2, 8, {{0, D}}, [] { return MPI_DOUBLE; }},
      {"double_vector", "doubles", 1, 24, {{0, D}, {16, D}}, double_vector},
      {"packed_struct", "struct", 1, 15, {{0, I}, {4, D}, {12, C}, {13, C}, {14, C}}, packed_structure},
      {"natural_struct", "struct", 1, 24, {{0, I}, {8, D}, {16, C}, {17, C}, {18, C}}, natural_structure},
      {"backward_struct", "struct", 1, 24, {{16, I}, {8, D}, {0, C}, {1, C}, {2, C}}, backward_structure},
      {"char", "char", 1, 1, {{0, C}}, [] { return MPI_CHAR; }},
      {"double", "double", 1, 8, {{0, D}}, [] { return MPI_DOUBLE; }},
      {"int_pair", "int_pair", 1, 8, {{0, I}, {4, I}}, [] { return MPI_2INT; }},
      {"double_int", "double_int", 1, 16, {{0, D}, {8, I}}, [] { return MPI_DOUBLE_INT; }},
  };
  return all;
}

std::size_t recipe_index(const std::string& name) {
  const auto& all = recipes();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Recipe& r) { return name == r.name; });
  if (found == all.end()) die("no shape " + name);
  return static_cast<std::size_t>(found - all.begin());
}

Shape::Shape(const Recipe& recipe) : recipe_(&recipe), type_(recipe.make()) {
  if (!is_predefined(type_)) MPI_Type_commit(&type_);
  check_against_mpi();
  remember(type_, recipe_);
}

Shape::~Shape() {
  free_type();
}

void Shape::free_type() {
  if (type_ != MPI_DATATYPE_NULL && !is_predefined(type_)) MPI_Type_free(&type_);
}

Span Shape::span(int items) const {
  if (items == 0) return {};
  Span one{elements()[0].offset, elements()[0].offset};
  for (const Element& e : elements()) {
    one.low = std::min(one.low, e.offset);
    one.high = std::max(one.high, e.offset + static_cast<std::ptrdiff_t>(size_of(e.basic)));
  }
  return {one.low, one.high + (items - 1) * extent()};
}

std::size_t Shape::unit_bytes() const {
  std::size_t bytes = 0;
  for (const Element& e : elements()) bytes += size_of(e.basic);
  return bytes * static_cast<std::size_t>(recipe_->items_per_unit);
}

void Shape::check_against_mpi() const {
  MPI_Aint lb, extent_of_mpi, true_lb, true_extent;
  MPI_Type_get_extent(type_, &lb, &extent_of_mpi);
  MPI_Type_get_true_extent(type_, &true_lb, &true_extent);
  const Span one = span(1);
  if (extent_of_mpi != extent() || true_lb != one.low || true_lb + true_extent != one.high)
    die(std::string("typemap and datatype differ: ") + recipe_->name);
}

const Recipe& recipe_of(MPI_Datatype type) {
  const std::lock_guard guard(registry_lock);
  const auto found = registry.find(type);
  if (found == registry.end()) die("an operator was called with a datatype that no caller gave");
  return *found->second;
}

}  // namespace mpitest
