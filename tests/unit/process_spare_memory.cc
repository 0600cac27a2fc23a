// SPDX-License-Identifier: BSD-3-Clause
#include "process/spare_memory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <optional>

namespace wan {
namespace {

constexpr std::size_t kLeast = SpareMemory::kLeast;

TEST(SpareMemory, GivesTheSameMemoryAgain) {
  SpareMemory memory(10 * kLeast);
  const char* first = memory.take(kLeast).get();
  EXPECT_EQ(memory.kept(), kLeast);
  const auto again = memory.take(kLeast);
  EXPECT_EQ(again.get(), first);
  EXPECT_EQ(memory.kept(), 0u);
}

TEST(SpareMemory, GivesNobodyWhatAnotherHolds) {
  SpareMemory memory(10 * kLeast);
  const auto first = memory.take(kLeast), second = memory.take(kLeast);
  ASSERT_NE(first.get(), second.get());
  std::memset(first.get(), 1, kLeast);
  std::memset(second.get(), 2, kLeast);
  EXPECT_EQ(first.get()[kLeast - 1], 1);
}

TEST(SpareMemory, GivesEnoughButNoMoreThanTwice) {
  SpareMemory memory(100 * kLeast);
  memory.take(4 * kLeast);
  EXPECT_EQ(memory.kept(), 4 * kLeast);
  {
    const auto less = memory.take(kLeast);
    EXPECT_EQ(memory.kept(), 4 * kLeast) << "much too long";
  }
  {
    const auto more = memory.take(5 * kLeast);
    EXPECT_EQ(memory.kept(), 5 * kLeast) << "too short";
  }
  const auto fits = memory.take(3 * kLeast);
  EXPECT_EQ(memory.kept(), 5 * kLeast) << "of the two that fit the one used last";
}

TEST(SpareMemory, KeepsWhatWasUsedLast) {
  SpareMemory memory(3 * kLeast);
  std::optional<SpareMemory::Piece> pieces[3];
  const char* address[3];
  for (int i = 0; i < 3; ++i)
    address[i] = pieces[i].emplace(memory.take(kLeast + static_cast<std::size_t>(i))).get();
  for (auto& piece : pieces) piece.reset();
  EXPECT_EQ(memory.kept(), 2 * kLeast + 3) << "the first one no longer fits";
  EXPECT_EQ(memory.take(kLeast).get(), address[2]);
}

TEST(SpareMemory, KeepsNeitherShortNorVeryLongPieces) {
  SpareMemory memory(3 * kLeast);
  memory.take(0);
  memory.take(kLeast - 1);
  memory.take(3 * kLeast + 1);
  EXPECT_EQ(memory.kept(), 0u);
}

TEST(SpareMemory, FollowsAPieceThatMoves) {
  SpareMemory memory(3 * kLeast);
  {
    SpareMemory::Piece piece = memory.take(kLeast);
    const SpareMemory::Piece moved = std::move(piece);
    EXPECT_EQ(memory.kept(), 0u);
  }
  EXPECT_EQ(memory.kept(), kLeast);
}

TEST(SpareMemory, GetsBackWhatIsReplaced) {
  SpareMemory memory(9 * kLeast);
  SpareMemory::Piece piece = memory.take(kLeast);
  piece = memory.take(5 * kLeast);
  EXPECT_EQ(memory.kept(), kLeast);
}

}  // namespace
}  // namespace wan
