// SPDX-License-Identifier: BSD-3-Clause
// qr: QR factorization of a dense matrix by ScaLAPACK's pdgeqrf, on a grid of all ranks. ScaLAPACK's BLACS
// broadcast and add along columns of that grid with MPI's collectives; norms, and broadcasts along its rows,
// go from process to process. Checked on rank 0, to which the factors are sent point to point: each
// reflection is orthogonal, and Q R is the matrix.
#include <dlfcn.h>

#include <cmath>
#include <vector>

#include "bench/apps/harness.h"
#include "bench/apps/householder.h"
#include "bench/apps/scalapack.h"
#include "bench/common/random.h"

namespace wan::bench {
namespace {

constexpr int kFirst = 0, kOne = 1;
constexpr double kTolerance = 1e-14;  ///< a row: of Q R, whose elements should lie between -1 and 1

/// Where the BLAS is OpenBLAS, whose threads would be as many on each rank as the host has processors.
void use_one_thread() {
  if (void* const set = dlsym(RTLD_DEFAULT, "openblas_set_num_threads"); set != nullptr)
    reinterpret_cast<void (*)(int)>(set)(1);
}

class Qr : public App {
 public:
  struct Problem {
    int rows = 2'000, columns = 64, block = 16;
    int grid_columns = 1;
  };
  static void define(CLI::App& cli, Problem& problem) {
    cli.add_option("--rows", problem.rows, "of the matrix")->check(CLI::Range(1, 100'000));
    cli.add_option("--columns", problem.columns, "of the matrix, at most as many as rows")
        ->check(CLI::Range(1, 100'000));
    cli.add_option("--block", problem.block, "rows and columns of the blocks that are dealt out to the grid")
        ->check(CLI::Range(1, 10'000));
    cli.add_option("--grid-columns", problem.grid_columns, "of the grid of ranks; must divide their number")
        ->check(CLI::Range(1, 10'000));
  }

  explicit Qr(const Problem& problem) : problem_(problem) {
    use_one_thread();
    problem_.columns = std::min(problem_.columns, problem_.rows);
    grid_rows_ = number_of_ranks() / problem_.grid_columns;
    if (grid_rows_ * problem_.grid_columns != number_of_ranks()) MPI_Abort(MPI_COMM_WORLD, 2);
    Cblacs_get(0, 0, &context_);
    Cblacs_gridinit(&context_, "Row", grid_rows_, problem_.grid_columns);
    allocate();
  }
  ~Qr() override { Cblacs_gridexit(context_); }
  Qr(const Qr&) = delete;
  Qr& operator=(const Qr&) = delete;

  std::string problem() const override {
    return std::to_string(problem_.rows) + " x " + std::to_string(problem_.columns) + " on " +
           std::to_string(grid_rows_) + " x " + std::to_string(problem_.grid_columns);
  }

  void prepare(std::int64_t round) override {
    round_ = static_cast<std::uint64_t>(round);
    const Share share = share_of(my_rank());
    for (int j = 0; j < share.columns; ++j) {
      for (int i = 0; i < share.rows; ++i)
        a_[index(share, i, j)] =
            element(global(i, share.row, grid_rows_), global(j, share.column, problem_.grid_columns));
    }
  }

  void run() override {
    const int work_size = static_cast<int>(work_.size());
    pdgeqrf_(&problem_.rows, &problem_.columns, a_.data(), &kOne, &kOne, descriptor_, tau_.data(),
             work_.data(), &work_size, &info_);
  }

  std::optional<std::string> mistake() override {
    if (my_rank() != 0) {
      send(a_);
      send(tau_);
    } else {
      collect();
    }
    if (info_ != 0) return "pdgeqrf returned " + std::to_string(info_);
    if (my_rank() != 0) return std::nullopt;
    const double loss = loss_of_orthogonality(factors_), error = largest_error();
    if (loss <= kTolerance * problem_.rows && error <= kTolerance * problem_.rows) return std::nullopt;
    return "Q R is wrong by " + std::to_string(error) + ", a reflection by " + std::to_string(loss);
  }

 private:
  /// What a rank has of the matrix.
  struct Share {
    int row, column;    ///< of the rank, in the grid
    int rows, columns;  ///< of its part
  };

  Share share_of(Rank rank) const {
    Share share{rank / problem_.grid_columns, rank % problem_.grid_columns, 0, 0};
    share.rows = numroc_(&problem_.rows, &problem_.block, &share.row, &kFirst, &grid_rows_);
    share.columns =
        numroc_(&problem_.columns, &problem_.block, &share.column, &kFirst, &problem_.grid_columns);
    return share;
  }

  void allocate() {
    const Share share = share_of(my_rank());
    const int leading = std::max(1, share.rows);
    descinit_(descriptor_, &problem_.rows, &problem_.columns, &problem_.block, &problem_.block, &kFirst,
              &kFirst, &context_, &leading, &info_);
    const auto rows = static_cast<std::size_t>(share.rows), columns = static_cast<std::size_t>(share.columns),
               block = static_cast<std::size_t>(problem_.block);
    a_.resize(rows * columns);
    tau_.resize(columns);
    work_.resize(block * (rows + columns + block));
  }

  /// Column-major.
  static std::size_t index(const Share& share, int i, int j) {
    return static_cast<std::size_t>(i) + static_cast<std::size_t>(j) * static_cast<std::size_t>(share.rows);
  }

  /// Row or column of the matrix that is the i-th of a place in the grid: blocks are dealt out in turn.
  int global(int i, int place, int places) const {
    return (i / problem_.block * places + place) * problem_.block + i % problem_.block;
  }

  double element(int i, int j) const {
    return random_real(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j), round_);
  }

  static void send(const std::vector<double>& values) {
    MPI_Send(values.data(), static_cast<int>(values.size()), MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
  }

  static std::vector<double> received(Rank from, int count) {
    std::vector<double> values(static_cast<std::size_t>(count));
    MPI_Recv(values.data(), count, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return values;
  }

  /// Rank 0: all ranks' parts, put together.
  void collect() {
    factors_ = {problem_.rows, problem_.columns, {}, {}};
    factors_.a.resize(static_cast<std::size_t>(problem_.rows) * static_cast<std::size_t>(problem_.columns));
    factors_.tau.resize(static_cast<std::size_t>(problem_.columns));
    place(share_of(0), a_, tau_);
    for (Rank from = 1; from < number_of_ranks(); ++from) {
      const Share share = share_of(from);
      const std::vector<double> a = received(from, share.rows * share.columns);
      place(share, a, received(from, share.columns));
    }
  }

  void place(const Share& share, const std::vector<double>& a, const std::vector<double>& tau) {
    for (int j = 0; j < share.columns; ++j) {
      const auto column = static_cast<std::size_t>(global(j, share.column, problem_.grid_columns));
      factors_.tau[column] = tau[static_cast<std::size_t>(j)];
      for (int i = 0; i < share.rows; ++i) {
        const auto row = static_cast<std::size_t>(global(i, share.row, grid_rows_));
        factors_.a[row + column * static_cast<std::size_t>(problem_.rows)] = a[index(share, i, j)];
      }
    }
  }

  double largest_error() const {
    const std::vector<double> found = product(factors_);
    double worst = 0;
    for (int j = 0; j < problem_.columns; ++j) {
      for (int i = 0; i < problem_.rows; ++i) {
        const std::size_t at = static_cast<std::size_t>(i) +
                               static_cast<std::size_t>(j) * static_cast<std::size_t>(problem_.rows);
        const double error = std::abs(found[at] - element(i, j));
        worst = std::isnan(error) ? HUGE_VAL : std::max(worst, error);
      }
    }
    return worst;
  }

  Problem problem_;
  int grid_rows_ = 1;
  int context_ = 0, info_ = 0;
  int descriptor_[9] = {};
  std::vector<double> a_, tau_, work_;  ///< of this rank
  Factors factors_;                     ///< rank 0: the whole
  std::uint64_t round_ = 0;
};

}  // namespace
}  // namespace wan::bench

int main(int argc, char** argv) {
  return wan::bench::app_main<wan::bench::Qr>(
      argc, argv, "qr", "QR factorization by ScaLAPACK's pdgeqrf on a grid of the ranks");
}
