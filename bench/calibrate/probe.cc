// SPDX-License-Identifier: BSD-3-Clause
#include "bench/calibrate/probe.h"

#include <cstring>

#include "bench/common/peer_times.h"
#include "bench/common/release.h"

namespace wan::bench {
namespace {

constexpr int kPing = 1, kPong = 2, kReady = 3;
constexpr Nanoseconds kPause =
    300'000;                  ///< until a message has surely come, and its sender's kernel is done with it
constexpr int kStream = 200;  ///< messages in a row
constexpr Bytes kBeyondCaches = 64 << 20;

/// The median of so many rounds of `measure`.
template <class Measure>
Nanoseconds median_of(int rounds, Measure measure) {
  std::vector<Nanoseconds> times;
  for (int round = 0; round < rounds; ++round) times.push_back(measure());
  return quantile(times, 0.5);
}

template <class Work>
Nanoseconds duration_of(Work work) {
  const Nanoseconds begin = now_ns();
  work();
  return now_ns() - begin;
}

/// The median time of work(offset) for segment after segment of a memory larger than the caches.
template <class Work>
PicosecondsPerByte ps_per_byte(Bytes segment, Work work) {
  std::vector<Nanoseconds> times;
  for (Bytes offset = 0; offset + segment <= kBeyondCaches; offset += segment)
    times.push_back(duration_of([&] { work(offset); }));
  return 1'000 * quantile(times, 0.5) / segment;
}

}  // namespace

Probe::Probe(MPI_Comm pair, Bytes longest, int repetitions)
    : pair_(pair), repetitions_(repetitions), buffer_(static_cast<std::size_t>(longest)) {
  MPI_Comm_rank(pair, &me_);
}

/// Both have come here.
void Probe::ready() {
  MPI_Sendrecv(nullptr, 0, MPI_CHAR, 1 - me_, kReady, nullptr, 0, MPI_CHAR, 1 - me_, kReady, pair_,
               MPI_STATUS_IGNORE);
}

/// Busy, as a process is that computes: a sleep would cool the caches.
void Probe::pause() const {
  for (const Nanoseconds end = now_ns() + kPause; now_ns() < end;) {
  }
}

Nanoseconds Probe::send_ns(Bytes bytes) {
  const int count = static_cast<int>(bytes);
  return median_of(repetitions_, [&] {
    MPI_Request receive = MPI_REQUEST_NULL;
    if (me_ == 1) MPI_Irecv(buffer_.data(), count, MPI_CHAR, 0, kPing, pair_, &receive);
    ready();
    pause();
    const Nanoseconds time = duration_of([&] {
      if (me_ == 0) MPI_Send(buffer_.data(), count, MPI_CHAR, 1, kPing, pair_);
    });
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    return time;
  });
}

Nanoseconds Probe::receive_ns(Bytes bytes) {
  const int count = static_cast<int>(bytes);
  return median_of(repetitions_, [&] {
    MPI_Request receive = MPI_REQUEST_NULL;
    if (me_ == 0) MPI_Irecv(buffer_.data(), count, MPI_CHAR, 1, kPing, pair_, &receive);
    ready();
    if (me_ == 1) MPI_Send(buffer_.data(), count, MPI_CHAR, 0, kPing, pair_);
    pause();
    return duration_of([&] { MPI_Wait(&receive, MPI_STATUS_IGNORE); });
  });
}

Nanoseconds Probe::one_way_ns(Bytes bytes) {
  const int count = static_cast<int>(bytes);
  ready();
  return median_of(repetitions_,
                   [&] {
                     return duration_of([&] {
                       if (me_ == 0) MPI_Send(buffer_.data(), count, MPI_CHAR, 1, kPing, pair_);
                       MPI_Recv(buffer_.data(), count, MPI_CHAR, 1 - me_, me_ == 0 ? kPong : kPing, pair_,
                                MPI_STATUS_IGNORE);
                       if (me_ == 1) MPI_Send(buffer_.data(), count, MPI_CHAR, 0, kPong, pair_);
                     });
                   }) /
         2;
}

BytesPerSecond Probe::stream(Bytes bytes) {
  const int count = static_cast<int>(bytes);
  const Nanoseconds time = median_of(repetitions_ / 10 + 1, [&] {
    ready();
    return duration_of([&] {
      for (int i = 0; i < kStream; ++i) {
        if (me_ == 0) MPI_Send(buffer_.data(), count, MPI_CHAR, 1, kPing, pair_);
        if (me_ == 1) MPI_Recv(buffer_.data(), count, MPI_CHAR, 0, kPing, pair_, MPI_STATUS_IGNORE);
      }
      if (me_ == 1) MPI_Send(nullptr, 0, MPI_CHAR, 0, kPong, pair_);
      if (me_ == 0) MPI_Recv(nullptr, 0, MPI_CHAR, 1, kPong, pair_, MPI_STATUS_IGNORE);
    });
  });
  return kStream * bytes * 1'000'000'000 / time;
}

Nanoseconds poll_ns(int repetitions) {
  return median_of(repetitions, [] {
    int flag = 0;
    return duration_of(
        [&] { MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); });
  });
}

PicosecondsPerByte copy_ps_per_byte(Bytes segment) {
  std::vector<char> from(kBeyondCaches, 1), to(kBeyondCaches, 2);
  return ps_per_byte(segment, [&](Bytes offset) {
    std::memcpy(to.data() + offset, from.data() + offset, static_cast<std::size_t>(segment));
  });
}

PicosecondsPerByte reduce_ps_per_byte(Bytes segment) {
  constexpr Bytes kDouble = sizeof(double);
  std::vector<double> from(kBeyondCaches / kDouble, 1.0), to(kBeyondCaches / kDouble, 2.0);
  return ps_per_byte(segment, [&](Bytes offset) {
    MPI_Reduce_local(from.data() + offset / kDouble, to.data() + offset / kDouble,
                     static_cast<int>(segment / kDouble), MPI_DOUBLE, MPI_SUM);
  });
}

}  // namespace wan::bench
