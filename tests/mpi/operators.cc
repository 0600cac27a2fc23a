// SPDX-License-Identifier: BSD-3-Clause
// Reduction operators: contributions, combinations, and the user functions that MPI calls.
// Threads: the functions keep no state. Tested by: mpi_collectives, the negative controls of tests/mpi/run.
#include "operators.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>

#include "value.h"

namespace mpitest {
namespace {

std::uint32_t low(std::uint64_t bits) {
  return static_cast<std::uint32_t>(bits);
}
double number(std::uint64_t bits) {
  return std::bit_cast<double>(bits);
}
std::uint64_t bits(double value) {
  return std::bit_cast<std::uint64_t>(value);
}

Item small_int(std::uint64_t h) {
  return {h % 1000};
}
Item any_ints(std::uint64_t h) {
  return {low(h), h >> 32, low(scramble(h)), scramble(h) >> 32};
}
Item whole_double(std::uint64_t h) {
  return {bits(static_cast<double>(h % 100000) - 50000)};
}

/// Magnitudes from 1e-3 to 1e3, so that the sum's last bits depend on the association.
Item rough_double(std::uint64_t h) {
  static constexpr double scale[] = {1e-3, 1e-2, 0.1, 1, 10, 100, 1000};
  return {bits(static_cast<double>(h >> 11) * 0x1p-53 * scale[h % 7])};
}

/// Few different values, so that ties decide by location.
Item pair_with_ties(std::uint64_t h) {
  return {h % 3, (h >> 8) % 1000};
}
Item double_with_ties(std::uint64_t h) {
  return {bits(static_cast<double>(h % 3) - 1), (h >> 8) % 1000};
}

/// A 2x2 matrix, odd determinant, close to no other: never singular, products depend on order.
Item matrix(std::uint64_t h) {
  return {low(h) | 1, low(h >> 32) & ~1u, low(scramble(h)), low(scramble(h) >> 32) | 1};
}

void add_ints(const Item& left, Item& right) {
  for (std::size_t i = 0; i < 4; ++i) right[i] = low(left[i] + right[i]);
}

void add_doubles(const Item& left, Item& right) {
  right[0] = bits(number(left[0]) + number(right[0]));
}

void larger_pair(const Item& left, Item& right) {
  if (left[0] > right[0] || (left[0] == right[0] && left[1] < right[1])) right = left;
}

void larger_double(const Item& left, Item& right) {
  const double l = number(left[0]), r = number(right[0]);
  if (l > r || (l == r && left[1] < right[1])) right = left;
}

void multiply_matrices(const Item& l, Item& right) {
  const Item r = right;
  right = {low(l[0] * r[0] + l[1] * r[2]), low(l[0] * r[1] + l[1] * r[3]), low(l[2] * r[0] + l[3] * r[2]),
           low(l[2] * r[1] + l[3] * r[3])};
}

/// Runs `Combine` over the items of two buffers laid out as the datatype says.
template <void (*Combine)(const Item&, Item&)>
void user_function(void* in, void* inout, int* items, MPI_Datatype* type) {
  const Recipe& recipe = recipe_of(*type);
  const auto* left = static_cast<const std::byte*>(in);
  auto* right = static_cast<std::byte*>(inout);
  for (int i = 0; i < *items; ++i, left += recipe.extent, right += recipe.extent) {
    Item result = load_item(right, recipe);
    Combine(load_item(left, recipe), result);
    store_item(right, recipe, result);
  }
}

template <void (*Combine)(const Item&, Item&), int Commutes>
MPI_Op make_user_op() {
  MPI_Op op;
  MPI_Op_create(user_function<Combine>, Commutes, &op);
  return op;
}

bool is_predefined(MPI_Op op) {
  return op == MPI_SUM || op == MPI_MAXLOC;
}

}  // namespace

const std::vector<OperatorRecipe>& operator_recipes() {
  static const std::vector<const char*> quads = {"contiguous", "vector",      "indexed", "negative_lb",
                                                 "resized",    "interleaved", "subarray"};
  static const std::vector<OperatorRecipe> all = {
      {"sum_int", Order::kAny, Exactness::kBitwise, {"int"}, small_int, add_ints, [] { return MPI_SUM; }},
      {"sum_double",
       Order::kAny,
       Exactness::kBitwise,
       {"double"},
       whole_double,
       add_doubles,
       [] { return MPI_SUM; }},
      {"sum_rounded",
       Order::kAny,
       Exactness::kRounded,
       {"double"},
       rough_double,
       add_doubles,
       [] { return MPI_SUM; }},
      {"maxloc_int",
       Order::kAny,
       Exactness::kBitwise,
       {"int_pair"},
       pair_with_ties,
       larger_pair,
       [] { return MPI_MAXLOC; }},
      {"maxloc_double",
       Order::kAny,
       Exactness::kBitwise,
       {"double_int"},
       double_with_ties,
       larger_double,
       [] { return MPI_MAXLOC; }},
      {"user_sum", Order::kAny, Exactness::kBitwise, quads, any_ints, add_ints, make_user_op<add_ints, 1>},
      {"user_matrix", Order::kByRank, Exactness::kBitwise, quads, matrix, multiply_matrices,
       make_user_op<multiply_matrices, 0>},
  };
  return all;
}

std::size_t operator_index(const std::string& name) {
  const auto& all = operator_recipes();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const OperatorRecipe& r) { return name == r.name; });
  if (found != all.end()) return static_cast<std::size_t>(found - all.begin());
  std::fprintf(stderr, "operators: no operator %s\n", name.c_str());
  std::abort();
}

void Operator::free_op() {
  if (op_ != MPI_OP_NULL && !is_predefined(op_)) MPI_Op_free(&op_);
  op_ = MPI_OP_NULL;
}

}  // namespace mpitest
