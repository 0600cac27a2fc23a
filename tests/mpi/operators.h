// SPDX-License-Identifier: BSD-3-Clause
// Reduction operators: the MPI_Op, the contribution of every rank by formula, and the same combination in
// plain C++. Invariants: user-defined operators see order and multiplicity (matrix product over integers
// modulo 2^32 with odd determinants: invertible, so nothing is absorbed). Threads: OperatorSet belongs to one
// thread; MPI may call the user functions from any. Tested by: mpi_collectives on stock Open MPI, and the
// negative control that swaps two operands.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "image.h"
#include "shape.h"

namespace mpitest {

/// How results are compared with the formula.
enum class Exactness { kBitwise, kRounded };

/// Whether ranks may be combined in any order.
enum class Order { kAny, kByRank };

/// An operator and what the test knows about it.
struct OperatorRecipe {
  const char* name;
  Order order;
  Exactness exactness;
  std::vector<const char*> shapes;                 // datatypes it is defined on
  Item (*contribution)(std::uint64_t hash);        // the operand that hashes to this
  void (*combine)(const Item& left, Item& right);  // right = left op right, left from the lower ranks
  MPI_Op (*make)();
};

/// The operators of the test, in a fixed order.
const std::vector<OperatorRecipe>& operator_recipes();

/// Position of an operator by name; aborts if there is none.
std::size_t operator_index(const std::string& name);

/// A living MPI_Op.
class Operator {
 public:
  explicit Operator(const OperatorRecipe& recipe) : recipe_(&recipe), op_(recipe.make()) {}
  ~Operator() { free_op(); }
  Operator(const Operator&) = delete;
  Operator& operator=(const Operator&) = delete;

  const OperatorRecipe& recipe() const { return *recipe_; }
  MPI_Op op() const { return op_; }

  /// Gives a user-defined operator back to MPI now.
  void free_op();

 private:
  const OperatorRecipe* recipe_;
  MPI_Op op_;
};

}  // namespace mpitest
