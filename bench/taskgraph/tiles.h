// SPDX-License-Identifier: BSD-3-Clause
// What the tiled factorizations share: a square matrix in square tiles, dealt out block-cyclically to a grid
// of processes. A task changes one tile, its home, and runs where that is; the last task of a tile names it.
// Tested by bench/taskgraph/graphs_test.cc.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "bench/taskgraph/task.h"

namespace wan::bench {

/// Processes, row by row.
struct Grid {
  int rows = 1, columns = 1;
  int processes() const { return rows * columns; }
  int row_of(int process) const { return process / columns; }
  int column_of(int process) const { return process % columns; }
};

/// Column-major, rows x rows.
using Matrix = std::vector<double>;

class TileGraph : public Graph {
 public:
  /// For process `me` of the grid; size: rows of the matrix, tile: of a tile, but for the last ones.
  TileGraph(int size, int tile, Grid grid, int me);

  int processes() const override { return grid_.processes(); }
  int owner(const Task& task) const override { return owner_of_tile(task.row, task.column); }
  /// Tiles of earlier columns first, as panels wait for them.
  bool is_more_urgent(const Task& a, const Task& b) const override {
    return std::tie(a.column, a.step, a.row) < std::tie(b.column, b.step, b.row);
  }
  Task exit_task() const override { return {tiles_ - 1, tiles_ - 1, tiles_ - 1}; }
  std::vector<Task> entry_tasks() const override { return {Task{}}; }

  Grid grid() const { return grid_; }
  /// Rows of tiles.
  int tiles() const { return tiles_; }
  /// Of an output.
  virtual std::size_t values(const Name& name) const = 0;
  /// The outputs that more than one process may need, which are those of panels, in an order that all
  /// processes agree on and in which each comes after those that it depends on.
  std::vector<Name> broadcasts() const;

  /// Makes the tiles of this process, with the input of a round.
  void prepare(std::int64_t round);
  /// What this process has of the result.
  const std::vector<FinalDatum>& results() const { return results_; }
  /// How many there are on all processes.
  int result_count() const { return tiles_ * (tiles_ + 1) / 2; }
  /// How far the result of the last round, of which these are all parts, is from LAPACK's: Frobenius norm of
  /// the difference over that of LAPACK's, in units of epsilon x rows.
  double error(std::span<const FinalDatum> parts);

 protected:
  int size() const { return size_; }
  /// Rows (or columns) of the tiles in this row (or column).
  int extent(int tile_row) const;
  std::shared_ptr<Datum> new_datum(const Name& name) const {
    return std::make_shared<Datum>(name, values(name));
  }
  /// The home tile of a task of this process.
  const std::shared_ptr<Datum>& home(const Task& task) const { return home_.at({task.row, task.column}); }
  /// An output that is a part of the result.
  void keep(const FinalDatum& part);

  /// Does the factorization need the tile?
  virtual bool has_tile(int row, int column) const = 0;
  virtual double element(int row, int column, std::int64_t round) const = 0;
  /// Where a part of the result belongs.
  virtual void place(const Datum& part, Matrix& matrix) const = 0;
  /// LAPACK's result for a matrix, with zeros where it has none.
  virtual void factorize(Matrix& matrix) const = 0;
  /// What may differ between two correct results becomes the same.
  virtual void normalize(Matrix&) const {}

  std::size_t at(int row, int column) const {
    return static_cast<std::size_t>(row) + static_cast<std::size_t>(column) * static_cast<std::size_t>(size_);
  }
  /// Zeros above (or below) the diagonal.
  void clear_triangle(Matrix& matrix, bool (*is_cleared)(int row, int column)) const;
  int tile_size() const { return tile_; }

 private:
  int owner_of_tile(int row, int column) const {
    return row % grid_.rows * grid_.columns + column % grid_.columns;
  }
  const Matrix& reference();

  const int size_, tile_, tiles_;
  const Grid grid_;
  const int me_;
  std::int64_t round_ = 0;
  std::map<std::pair<int, int>, std::shared_ptr<Datum>> home_;
  std::mutex mutex_;  ///< of results_
  std::vector<FinalDatum> results_;
  std::optional<std::int64_t> reference_round_;
  Matrix reference_;
};

/// The factorization of this name: "cholesky" (the lower triangle) or "qr" (R).
std::unique_ptr<TileGraph> make_cholesky(int size, int tile, Grid grid, int me);
std::unique_ptr<TileGraph> make_qr(int size, int tile, Grid grid, int me);

/// Above this, error() says that the result is wrong. Of matrices with up to 160 rows the worst had 0.93, one
/// of three rows; those with 2,048 rows have less than 0.01.
inline constexpr double kLargestError = 10;

}  // namespace wan::bench
