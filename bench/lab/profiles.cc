// SPDX-License-Identifier: BSD-3-Clause
#include "bench/lab/profiles.h"

#include <fmt/format.h>

#include <algorithm>

namespace wan::lab {
std::string SocketBuffer::text() const {
  return fmt::format("{} {} {}", least, first, largest);
}

SocketBuffer SocketBuffer::with_largest(int bytes) const {
  return {least, std::min(first, bytes), bytes};
}

}  // namespace wan::lab
