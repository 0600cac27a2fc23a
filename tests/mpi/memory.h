// SPDX-License-Identifier: BSD-3-Clause
// How much memory this process has. Threads: any. Tested by: the controls of mpi_late and mpi_leaks in
// tests/mpi/run.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdio>

namespace mpitest {

/// Resident memory of this process, bytes; -1 if the system does not tell.
inline std::int64_t resident_bytes() {
  long size = 0, pages = 0;
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  const bool is_read = file != nullptr && std::fscanf(file, "%ld %ld", &size, &pages) == 2;
  if (file != nullptr) std::fclose(file);
  return is_read ? static_cast<std::int64_t>(pages) * sysconf(_SC_PAGESIZE) : -1;
}

}  // namespace mpitest
