// SPDX-License-Identifier: BSD-3-Clause
// Tiled Cholesky factorization, lower triangle, right-looking (Buttari et al., LAPACK Working Note 191). The
// task of tile (i, j) at step k: POTRF (i = j = k), TRSM (j = k), SYRK (i = j > k), GEMM (i > j > k).
#include "bench/common/random.h"
#include "bench/taskgraph/lapack.h"
#include "bench/taskgraph/tiles.h"

namespace wan::bench {
namespace {

constexpr double kOne = 1, kMinusOne = -1;

class Cholesky : public TileGraph {
 public:
  using TileGraph::TileGraph;

  std::vector<Child> children(const Task& task) const override {
    const auto [i, j, k] = task;
    if (j > k) return {{{i, j, k + 1}, kInPlace}};
    std::vector<Child> children;
    if (i == k) {
      for (int row = k + 1; row < tiles(); ++row) children.push_back({{row, k, k}, 0});
      return children;
    }
    for (int column = k + 1; column <= i; ++column) children.push_back({{i, column, k}, 0});
    for (int row = i + 1; row < tiles(); ++row) children.push_back({{row, i, k}, 0});
    return children;
  }
  int num_parents(const Task& task) const override {
    const auto [i, j, k] = task;
    const int in_place = k > 0 ? 1 : 0;
    if (j == k) return in_place + (i == k ? 0 : 1);
    return in_place + (i == j ? 1 : 2);
  }
  const char* kernel(const Task& task) const override {
    const auto [i, j, k] = task;
    if (j == k) return i == k ? "POTRF" : "TRSM";
    return i == j ? "SYRK" : "GEMM";
  }
  std::size_t values(const Name& name) const override {
    return static_cast<std::size_t>(extent(name.task.row)) *
           static_cast<std::size_t>(extent(name.task.column));
  }

  std::vector<FinalDatum> execute(const Task& task, std::span<const FinalDatum> inputs) override {
    const auto [i, j, k] = task;
    const auto& tile = home(task);
    double* c = tile->values();
    const int rows = extent(i), columns = extent(j), depth = extent(k);
    int info = 0;  // of a matrix that is not positive definite the result is wrong, which is found later
    if (i == k) {
      dpotrf_("L", &rows, c, &rows, &info);
    } else if (j == k) {
      dtrsm_("R", "L", "T", "N", &rows, &columns, &kOne, inputs[0]->values(), &columns, c, &rows);
    } else if (i == j) {
      dsyrk_("L", "N", &rows, &depth, &kMinusOne, inputs[0]->values(), &rows, &kOne, c, &rows);
    } else {
      const bool in_order = inputs[0]->name().task.row == i;
      const Datum &left = *inputs[in_order ? 0 : 1], &right = *inputs[in_order ? 1 : 0];
      dgemm_("N", "T", &rows, &columns, &depth, &kMinusOne, left.values(), &rows, right.values(), &columns,
             &kOne, c, &rows);
    }
    if (j > k) return {};
    keep(tile);
    return {tile};
  }

 private:
  bool has_tile(int row, int column) const override { return row >= column; }
  double element(int row, int column, std::int64_t round) const override {
    const auto low = static_cast<std::uint64_t>(std::min(row, column)),
               high = static_cast<std::uint64_t>(std::max(row, column));
    return random_real(low, high, static_cast<std::uint64_t>(round)) + (row == column ? size() : 0);
  }
  void place(const Datum& part, Matrix& matrix) const override {
    const auto [i, j, k] = part.name().task;
    const double* value = part.values();
    for (int column = 0; column < extent(j); ++column)
      for (int row = 0; row < extent(i); ++row, ++value)
        if (i > j || row >= column) matrix[at(i * tile_size() + row, j * tile_size() + column)] = *value;
  }
  void factorize(Matrix& matrix) const override {
    const int rows = size();
    int info = 0;
    dpotrf_("L", &rows, matrix.data(), &rows, &info);
    clear_triangle(matrix, [](int row, int column) { return row < column; });
  }
};

}  // namespace

std::unique_ptr<TileGraph> make_cholesky(int size, int tile, Grid grid, int me) {
  return std::make_unique<Cholesky>(size, tile, grid, me);
}

}  // namespace wan::bench
