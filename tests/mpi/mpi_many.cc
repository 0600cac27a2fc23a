// SPDX-License-Identifier: BSD-3-Clause
// Thousands of collectives under way at once on one communicator, completed in the order in which they were
// issued, backwards, and by MPI_Waitall; and a persistent request that is freed while it is active, which is
// an error and leaves it as it was.
//   mpi_many [--calls N]
// Threads: one. Tested by: stock Open MPI (must pass, but for the freed request).
#include <mpi.h>

#include <string>
#include <vector>

#include "forms.h"
#include "options.h"
#include "session.h"

namespace mpitest {
namespace {

/// So many sums, broadcasts from a root each, and exchanges, which all processes can check.
class Many {
 public:
  Many(Session& session, std::size_t calls)
      : session_(session),
        size_(static_cast<std::size_t>(session.size())),
        requests_(3 * calls, MPI_REQUEST_NULL),
        told_(calls),
        sums_(calls, -1),
        broadcast_(calls),
        out_(calls * size_),
        in_(calls * size_, -1) {}

  void issue() {
    for (std::size_t i = 0; i < told_.size(); ++i) {
      const int root = static_cast<int>(i % size_), number = static_cast<int>(i);
      told_[i] = number + session_.rank();
      broadcast_[i] = session_.rank() == root ? 7 * number : -1;
      for (std::size_t rank = 0; rank < size_; ++rank)
        out_[i * size_ + rank] = number + 1000 * session_.rank() + static_cast<int>(rank);
      MPI_Iallreduce(&told_[i], &sums_[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests_[3 * i]);
      MPI_Ibcast(&broadcast_[i], 1, MPI_INT, root, MPI_COMM_WORLD, &requests_[3 * i + 1]);
      MPI_Ialltoall(&out_[i * size_], 1, MPI_INT, &in_[i * size_], 1, MPI_INT, MPI_COMM_WORLD,
                    &requests_[3 * i + 2]);
    }
  }
  void complete(int way) {
    if (way == 0) MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    for (std::size_t i = 0; i < requests_.size(); ++i)
      MPI_Wait(&requests_[way == 1 ? i : requests_.size() - 1 - i], MPI_STATUS_IGNORE);
  }
  void check() {
    const int size = session_.size();
    for (std::size_t i = 0; i < told_.size(); ++i) {
      const int number = static_cast<int>(i);
      session_.check(sums_[i] == size * number + size * (size - 1) / 2, "wrong sum " + std::to_string(i));
      session_.check(broadcast_[i] == 7 * number, "wrong broadcast " + std::to_string(i));
      for (int rank = 0; rank < size; ++rank)
        session_.check(
            in_[i * size_ + static_cast<std::size_t>(rank)] == number + 1000 * rank + session_.rank(),
            "wrong exchange " + std::to_string(i));
    }
  }

 private:
  Session& session_;
  std::size_t size_;
  std::vector<MPI_Request> requests_;
  std::vector<int> told_, sums_, broadcast_, out_, in_;
};

/// The last process enters late, so that the others' calls are active.
void free_active(Session& session) {
  session.begin("a request freed while it is active");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const bool is_last = session.rank() == session.size() - 1;
  int one = 1, sum = 0;
  MPI_Request request;
  issue(Form::kPersistent, &request, MPITEST_FORMS(Allreduce, allreduce), &one, &sum, 1, MPI_INT, MPI_SUM,
        MPI_COMM_WORLD);
  if (is_last)
    for (int rank = 0; rank + 1 < session.size(); ++rank)
      MPI_Recv(nullptr, 0, MPI_BYTE, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Start(&request);
  if (!is_last) {
    MPI_Request same = request;
    session.check(MPI_Request_free(&same) != MPI_SUCCESS, "an active request can be freed");
    MPI_Send(nullptr, 0, MPI_BYTE, session.size() - 1, 1, MPI_COMM_WORLD);
  }
  session.check(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS && sum == session.size(), "wrong sum");
  session.check(MPI_Request_free(&request) == MPI_SUCCESS, "an inactive request cannot be freed");
}

int run_all(int argc, char** argv) {
  const auto calls = static_cast<std::size_t>(option(argc, argv, "--calls", 2000));
  Session session(argc, argv);
  const char* const ways[] = {"by MPI_Waitall", "in order", "backwards"};
  for (int way = 0; way < 3; ++way) {
    session.begin(std::to_string(3 * calls) + " at once, completed " + ways[way]);
    Many many(session, calls);
    many.issue();
    many.complete(way);
    many.check();
  }
  if (session.size() > 1) free_active(session);
  return session.finish("mpi_many");
}

}  // namespace
}  // namespace mpitest

int main(int argc, char** argv) {
  return mpitest::run_all(argc, argv);
}
