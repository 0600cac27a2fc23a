// SPDX-License-Identifier: BSD-3-Clause
// Tiled QR factorization with a flat tree (Buttari et al., LAPACK Working Note 191), of which R is the
// result. The task of tile (i, j) at step k: GEQRT (i = j = k), ORMQR (i = k), TSQRT (j = k), TSMQR (i, j >
// k). GEQRT and TSQRT have the reflections and their factors as output 0, and R so far, packed, as output 1,
// which goes down the column from task to task. Output 0 of ORMQR and TSMQR is the tile of row k, which goes
// down its column likewise.
#include <array>

#include "bench/common/random.h"
#include "bench/taskgraph/lapack.h"
#include "bench/taskgraph/tiles.h"

namespace wan::bench {
namespace {

constexpr int kBlock = 32;  ///< columns whose reflections are applied together
constexpr int kNoTrapezoid = 0;

class Qr : public TileGraph {
 public:
  using TileGraph::TileGraph;

  std::vector<Child> children(const Task& task) const override {
    const auto [i, j, k] = task;
    std::vector<Child> children;
    if (j == k)
      for (int column = k + 1; column < tiles(); ++column) children.push_back({{i, column, k}, 0});
    if (i + 1 < tiles()) children.push_back({{i + 1, j, k}, j == k ? 1 : 0});
    if (i > k && j > k) children.push_back({{i, j, k + 1}, kInPlace});
    return children;
  }
  int num_parents(const Task& task) const override {
    const auto [i, j, k] = task;
    return (k > 0 ? 1 : 0) + (i > k ? 1 : 0) + (j > k ? 1 : 0);
  }
  const char* kernel(const Task& task) const override {
    const auto [i, j, k] = task;
    if (i == k) return j == k ? "GEQRT" : "ORMQR";
    return j == k ? "TSQRT" : "TSMQR";
  }
  std::size_t values(const Name& name) const override {
    const auto [i, j, k] = name.task;
    const auto columns = static_cast<std::size_t>(extent(j)), rows = static_cast<std::size_t>(extent(i));
    if (name.output == 1) return columns * (columns + 1) / 2;
    if (j == k) return (rows + static_cast<std::size_t>(block(j))) * columns;
    return static_cast<std::size_t>(extent(k)) * columns;
  }

  std::vector<FinalDatum> execute(const Task& task, std::span<const FinalDatum> inputs) override {
    if (task.column == task.step) return factorize_panel(task, inputs);
    const auto [i, j, k] = task;
    // The reflections come from column k, the tile of row k from column j.
    const bool in_order = inputs[0]->name().task.column == k;
    const Datum& reflections = *inputs[in_order ? 0 : 1];
    const int rows = extent(i), columns = extent(j), depth = extent(k), inner = block(k);
    const double *v = reflections.values(), *t = v + rows * depth;
    std::vector<double> work(static_cast<std::size_t>(inner * columns));
    double* tile = home(task)->values();
    int info = 0;
    if (i == k) {
      dgemqrt_("L", "T", &rows, &columns, &depth, &inner, v, &rows, t, &inner, tile, &rows, work.data(),
               &info);
      return {home(task)};
    }
    const auto top = copy_of(*inputs[in_order ? 1 : 0], {task, 0});
    dtpmqrt_("L", "T", &rows, &columns, &depth, &kNoTrapezoid, &inner, v, &rows, t, &inner, top->values(),
             &depth, tile, &rows, work.data(), &info);
    if (i + 1 == tiles()) keep(top);
    return {top};
  }

 private:
  int block(int tile_column) const { return std::min(kBlock, extent(tile_column)); }
  std::shared_ptr<Datum> copy_of(const Datum& from, const Name& name) const {
    const auto copy = new_datum(name);
    std::copy_n(from.values(), from.size(), copy->values());
    return copy;
  }

  /// GEQRT, TSQRT.
  std::vector<FinalDatum> factorize_panel(const Task& task, std::span<const FinalDatum> inputs) {
    const int rows = extent(task.row), columns = extent(task.column), inner = block(task.column);
    double *v = home(task)->values(), *t = v + rows * columns;
    std::vector<double> work(static_cast<std::size_t>(inner * columns));
    const auto r = new_datum({task, 1});
    int info = 0;
    if (task.row == task.step) {
      dgeqrt_(&rows, &columns, &inner, v, &rows, t, &inner, work.data(), &info);
      dtrttp_("U", &columns, v, &rows, r->values(), &info);
    } else {
      std::vector<double> square(static_cast<std::size_t>(columns * columns));
      dtpttr_("U", &columns, inputs[0]->values(), square.data(), &columns, &info);
      dtpqrt_(&rows, &columns, &kNoTrapezoid, &inner, square.data(), &columns, v, &rows, t, &inner,
              work.data(), &info);
      dtrttp_("U", &columns, square.data(), &columns, r->values(), &info);
    }
    if (task.row + 1 == tiles()) keep(r);
    return {home(task), r};
  }

  bool has_tile(int, int) const override { return true; }
  double element(int row, int column, std::int64_t round) const override {
    return random_real(static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(column),
                       static_cast<std::uint64_t>(round));
  }
  /// A part's last task was in the last row of tiles; it is of the row of its step.
  void place(const Datum& part, Matrix& matrix) const override {
    const auto [task, output] = part.name();
    const double* value = part.values();
    for (int column = 0; column < extent(task.column); ++column)
      for (int row = 0; row < (output == 1 ? column + 1 : extent(task.step)); ++row)
        matrix[at(task.step * tile_size() + row, task.column * tile_size() + column)] = *value++;
  }
  void factorize(Matrix& matrix) const override {
    const int rows = size(), work_size = kBlock * rows;
    std::vector<double> tau(static_cast<std::size_t>(rows)), work(static_cast<std::size_t>(work_size));
    int info = 0;
    dgeqrf_(&rows, &rows, matrix.data(), &rows, tau.data(), work.data(), &work_size, &info);
    clear_triangle(matrix, [](int row, int column) { return row > column; });
  }
  /// Positive diagonal: the signs of R's rows are not determined.
  void normalize(Matrix& matrix) const override {
    for (int row = 0; row < size(); ++row)
      if (matrix[at(row, row)] < 0)
        for (int column = row; column < size(); ++column) matrix[at(row, column)] *= -1;
  }
};

}  // namespace

std::unique_ptr<TileGraph> make_qr(int size, int tile, Grid grid, int me) {
  return std::make_unique<Qr>(size, tile, grid, me);
}

}  // namespace wan::bench
