// SPDX-License-Identifier: BSD-3-Clause
// A receive for any tag from any process gets an application's message and none of those that collectives
// send meanwhile on the same communicator, however few bits the layer that carries them has for a tag. The
// application's messages have the lowest and the highest tag that MPI allows.
//   mpi_tags [--rounds N]
// Threads: one. Tested by: stock Open MPI (must pass).
#include <mpi.h>

#include <string>
#include <vector>

#include "options.h"
#include "session.h"

namespace mpitest {
namespace {

int highest_tag() {
  void* value = nullptr;
  int is_there = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &is_there);
  return *static_cast<int*>(value);
}

class Rounds {
 public:
  explicit Rounds(Session& session)
      : session_(session),
        size_(session.size()),
        own_(static_cast<std::size_t>(size_), session.rank() + 1),
        all_(own_.size()) {}

  void run(int number) {
    session_.begin("round " + std::to_string(number));
    const int tag = number % 2 == 0 ? 0 : highest_tag(), next = (session_.rank() + 1) % size_,
              previous = (session_.rank() + size_ - 1) % size_;
    int sent = 1000 * number + session_.rank(), received = -1, is_there = 0;
    MPI_Request any;
    MPI_Status status;
    MPI_Irecv(&received, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &any);
    MPI_Barrier(MPI_COMM_WORLD);  // all have posted theirs
    call_all();
    MPI_Test(&any, &is_there, &status);
    session_.check(is_there == 0, "a message of a collective was received as one of the application's");
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(&sent, 1, MPI_INT, next, tag, MPI_COMM_WORLD);
    if (is_there == 0) MPI_Wait(&any, &status);
    session_.check(
        status.MPI_TAG == tag && status.MPI_SOURCE == previous && received == 1000 * number + previous,
        "the message of the application went astray");
    MPI_Barrier(MPI_COMM_WORLD);  // nobody sends anything else before all have theirs
  }

 private:
  /// Checks that all_ holds what value_of(rank) says.
  template <class Value>
  void expect(const char* collective, Value value_of) {
    bool is_right = true;
    for (int rank = 0; rank < size_; ++rank)
      is_right &= all_[static_cast<std::size_t>(rank)] == value_of(rank);
    session_.check(is_right, std::string("wrong ") + collective);
    all_.assign(all_.size(), -1);
  }
  void expect(const char* collective, int value) {
    session_.check(all_[0] == value, std::string("wrong ") + collective);
    all_.assign(all_.size(), -1);
  }

  void call_all() {
    const MPI_Comm world = MPI_COMM_WORLD;
    const int me = session_.rank(), sum = size_ * (size_ + 1) / 2;
    const auto numbers = [](int rank) { return rank + 1; };
    MPI_Allgather(own_.data(), 1, MPI_INT, all_.data(), 1, MPI_INT, world);
    expect("allgather", numbers);
    MPI_Alltoall(own_.data(), 1, MPI_INT, all_.data(), 1, MPI_INT, world);
    expect("alltoall", numbers);
    MPI_Allreduce(own_.data(), all_.data(), 1, MPI_INT, MPI_SUM, world);
    expect("allreduce", sum);
    MPI_Reduce_scatter_block(own_.data(), all_.data(), 1, MPI_INT, MPI_SUM, world);
    expect("reduce_scatter_block", sum);
    MPI_Scan(own_.data(), all_.data(), 1, MPI_INT, MPI_SUM, world);
    expect("scan", (me + 1) * (me + 2) / 2);
    MPI_Exscan(own_.data(), all_.data(), 1, MPI_INT, MPI_SUM, world);
    if (me > 0) expect("exscan", me * (me + 1) / 2);
    for (int root = 0; root < size_; ++root) {
      MPI_Gather(own_.data(), 1, MPI_INT, all_.data(), 1, MPI_INT, root, world);
      if (me == root) expect("gather", numbers);
      MPI_Reduce(own_.data(), all_.data(), 1, MPI_INT, MPI_SUM, root, world);
      if (me == root) expect("reduce", sum);
      MPI_Scatter(own_.data(), 1, MPI_INT, all_.data(), 1, MPI_INT, root, world);
      expect("scatter", root + 1);
      all_[0] = me == root ? 7 * root : -1;
      MPI_Bcast(all_.data(), 1, MPI_INT, root, world);
      expect("bcast", 7 * root);
    }
  }

  Session& session_;
  int size_;
  std::vector<int> own_, all_;
};

int run_all(int argc, char** argv) {
  const auto rounds = static_cast<int>(option(argc, argv, "--rounds", 10));
  Session session(argc, argv);
  Rounds all(session);
  for (int number = 0; number < rounds; ++number) all.run(number);
  return session.finish("mpi_tags");
}

}  // namespace
}  // namespace mpitest

int main(int argc, char** argv) {
  return mpitest::run_all(argc, argv);
}
