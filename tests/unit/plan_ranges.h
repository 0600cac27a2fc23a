// SPDX-License-Identifier: BSD-3-Clause
// Ranges of buffers as the tests of plan/ write them down.
#pragma once

#include "plan/program.h"

namespace wan {

inline Range in(Count offset, Count length) {
  return {Buffer::input, offset, length};
}
inline Range out(Count offset, Count length) {
  return {Buffer::output, offset, length};
}

}  // namespace wan
