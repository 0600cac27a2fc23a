// SPDX-License-Identifier: BSD-3-Clause
// main() of the long property tests. Each of them states its number of cases; RC_PARAMS="max_success=N
// seed=S" sets another number and the seed.
#pragma once

namespace wan {

/// Cases of each property, unless RC_PARAMS says otherwise.
extern const int kCases;

}  // namespace wan
