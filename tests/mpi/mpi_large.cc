// SPDX-License-Identifier: BSD-3-Clause
// Messages over 2 GiB and counts up to INT_MAX: broadcasts by a derived datatype and by the largest count, an
// allgather, an alltoall and an allreduce whose buffers hold more than INT_MAX bytes, every word checked.
// Needs 7 GB a process; made for two.
//   mpi_large [--bytes N]
// N: of each buffer, a multiple of 4 MiB. Threads: one. Tested by: stock Open MPI (tests/mpi/run --large
// --stock).
#include <mpi.h>

#include <climits>
#include <cstdint>
#include <memory>
#include <string>

#include "options.h"
#include "session.h"

namespace mpitest {
namespace {

constexpr std::int64_t kPiece = 4 << 20;  ///< bytes of the derived datatype

/// So many bytes of words by a formula. Not touched until they are filled.
class Buffer {
 public:
  explicit Buffer(std::int64_t bytes)
      : bytes_(bytes), words_(new std::uint64_t[static_cast<std::size_t>((bytes + 7) / 8)]) {}

  void* data() { return words_.get(); }
  static std::uint64_t word(std::uint64_t salt, std::int64_t index) {
    return (salt + static_cast<std::uint64_t>(index)) * 0x9e3779b97f4a7c15;
  }
  void fill(std::uint64_t salt) { fill(salt, 0, bytes_ / 8); }
  void fill(std::uint64_t salt, std::int64_t first, std::int64_t words) {
    for (std::int64_t i = 0; i < words; ++i) words_[static_cast<std::size_t>(first + i)] = word(salt, i);
  }
  /// Words that are not what they should be: times x word(salt, i) from word `first` on.
  std::int64_t wrong(std::uint64_t salt, std::int64_t first, std::int64_t words,
                     std::uint64_t times = 1) const {
    std::int64_t found = 0;
    for (std::int64_t i = 0; i < words; ++i)
      found += words_[static_cast<std::size_t>(first + i)] != times * word(salt, i);
    return found;
  }

 private:
  std::int64_t bytes_;
  std::unique_ptr<std::uint64_t[]> words_;
};

class Large {
 public:
  Large(Session& session, std::int64_t bytes) : session_(session), bytes_(bytes), ranks_(session.size()) {
    MPI_Type_contiguous(kPiece, MPI_BYTE, &piece_);
    MPI_Type_commit(&piece_);
  }
  ~Large() { MPI_Type_free(&piece_); }
  Large(const Large&) = delete;
  Large& operator=(const Large&) = delete;

  void bcast_by_datatype() {
    session_.begin("bcast of " + std::to_string(bytes_) + " bytes");
    Buffer data(bytes_);
    data.fill(session_.rank() == 0 ? 1 : 2);
    MPI_Bcast(data.data(), static_cast<int>(bytes_ / kPiece), piece_, 0, MPI_COMM_WORLD);
    check(data, 1, 0, bytes_ / 8);
  }
  void bcast_of_most() {
    session_.begin("bcast of INT_MAX bytes");
    Buffer data(INT_MAX);
    data.fill(session_.rank() == ranks_ - 1 ? 3 : 4);
    MPI_Bcast(data.data(), INT_MAX, MPI_BYTE, ranks_ - 1, MPI_COMM_WORLD);
    check(data, 3, 0, INT_MAX / 8);
  }
  void allgather() {
    session_.begin("allgather to " + std::to_string(bytes_) + " bytes");
    const std::int64_t words = block_words();
    Buffer mine(8 * words), all(bytes_);
    mine.fill(salt_of(session_.rank()));
    MPI_Allgather(mine.data(), static_cast<int>(words), MPI_UINT64_T, all.data(), static_cast<int>(words),
                  MPI_UINT64_T, MPI_COMM_WORLD);
    for (int rank = 0; rank < ranks_; ++rank) check(all, salt_of(rank), rank * words, words);
  }
  void alltoall() {
    session_.begin("alltoall of " + std::to_string(bytes_) + " bytes");
    const std::int64_t words = block_words();
    Buffer out(bytes_), in(bytes_);
    for (int rank = 0; rank < ranks_; ++rank)
      out.fill(salt_of(session_.rank() * ranks_ + rank), rank * words, words);
    MPI_Alltoall(out.data(), static_cast<int>(words), MPI_UINT64_T, in.data(), static_cast<int>(words),
                 MPI_UINT64_T, MPI_COMM_WORLD);
    for (int rank = 0; rank < ranks_; ++rank)
      check(in, salt_of(rank * ranks_ + session_.rank()), rank * words, words);
  }
  void allreduce() {
    session_.begin("allreduce of " + std::to_string(bytes_) + " bytes");
    Buffer mine(bytes_), sum(bytes_);
    mine.fill(5);
    MPI_Allreduce(mine.data(), sum.data(), static_cast<int>(bytes_ / 8), MPI_UINT64_T, MPI_SUM,
                  MPI_COMM_WORLD);
    check(sum, 5, 0, bytes_ / 8, static_cast<std::uint64_t>(ranks_));
  }

 private:
  static std::uint64_t salt_of(int number) { return 1'000'003u * static_cast<std::uint64_t>(number + 1); }
  std::int64_t block_words() const { return bytes_ / ranks_ / 8; }
  void check(const Buffer& buffer, std::uint64_t salt, std::int64_t first, std::int64_t words,
             std::uint64_t times = 1) {
    const std::int64_t wrong = buffer.wrong(salt, first, words, times);
    session_.check(wrong == 0, std::to_string(wrong) + " wrong words from word " + std::to_string(first));
  }

  Session& session_;
  std::int64_t bytes_;
  int ranks_;
  MPI_Datatype piece_ = MPI_DATATYPE_NULL;
};

int run_all(int argc, char** argv) {
  const auto bytes = static_cast<std::int64_t>(option(argc, argv, "--bytes", 576 * kPiece));
  Session session(argc, argv);
  {
    Large large(session, bytes);
    large.bcast_by_datatype();
    large.bcast_of_most();
    large.allgather();
    large.alltoall();
    large.allreduce();
  }
  return session.finish("mpi_large");
}

}  // namespace
}  // namespace mpitest

int main(int argc, char** argv) {
  return mpitest::run_all(argc, argv);
}
