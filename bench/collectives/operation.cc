// SPDX-License-Identifier: BSD-3-Clause
#include "bench/collectives/operation.h"

#include <algorithm>
#include <cstring>
#include <functional>

#include "base/invariant.h"
#include "bench/common/release.h"

namespace wan::bench {
namespace {

/// What `sender` contributes to block `block` at `position`. Linear in the sender, so that sums have a
/// formula.
std::uint64_t contribution(Rank sender, Rank block, std::int64_t position, std::int64_t round) {
  return 1'000'003ULL * static_cast<std::uint64_t>(sender) + 10'007ULL * static_cast<std::uint64_t>(block) +
         101ULL * static_cast<std::uint64_t>(position) + 13ULL * static_cast<std::uint64_t>(round) + 7;
}

/// The sum over the senders below `senders`, modulo 2^64.
std::uint64_t sum(Rank senders, Rank block, std::int64_t position, std::int64_t round) {
  const auto n = static_cast<std::uint64_t>(senders);
  return n * contribution(0, block, position, round) + 1'000'003ULL * (n * (n - 1) / 2);
}

std::uint64_t exclusive_or(Rank senders, Rank block, std::int64_t position, std::int64_t round) {
  std::uint64_t all = 0;
  for (Rank sender = 0; sender < senders; ++sender) all ^= contribution(sender, block, position, round);
  return all;
}

/// Sizes of the buffers come from the definition of a call.
BufferLengths lengths_of(const Cell& cell, const Team& team) {
  const auto [call, ranks] = call_of(cell, team.size(), team.distribution());
  const auto found = std::ranges::find(ranks, team.world_rank());
  if (found == ranks.end()) return {};  // of the root's group
  const auto rank = static_cast<Rank>(found - ranks.begin());
  BufferLengths lengths = buffer_lengths(call.view(rank), rank, call.size);
  lengths.input *= call.unit_bytes;
  lengths.output *= call.unit_bytes;
  return lengths;
}

void add_up(void* in, void* inout, int* length, MPI_Datatype*) {
  const std::span from(static_cast<const std::uint64_t*>(in), static_cast<std::size_t>(*length));
  std::transform(from.begin(), from.end(), static_cast<std::uint64_t*>(inout),
                 static_cast<std::uint64_t*>(inout), std::plus{});
}

}  // namespace

Team::Team(const Distribution& distribution, bool own_operator) : distribution_(distribution) {
  if (own_operator) MPI_Op_create(add_up, 1, &sum_);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  const std::vector<Rank> ranks = in_groups(distribution.grouping, size_);
  me_ = static_cast<Rank>(std::ranges::find(ranks, world_rank_) - ranks.begin());
  if (distribution.grouping == Grouping::none) return;
  constexpr int kTag = 1;
  split_ = size_ / 2;
  const bool is_first = me_ < split_;
  MPI_Comm_split(MPI_COMM_WORLD, is_first ? 0 : 1, me_, &half_);
  MPI_Intercomm_create(half_, 0, MPI_COMM_WORLD, ranks[static_cast<std::size_t>(is_first ? split_ : 0)], kTag,
                       &comm_);
}

Team::~Team() {
  if (sum_ != MPI_SUM) MPI_Op_free(&sum_);
  if (distribution_.grouping == Grouping::none) return;
  MPI_Comm_free(&comm_);
  MPI_Comm_free(&half_);
}

int Team::root_argument(Rank root) const {
  if (distribution_.grouping == Grouping::none || me_ >= split_) return root;
  return me_ == root ? MPI_ROOT : MPI_PROC_NULL;
}

Operation::Operation(const Cell& cell, const Team& team)
    : cell_(cell), team_(team), comm_(team.comm()), me_(team.me()) {
  element_bytes_ = cell.bytes % 8 == 0 ? 8 : 1;
  type_ = element_bytes_ == 8 ? MPI_UINT64_T : MPI_UINT8_T;
  operator_ =
      element_bytes_ == 8 ? team.sum() : MPI_BXOR;  // Open MPI's sums of bytes saturate on some processors
  const Count block = elements(cell.bytes);
  const bool is_vector = traits(cell.collective).vector, is_matrix = has_count_matrix(cell.collective);
  const auto count_of = [&](Rank rank) {
    return static_cast<int>(is_vector ? team.distribution().block_of(rank, block) : block);
  };
  count_ = count_of(me_);
  const BufferLengths lengths = lengths_of(cell, team);
  input_.resize(static_cast<std::size_t>(lengths.input));
  output_.resize(static_cast<std::size_t>(lengths.output));
  for (int rank = 0, at = 0; rank < team.partners().size(); at += counts_.back(), ++rank) {
    counts_.push_back(is_matrix && count_ == 0 ? 0 : count_of(rank));
    displacements_.push_back(at);
    byte_displacements_.push_back(at * static_cast<int>(element_bytes_));
    types_.push_back(type_);
  }
  if (cell.form == Form::persistent) issue();
}

Operation::~Operation() {
  if (request_ != MPI_REQUEST_NULL) MPI_Request_free(&request_);
}

/// Of a persistent form only the initialisation: run() starts it.
template <class Blocking, class Nonblocking, class Init, class... Arguments>
void Operation::issue_as(Blocking blocking, Nonblocking nonblocking, Init init, Arguments... arguments) {
  switch (cell_.form) {
    case Form::blocking:
      blocking(arguments..., comm_);
      break;
    case Form::nonblocking:
    case Form::overlapped:
      nonblocking(arguments..., comm_, &request_);
      break;
    case Form::persistent:
      init(arguments..., comm_, MPI_INFO_NULL, &request_);
      break;
  }
}

#define WAN_ISSUE(name, iname, ...) issue_as(MPI_##name, MPI_##iname, WAN_PERSISTENT(name), __VA_ARGS__)

void Operation::issue() {
  void* const in = input_.data();
  void* const out = output_.data();
  const int n = count_, root = team_.root_argument(cell_.root);
  const int *counts = counts_.data(), *at = displacements_.data(), *byte_at = byte_displacements_.data();
  const MPI_Datatype* types = types_.data();
  switch (cell_.collective) {
    case Collective::barrier:
      return issue_as(MPI_Barrier, MPI_Ibarrier, WAN_PERSISTENT(Barrier));
    case Collective::bcast:
      return WAN_ISSUE(Bcast, Ibcast, out, n, type_, root);
    case Collective::gather:
      return WAN_ISSUE(Gather, Igather, in, n, type_, out, n, type_, root);
    case Collective::gatherv:
      return WAN_ISSUE(Gatherv, Igatherv, in, n, type_, out, counts, at, type_, root);
    case Collective::scatter:
      return WAN_ISSUE(Scatter, Iscatter, in, n, type_, out, n, type_, root);
    case Collective::scatterv:
      return WAN_ISSUE(Scatterv, Iscatterv, in, counts, at, type_, out, n, type_, root);
    case Collective::allgather:
      return WAN_ISSUE(Allgather, Iallgather, in, n, type_, out, n, type_);
    case Collective::allgatherv:
      return WAN_ISSUE(Allgatherv, Iallgatherv, in, n, type_, out, counts, at, type_);
    case Collective::alltoall:
      return WAN_ISSUE(Alltoall, Ialltoall, in, n, type_, out, n, type_);
    case Collective::alltoallv:
      return WAN_ISSUE(Alltoallv, Ialltoallv, in, counts, at, type_, out, counts, at, type_);
    case Collective::alltoallw:
      return WAN_ISSUE(Alltoallw, Ialltoallw, in, counts, byte_at, types, out, counts, byte_at, types);
    case Collective::reduce:
      return WAN_ISSUE(Reduce, Ireduce, in, out, n, type_, operator_, root);
    case Collective::allreduce:
      return WAN_ISSUE(Allreduce, Iallreduce, in, out, n, type_, operator_);
    case Collective::reduce_scatter:
      return WAN_ISSUE(Reduce_scatter, Ireduce_scatter, in, out, counts, type_, operator_);
    case Collective::reduce_scatter_block:
      return WAN_ISSUE(Reduce_scatter_block, Ireduce_scatter_block, in, out, n, type_, operator_);
    case Collective::scan:
      return WAN_ISSUE(Scan, Iscan, in, out, n, type_, operator_);
    case Collective::exscan:
      return WAN_ISSUE(Exscan, Iexscan, in, out, n, type_, operator_);
  }
}

#undef WAN_ISSUE

/// A processor of one's own at work would be busy; here there are fewer processors than ranks, so they sleep.
/// MPI_Test now and then is what a program does that wants its communication to go on.
void Operation::compute(Nanoseconds work_ns) {
  constexpr Nanoseconds kTests = 50, kShortest = 100'000, kLongest = 500'000;
  const Nanoseconds slice = std::clamp(work_ns / kTests, kShortest, kLongest);
  const Nanoseconds end = now_ns() + work_ns;
  for (int done = 0; now_ns() < end;) {
    sleep_until(std::min(end, now_ns() + slice));
    if (!done) MPI_Test(&request_, &done, MPI_STATUS_IGNORE);
  }
}

void Operation::run(Nanoseconds work_ns) {
  if (cell_.form == Form::persistent) {
    MPI_Start(&request_);
  } else {
    issue();
  }
  compute(work_ns);
  if (cell_.form != Form::blocking) MPI_Wait(&request_, MPI_STATUS_IGNORE);
}

/// The own block, or all ranks' (of which rank 0 has one).
Operation::Place Operation::place_of(std::int64_t at, std::int64_t number) const {
  if (number == count_) return {0, at};
  if (!traits(cell_.collective).vector || team_.distribution().concentration == 1)
    return {static_cast<Rank>(at / count_), at % count_};
  const auto behind = std::ranges::upper_bound(displacements_, at);
  return {static_cast<Rank>(behind - displacements_.begin() - 1), at - *(behind - 1)};
}

void Operation::store(std::vector<std::byte>& buffer, std::int64_t at, std::uint64_t value) const {
  std::memcpy(buffer.data() + at * element_bytes_, &value, static_cast<std::size_t>(element_bytes_));
}

std::uint64_t Operation::load(const std::vector<std::byte>& buffer, std::int64_t at) const {
  std::uint64_t value = 0;
  std::memcpy(&value, buffer.data() + at * element_bytes_, static_cast<std::size_t>(element_bytes_));
  return value;
}

void Operation::fill(std::int64_t round) {
  std::vector<std::byte>& buffer = cell_.collective == Collective::bcast ? output_ : input_;
  if (cell_.collective == Collective::bcast && me_ != cell_.root) return;
  const std::int64_t number = elements(std::ssize(buffer));
  for (std::int64_t at = 0; at < number; ++at) {
    const Place place = place_of(at, number);
    store(buffer, at, contribution(me_, place.block, place.position, round));
  }
}

std::uint64_t Operation::combined(const RankInterval& senders, Rank block, std::int64_t position,
                                  std::int64_t round) const {
  if (element_bytes_ == 8)
    return sum(senders.end, block, position, round) - sum(senders.first, block, position, round);
  return exclusive_or(senders.end, block, position, round) ^
         exclusive_or(senders.first, block, position, round);
}

bool Operation::has_result() const {
  if (cell_.collective == Collective::exscan) return me_ != 0;
  return !output_.empty();
}

std::uint64_t Operation::expected(Rank block, std::int64_t position, std::int64_t round) const {
  const Rank sender = team_.partners().first + block, mine = me_ - team_.group().first;
  switch (cell_.collective) {
    case Collective::bcast:
      return contribution(cell_.root, 0, position, round);
    case Collective::scatter:
    case Collective::scatterv:
      return contribution(cell_.root, mine, position, round);
    case Collective::gather:
    case Collective::gatherv:
    case Collective::allgather:
    case Collective::allgatherv:
      return contribution(sender, 0, position, round);
    case Collective::alltoall:
    case Collective::alltoallv:
    case Collective::alltoallw:
      return contribution(sender, mine, position, round);
    case Collective::reduce:
    case Collective::allreduce:
      return combined(team_.partners(), 0, position, round);
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      return combined(team_.partners(), mine, position, round);
    case Collective::scan:
      return combined({0, me_ + 1}, 0, position, round);
    case Collective::exscan:
      return combined({0, me_}, 0, position, round);
    case Collective::barrier:
      break;
  }
  broken("a barrier has no result");
}

bool Operation::correct(std::int64_t round) const {
  if (!has_result()) return true;
  const std::uint64_t mask = element_bytes_ == 8 ? ~0ULL : 0xFFULL;
  const std::int64_t number = elements(std::ssize(output_));
  for (std::int64_t at = 0; at < number; ++at) {
    const Place place = place_of(at, number);
    const std::uint64_t right = expected(place.block, place.position, round);
    if (load(output_, at) != (right & mask)) return false;
  }
  return true;
}

}  // namespace wan::bench
