// SPDX-License-Identifier: BSD-3-Clause
// Collectives while there is no memory: all of C++'s allocations of a process, coll_wan's among them, fail
// for as long as a call lasts. The call says so and the process lives; the next one, with memory, is right. A
// persistent alltoallv, which asks other processes before it is planned, fails while it prepares to ask, and
// is right when it is started again.
//   mpi_memory
// The program is linked so that the component finds its operator new. Invariant: all processes are without
// memory in the same call. Threads: one.
#include <mpi.h>

#include <cstdlib>
#include <functional>
#include <limits>
#include <map>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "forms.h"
#include "session.h"

namespace {
constexpr long kUnlimited = std::numeric_limits<long>::max();
long left = kUnlimited;  ///< allocations until there is no memory
long refused = 0;

void* allocate(std::size_t bytes) {
  if (left > 0 && (left == kUnlimited || left-- > 0))
    if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  ++refused;
  throw std::bad_alloc();
}
}  // namespace

void* operator new(std::size_t bytes) {
  return allocate(bytes);
}
void* operator new[](std::size_t bytes) {
  return allocate(bytes);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace mpitest {
namespace {

constexpr int kCount = 5000;

/// Buffers and counts of one call: kCount elements a process, or a pair of them, the sender's rank and 1
/// each.
class Buffers {
 public:
  explicit Buffers(const Session& session)
      : size_(static_cast<std::size_t>(session.size())),
        send(size_ * kCount, session.rank() + 1),
        receive(size_ * kCount, 0),
        counts(size_, kCount) {
    for (std::size_t i = 0; i < size_; ++i) places.push_back(static_cast<int>(i) * kCount);
  }

 private:
  std::size_t size_;

 public:
  std::vector<int> send, receive, counts, places;
};

using Collective = std::function<int(Buffers&)>;

const std::map<std::string, Collective>& collectives() {
  static const std::map<std::string, Collective> all{
      {"bcast", [](Buffers& b) { return MPI_Bcast(b.receive.data(), kCount, MPI_INT, 0, MPI_COMM_WORLD); }},
      {"reduce",
       [](Buffers& b) {
         return MPI_Reduce(b.send.data(), b.receive.data(), kCount, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
       }},
      {"allreduce",
       [](Buffers& b) {
         return MPI_Allreduce(b.send.data(), b.receive.data(), kCount, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
       }},
      {"scan",
       [](Buffers& b) {
         return MPI_Scan(b.send.data(), b.receive.data(), kCount, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
       }},
      {"gather",
       [](Buffers& b) {
         return MPI_Gather(b.send.data(), kCount, MPI_INT, b.receive.data(), kCount, MPI_INT, 0,
                           MPI_COMM_WORLD);
       }},
      {"allgather",
       [](Buffers& b) {
         return MPI_Allgather(b.send.data(), kCount, MPI_INT, b.receive.data(), kCount, MPI_INT,
                              MPI_COMM_WORLD);
       }},
      {"alltoall",
       [](Buffers& b) {
         return MPI_Alltoall(b.send.data(), kCount, MPI_INT, b.receive.data(), kCount, MPI_INT,
                             MPI_COMM_WORLD);
       }},
      {"alltoallv", [](Buffers& b) {
         return MPI_Alltoallv(b.send.data(), b.counts.data(), b.places.data(), MPI_INT, b.receive.data(),
                              b.counts.data(), b.places.data(), MPI_INT, MPI_COMM_WORLD);
       }}};
  return all;
}

/// Nobody goes on before all have come; without a collective.
void meet(const Session& session) {
  constexpr int kTag = 7;
  for (int rank = 1; rank < session.size(); ++rank)
    if (session.rank() == 0) {
      MPI_Recv(nullptr, 0, MPI_BYTE, rank, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(nullptr, 0, MPI_BYTE, rank, kTag, MPI_COMM_WORLD);
    } else if (session.rank() == rank) {
      MPI_Send(nullptr, 0, MPI_BYTE, 0, kTag, MPI_COMM_WORLD);
      MPI_Recv(nullptr, 0, MPI_BYTE, 0, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/// A persistent alltoallv and its buffers. MPI_Wait does not end it: most releases of Open MPI free a
/// persistent request when that tells an error, and it could not be started again. (MPI_Request_get_status
/// tells none.)
class Persistent {
 public:
  explicit Persistent(const Session& session) : buffers_(session) {
    Buffers& b = buffers_;
    issue(Form::kPersistent, &request_, MPITEST_FORMS(Alltoallv, alltoallv), b.send.data(), b.counts.data(),
          b.places.data(), MPI_INT, b.receive.data(), b.counts.data(), b.places.data(), MPI_INT,
          MPI_COMM_WORLD);
  }
  Persistent(const Persistent&) = delete;
  Persistent& operator=(const Persistent&) = delete;
  ~Persistent() { MPI_Request_free(&request_); }

  /// Starts it with memory for so many allocations; how many it took.
  long start(long allocations) {
    left = allocations;
    MPI_Start(&request_);
    return allocations - std::exchange(left, kUnlimited);
  }
  void await() {
    for (int is_over = 0; is_over == 0;) MPI_Request_get_status(request_, &is_over, MPI_STATUS_IGNORE);
  }
  /// Has everything come?
  bool is_right() const {
    for (std::size_t i = 0; i < buffers_.receive.size(); ++i)
      if (buffers_.receive[i] != static_cast<int>(i) / kCount + 1) return false;
    return true;
  }

 private:
  Buffers buffers_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

/// A start that fails before it has sent anything: memory ends after its first allocation, after its second,
/// and so on, up to those for the messages by which it asks. All processes are short of memory alike.
[[maybe_unused]] void restart(Session& session) {
  constexpr long kBeforeMessages = 8, kMany = 1'000'000;
  session.begin("alltoallv that is started again");
  Persistent first(session);
  session.check(first.start(kMany) > kBeforeMessages, "takes less memory than that: this shows nothing");
  first.await();
  session.check(first.is_right(), "wrong with memory");
  for (long allocations = 0; allocations < kBeforeMessages; ++allocations) {
    Persistent call(session);
    call.start(allocations);
    call.await();
    session.check(!call.is_right(), "no memory, but everything has come");
    meet(session);
    call.start(kMany);
    call.await();
    session.check(call.is_right(),
                  "wrong when it is started again, after " + std::to_string(allocations) + " allocations");
  }
}

int run_all(int argc, char** argv) {
  Session session(argc, argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
#if OMPI_MAJOR_VERSION < 5  // later ones start no request again that has ended with an error
  restart(session);
#endif
  for (const auto& [name, call] : collectives()) {
    session.begin(name);
    Buffers without(session), with(session), again(session);
    refused = 0;
    left = 0;
    const int status = call(without);
    left = kUnlimited;
    session.check(refused > 0, "nothing was asked for: this shows nothing");
    session.check(status != MPI_SUCCESS, "no memory, but success");
    meet(session);
    session.check(call(with) == MPI_SUCCESS && call(again) == MPI_SUCCESS, "fails with memory");
    session.check(with.receive == again.receive, "twice the same call, two results");
    if (name == "allreduce")
      session.check(with.receive[kCount - 1] == session.size() * (session.size() + 1) / 2, "wrong sum");
    if (name == "allgather" || name == "alltoall" || name == "alltoallv")
      for (int rank = 0; rank < session.size(); ++rank)
        session.check(with.receive[static_cast<std::size_t>(rank * kCount)] == rank + 1, "wrong block");
  }
  return session.finish("mpi_memory");
}

}  // namespace
}  // namespace mpitest

int main(int argc, char** argv) {
  return mpitest::run_all(argc, argv);
}
