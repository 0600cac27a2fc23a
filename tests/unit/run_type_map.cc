// SPDX-License-Identifier: BSD-3-Clause
// Type maps against a list of single bytes, for random blocks and for those of vectors and subarrays; any
// range of the packed form. Seeded by RapidCheck.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <numeric>
#include <vector>

#include "run/type_map.h"

namespace wan {
namespace {

struct Block {
  std::ptrdiff_t offset;
  Count length;
};

TypeMap map_of(const std::vector<Block>& blocks) {
  TypeMap map;
  for (const Block& block : blocks) map.append(block.offset, block.length);
  map.finish();
  return map;
}

/// The offset of each packed byte.
std::vector<std::ptrdiff_t> bytes_of(const std::vector<Block>& blocks) {
  std::vector<std::ptrdiff_t> offsets;
  for (const Block& block : blocks)
    for (Count i = 0; i < block.length; ++i) offsets.push_back(block.offset + static_cast<std::ptrdiff_t>(i));
  return offsets;
}

std::vector<std::ptrdiff_t> visited(const TypeMap& map, Count begin, Count end) {
  std::vector<std::ptrdiff_t> offsets;
  map.visit(begin, end, [&](const BlockRun& run) {
    for (Count i = 0; i < run.count; ++i)
      for (Count byte = 0; byte < run.length; ++byte)
        offsets.push_back(run.offset + static_cast<std::ptrdiff_t>(i) * run.stride +
                          static_cast<std::ptrdiff_t>(byte));
  });
  return offsets;
}

void check(const std::vector<Block>& blocks) {
  const TypeMap map = map_of(blocks);
  const auto all = bytes_of(blocks);
  RC_ASSERT(map.size() == std::ssize(all));
  const Count begin = *rc::gen::inRange<Count>(0, map.size() + 1);
  const Count end = *rc::gen::inRange<Count>(begin, map.size() + 1);
  const std::vector<std::ptrdiff_t> expected(all.begin() + begin, all.begin() + end);
  RC_ASSERT(visited(map, begin, end) == expected);
}

/// Blocks of few lengths at few distances, so that some form runs; also before the element's address.
rc::Gen<std::vector<Block>> random_blocks() {
  const auto length = rc::gen::element<Count>(0, 1, 3, 4, 8);
  const auto block = rc::gen::construct<Block>(rc::gen::inRange<std::ptrdiff_t>(-3, 30), length);
  return rc::gen::map(rc::gen::container<std::vector<Block>>(block), [](std::vector<Block> blocks) {
    for (Block& each : blocks) each.offset *= 4;
    return blocks;
  });
}

/// Rows of planes of a box inside a larger one.
std::vector<Block> subarray(int planes, int rows, Count row, std::ptrdiff_t row_distance,
                            std::ptrdiff_t plane_distance) {
  std::vector<Block> blocks;
  for (int plane = 0; plane < planes; ++plane)
    for (int i = 0; i < rows; ++i) blocks.push_back({plane * plane_distance + i * row_distance, row});
  return blocks;
}

TEST(TypeMaps, CoverWhatTheBlocksDo) {
  EXPECT_TRUE(rc::check([] { check(*random_blocks()); }));
}

TEST(TypeMaps, CoverWhatSubarraysDo) {
  EXPECT_TRUE(rc::check([] {
    const auto number = rc::gen::inRange(1, 5);
    check(subarray(*number, *number, *rc::gen::inRange<Count>(1, 9), *rc::gen::inRange(9, 20),
                   *rc::gen::inRange(40, 120)));
  }));
}

TEST(TypeMaps, TakeOneEntryForASubarrayOfThreeDimensions) {
  const TypeMap map = map_of(subarray(100, 100, 8, 16, 2'000));
  EXPECT_EQ(map.entries(), 1U);
  EXPECT_EQ(map.size(), 80'000);
}

TEST(TypeMaps, JoinBlocksThatTouch) {
  EXPECT_EQ(map_of({{0, 4}, {4, 4}, {8, 100}}).entries(), 1U);
}

TEST(TypeMaps, MayBeEmpty) {
  EXPECT_EQ(map_of({}).size(), 0);
  EXPECT_TRUE(visited(map_of({{4, 0}}), 0, 0).empty());
}

TEST(Runs, AreGatheredAndScattered) {
  EXPECT_TRUE(rc::check([] {
    const Count length = *rc::gen::inRange<Count>(1, 20), count = *rc::gen::inRange<Count>(1, 9);
    const BlockRun run{3, length, count, static_cast<std::ptrdiff_t>(length) + 2};
    std::vector<char> memory(static_cast<std::size_t>(3 + count * (length + 2)));
    std::iota(memory.begin(), memory.end(), char{1});
    std::vector<char> packed(static_cast<std::size_t>(length * count)), copy(memory.size(), 0);
    RC_ASSERT(gather(run, memory.data(), packed.data()) == length * count);
    RC_ASSERT(scatter(run, packed.data(), copy.data()) == length * count);
    for (std::size_t i = 0; i < memory.size(); ++i) {
      const auto at = static_cast<Count>(i) - 3;
      const bool covered = at >= 0 && at % (length + 2) < length && at / (length + 2) < count;
      RC_ASSERT(copy[i] == (covered ? memory[i] : 0));
      if (covered)
        RC_ASSERT(packed[static_cast<std::size_t>(at / (length + 2) * length + at % (length + 2))] ==
                  memory[i]);
    }
  }));
}

}  // namespace
}  // namespace wan
