// SPDX-License-Identifier: BSD-3-Clause
// A process that enters a collective late, but lets MPI progress meanwhile, must not be made to store the
// whole message: its memory grows by no more than it is told to accept.
//   mpi_late [--mib N] [--most-mib N]
// N MiB are broadcast to, and reduced at, processes that are a second late; --most-mib is what their memory
// may grow by. Two processes. Threads: one. Tested by: the control of tests/mpi/run with a window as long as
// the message.
#include <mpi.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "memory.h"
#include "options.h"
#include "session.h"

namespace mpitest {
namespace {

constexpr std::int64_t kMebibyte = 1 << 20;

/// What the memory has grown by after a second in which messages may come.
std::int64_t growth_while_late() {
  const std::int64_t before = resident_bytes();
  for (int i = 0; i < 1000; ++i) {
    int flag = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    usleep(1000);
  }
  return resident_bytes() - before;
}

struct Limits {
  int elements;
  std::int64_t most_growth;
};

void be_late(Session& session, const Limits& limits) {
  const std::int64_t growth = growth_while_late();
  session.check(growth <= limits.most_growth,
                "memory grew by " + std::to_string(growth / kMebibyte) + " MiB");
}

void broadcast(Session& session, const Limits& limits) {
  session.begin("bcast to a late process");
  std::vector<int> data(static_cast<std::size_t>(limits.elements), session.rank() == 0 ? 7 : 1);
  MPI_Barrier(MPI_COMM_WORLD);
  if (session.rank() != 0) be_late(session, limits);
  MPI_Bcast(data.data(), limits.elements, MPI_INT, 0, MPI_COMM_WORLD);
  session.check(data.front() == 7 && data.back() == 7, "wrong data");
}

void reduce(Session& session, const Limits& limits) {
  session.begin("reduce at a late root");
  const std::vector<int> data(static_cast<std::size_t>(limits.elements), session.rank() + 1);
  std::vector<int> sum(data);
  MPI_Barrier(MPI_COMM_WORLD);
  if (session.rank() == 0) be_late(session, limits);
  MPI_Reduce(data.data(), sum.data(), limits.elements, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  const int expected = session.size() * (session.size() + 1) / 2;
  session.check(session.rank() != 0 || (sum.front() == expected && sum.back() == expected), "wrong data");
}

int run_all(int argc, char** argv) {
  const auto mib = static_cast<std::int64_t>(option(argc, argv, "--mib", 64));
  const auto most_mib = static_cast<std::int64_t>(option(argc, argv, "--most-mib", 12));
  const Limits limits{static_cast<int>(mib * kMebibyte / std::int64_t{sizeof(int)}), most_mib * kMebibyte};
  Session session(argc, argv);
  broadcast(session, limits);
  reduce(session, limits);
  return session.finish("mpi_late");
}

}  // namespace
}  // namespace mpitest

int main(int argc, char** argv) {
  return mpitest::run_all(argc, argv);
}
