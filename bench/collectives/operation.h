// SPDX-License-Identifier: BSD-3-Clause
// One cell as MPI runs it: the buffers, the call in its form, and whether the result is right. The
// contributions follow a formula of sender, receiver, position and round, so that every rank can tell the
// result by itself and a result left over from the round before is wrong.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/collectives/cell.h"
#include "bench/collectives/persistent.h"

namespace wan::bench {

class Operation {
 public:
  /// Allocates, and makes the request of a persistent form: collective over `comm`.
  Operation(const Cell& cell, MPI_Comm comm);
  ~Operation();
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;

  /// Writes this rank's contributions of a round.
  void fill(std::int64_t round);
  /// The collective from its call to its completion; work_ns: that this rank computes in between, where the form allows it.
  void run(Nanoseconds work_ns);
  /// True if this rank's result is that of the round.
  bool correct(std::int64_t round) const;

 private:
  void compute(Nanoseconds work_ns);
  std::int64_t elements(Bytes bytes) const { return bytes / element_bytes_; }
  void issue();
  template <class Blocking, class Nonblocking, class Init, class... Arguments>
  void issue_as(Blocking blocking, Nonblocking nonblocking, Init init, Arguments... arguments);
  void store(std::vector<std::byte>& buffer, std::int64_t at, std::uint64_t value) const;
  std::uint64_t load(const std::vector<std::byte>& buffer, std::int64_t at) const;
  std::uint64_t expected(Rank block, std::int64_t position, std::int64_t round) const;
  /// What the contributions of the ranks below `senders` combine to.
  std::uint64_t combined(Rank senders, Rank block, std::int64_t position, std::int64_t round) const;
  bool has_result() const;

  Cell cell_;
  MPI_Comm comm_;
  Rank me_ = 0, size_ = 1;
  Bytes element_bytes_;  ///< 8, or 1 where the size is no multiple of 8
  MPI_Datatype type_;
  MPI_Op operator_;  ///< of reductions
  int count_;        ///< elements of a block
  std::vector<std::byte> input_, output_;
  std::vector<int> counts_, displacements_, byte_displacements_;
  std::vector<MPI_Datatype> types_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace wan::bench
