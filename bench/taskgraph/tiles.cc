// SPDX-License-Identifier: BSD-3-Clause
#include "bench/taskgraph/tiles.h"

#include <cmath>
#include <limits>

#include "bench/taskgraph/lapack.h"

namespace wan::bench {

TileGraph::TileGraph(int size, int tile, Grid grid, int me)
    : size_(size), tile_(tile), tiles_((size + tile - 1) / tile), grid_(grid), me_(me) {
  openblas_set_num_threads(1);  // tasks run side by side
}

int TileGraph::extent(int tile_row) const {
  return std::min(tile_, size_ - tile_row * tile_);
}

std::vector<Name> TileGraph::broadcasts() const {
  std::vector<Name> names;
  for (int k = 0; k < tiles_; ++k)
    for (int row = k; row < tiles_; ++row) names.push_back({{row, k, k}, 0});
  return names;
}

void TileGraph::prepare(std::int64_t round) {
  round_ = round;
  results_.clear();
  home_.clear();
  for (int column = 0; column < tiles_; ++column)
    for (int row = 0; row < tiles_; ++row) {
      if (!has_tile(row, column) || owner_of_tile(row, column) != me_) continue;
      const auto tile = new_datum({{row, column, std::min(row, column)}, 0});
      double* value = tile->values();
      for (int j = 0; j < extent(column); ++j)
        for (int i = 0; i < extent(row); ++i) *value++ = element(row * tile_ + i, column * tile_ + j, round);
      home_[{row, column}] = tile;
    }
}

void TileGraph::keep(const FinalDatum& part) {
  const std::lock_guard lock(mutex_);
  results_.push_back(part);
}

void TileGraph::clear_triangle(Matrix& matrix, bool (*is_cleared)(int row, int column)) const {
  for (int j = 0; j < size_; ++j)
    for (int i = 0; i < size_; ++i)
      if (is_cleared(i, j)) matrix[at(i, j)] = 0;
}

const Matrix& TileGraph::reference() {
  if (reference_round_ == round_) return reference_;
  reference_.resize(static_cast<std::size_t>(size_) * static_cast<std::size_t>(size_));
  for (int j = 0; j < size_; ++j)
    for (int i = 0; i < size_; ++i) reference_[at(i, j)] = element(i, j, round_);
  factorize(reference_);
  normalize(reference_);
  reference_round_ = round_;
  return reference_;
}

double TileGraph::error(std::span<const FinalDatum> parts) {
  const Matrix& right = reference();
  Matrix found(right.size());
  for (const FinalDatum& part : parts) place(*part, found);
  normalize(found);
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    difference += (found[i] - right[i]) * (found[i] - right[i]);
    norm += right[i] * right[i];
  }
  const double error = std::sqrt(difference / norm) / (std::numeric_limits<double>::epsilon() * size_);
  return std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
}

}  // namespace wan::bench
