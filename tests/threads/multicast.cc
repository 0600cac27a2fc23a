// SPDX-License-Identifier: BSD-3-Clause
// libwan_multicast over a stub of MPI whose ranks are threads: several threads of each rank send, receive,
// probe and test at once, with and without a thread of the library. Run by tests/threads/run, under
// ThreadSanitizer.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "api/wan_multicast.h"
#include "tests/threads/stub_mpi/mpi.h"

namespace {

constexpr int kRanks = 4, kEach = 60, kSenders = 2, kReceived = 1, kHandled = 2;

/// To all, or to one half of them.
std::vector<int> destinations(unsigned number) {
  std::vector<int> ranks;
  for (int rank = 0; rank < kRanks; ++rank)
    if (number % 3 == 0 || static_cast<unsigned>(rank) % 2 == number % 2) ranks.push_back(rank);
  return ranks;
}

std::vector<int> data(int source, unsigned number) {
  std::vector<int> data(1 + number * 97 % 30'000, source);
  data[0] = static_cast<int>(number);
  return data;
}

bool is_right(int source, const int* numbers, std::size_t count) {
  const auto expected = data(source, static_cast<unsigned>(numbers[0]));
  return count == expected.size() && std::equal(expected.begin(), expected.end(), numbers);
}

int expected_of(int rank) {
  int count = 0;
  for (unsigned number = 0; number < kEach; ++number)
    for (const int to : destinations(number)) count += to == rank ? 1 : 0;
  return count * kRanks;
}

struct Seen {
  std::atomic<int> handled{0}, wrong{0};
};

void on_arrival(const MPI_Status* status, const void* bytes, MPI_Count size, void* context) {
  Seen& seen = *static_cast<Seen*>(context);
  if (!is_right(status->MPI_SOURCE, static_cast<const int*>(bytes), static_cast<std::size_t>(size) / 4))
    ++seen.wrong;
  ++seen.handled;
}

/// One of several threads of a rank; the numbers are shared out among them.
void send(WAN_Domain domain, int rank, unsigned thread, std::atomic<int>& wrong) {
  std::vector<std::vector<int>> kept;
  std::vector<WAN_Request> requests;
  for (unsigned number = thread; number < kEach; number += kSenders)
    for (const int tag : {kReceived, kHandled}) {
      kept.push_back(data(rank, number));
      const auto to = destinations(number);
      requests.push_back(WAN_REQUEST_NULL);
      if (WAN_Imulticast(kept.back().data(), static_cast<int>(kept.back().size()), MPI_INT,
                         static_cast<int>(to.size()), to.data(), tag, domain,
                         &requests.back()) != MPI_SUCCESS)
        ++wrong;
    }
  if (WAN_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE) != MPI_SUCCESS)
    ++wrong;
}

void receive(WAN_Domain domain, int count, std::atomic<int>& wrong) {
  std::vector<int> buffer(40'000);
  for (int i = 0; i < count; ++i) {
    MPI_Status status;
    int got = 0, flag = 0;
    WAN_Iprobe(MPI_ANY_SOURCE, kReceived, domain, &flag, MPI_STATUS_IGNORE);
    WAN_Recv(buffer.data(), static_cast<int>(buffer.size()), MPI_INT, MPI_ANY_SOURCE, kReceived, domain,
             &status);
    MPI_Get_count(&status, MPI_INT, &got);
    if (!is_right(status.MPI_SOURCE, buffer.data(), static_cast<std::size_t>(got))) ++wrong;
  }
}

void run_rank(StubWorld& world, int rank, bool has_thread, std::atomic<int>& wrong) {
  std::map<std::string, std::string> info{{"wan_site", rank < kRanks / 2 ? "a" : "b"},
                                          {"wan_inbox", "500000"}};
  if (has_thread) info["wan_progress"] = "thread";
  WAN_Domain domain = WAN_DOMAIN_NULL;
  if (WAN_Domain_create(world.comm(rank), &info, &domain) != MPI_SUCCESS) {
    ++wrong;
    return;
  }
  Seen seen;
  WAN_Handle(MPI_ANY_SOURCE, kHandled, on_arrival, &seen, domain);
  const int expected = expected_of(rank);
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < kSenders; ++thread)
    threads.emplace_back([&, thread] { send(domain, rank, thread, wrong); });
  threads.emplace_back([&] { receive(domain, expected / 2, wrong); });
  threads.emplace_back([&] { receive(domain, expected - expected / 2, wrong); });
  for (std::thread& each : threads) each.join();
  if (WAN_Flush(domain) != MPI_SUCCESS || WAN_Domain_free(&domain) != MPI_SUCCESS) ++wrong;
  wrong += seen.wrong + (seen.handled == expected ? 0 : 1);
}

void run(bool has_thread) {
  StubWorld world(kRanks);
  std::atomic<int> wrong{0};
  std::vector<std::thread> ranks;
  for (int rank = 0; rank < kRanks; ++rank)
    ranks.emplace_back([&, rank] { run_rank(world, rank, has_thread, wrong); });
  for (std::thread& each : ranks) each.join();
  EXPECT_EQ(wrong, 0);
}

TEST(MulticastThreads, OfTheApplicationDoAllThemselves) {
  run(false);
}

TEST(MulticastThreads, WorkBesideOneOfTheLibrary) {
  run(true);
}

}  // namespace
