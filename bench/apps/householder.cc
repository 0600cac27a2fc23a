// SPDX-License-Identifier: BSD-3-Clause
#include "bench/apps/householder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace wan::bench {
namespace {

std::span<const double> column_of(const Factors& factors, int column) {
  const auto rows = static_cast<std::size_t>(factors.rows);
  return std::span(factors.a).subspan(rows * static_cast<std::size_t>(column), rows);
}

/// The Householder vector of a column, from its 1 on.
std::vector<double> reflector(const Factors& factors, int column) {
  const auto from = column_of(factors, column).subspan(static_cast<std::size_t>(column));
  std::vector<double> v(from.begin(), from.end());
  v[0] = 1;
  return v;
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

double loss_of_orthogonality(const Factors& factors) {
  double worst = 0;
  for (int column = 0; column < factors.columns; ++column) {
    const std::vector<double> v = reflector(factors, column);
    const double tau = factors.tau[static_cast<std::size_t>(column)];
    const double loss = tau == 0 ? 0 : std::abs(tau * dot(v, v) - 2);
    worst = std::max(worst, std::isfinite(loss) ? loss : std::numeric_limits<double>::infinity());
  }
  return worst;
}

std::vector<double> product(const Factors& factors) {
  const auto rows = static_cast<std::size_t>(factors.rows);
  std::vector<double> b(rows * static_cast<std::size_t>(factors.columns));
  for (int column = 0; column < factors.columns; ++column) {
    const auto r = column_of(factors, column).first(static_cast<std::size_t>(column) + 1);
    std::ranges::copy(r, b.begin() + factors.rows * std::ptrdiff_t{column});
  }
  for (int k = factors.columns - 1; k >= 0; --k) {
    const std::vector<double> v = reflector(factors, k);
    for (int column = k; column < factors.columns; ++column) {
      const std::span<double> x = std::span(b).subspan(
          rows * static_cast<std::size_t>(column) + static_cast<std::size_t>(k), v.size());
      const double factor = factors.tau[static_cast<std::size_t>(k)] * dot(v, x);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] -= factor * v[i];
    }
  }
  return b;
}

}  // namespace wan::bench
