// SPDX-License-Identifier: BSD-3-Clause
#include "bench/apps/sums.h"

#include <cmath>
#include <vector>

#include "bench/apps/harness.h"
#include "bench/common/random.h"

namespace wan::bench {
namespace {

constexpr std::size_t kChunk = 4096;  ///< elements
constexpr double kTolerance = 1e-6;   ///< relative to the sum of absolute values

/// Of each chunk: the sum with signs, the sum of absolute values.
std::vector<double> chunk_sums(std::span<const float> values) {
  std::vector<double> sums(2 * ((values.size() + kChunk - 1) / kChunk));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = values[i];
    sums[2 * (i / kChunk)] += (mixed(i, 0, 0) & 1) ? value : -value;
    sums[2 * (i / kChunk) + 1] += std::abs(value);
  }
  return sums;
}

/// The sum over all ranks, from rank 0 and on every rank.
std::vector<double> add_at_rank_zero(std::vector<double> own) {
  const int count = static_cast<int>(own.size());
  if (my_rank() != 0) {
    MPI_Send(own.data(), count, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    MPI_Recv(own.data(), count, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return own;
  }
  std::vector<double> other(own.size());
  for (Rank from = 1; from < number_of_ranks(); ++from) {
    MPI_Recv(other.data(), count, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (std::size_t i = 0; i < own.size(); ++i) own[i] += other[i];
  }
  for (Rank to = 1; to < number_of_ranks(); ++to)
    MPI_Send(own.data(), count, MPI_DOUBLE, to, 0, MPI_COMM_WORLD);
  return own;
}

}  // namespace

bool is_sum(std::span<const float> total, std::span<const float> own) {
  const std::vector<double> found = chunk_sums(total), right = add_at_rank_zero(chunk_sums(own));
  for (std::size_t i = 0; i < found.size(); i += 2) {
    if (!(std::abs(found[i] - right[i]) <= kTolerance * right[i + 1])) return false;
  }
  return true;
}

}  // namespace wan::bench
