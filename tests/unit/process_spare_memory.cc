// SPDX-License-Identifier: BSD-3-Clause
#include "process/spare_memory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <optional>

namespace wan {
namespace {

constexpr std::size_t kSize = SpareMemory::kLeast;

TEST(SpareMemory, GivesTheSameMemoryAgain) {
  SpareMemory memory(10 * kSize);
  const char* first = memory.take(kSize).get();
  EXPECT_EQ(memory.kept(), kSize);
  const auto again = memory.take(kSize);
  EXPECT_EQ(again.get(), first);
  EXPECT_EQ(memory.kept(), 0u);
}

TEST(SpareMemory, GivesNobodyWhatAnotherHolds) {
  SpareMemory memory(10 * kSize);
  const auto first = memory.take(kSize), second = memory.take(kSize);
  ASSERT_NE(first.get(), second.get());
  std::memset(first.get(), 1, kSize);
  std::memset(second.get(), 2, kSize);
  EXPECT_EQ(first.get()[kSize - 1], 1);
}

TEST(SpareMemory, GivesEnoughButNoMoreThanTwice) {
  SpareMemory memory(100 * kSize);
  memory.take(4 * kSize);
  EXPECT_EQ(memory.kept(), 4 * kSize);
  {
    const auto less = memory.take(kSize);
    EXPECT_EQ(memory.kept(), 4 * kSize) << "much too long";
  }
  {
    const auto more = memory.take(5 * kSize);
    EXPECT_EQ(memory.kept(), 5 * kSize) << "too short";
  }
  const auto fits = memory.take(3 * kSize);
  EXPECT_EQ(memory.kept(), 5 * kSize) << "of the two that fit the one used last";
}

TEST(SpareMemory, KeepsWhatWasUsedLast) {
  SpareMemory memory(3 * kSize);
  std::optional<SpareMemory::Piece> pieces[3];
  const char* address[3];
  for (int i = 0; i < 3; ++i)
    address[i] = pieces[i].emplace(memory.take(kSize + static_cast<std::size_t>(i))).get();
  for (auto& piece : pieces) piece.reset();
  EXPECT_EQ(memory.kept(), 2 * kSize + 3) << "the first one no longer fits";
  EXPECT_EQ(memory.take(kSize).get(), address[2]);
}

TEST(SpareMemory, KeepsNeitherShortNorVeryLongPieces) {
  SpareMemory memory(3 * kSize);
  memory.take(0);
  memory.take(kSize - 1);
  memory.take(3 * kSize + 1);
  EXPECT_EQ(memory.kept(), 0u);
}

TEST(SpareMemory, FollowsAPieceThatMoves) {
  SpareMemory memory(3 * kSize);
  {
    SpareMemory::Piece piece = memory.take(kSize);
    const SpareMemory::Piece moved = std::move(piece);
    EXPECT_EQ(memory.kept(), 0u);
  }
  EXPECT_EQ(memory.kept(), kSize);
}

TEST(SpareMemory, GetsBackWhatIsReplaced) {
  SpareMemory memory(9 * kSize);
  SpareMemory::Piece piece = memory.take(kSize);
  piece = memory.take(5 * kSize);
  EXPECT_EQ(memory.kept(), kSize);
}

}  // namespace
}  // namespace wan
