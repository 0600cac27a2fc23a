// SPDX-License-Identifier: BSD-3-Clause
// Intercommunicators whose groups did not start together or do not know each other: MPI_Comm_spawn, and
// MPI_Comm_accept with MPI_Comm_connect. Each carries collectives of every kind, in both directions, several
// at a time, and becomes one communicator.
//   mpi_dynamic [--rounds N] [SPAWNER]...     SPAWNER: a command, with arguments, that starts a program
// Invariant: both groups make the same calls in the same order. Threads: one. Tested by: stock Open MPI (must
// pass).
#include <mpi.h>

#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "session.h"

namespace mpitest {
namespace {

constexpr int kLong = 200'000;  // integers: several segments

/// One of two groups, and what it makes with the other.
class Group {
 public:
  /// side: 0 or 1, other than that of the other group.
  Group(Session& session, MPI_Comm inter, int side) : session_(session), inter_(inter), side_(side) {
    MPI_Comm_rank(inter, &rank_);
    MPI_Comm_size(inter, &size_);
    MPI_Comm_remote_size(inter, &others_);
  }

  void run(int rounds) {
    for (int round = 0; round < rounds; ++round) {
      session_.begin("round " + std::to_string(round));
      MPI_Barrier(inter_);
      broadcast(round % 2, 1 + round);
      broadcast(1 - round % 2, kLong);
      reduce(round % 2);
      all_to_all();
      sum();
      several();
    }
    merge();
    freed();
  }

 private:
  static int value(int side, int rank, int at) { return 100'000 * side + 1'000 * rank + at; }
  int mine(int at) const { return value(side_, rank_, at); }
  int theirs(int rank, int at) const { return value(1 - side_, rank, at); }
  int sum_of_theirs(int at) const {
    int sum = 0;
    for (int rank = 0; rank < others_; ++rank) sum += theirs(rank, at);
    return sum;
  }
  int size_of(int side) const { return side == side_ ? size_ : others_; }
  /// The argument of a rooted call whose root is the last process of a side.
  int root_on(int side) const {
    const int last = size_of(side) - 1;
    return side != side_ ? last : rank_ == last ? MPI_ROOT : MPI_PROC_NULL;
  }
  void check(bool holds, const char* what) { session_.check(holds, what); }

  std::vector<int> filled(int count) const {
    std::vector<int> values(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) values[static_cast<std::size_t>(i)] = mine(i);
    return values;
  }
  std::vector<int> broadcast_values(int side, int count) const {
    return root_on(side) == MPI_ROOT ? filled(count) : std::vector<int>(static_cast<std::size_t>(count), -1);
  }
  bool has_come(int side, const std::vector<int>& values) const {
    if (side == side_) return true;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i] != theirs(others_ - 1, static_cast<int>(i))) return false;
    return true;
  }
  void broadcast(int side, int count) {
    auto values = broadcast_values(side, count);
    MPI_Bcast(values.data(), count, MPI_INT, root_on(side), inter_);
    check(has_come(side, values), "MPI_Bcast");
  }
  void reduce(int side) {
    const std::vector<int> values = filled(5);
    std::vector<int> result(5, -1);
    MPI_Reduce(values.data(), result.data(), 5, MPI_INT, MPI_SUM, root_on(side), inter_);
    for (int i = 0; i < 5 && root_on(side) == MPI_ROOT; ++i)
      check(result[static_cast<std::size_t>(i)] == sum_of_theirs(i), "MPI_Reduce");
  }
  void all_to_all() {
    const std::vector<int> values = filled(others_);
    std::vector<int> result(static_cast<std::size_t>(others_), -1),
        all(static_cast<std::size_t>(others_), -1);
    MPI_Alltoall(values.data(), 1, MPI_INT, result.data(), 1, MPI_INT, inter_);
    MPI_Allgather(values.data(), 1, MPI_INT, all.data(), 1, MPI_INT, inter_);
    for (int rank = 0; rank < others_; ++rank) {
      check(result[static_cast<std::size_t>(rank)] == theirs(rank, rank_), "MPI_Alltoall");
      check(all[static_cast<std::size_t>(rank)] == theirs(rank, 0), "MPI_Allgather");
    }
  }
  void sum() {
    const std::vector<int> values = filled(kLong);
    std::vector<int> result(kLong, -1);
    MPI_Allreduce(values.data(), result.data(), kLong, MPI_INT, MPI_SUM, inter_);
    for (int i = 0; i < kLong; i += 997)
      check(result[static_cast<std::size_t>(i)] == sum_of_theirs(i), "MPI_Allreduce");
  }
  /// Broadcasts of both sides, long ones before short ones, all under way at once.
  void several() {
    constexpr int kNumber = 6;
    std::vector<std::vector<int>> values;
    std::vector<MPI_Request> requests(kNumber);
    for (int i = 0; i < kNumber; ++i) values.push_back(broadcast_values(i / 2 % 2, i % 2 == 0 ? kLong : 3));
    for (int i = 0; i < kNumber; ++i) {
      auto& each = values[static_cast<std::size_t>(i)];
      MPI_Ibcast(each.data(), static_cast<int>(each.size()), MPI_INT, root_on(i / 2 % 2), inter_,
                 &requests[static_cast<std::size_t>(i)]);
    }
    MPI_Waitall(kNumber, requests.data(), MPI_STATUSES_IGNORE);
    for (int i = 0; i < kNumber; ++i)
      check(has_come(i / 2 % 2, values[static_cast<std::size_t>(i)]), "MPI_Ibcast");
  }
  /// A broadcast on a communicator that the user frees while it is under way.
  void freed() {
    session_.begin("freed");
    MPI_Comm copy;
    MPI_Comm_dup(inter_, &copy);
    auto values = broadcast_values(1, kLong);
    MPI_Request request;
    MPI_Ibcast(values.data(), kLong, MPI_INT, root_on(1), copy, &request);
    MPI_Comm_free(&copy);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(has_come(1, values), "MPI_Ibcast");
  }
  void merge() {
    session_.begin("merged");
    MPI_Comm merged;
    MPI_Intercomm_merge(inter_, side_, &merged);
    int number = 1, total = -1, rank = -1;
    MPI_Comm_rank(merged, &rank);
    MPI_Allreduce(&number, &total, 1, MPI_INT, MPI_SUM, merged);
    check(total == size_ + others_ && rank == (side_ == 0 ? rank_ : others_ + rank_), "MPI_Intercomm_merge");
    MPI_Comm_free(&merged);
  }

  Session& session_;
  MPI_Comm inter_;
  int side_, rank_ = 0, size_ = 0, others_ = 0;
};

struct Options {
  int rounds = 2;
  std::vector<std::string> spawner;
};

Options options_of(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--rounds" && i + 1 < argc)
      options.rounds = std::atoi(argv[++i]);
    else
      options.spawner.emplace_back(argv[i]);
  }
  return options;
}

/// As many processes as there are here, and one more.
void spawn(Session& session, const Options& options, const char* program) {
  session.begin("MPI_Comm_spawn");
  std::vector<std::string> words = options.spawner;
  words.insert(words.end(), {program, "--rounds", std::to_string(options.rounds)});
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  MPI_Comm children;
  MPI_Comm_spawn(arguments.front(), arguments.data() + 1, session.size() + 1, MPI_INFO_NULL, 0,
                 MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
  Group(session, children, 0).run(options.rounds);
  MPI_Comm_disconnect(&children);
}

/// Even and odd ranks, as if they were jobs that meet.
void meet(Session& session, const Options& options) {
  constexpr int kTag = 819;
  if (session.size() < 2) return;
  session.begin("MPI_Comm_connect");
  const int side = session.rank() % 2;
  MPI_Comm half, inter;
  MPI_Comm_split(MPI_COMM_WORLD, side, session.rank(), &half);
  char port[MPI_MAX_PORT_NAME] = "";
  if (session.rank() == 0) {
    MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Send(port, sizeof port, MPI_CHAR, 1, kTag, MPI_COMM_WORLD);
  } else if (session.rank() == 1) {
    MPI_Recv(port, sizeof port, MPI_CHAR, 0, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  side == 0 ? MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &inter)
            : MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, &inter);
  Group(session, inter, side).run(options.rounds);
  MPI_Comm_disconnect(&inter);
  if (session.rank() == 0) MPI_Close_port(port);
  MPI_Comm_free(&half);
}

int run_all(int argc, char** argv) {
  Session session(argc, argv);
  const Options options = options_of(argc, argv);
  MPI_Comm parents;
  MPI_Comm_get_parent(&parents);
  if (parents == MPI_COMM_NULL) {
    meet(session, options);
    spawn(session, options, argv[0]);
  } else {
    Group(session, parents, 1).run(options.rounds);
    MPI_Comm_disconnect(&parents);
  }
  return session.finish("mpi_dynamic");
}

}  // namespace
}  // namespace mpitest

int main(int argc, char** argv) {
  return mpitest::run_all(argc, argv);
}
