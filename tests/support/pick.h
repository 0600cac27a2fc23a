// SPDX-License-Identifier: BSD-3-Clause
// Numbers for the random cases of properties.
#pragma once

#include <rapidcheck.h>

namespace wan {

/// Uniform over from..to, whatever the size RapidCheck has come to.
inline int pick(int from, int to) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(from, to + 1));
}

/// Of from..to, and near `from` as long as RapidCheck's size is small.
inline int pick_by_size(int from, int to) {
  return *rc::gen::inRange(from, to + 1);
}

}  // namespace wan
