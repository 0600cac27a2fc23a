// SPDX-License-Identifier: BSD-3-Clause
// Communicators, and requests on one, that are made and freed many times: how the memory of the processes
// grows.
//   mpi_leaks KIND [--times N] [--warm-up N] [--most-bytes N]
// KIND is dup, split, used (dup with collectives on it), persistent (requests), cart (a ring whose neighbours
// exchange), intercomm, or hoard (dup, never freed: the control). Prints the largest resident memory of a
// process after 1, 10, 100, ... times, and by how many bytes a time it has grown after the first --warm-up
// times. With --most-bytes, more than that is a failure. Invariant: collectives give the right results
// meanwhile. Threads: one.
// Tested by: the kind hoard in tests/mpi/run; stock Open MPI runs the same.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <string>

#include "forms.h"
#include "memory.h"
#include "options.h"
#include "session.h"

namespace mpitest {
namespace {

constexpr int kTag = 915;
constexpr int kRenewal = 1000;  // times after which the alarm starts anew

/// Does once what is to be done many times; `time` counts from 1.
using Once = std::function<void(Session& session, int time)>;

int rank_of(MPI_Comm comm) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

/// A sum and a broadcast; every process knows what comes out.
void use(Session& session, MPI_Comm comm, int time) {
  int size, sum = 0, told = rank_of(comm) == 0 ? time : -1;
  MPI_Comm_size(comm, &size);
  MPI_Allreduce(&time, &sum, 1, MPI_INT, MPI_SUM, comm);
  MPI_Bcast(&told, 1, MPI_INT, 0, comm);
  session.check(sum == size * time && told == time, "wrong results");
}

void duplicate(Session&, int) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_free(&comm);
}

void hoard(Session&, int) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
}

/// Two halves, of even and of odd ranks.
void split(Session& session, int time) {
  MPI_Comm comm;
  MPI_Comm_split(MPI_COMM_WORLD, session.rank() % 2, time % 2 ? session.rank() : -session.rank(), &comm);
  MPI_Comm_free(&comm);
}

void duplicate_and_use(Session& session, int time) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  use(session, comm, time);
  MPI_Comm_free(&comm);
}

/// A request that is used twice.
void persist(Session& session, int time) {
  int sum = 0;
  MPI_Request request;
  issue(Form::kPersistent, &request, MPITEST_FORMS(Allreduce, allreduce), &time, &sum, 1, MPI_INT, MPI_SUM,
        MPI_COMM_WORLD);
  for (int start = 0; start < 2; ++start) {
    sum = 0;
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    session.check(sum == session.size() * time, "wrong sum");
  }
  MPI_Request_free(&request);
}

/// A ring, on which each process tells both neighbours its rank; every other time the call is under way when
/// the ring is freed.
void exchange_on_ring(Session& session, int time) {
  const int size = session.size(), periodic = 1;
  MPI_Comm ring;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
  const int told[2] = {session.rank(), session.rank()};
  int heard[2] = {-1, -1};
  MPI_Request request;
  if (time % 2 == 0)
    MPI_Neighbor_alltoall(told, 1, MPI_INT, heard, 1, MPI_INT, ring);
  else
    MPI_Ineighbor_alltoall(told, 1, MPI_INT, heard, 1, MPI_INT, ring, &request);
  MPI_Comm_free(&ring);
  if (time % 2 == 1) MPI_Wait(&request, MPI_STATUS_IGNORE);
  session.check(heard[0] == (session.rank() + size - 1) % size && heard[1] == (session.rank() + 1) % size,
                "wrong neighbours");
}

/// The lower half of MPI_COMM_WORLD and the rest.
class Halves {
 public:
  explicit Halves(const Session& session)
      : is_low_(session.rank() < session.size() / 2), low_(session.size() / 2) {
    MPI_Comm_split(MPI_COMM_WORLD, is_low_, session.rank(), &inside_);
  }
  ~Halves() { MPI_Comm_free(&inside_); }
  Halves(const Halves&) = delete;
  Halves& operator=(const Halves&) = delete;

  void meet(Session& session, int time) const {
    MPI_Comm comm;
    MPI_Intercomm_create(inside_, 0, MPI_COMM_WORLD, is_low_ ? low_ : 0, kTag, &comm);
    int sum = 0;
    MPI_Allreduce(&time, &sum, 1, MPI_INT, MPI_SUM, comm);
    session.check(sum == (is_low_ ? session.size() - low_ : low_) * time, "wrong sum over the other group");
    MPI_Comm_free(&comm);
  }

 private:
  bool is_low_;
  int low_;
  MPI_Comm inside_ = MPI_COMM_NULL;
};

/// The largest resident memory of a process, in bytes, on rank 0.
std::int64_t largest_memory(const Session& session) {
  std::int64_t largest = resident_bytes();
  if (session.rank() != 0) MPI_Send(&largest, 1, MPI_INT64_T, 0, kTag, MPI_COMM_WORLD);
  for (int r = 1; r < session.size() && session.rank() == 0; ++r) {
    std::int64_t theirs;
    MPI_Recv(&theirs, 1, MPI_INT64_T, r, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    largest = std::max(largest, theirs);
  }
  return largest;
}

bool is_power_of_ten(int time) {
  while (time % 10 == 0) time /= 10;
  return time == 1;
}

/// How often, and what is allowed: 0 where everything is.
struct Limits {
  int times, warm_up;
  std::int64_t most_bytes;
};

/// Does it so often; the growth a time, in bytes, on rank 0.
double growth(Session& session, const Once& once, const Limits& limits) {
  std::int64_t warm = 0, last = 0;
  for (int time = 1; time <= limits.times; ++time) {
    if (time % kRenewal == 0) session.stage("time " + std::to_string(time));
    once(session, time);
    const bool counts = time == limits.warm_up || time == limits.times;
    if (!counts && !is_power_of_ten(time)) continue;
    last = largest_memory(session);
    if (time == limits.warm_up) warm = last;
    if (session.rank() == 0) std::printf("after %d: %.1f MiB\n", time, static_cast<double>(last) / (1 << 20));
  }
  return static_cast<double>(last - warm) / (limits.times - limits.warm_up);
}

void run(Session& session, const std::string& kind, const Limits& limits) {
  const Halves halves(session);
  const std::map<std::string, Once> kinds = {
      {"dup", duplicate},
      {"split", split},
      {"used", duplicate_and_use},
      {"persistent", persist},
      {"cart", exchange_on_ring},
      {"hoard", hoard},
      {"intercomm", [&](Session& s, int time) { halves.meet(s, time); }}};
  session.begin(kind);
  const double bytes = growth(session, kinds.at(kind), limits);
  if (session.rank() != 0) return;
  std::printf("%s: grows by %.0f bytes a time\n", kind.c_str(), bytes);
  session.check(limits.most_bytes == 0 || bytes <= static_cast<double>(limits.most_bytes),
                "memory grew by " + std::to_string(static_cast<long>(bytes)) + " bytes a time");
}

int run_all(int argc, char** argv) {
  const Limits limits{static_cast<int>(option(argc - 1, argv + 1, "--times", 3000)),
                      static_cast<int>(option(argc - 1, argv + 1, "--warm-up", 1000)),
                      static_cast<std::int64_t>(option(argc - 1, argv + 1, "--most-bytes", 0))};
  Session session(argc, argv);
  run(session, argv[1], limits);
  return session.finish("mpi_leaks");
}

}  // namespace
}  // namespace mpitest

int main(int argc, char** argv) {
  return mpitest::run_all(argc, argv);
}
