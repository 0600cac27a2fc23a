// SPDX-License-Identifier: BSD-3-Clause
#include "api/lost_processes.h"

#include <numeric>

#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#if defined(OMPI_HAVE_MPI_EXT_FTMPI) && OMPI_HAVE_MPI_EXT_FTMPI
#define WAN_KNOWS_LOSSES 1
#endif

namespace wan::multicast {

#ifdef WAN_KNOWS_LOSSES

std::vector<int> LostProcesses::take_new() {
  constexpr std::chrono::milliseconds kPause{5};
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return {};
  next_ = now + kPause;
  MPI_Group lost = MPI_GROUP_NULL, all = MPI_GROUP_NULL;
  MPIX_Comm_failure_ack(comm_);
  MPIX_Comm_failure_get_acked(comm_, &lost);
  int size = 0;
  MPI_Group_size(lost, &size);
  std::vector<int> ranks;
  if (size > known_) {
    // The group may be in another order than before.
    std::vector<int> places(static_cast<std::size_t>(size));
    std::iota(places.begin(), places.end(), 0);
    ranks.resize(places.size());
    MPI_Comm_group(comm_, &all);
    MPI_Group_translate_ranks(lost, size, places.data(), all, ranks.data());
    MPI_Group_free(&all);
    known_ = size;
  }
  MPI_Group_free(&lost);
  return ranks;
}

bool LostProcesses::is_loss(int error) {
  int kind = MPI_SUCCESS;
  if (error != MPI_SUCCESS) MPI_Error_class(error, &kind);
  return kind == MPIX_ERR_PROC_FAILED || kind == MPIX_ERR_PROC_FAILED_PENDING;
}

int LostProcesses::error() {
  return MPIX_ERR_PROC_FAILED;
}

int LostProcesses::agree(int* all, MPI_Request* request) const {
  return MPIX_Comm_iagree(comm_, all, request);
}

#else

std::vector<int> LostProcesses::take_new() {
  return {};
}

bool LostProcesses::is_loss(int) {
  return false;
}

int LostProcesses::error() {
  return MPI_ERR_OTHER;
}

int LostProcesses::agree(int*, MPI_Request* request) const {
  return MPI_Ibarrier(comm_, request);
}

#endif

}  // namespace wan::multicast
