// SPDX-License-Identifier: BSD-3-Clause
// cg: Poisson's equation on a cube (seven-point stencil, zero on the boundary), solved by conjugate
// gradients. The ranks have a box of the grid each and exchange its faces with their neighbours; an iteration
// has two dot products, an allreduce of 8 bytes each. Checked against the solution, which is chosen first:
// the right-hand side follows from it by formula.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "bench/apps/harness.h"
#include "bench/common/random.h"

namespace wan::bench {
namespace {

constexpr int kDimensions = 3;
constexpr double kTolerance = 1e-8;     ///< of the residual, relative to the right-hand side
constexpr double kLargestError = 1e-5;  ///< of the solution, whose values lie between -1 and 1

using Point = std::array<int, kDimensions>;
using Grid = std::vector<double>;  ///< a rank's box with a layer of its neighbours' points around it

class ConjugateGradients : public App {
 public:
  struct Problem {
    int points = 32;
  };
  static void define(CLI::App& cli, Problem& problem) {
    cli.add_option("--points", problem.points, "of the grid, along each edge of the cube")
        ->check(CLI::Range(16, 2'000));
  }

  explicit ConjugateGradients(const Problem& problem) : points_(problem.points) {
    Point ranks{}, periodic{};
    MPI_Dims_create(number_of_ranks(), kDimensions, ranks.data());
    MPI_Cart_create(MPI_COMM_WORLD, kDimensions, ranks.data(), periodic.data(), 0, &comm_);
    Point place{};
    MPI_Cart_coords(comm_, my_rank(), kDimensions, place.data());
    std::size_t values = 1;
    for (std::size_t d = 0; d < kDimensions; ++d) {
      first_[d] = points_ * place[d] / ranks[d];
      size_[d] = points_ * (place[d] + 1) / ranks[d] - first_[d];
      values *= static_cast<std::size_t>(size_[d] + 2);
    }
    for (Grid* grid : {&solution_, &residual_, &direction_, &product_}) grid->resize(values);
    make_faces();
  }
  ~ConjugateGradients() override {
    for (Face& face : faces_) {
      MPI_Type_free(&face.inner);
      MPI_Type_free(&face.outer);
    }
    MPI_Comm_free(&comm_);
  }
  ConjugateGradients(const ConjugateGradients&) = delete;
  ConjugateGradients& operator=(const ConjugateGradients&) = delete;

  std::string problem() const override { return std::to_string(points_) + "^3 points"; }

  void prepare(std::int64_t round) override {
    round_ = static_cast<std::uint64_t>(round);
    for (Grid* grid : {&solution_, &residual_, &direction_, &product_}) std::ranges::fill(*grid, 0.0);
    for_each_point([&](const Point& p) { residual_[at(p)] = right_hand_side(p); });
    direction_ = residual_;
  }

  void run() override {
    double rho = dot(residual_, residual_);
    const double enough = rho * kTolerance * kTolerance;
    for (iterations_ = 0; rho > enough && iterations_ < 10 * points_; ++iterations_) {
      exchange_faces();
      for_each_point([&](const Point& p) { product_[at(p)] = laplacian(p); });
      const double step = rho / dot(direction_, product_);
      for_each_point([&](const Point& p) {
        solution_[at(p)] += step * direction_[at(p)];
        residual_[at(p)] -= step * product_[at(p)];
      });
      const double before = rho;
      rho = dot(residual_, residual_);
      for_each_point(
          [&](const Point& p) { direction_[at(p)] = residual_[at(p)] + rho / before * direction_[at(p)]; });
    }
  }

  std::optional<std::string> mistake() override {
    double worst = 0;
    for_each_point([&](const Point& p) {
      const double error = std::abs(solution_[at(p)] - chosen(p));
      worst = std::isnan(error) ? error : std::max(worst, error);
    });
    if (worst <= kLargestError) return std::nullopt;
    return "the solution is wrong by " + std::to_string(worst) + " after " + std::to_string(iterations_) +
           " iterations";
  }

 private:
  /// What goes to a neighbour: the outermost layer of the box. What comes: the layer around it.
  struct Face {
    Rank to, from;
    MPI_Datatype inner, outer;
  };

  /// Six faces: along each dimension, up and down.
  void make_faces() {
    for (std::size_t d = 0; d < kDimensions; ++d) {
      for (const int up : {0, 1}) {
        Face& face = faces_[2 * d + static_cast<std::size_t>(up)];
        MPI_Cart_shift(comm_, static_cast<int>(d), up ? 1 : -1, &face.from, &face.to);
        face.inner = layer(d, up ? size_[d] : 1);
        face.outer = layer(d, up ? 0 : size_[d] + 1);
      }
    }
  }

  /// The layer of the box at `index` (0: below it) of a dimension.
  MPI_Datatype layer(std::size_t dimension, int index) const {
    Point all, part = size_, start{1, 1, 1};
    std::ranges::transform(size_, all.begin(), [](int size) { return size + 2; });
    part[dimension] = 1;
    start[dimension] = index;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_subarray(kDimensions, all.data(), part.data(), start.data(), MPI_ORDER_C, MPI_DOUBLE,
                             &type);
    MPI_Type_commit(&type);
    return type;
  }

  void exchange_faces() {
    std::array<MPI_Request, 4 * kDimensions> requests;
    std::size_t next = 0;
    for (std::size_t i = 0; i < faces_.size(); ++i)
      MPI_Irecv(direction_.data(), 1, faces_[i].outer, faces_[i].from, static_cast<int>(i), comm_,
                &requests[next++]);
    for (std::size_t i = 0; i < faces_.size(); ++i)
      MPI_Isend(direction_.data(), 1, faces_[i].inner, faces_[i].to, static_cast<int>(i), comm_,
                &requests[next++]);
    MPI_Waitall(static_cast<int>(next), requests.data(), MPI_STATUSES_IGNORE);
  }

  /// Calls `visit` with each point of the box, counted from 0 in it.
  template <class Visit>
  void for_each_point(Visit visit) const {
    for (int i = 0; i < size_[0]; ++i) {
      for (int j = 0; j < size_[1]; ++j) {
        for (int k = 0; k < size_[2]; ++k) visit(Point{i, j, k});
      }
    }
  }

  /// Index of a point of the box, or of the layer around it (-1, size).
  std::size_t at(const Point& p) const {
    return static_cast<std::size_t>(((p[0] + 1) * (size_[1] + 2) + p[1] + 1) * (size_[2] + 2) + p[2] + 1);
  }

  double laplacian(const Point& p) const {
    const std::size_t row = static_cast<std::size_t>(size_[2] + 2),
                      plane = row * static_cast<std::size_t>(size_[1] + 2);
    const std::size_t i = at(p);
    const Grid& d = direction_;
    return 6 * d[i] - d[i - plane] - d[i + plane] - d[i - row] - d[i + row] - d[i - 1] - d[i + 1];
  }

  double dot(const Grid& a, const Grid& b) const {
    double sum = 0, total = 0;
    for_each_point([&](const Point& p) { sum += a[at(p)] * b[at(p)]; });
    MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, comm_);
    return total;
  }

  /// The solution that is to be found; 0 outside of the cube.
  double chosen(const Point& p) const {
    std::uint64_t number = 0;
    for (std::size_t d = 0; d < kDimensions; ++d) {
      const int position = first_[d] + p[d];
      if (position < 0 || position >= points_) return 0;
      number = number * static_cast<std::uint64_t>(points_) + static_cast<std::uint64_t>(position);
    }
    return random_real(number, round_, 0);
  }

  double right_hand_side(const Point& p) const {
    double sum = 6 * chosen(p);
    for (std::size_t d = 0; d < kDimensions; ++d) {
      for (const int step : {-1, 1}) {
        Point neighbor = p;
        neighbor[d] += step;
        sum -= chosen(neighbor);
      }
    }
    return sum;
  }

  int points_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  Point first_{}, size_{};  ///< of this rank's box
  std::array<Face, 2 * kDimensions> faces_{};
  Grid solution_, residual_, direction_, product_;
  std::uint64_t round_ = 0;
  int iterations_ = 0;  ///< of the last run
};

}  // namespace
}  // namespace wan::bench

int main(int argc, char** argv) {
  return wan::bench::app_main<wan::bench::ConjugateGradients>(
      argc, argv, "cg",
      "Poisson's equation by conjugate gradients: two allreduces and an exchange of faces an iteration");
}
