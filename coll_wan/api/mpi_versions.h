// SPDX-License-Identifier: BSD-3-Clause
// What versions of MPI call by different names: libwan_multicast goes with any of them. Threads: as MPI.
// Tested by: tests/mpi/multicast_test.sh and tests/mpi/mpich_test.sh, with MPI 3.1, 4.0 and 5.0.
#pragma once

#include <mpi.h>

#include <optional>
#include <string>

namespace wan::multicast {

/// Bytes of data in one element.
inline int get_size(MPI_Datatype type, MPI_Count& size) {
#if MPI_VERSION >= 5
  return MPI_Type_size_c(type, &size);
#else
  return MPI_Type_size_x(type, &size);
#endif
}

inline void set_bytes(MPI_Status* status, MPI_Count bytes) {
#if MPI_VERSION >= 5
  MPI_Status_set_elements_c(status, MPI_BYTE, bytes);
#else
  MPI_Status_set_elements_x(status, MPI_BYTE, bytes);
#endif
}

/// What `info` has of `key`.
inline std::optional<std::string> value_of(MPI_Info info, const char* key) {
  char value[MPI_MAX_INFO_VAL + 1] = "";
  int found = 0;
#if MPI_VERSION >= 4
  int size = sizeof value;
  MPI_Info_get_string(info, key, &size, value, &found);
#else
  MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &found);
#endif
  return found != 0 ? std::optional<std::string>(value) : std::nullopt;
}

}  // namespace wan::multicast
