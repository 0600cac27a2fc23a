// SPDX-License-Identifier: BSD-3-Clause
// Numeric options of a test program: "--NAME NUMBER" pairs. Threads: no state. Tested by: tests/mpi/run,
// which gives them.
#pragma once

#include <cstdint>
#include <string>

namespace mpitest {

/// The number after `name`, or `otherwise` if it is not given.
inline std::uint64_t option(int argc, char** argv, const std::string& name, std::uint64_t otherwise) {
  for (int i = 1; i + 1 < argc; i += 2)
    if (name == argv[i]) return std::stoull(argv[i + 1]);
  return otherwise;
}

}  // namespace mpitest
