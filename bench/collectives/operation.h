// SPDX-License-Identifier: BSD-3-Clause
// One cell as MPI runs it: the buffers, the call in its form, and whether the result is right. The
// contributions follow a formula of sender, receiver, position and round, so that every rank can tell the
// result by itself and a result left over from the round before is wrong.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/collectives/cell.h"
#include "bench/collectives/cell_call.h"
#include "bench/collectives/persistent.h"

namespace wan::bench {

/// The ranks of MPI_COMM_WORLD as they call the cells.
class Team {
 public:
  /// Collective over MPI_COMM_WORLD, whose size is even if there are groups.
  /// own_operator: what sums 8-byte elements is a function of ours, of which MPI does not know that it loses
  /// nothing.
  explicit Team(const Distribution& distribution = {}, bool own_operator = false);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  MPI_Comm comm() const { return comm_; }
  const Distribution& distribution() const { return distribution_; }
  Rank size() const { return size_; }
  MPI_Op sum() const { return sum_; }
  Rank world_rank() const { return world_rank_; }
  /// This rank, counted over both groups, the first one first.
  Rank me() const { return me_; }
  /// The ranks of its group, and those that it exchanges data with.
  RankInterval group() const { return group_of(me_, split_, size_); }
  RankInterval partners() const { return partners_of(me_, split_, size_); }
  /// The argument that names a rank of the first group, or of all, as the root.
  int root_argument(Rank root) const;

 private:
  Distribution distribution_;
  MPI_Comm comm_ = MPI_COMM_WORLD, half_ = MPI_COMM_NULL;
  MPI_Op sum_ = MPI_SUM;  ///< of 8-byte elements
  Rank world_rank_ = 0, me_ = 0, size_ = 1, split_ = 0;
};

class Operation {
 public:
  /// Allocates, and makes the request of a persistent form: collective over `team`, which must outlive it.
  Operation(const Cell& cell, const Team& team);
  ~Operation();
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;

  /// Writes this rank's contributions of a round.
  void fill(std::int64_t round);
  /// The collective from its call to its completion; work_ns: that this rank computes in between, where the
  /// form allows it.
  void run(Nanoseconds work_ns);
  /// True if this rank's result is that of the round.
  bool correct(std::int64_t round) const;

 private:
  void compute(Nanoseconds work_ns);
  std::int64_t elements(Bytes bytes) const { return bytes / element_bytes_; }
  void issue();
  template <class Blocking, class Nonblocking, class Init, class... Arguments>
  void issue_as(Blocking blocking, Nonblocking nonblocking, Init init, Arguments... arguments);
  /// What stands at an element of a buffer that has so many.
  struct Place {
    Rank block;
    std::int64_t position;
  };
  Place place_of(std::int64_t at, std::int64_t number) const;
  void store(std::vector<std::byte>& buffer, std::int64_t at, std::uint64_t value) const;
  std::uint64_t load(const std::vector<std::byte>& buffer, std::int64_t at) const;
  std::uint64_t expected(Rank block, std::int64_t position, std::int64_t round) const;
  /// What the contributions of these ranks combine to.
  std::uint64_t combined(const RankInterval& senders, Rank block, std::int64_t position,
                         std::int64_t round) const;
  bool has_result() const;

  Cell cell_;
  const Team& team_;
  MPI_Comm comm_;
  Rank me_;
  Bytes element_bytes_;  ///< 8, or 1 where the size is no multiple of 8
  MPI_Datatype type_;
  MPI_Op operator_;  ///< of reductions
  int count_;        ///< elements of this rank's block
  std::vector<std::byte> input_, output_;
  std::vector<int> counts_, displacements_, byte_displacements_;
  std::vector<MPI_Datatype> types_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace wan::bench
