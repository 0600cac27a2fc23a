// SPDX-License-Identifier: BSD-3-Clause
// Lengths and places of the blocks of vector forms, as Open MPI tells them: in numbers of 32 bits, and
// from 6.0 on of 64 bits too. No memory is touched.
#include "mca/arguments.h"

#include <gtest/gtest.h>

#include <climits>
#include <cstdint>
#include <vector>

namespace wan {
namespace {

/// Four bytes of data in eight.
struct PaddedType : ompi_datatype_t {
  PaddedType() : ompi_datatype_t{} {
    super.size = 4;
    super.ub = 8;
  }
};

template <class Argument>
std::ptrdiff_t distance(const Argument& argument, Rank block) {
  return static_cast<const char*>(argument.address(block)) - static_cast<const char*>(argument.base);
}

const std::vector<int> counts = {0, 7, INT_MAX};
const std::vector<int> displacements = {-5, INT_MAX, INT_MIN};
const std::vector<Count> lengths = {0, 28, Count{4} * INT_MAX};
const std::vector<std::ptrdiff_t> distances = {-40, std::ptrdiff_t{8} * INT_MAX, std::ptrdiff_t{8} * INT_MIN};

#if OMPI_MAJOR_VERSION < 6
const int* array_of_counts(const std::vector<int>& numbers) {
  return numbers.data();
}
const int* array_of_displacements(const std::vector<int>& numbers) {
  return numbers.data();
}
#else
ElementArray array_of_counts(const std::vector<int>& numbers) {
  return ompi_count_array_create(numbers.data());
}
Displacements array_of_displacements(const std::vector<int>& numbers) {
  return ompi_disp_array_create(numbers.data());
}
#endif

TEST(McaArguments, NumbersOf32Bits) {
  PaddedType type;
  const char base = 0;
  const VectorArgument argument{static_cast<const void*>(&base), array_of_counts(counts),
                                array_of_displacements(displacements), static_cast<Type>(&type), Rank{3}};
  EXPECT_EQ(argument.lengths(), lengths);
  EXPECT_EQ(counts_of(array_of_counts(counts), 3), std::vector<Count>(counts.begin(), counts.end()));
  for (Rank block = 0; block < 3; ++block)
    EXPECT_EQ(distance(argument, block), distances[static_cast<std::size_t>(block)]);
}

#if OMPI_MAJOR_VERSION >= 6
TEST(McaArguments, NumbersOf64Bits) {
  constexpr Count kMany = (Count{1} << 40) + 3;
  PaddedType type;
  const char base = 0;
  const std::vector<std::size_t> wide_counts = {std::size_t{UINT_MAX} + 2, kMany};
  const std::vector<std::ptrdiff_t> wide_displacements = {-kMany, kMany};
  const ElementArray array = ompi_count_array_create_c(wide_counts.data());
  const Displacements places = ompi_disp_array_create_c(wide_displacements.data());
  const VectorArgument argument{static_cast<const void*>(&base), array, places, static_cast<Type>(&type),
                                Rank{2}};
  EXPECT_EQ(argument.lengths(), (std::vector<Count>{4 * (Count{UINT_MAX} + 2), 4 * kMany}));
  EXPECT_EQ(counts_of(array, 2), (std::vector<Count>{Count{UINT_MAX} + 2, kMany}));
  EXPECT_EQ(distance(argument, 0), -8 * kMany);
  EXPECT_EQ(distance(argument, 1), 8 * kMany);

  Type types[] = {&type, &type};
  const VectorArgument of_many{static_cast<const void*>(&base), array, places, static_cast<Types>(types),
                               Rank{2}};
  EXPECT_EQ(distance(of_many, 1), kMany);  // in bytes
  const EqualBlocks equal{&base, static_cast<Elements>(kMany), &type, 3};
  EXPECT_EQ(equal.length(), 4 * kMany);
}
#endif

}  // namespace
}  // namespace wan
