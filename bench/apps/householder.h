// SPDX-License-Identifier: BSD-3-Clause
// A QR factorization as LAPACK leaves it, and whether it is one. No MPI here. Tested by
// bench/apps/apps_test.cc.
#pragma once

#include <string>
#include <vector>

namespace wan::bench {

/// Column-major: on and above the diagonal R, below it the Householder vectors, whose first element is 1; and
/// their factors.
struct Factors {
  int rows = 0, columns = 0;  ///< rows >= columns
  std::vector<double> a;      ///< rows x columns
  std::vector<double> tau;    ///< columns
};

/// Largest deviation of a reflection from an orthogonal one: of tau v.v from 2, or infinity where it is no
/// number.
double loss_of_orthogonality(const Factors& factors);

/// Q R, column-major.
std::vector<double> product(const Factors& factors);

}  // namespace wan::bench
