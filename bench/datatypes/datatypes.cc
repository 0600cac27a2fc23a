// SPDX-License-Identifier: BSD-3-Clause
// wan-datatypes: what collectives of derived datatypes take, beside the same of contiguous data of the same
// size.
//   subarray   one element, the left half of the columns of a matrix of bytes: bcast, allgather, alltoallw
//   columns    every second double: bcast
//   halo       the four faces of a plane with its neighbours on a ring: neighbor_alltoallw
//   transpose  the blocks of a 3-D FFT whose slabs are turned: alltoallw of subarrays, another one for each
//   rank
// Prints rows of CSV: the median over the repetitions of the slowest rank's time, and by how much its
// resident memory grew meanwhile, at most. Each result is checked. Plain MPI: which components serve is a
// matter of its user. Tested by bench/datatypes/datatypes_test.sh.
#include <fmt/format.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace wan::bench {
namespace {

struct Options {
  std::vector<std::string> cells{"bcast", "allgather", "alltoallw", "columns", "halo", "transpose"};
  std::vector<int> mebibytes{16};
  int repetitions = 3;
};

int ranks() {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}
int me() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

/// Resident memory of this process, in KiB: now (VmRSS) or the largest (VmHWM) since forget_peak().
long resident(const std::string& which) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(which + ":")) return std::stol(line.substr(which.size() + 1));
  return 0;
}
void forget_peak() {
  std::ofstream("/proc/self/clear_refs") << "5";
}

/// Some data of a rank: `blocks` of them, each `bytes` long, as a datatype at a distance, or contiguous.
class Blocks {
 public:
  Blocks(MPI_Datatype type, std::size_t bytes, int blocks) : type_(type), bytes_(bytes), blocks_(blocks) {
    MPI_Aint bound = 0;
    MPI_Type_get_extent(type, &bound, &extent_);
    memory_.assign(static_cast<std::size_t>(extent_) * static_cast<std::size_t>(blocks), 0);
  }
  void* at(int block) { return memory_.data() + extent_ * block; }
  MPI_Aint distance() const { return extent_; }
  MPI_Datatype type() const { return type_; }
  /// What `source` has for `target`: one byte everywhere.
  void fill(int block, char value) {
    std::memset(memory_.data() + extent_ * block, value, static_cast<std::size_t>(extent_));
  }
  /// As fill(), in the bytes that the datatype covers, of which it has the first and the last.
  bool holds(int block, char value) {
    std::vector<char> packed(bytes_);
    int position = 0;
    MPI_Pack(at(block), 1, type_, packed.data(), static_cast<int>(bytes_), &position, MPI_COMM_SELF);
    return std::ranges::all_of(packed, [value](char c) { return c == value; });
  }

 private:
  MPI_Datatype type_;
  std::size_t bytes_;
  int blocks_;
  MPI_Aint extent_ = 0;
  std::vector<char> memory_;
};

char value_of(int source, int target) {
  return static_cast<char>(1 + (source * 7 + target * 3) % 100);
}

MPI_Datatype contiguous(std::size_t bytes) {
  MPI_Datatype type;
  MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &type);
  MPI_Type_commit(&type);
  return type;
}

MPI_Datatype subarray(std::vector<int> whole, std::vector<int> part, std::vector<int> first) {
  MPI_Datatype type;
  MPI_Type_create_subarray(static_cast<int>(whole.size()), whole.data(), part.data(), first.data(),
                           MPI_ORDER_C, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  return type;
}

MPI_Datatype half_of_columns(std::size_t bytes) {
  constexpr int kColumns = 4096;
  const int rows = static_cast<int>(bytes / kColumns);
  return subarray({rows, 2 * kColumns}, {rows, kColumns}, {0, kColumns / 2});
}

MPI_Datatype every_second_double(std::size_t bytes) {
  MPI_Datatype type;
  MPI_Type_vector(static_cast<int>(bytes / 8), 1, 2, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  return type;
}

/// A call: made again and again, then checked.
struct Cell {
  std::function<void()> call;
  std::function<bool()> is_right;
};

/// Median over the repetitions of the slowest rank's seconds.
double measure(const Cell& cell, int repetitions) {
  std::vector<double> times;
  for (int i = 0; i <= repetitions; ++i) {  // the first is for practice
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    cell.call();
    double mine = MPI_Wtime() - begin, slowest = 0;
    MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (i > 0) times.push_back(slowest);
  }
  std::ranges::sort(times);
  return times[times.size() / 2];
}

int wrong_cells = 0;

void report(const std::string& name, const std::string& layout, int mebibytes, const Cell& cell,
            const Options& options) {
  forget_peak();
  const long before = resident("VmRSS");
  const double seconds = measure(cell, options.repetitions);
  long memory = resident("VmHWM") - before, largest = 0;
  int wrong = cell.is_right() ? 0 : 1, all_wrong = 0;
  MPI_Allreduce(&memory, &largest, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  wrong_cells += all_wrong > 0;
  if (me() == 0)
    fmt::print("{},{},{},{:.6f},{},{}\n", name, layout, mebibytes, seconds, (largest + 1023) / 1024,
               all_wrong);
  std::fflush(stdout);
}

Cell bcast(Blocks& buffer) {
  buffer.fill(0, me() == 0 ? value_of(0, 0) : '\0');
  return {[&] { MPI_Bcast(buffer.at(0), 1, buffer.type(), 0, MPI_COMM_WORLD); },
          [&] { return buffer.holds(0, value_of(0, 0)); }};
}

Cell allgather(Blocks& send, Blocks& receive) {
  send.fill(0, value_of(me(), 0));
  return {
      [&] { MPI_Allgather(send.at(0), 1, send.type(), receive.at(0), 1, receive.type(), MPI_COMM_WORLD); },
      [&] {
        for (int rank = 0; rank < ranks(); ++rank)
          if (!receive.holds(rank, value_of(rank, 0))) return false;
        return true;
      }};
}

/// One block for each rank.
Cell alltoallw(Blocks& send, Blocks& receive) {
  for (int rank = 0; rank < ranks(); ++rank) send.fill(rank, value_of(me(), rank));
  return {[&] {
            const auto number = static_cast<std::size_t>(ranks());
            const std::vector<int> counts(number, 1);
            std::vector<int> places;
            for (int rank = 0; rank < ranks(); ++rank)
              places.push_back(static_cast<int>(send.distance()) * rank);
            const std::vector<MPI_Datatype> types(number, send.type());
            MPI_Alltoallw(send.at(0), counts.data(), places.data(), types.data(), receive.at(0),
                          counts.data(), places.data(), types.data(), MPI_COMM_WORLD);
          },
          [&] {
            for (int rank = 0; rank < ranks(); ++rank)
              if (!receive.holds(rank, value_of(rank, me()))) return false;
            return true;
          }};
}

/// A plane of n x n bytes with a border of one, of which each edge is `width` wide, on a ring of ranks: left
/// and right as columns, or, to compare, as bytes in one place.
class Halo {
 public:
  Halo(int mebibytes, bool is_derived) {
    width_ = 64;
    rows_ = mebibytes * 1024 * 1024 / width_;
    plane_.assign(static_cast<std::size_t>(rows_) * 4 * static_cast<std::size_t>(width_), value_of(me(), 0));
    const int period = 1, size = ranks();
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &period, 0, &ring_);
    for (int i = 0; i < 4; ++i)
      types_.push_back(is_derived ? subarray({rows_, 4 * width_}, {rows_, width_}, {0, i * width_})
                                  : slab(i));
  }
  ~Halo() {
    for (MPI_Datatype& type : types_) MPI_Type_free(&type);
    MPI_Comm_free(&ring_);
  }
  Halo(const Halo&) = delete;
  Halo& operator=(const Halo&) = delete;

  /// The inner columns go to the neighbours, the outer ones come from them.
  void exchange() {
    const int counts[] = {1, 1};
    const MPI_Aint places[] = {0, 0};
    const MPI_Datatype sent[] = {types_[1], types_[2]}, received[] = {types_[0], types_[3]};
    MPI_Neighbor_alltoallw(plane_.data(), counts, places, sent, plane_.data(), counts, places, received,
                           ring_);
  }
  bool is_right() const {
    const int left = (me() + ranks() - 1) % ranks(), right = (me() + 1) % ranks();
    return holds(0, value_of(left, 0)) && holds(3, value_of(right, 0));
  }

 private:
  /// The i-th quarter, in one place.
  MPI_Datatype slab(int i) const { return subarray({4, rows_ * width_}, {1, rows_ * width_}, {i, 0}); }
  bool holds(int edge, char value) const {
    std::vector<char> packed(static_cast<std::size_t>(rows_) * static_cast<std::size_t>(width_));
    int position = 0;
    MPI_Pack(plane_.data(), 1, types_[static_cast<std::size_t>(edge)], packed.data(),
             static_cast<int>(packed.size()), &position, MPI_COMM_SELF);
    return std::ranges::all_of(packed, [value](char c) { return c == value; });
  }

  int width_ = 0, rows_ = 0;
  std::vector<char> plane_;
  std::vector<MPI_Datatype> types_;
  MPI_Comm ring_ = MPI_COMM_NULL;
};

/// A cube of n planes a rank, turned: each rank has a block of columns for each other, and gets one of
/// planes.
class Transpose {
 public:
  Transpose(int mebibytes, bool is_derived) {
    constexpr int kRow = 2048;  // bytes of a row that go to one rank
    const int rows = mebibytes * 1024 * 1024 / kRow, size = ranks();
    block_ = static_cast<std::size_t>(rows) * kRow;
    for (int rank = 0; rank < size; ++rank) {
      const MPI_Datatype slab = subarray({size, rows * kRow}, {1, rows * kRow}, {rank, 0});
      sent_.push_back(
          is_derived ? subarray({4, rows / 4, size * kRow}, {4, rows / 4, kRow}, {0, 0, rank * kRow}) : slab);
      received_.push_back(slab);
    }
    from_.assign(block_ * static_cast<std::size_t>(size), 0);
    to_ = from_;
    for (int rank = 0; rank < size; ++rank) {
      const std::vector<char> values(block_, value_of(me(), rank));
      int position = 0;
      MPI_Unpack(values.data(), static_cast<int>(block_), &position, from_.data(), 1,
                 sent_[static_cast<std::size_t>(rank)], MPI_COMM_SELF);
    }
  }
  void turn() {
    const std::vector<int> counts(sent_.size(), 1), places(sent_.size(), 0);
    MPI_Alltoallw(from_.data(), counts.data(), places.data(), sent_.data(), to_.data(), counts.data(),
                  places.data(), received_.data(), MPI_COMM_WORLD);
  }
  bool is_right() const {
    for (int rank = 0; rank < ranks(); ++rank)
      for (std::size_t i = 0; i < block_; ++i)
        if (to_[block_ * static_cast<std::size_t>(rank) + i] != value_of(rank, me())) return false;
    return true;
  }

 private:
  std::size_t block_ = 0;
  std::vector<MPI_Datatype> sent_, received_;
  std::vector<char> from_, to_;
};

void run_blocks(const std::string& name, const std::string& layout, int mebibytes, MPI_Datatype type,
                const Options& options) {
  const std::size_t bytes = static_cast<std::size_t>(mebibytes) << 20;
  const int sent = name == "alltoallw" ? ranks() : 1;
  const int received = name == "bcast" || name == "columns" ? 0 : ranks();
  Blocks send(type, bytes, sent), receive(type, bytes, received);
  const Cell cell = received == 0         ? bcast(send)
                    : name == "allgather" ? allgather(send, receive)
                                          : alltoallw(send, receive);
  report(name, layout, mebibytes, cell, options);
  MPI_Type_free(&type);
}

template <class Exchange, class Make>
void run_object(const std::string& name, const std::string& layout, int mebibytes, bool is_derived,
                const Options& options, Make make) {
  Exchange exchange(mebibytes, is_derived);
  report(name, layout, mebibytes, make(exchange), options);
}

void run(const std::string& name, int mebibytes, bool is_derived, const Options& options) {
  const std::string layout = is_derived ? "derived" : "contiguous";
  const std::size_t bytes = static_cast<std::size_t>(mebibytes) << 20;
  if (name == "halo")
    return run_object<Halo>(name, layout, mebibytes, is_derived, options, [](Halo& halo) {
      return Cell{[&halo] { halo.exchange(); }, [&halo] { return halo.is_right(); }};
    });
  if (name == "transpose")
    return run_object<Transpose>(name, layout, mebibytes, is_derived, options, [](Transpose& transpose) {
      return Cell{[&transpose] { transpose.turn(); }, [&transpose] { return transpose.is_right(); }};
    });
  const MPI_Datatype type = !is_derived         ? contiguous(bytes)
                            : name == "columns" ? every_second_double(bytes)
                                                : half_of_columns(bytes);
  run_blocks(name, layout, mebibytes, type, options);
}

int run_all(const Options& options) {
  if (me() == 0) fmt::print("cell,layout,mebibytes,seconds,taken_mib,wrong\n");
  for (const std::string& name : options.cells)
    for (const int mebibytes : options.mebibytes)
      for (const bool is_derived : {false, true}) run(name, mebibytes, is_derived, options);
  return wrong_cells > 0 ? 1 : 0;
}

}  // namespace
}  // namespace wan::bench

int main(int argc, char** argv) {
  CLI::App app("Times collectives of derived datatypes", "wan-datatypes");
  wan::bench::Options options;
  app.add_option("--cells", options.cells, "some of bcast,allgather,alltoallw,columns,halo,transpose")
      ->delimiter(',')
      ->check(CLI::IsMember({"bcast", "allgather", "alltoallw", "columns", "halo", "transpose"}));
  app.add_option("--mebibytes", options.mebibytes, "of each block")
      ->delimiter(',')
      ->check(CLI::Range(1, 256));
  app.add_option("--repetitions", options.repetitions, "of each cell")->check(CLI::Range(1, 1000));
  CLI11_PARSE(app, argc, argv);
  MPI_Init(&argc, &argv);
  const int status = wan::bench::run_all(options);
  MPI_Finalize();
  return status;
}
