// SPDX-License-Identifier: BSD-3-Clause
// The info keys that coll_wan takes from a communicator, whether they are there when it is made
// (MPI_Comm_dup_with_info, MPI_Dist_graph_create, ...) or come later (MPI_Comm_set_info, which is
// collective):
//   coll_wan_post_load      a whole number, 0 or more: what this process has to do when it has
//                           what it waits for
//   coll_wan_reproducible   true, false, 1 or 0
// A wrong value is ignored, so the one before it stands, and reported: by the communicator's first process,
// and once by each other process whose own it is (a load may differ from process to process). MPI_Comm_dup
// takes over no keys (MPI 4.0), nor does it here.
//
// Invariant: given() is equal on all ranks in calls of the same order, if they set the key in the same calls.
// Threads: the values from any. Tested by: tests/mpi/mpi_info.cc.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <string_view>

#include "base/types.h"
#include "mca/ompi.h"

namespace wan {

class InfoKeys {
 public:
  InfoKeys() = default;
  InfoKeys(const InfoKeys&) = delete;
  InfoKeys& operator=(const InfoKeys&) = delete;
  /// Later values are not heard: the communicator, which outlives its module, may still be told some.
  ~InfoKeys();

  /// Takes the values that `comm` has, and from now on those that it is given. Once.
  int follow(ompi_communicator_t* comm);

  std::optional<Count> post_load() const;
  std::optional<bool> reproducible() const;
  /// How often the key coll_wan_post_load has been given, wrong values included.
  int post_loads_given() const { return post_loads_given_; }

 private:
  static ompi::InfoText* heard(opal_infosubscriber_t* comm, ompi::InfoText* key,
                               ompi::InfoText* value) noexcept;
  /// Returns what stands of `key` after `value` has been given, nullptr if nothing does.
  ompi::InfoText* take(std::string_view key, ompi::InfoText* value);
  bool shall_complain(std::string_view key) const;

  static constexpr std::int64_t not_given = -1;
  ompi_communicator_t* comm_ = nullptr;
  std::atomic<std::int64_t> post_load_ = not_given, reproducible_ = not_given;
  std::atomic<int> post_loads_given_ = 0;
  std::string standing_;  ///< what take() returned last
};

}  // namespace wan
