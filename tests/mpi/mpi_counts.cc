// SPDX-License-Identifier: BSD-3-Clause
// alltoallv and alltoallw again and again on one communicator, with counts that change on all processes, on
// some or on none, that take turns, and that are nearly all 0; blocking, several at once, and persistent
// requests that each process starts in an order of its own.
//   mpi_counts [--seed N] [--rounds N]
// Invariant: every block arrives. Threads: one. Tested by: stock Open MPI (must pass).
#include <mpi.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "forms.h"
#include "options.h"
#include "session.h"

namespace mpitest {
namespace {

constexpr int kMostAtOnce = 4;

std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

/// How many bytes each process has for each other: a number a pair from patterns that each process changes
/// when it wants to.
class Pattern {
 public:
  /// sources[r]: which pattern rank r has. One of 4 patterns is sparse.
  explicit Pattern(std::vector<int> sources) : sources_(std::move(sources)) {}

  int count(int source, int destination) const {
    const int pattern = sources_[static_cast<std::size_t>(source)];
    const std::uint64_t hash = mixed(static_cast<std::uint64_t>((pattern * 64 + source) * 64 + destination));
    if (pattern % 4 == 3) return hash % 5 == 0 ? 17 : 0;
    return hash % 50 == 0 ? 1500 : static_cast<int>(hash % 9);
  }

 private:
  std::vector<int> sources_;
};

unsigned char byte(int call, int source, int destination, int i) {
  const std::int64_t pair = (std::int64_t{call} * 64 + source) * 64 + destination;
  return static_cast<unsigned char>(mixed(static_cast<std::uint64_t>(pair * 2048 + i)));
}

/// One exchange, its memory and its check.
class Exchange {
 public:
  Exchange(Session& session, Pattern pattern, int number, bool has_types)
      : session_(session),
        pattern_(std::move(pattern)),
        number_(number),
        has_types_(has_types),
        types_(static_cast<std::size_t>(session.size()), MPI_BYTE) {
    const int me = session.rank();
    for (int rank = 0; rank < session.size(); ++rank) {
      send_counts_.push_back(pattern_.count(me, rank));
      receive_counts_.push_back(pattern_.count(rank, me));
    }
    send_places_ = places(send_counts_);
    receive_places_ = places(receive_counts_);
    send_.resize(static_cast<std::size_t>(send_places_.back() + send_counts_.back()) + 1);
    for (int rank = 0; rank < session.size(); ++rank)
      for (int i = 0; i < send_counts_[static_cast<std::size_t>(rank)]; ++i)
        send_[static_cast<std::size_t>(send_places_[static_cast<std::size_t>(rank)] + i)] =
            byte(number, me, rank, i);
    receive_.resize(static_cast<std::size_t>(receive_places_.back() + receive_counts_.back()) + 1);
  }

  void issue(Form form, MPI_Request* request) {
    std::ranges::fill(receive_, 0);
    if (has_types_)
      mpitest::issue(form, request, MPITEST_FORMS(Alltoallw, alltoallw), send_.data(), send_counts_.data(),
                     send_places_.data(), types_.data(), receive_.data(), receive_counts_.data(),
                     receive_places_.data(), types_.data(), MPI_COMM_WORLD);
    else
      mpitest::issue(form, request, MPITEST_FORMS(Alltoallv, alltoallv), send_.data(), send_counts_.data(),
                     send_places_.data(), MPI_BYTE, receive_.data(), receive_counts_.data(),
                     receive_places_.data(), MPI_BYTE, MPI_COMM_WORLD);
  }
  void check() {
    for (int rank = 0; rank < session_.size(); ++rank)
      for (int i = 0; i < receive_counts_[static_cast<std::size_t>(rank)]; ++i)
        if (receive_[static_cast<std::size_t>(receive_places_[static_cast<std::size_t>(rank)] + i)] !=
            byte(number_, rank, session_.rank(), i))
          return session_.fail("exchange " + std::to_string(number_) + ": byte " + std::to_string(i) +
                               " from rank " + std::to_string(rank));
    std::ranges::fill(receive_, 0);
  }

 private:
  static std::vector<int> places(const std::vector<int>& counts) {
    std::vector<int> places(counts.size(), 0);
    std::partial_sum(counts.begin(), counts.end() - 1, places.begin() + 1);
    return places;
  }
  Session& session_;
  Pattern pattern_;
  int number_;
  bool has_types_;
  std::vector<MPI_Datatype> types_;
  std::vector<int> send_counts_, receive_counts_, send_places_, receive_places_;
  std::vector<unsigned char> send_, receive_;
};

class Rounds {
 public:
  Rounds(Session& session, std::uint64_t seed)
      : session_(session), random_(seed), sources_(static_cast<std::size_t>(session.size()), 0) {}

  void blocking() {
    for (int i = 0; i < 8; ++i) {
      change();
      Exchange exchange = next();
      exchange.issue(Form::kBlocking, nullptr);
      exchange.check();
    }
  }
  void at_once() {
    std::vector<std::unique_ptr<Exchange>> exchanges;
    std::vector<MPI_Request> requests(8, MPI_REQUEST_NULL);
    for (MPI_Request& request : requests) {
      change();
      exchanges.push_back(std::make_unique<Exchange>(next()));
      exchanges.back()->issue(Form::kNonblocking, &request);
      if (random_() % kMostAtOnce == 0) MPI_Wait(&requests[random_() % exchanges.size()], MPI_STATUS_IGNORE);
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    for (const auto& exchange : exchanges) exchange->check();
  }
  /// Of three requests one is started among other calls, two at once in an order that is each process's own,
  /// all again, and one more is made and never started.
  void persistent() {
    std::vector<std::unique_ptr<Exchange>> exchanges;
    std::vector<MPI_Request> requests(4, MPI_REQUEST_NULL);
    for (MPI_Request& request : requests) {
      change();
      exchanges.push_back(std::make_unique<Exchange>(next()));
      exchanges.back()->issue(Form::kPersistent, &request);
    }
    blocking();
    for (int start = 0; start < 3; ++start) {
      MPI_Start(&requests[0]);
      MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
      const std::size_t first = static_cast<std::size_t>(1 + (session_.rank() + start) % 2);
      MPI_Start(&requests[first]);
      MPI_Start(&requests[3 - first]);
      MPI_Waitall(2, &requests[1], MPI_STATUSES_IGNORE);
      for (std::size_t i = 0; i < 3; ++i) exchanges[i]->check();
    }
    for (MPI_Request& request : requests) MPI_Request_free(&request);
  }

 private:
  /// All processes draw alike.
  void change() {
    std::vector<int> last = sources_;
    switch (random_() % 4) {
      case 0:
        for (int& source : sources_) source = static_cast<int>(random_() % 8);
        break;
      case 1:
        sources_[random_() % sources_.size()] = static_cast<int>(random_() % 8);
        break;
      case 2:
        if (!before_.empty()) sources_ = before_;
        break;
      default:
        break;
    }
    if (last != sources_) before_ = std::move(last);
  }
  Exchange next() {
    const bool has_types = random_() % 2 == 0;
    return {session_, Pattern(sources_), ++number_, has_types};
  }

  Session& session_;
  std::mt19937 random_;
  std::vector<int> sources_, before_;
  int number_ = 0;
};

int run_all(int argc, char** argv) {
  const auto seed = option(argc - 1, argv + 1, "--seed", 1),
             rounds = option(argc - 1, argv + 1, "--rounds", 10);
  Session session(argc, argv);
  Rounds all(session, seed);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    session.begin("blocking, round " + std::to_string(round));
    all.blocking();
    session.begin("several at once, round " + std::to_string(round));
    all.at_once();
    session.begin("persistent, round " + std::to_string(round));
    all.persistent();
  }
  return session.finish("mpi_counts");
}

}  // namespace
}  // namespace mpitest

int main(int argc, char** argv) {
  return mpitest::run_all(argc, argv);
}
