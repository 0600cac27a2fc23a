// SPDX-License-Identifier: BSD-3-Clause
// training: data-parallel training of a network with one hidden layer. Every rank computes the gradient over
// samples of its own, an allreduce adds the gradients, and every rank takes the same step. Checked in three
// ways, without collectives: the sums of the last gradient against those of the ranks' gradients (sums.h),
// the network's gradient against differences of the loss, and every rank's weights against those of rank 0.
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include "bench/apps/harness.h"
#include "bench/apps/network.h"
#include "bench/apps/sums.h"
#include "bench/common/random.h"

namespace wan::bench {
namespace {

constexpr float kRate = 0.05F;
constexpr double kLargestDifference = 1e-3;  ///< between a derivative and its finite difference, relative

class Training : public App {
 public:
  struct Problem {
    int mebibytes = 4;
    int steps = 3;
    int samples = 4;
  };
  static void define(CLI::App& cli, Problem& problem) {
    cli.add_option("--mebibytes", problem.mebibytes, "of weights, and of gradient: of single precision")
        ->check(CLI::Range(1, 1'024));
    cli.add_option("--steps", problem.steps, "of training")->check(CLI::Range(1, 1'000));
    cli.add_option("--samples", problem.samples, "of each rank in each step")->check(CLI::Range(1, 10'000));
  }

  explicit Training(const Problem& problem)
      : problem_(problem), network_(Network::of_size(std::size_t(problem.mebibytes) << 18)) {
    for (std::vector<float>* vector : {&weights_, &own_, &gradient_}) vector->resize(network_.parameters());
  }

  std::string problem() const override {
    return std::to_string(problem_.mebibytes) + " MiB " + std::to_string(problem_.steps) + " steps";
  }

  void prepare(std::int64_t round) override {
    round_ = static_cast<std::uint64_t>(round);
    network_.initialize(weights_, round_);
  }

  void run() override {
    const float rate = kRate / static_cast<float>(problem_.samples * number_of_ranks());
    for (int step = 0; step < problem_.steps; ++step) {
      network_.gradient(weights_, samples(step), own_);
      MPI_Allreduce(own_.data(), gradient_.data(), static_cast<int>(own_.size()), MPI_FLOAT, MPI_SUM,
                    MPI_COMM_WORLD);
      for (std::size_t i = 0; i < weights_.size(); ++i) weights_[i] -= rate * gradient_[i];
    }
  }

  std::optional<std::string> mistake() override {
    const bool added = is_sum(gradient_, own_), equal = equal_to_rank_zero();  // all ranks exchange both
    if (!added) return "the gradient is not the sum of the ranks' gradients";
    if (!equal) return "the weights are not those of rank 0";
    if (my_rank() == 0 && !fits_loss()) return "the gradient is not the derivative of the loss";
    return std::nullopt;
  }

 private:
  /// This rank's samples of a step.
  std::vector<Sample> samples(int step) const {
    std::vector<Sample> all;
    for (int i = 0; i < problem_.samples; ++i) {
      const auto place =
          static_cast<std::uint64_t>((step * number_of_ranks() + my_rank()) * problem_.samples + i);
      all.push_back(network_.sample(place, round_));
    }
    return all;
  }

  /// A hash of the weights goes to rank 0 and its answer comes back.
  bool equal_to_rank_zero() const {
    std::uint64_t own = 0, right = 0;
    for (const float weight : weights_) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, &weight, sizeof bits);
      own = mixed(own, bits, 0);
    }
    right = own;
    for (Rank to = 1; my_rank() == 0 && to < number_of_ranks(); ++to)
      MPI_Send(&own, 1, MPI_UINT64_T, to, 0, MPI_COMM_WORLD);
    if (my_rank() != 0) MPI_Recv(&right, 1, MPI_UINT64_T, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return own == right;
  }

  /// The gradient in its own direction is what the loss gains in a small step that way.
  bool fits_loss() {
    const std::vector<Sample> all = samples(0);
    network_.gradient(weights_, all, own_);
    double square = 0;
    for (const float each : own_) square += double{each} * each;
    const double step = 1e-4 / std::sqrt(square);
    const double gain = network_.loss(weights_, own_, step, all) - network_.loss(weights_, own_, -step, all);
    return std::abs(gain / (2 * step) - square) <= kLargestDifference * square;
  }

  Problem problem_;
  Network network_;
  std::vector<float> weights_;
  std::vector<float> own_, gradient_;  ///< of this rank's samples; of all ranks'
  std::uint64_t round_ = 0;
};

}  // namespace
}  // namespace wan::bench

int main(int argc, char** argv) {
  return wan::bench::app_main<wan::bench::Training>(
      argc, argv, "training", "Data-parallel training: an allreduce of the gradient a step");
}
