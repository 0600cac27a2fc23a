// SPDX-License-Identifier: BSD-3-Clause
#include "bench/ordering/pattern.h"

#include <algorithm>

#include "bench/common/random.h"

namespace wan::bench {
namespace {

constexpr Index kNone = -1;

std::uint64_t chance(Index a, Index b, std::uint64_t what, std::uint64_t of) {
  return mixed(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b), what) % of;
}

void finish(Pattern& pattern) {
  for (Index i = 0; i < pattern.size; ++i) pattern.nonzeros.push_back({i, i});
  std::ranges::sort(pattern.nonzeros);
  const auto doubles = std::ranges::unique(pattern.nonzeros);
  pattern.nonzeros.erase(doubles.begin(), doubles.end());
}

class Grid {
 public:
  Grid(Index width, Index height, Index depth) : width_(width), height_(height), depth_(depth) {
    for (Index cell = 0; cell < width * height * depth; ++cell)
      numbers_.push_back(chance(cell, width, 1, 12) == 0 ? kNone : points_++);
  }
  Index points() const { return points_; }
  /// Of the point there; kNone if it is left out or outside.
  Index number(Index x, Index y, Index z) const {
    if (x >= width_ || y >= height_ || z >= depth_) return kNone;
    return numbers_[static_cast<std::size_t>((z * height_ + y) * width_ + x)];
  }
  template <class Visit>
  void for_each_cell(Visit visit) const {
    for (Index z = 0; z < depth_; ++z)
      for (Index y = 0; y < height_; ++y)
        for (Index x = 0; x < width_; ++x) visit(x, y, z);
  }

 private:
  Index width_, height_, depth_, points_ = 0;
  std::vector<Index> numbers_;
};

}  // namespace

Pattern mesh(const std::string& name, Index width, Index height, Index depth) {
  const Grid grid(width, height, depth);
  Pattern pattern{name, grid.points(), {}};
  grid.for_each_cell([&](Index x, Index y, Index z) {
    const Index here = grid.number(x, y, z);
    const auto join = [&](Index there) {
      if (here != kNone && there != kNone)
        pattern.nonzeros.insert(pattern.nonzeros.end(), {{here, there}, {there, here}});
    };
    join(grid.number(x + 1, y, z));
    join(grid.number(x, y + 1, z));
    join(grid.number(x, y, z + 1));
    if (chance(x, y, 2 + static_cast<std::uint64_t>(z), 2) == 0)
      join(grid.number(x + 1, y + 1, depth > 1 ? z + 1 : z));
  });
  finish(pattern);
  return pattern;
}

Pattern rmat(const std::string& name, const RmatShape& shape) {
  Pattern pattern{name, Index{1} << shape.scale, {}};
  for (Index edge = 0; edge < pattern.size * shape.edges_of_a_node; ++edge) {
    Nonzero at;
    for (int level = 0; level < shape.scale; ++level) {
      const auto drawn = static_cast<int>(chance(edge, level, 3 + static_cast<std::uint64_t>(shape.a), 100));
      const bool is_upper = drawn < shape.a + shape.b,
                 is_left = drawn < shape.a || (!is_upper && drawn < shape.a + shape.b + shape.c);
      at = {2 * at.row + (is_upper ? 0 : 1), 2 * at.column + (is_left ? 0 : 1)};
    }
    pattern.nonzeros.push_back(at);
  }
  finish(pattern);
  return pattern;
}

std::vector<Pattern> patterns() {
  return {mesh("mesh-2d-square", 70, 70, 1),
          mesh("mesh-2d-strip", 400, 12, 1),
          mesh("mesh-3d-cube", 16, 16, 16),
          mesh("mesh-3d-slab", 32, 24, 5),
          mesh("mesh-3d-bar", 80, 7, 7),
          rmat("rmat-9-1", {9, 1, 57, 19, 19}),
          rmat("rmat-10-1", {10, 1, 57, 19, 19}),
          rmat("rmat-10-1-even", {10, 1, 40, 22, 22}),
          rmat("rmat-10-2-skew", {10, 2, 70, 15, 10}),
          rmat("rmat-11-1", {11, 1, 57, 19, 19})};
}

}  // namespace wan::bench
