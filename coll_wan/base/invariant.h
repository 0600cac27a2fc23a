// SPDX-License-Identifier: BSD-3-Clause
// Broken invariants abort, in release builds too, and say what was broken and where.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <source_location>

namespace wan {

/// Aborts with `what` and the caller's position. A defect of coll_wan, never the answer to bad user input.
[[noreturn]] inline void broken(const char* what, std::source_location at = std::source_location::current()) {
  std::fprintf(stderr, "coll_wan: internal error: %s (%s:%u, %s)\n", what, at.file_name(),
               static_cast<unsigned>(at.line()), at.function_name());
  std::abort();
}

/// Aborts unless `holds`.
inline void invariant(bool holds, const char* what,
                      std::source_location at = std::source_location::current()) {
  if (!holds) [[unlikely]]
    broken(what, at);
}

}  // namespace wan
