// SPDX-License-Identifier: BSD-3-Clause
// A network with one hidden layer: y = v . tanh(W x), trained to a function of x by half the squared error.
// Weights and gradient are one vector: W row by row, then v. No MPI here. Tested by bench/apps/apps_test.cc.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace wan::bench {

struct Sample {
  std::vector<float> input;
  float wanted = 0;
};

class Network {
 public:
  /// As many parameters as asked for where that is a square, else a little fewer.
  static Network of_size(std::size_t parameters);

  std::size_t parameters() const { return hidden_ * (inputs_ + 1); }

  /// Small random weights.
  void initialize(std::span<float> weights, std::uint64_t seed) const;
  /// A random sample.
  Sample sample(std::uint64_t number, std::uint64_t seed) const;

  /// Sum over the samples of the loss's derivatives.
  void gradient(std::span<const float> weights, std::span<const Sample> samples,
                std::span<float> result) const;
  /// Sum over the samples of the loss at weights + step x direction.
  double loss(std::span<const float> weights, std::span<const float> direction, double step,
              std::span<const Sample> samples) const;

 private:
  Network(std::size_t hidden, std::size_t inputs) : hidden_(hidden), inputs_(inputs) {}

  std::size_t hidden_, inputs_;
};

}  // namespace wan::bench
