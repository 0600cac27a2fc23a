// SPDX-License-Identifier: BSD-3-Clause
// The arguments of MPI collectives in coll_wan's terms: packed lengths, blocks of vector forms, MPI_IN_PLACE.
#pragma once

#include <concepts>
#include <numeric>

#include "mca/communicator.h"
#include "mca/task.h"
#include "plan/call.h"
#include "process/parties.h"

namespace wan {

using Type = ompi_datatype_t*;
using Op = ompi_op_t*;
using Types = ompi_datatype_t* const*;
using ompi::ByteDisplacements;
using ompi::Displacements;
using ompi::ElementArray;
using ompi::Elements;

/// As Open MPI's functions and ours take it.
template <std::integral Integer>
std::size_t elements(Integer count) {
  return static_cast<std::size_t>(count);
}
inline std::size_t elements(Elements count, Rank blocks) {
  return elements(count) * static_cast<std::size_t>(blocks);
}
inline std::vector<Count> counts_of(ElementArray array, Rank blocks) {
  std::vector<Count> counts;
  for (Rank block = 0; block < blocks; ++block)
    counts.push_back(static_cast<Count>(ompi::count_at(array, block)));
  return counts;
}
/// Packed length.
template <std::integral Integer>
Count bytes(Integer count, Type type) {
  return static_cast<Count>(elements(count) * type->super.size);
}

/// Call::unit_bytes of a reduction.
inline Bytes unit_bytes_of(Type type) {
  return std::max<Bytes>(1, static_cast<Bytes>(type->super.size));
}

/// There is no MPI_IN_PLACE on an intercommunicator, and what is no argument of this rank's may be anything.
inline Placement placement_of(const Parties& parties, const void* buffer) {
  return !parties.is_inter() && buffer == MPI_IN_PLACE ? Placement::in_place : Placement::separate;
}
inline bool is_separate(const Call& call) {
  return call.placement == Placement::separate;
}
/// Does the order in which operands are combined not show in the result? Predefined operators on integers
/// lose nothing.
inline bool is_exact(Op op, Type type) {
  return ompi_op_is_intrinsic(op) && (type->super.flags & OMPI_DATATYPE_FLAG_PREDEFINED) != 0 &&
         (type->super.flags & OMPI_DATATYPE_FLAG_DATA_TYPE) == OMPI_DATATYPE_FLAG_DATA_INT;
}
inline OperandOrder order_of(const Communicator& comm, Op op, Type type) {
  if (comm.is_reproducible() && !is_exact(op, type)) return OperandOrder::fixed;
  return ompi_op_is_commute(op) ? OperandOrder::any : OperandOrder::rank;
}

/// Addresses may be absolute (MPI_BOTTOM), so they are added to as integers.
inline const void* at(const void* base, ptrdiff_t bytes) {
  return reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(base) +
                                       static_cast<std::uintptr_t>(bytes));
}

/// One or several blocks of the same length, one after the other.
struct EqualBlocks {
  const void* base;
  Elements count;
  Type type;
  Rank blocks = 1;

  /// Of one.
  Count length() const { return bytes(count, type); }
  void add_inputs(Task& task) const { task.add_input(base, elements(count, blocks), type); }
  void add_outputs(Task& task) const { task.add_output(base, elements(count, blocks), type); }
};

/// The blocks of a vector form: of one datatype, displacements in its extents; or of a datatype each,
/// displacements in bytes.
template <class AnyDisplacements, class TypeOrTypes>
struct VectorArgument {
  const void* base;
  ElementArray counts;
  AnyDisplacements displacements;
  TypeOrTypes type;
  Rank blocks;

  Type type_of(Rank block) const {
    if constexpr (std::is_same_v<TypeOrTypes, Type>)
      return type;
    else
      return type[block];
  }
  const void* address(Rank block) const {
    ptrdiff_t unit = 1;
    if constexpr (std::is_same_v<TypeOrTypes, Type>) unit = type->super.ub - type->super.lb;
    return at(base, ompi::displacement_at(displacements, block) * unit);
  }
  std::vector<Count> lengths() const {
    std::vector<Count> all;
    for (Rank block = 0; block < blocks; ++block)
      all.push_back(bytes(ompi::count_at(counts, block), type_of(block)));
    return all;
  }
  void add_inputs(Task& task) const {
    for (Rank block = 0; block < blocks; ++block)
      task.add_input(address(block), ompi::count_at(counts, block), type_of(block));
  }
  void add_outputs(Task& task) const {
    for (Rank block = 0; block < blocks; ++block)
      task.add_output(address(block), ompi::count_at(counts, block), type_of(block));
  }
};
/// For clang before 17, which does not deduce them of an aggregate.
template <class AnyDisplacements, class TypeOrTypes>
VectorArgument(const void*, ElementArray, AnyDisplacements, TypeOrTypes, Rank)
    -> VectorArgument<AnyDisplacements, TypeOrTypes>;

inline Count sum(const std::vector<Count>& counts) {
  return std::accumulate(counts.begin(), counts.end(), Count{0});
}

}  // namespace wan
