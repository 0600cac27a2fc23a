// SPDX-License-Identifier: BSD-3-Clause
#include "bench/apps/network.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "bench/common/random.h"

namespace wan::bench {
namespace {

constexpr std::size_t kLanes = 16;  ///< sums side by side, which the processor adds at once

/// a . b
float dot(std::span<const float> a, std::span<const float> b) {
  std::array<float, kLanes> sums{};
  std::size_t i = 0;
  for (; i + kLanes <= a.size(); i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  }
  float sum = 0;
  for (; i < a.size(); ++i) sum += a[i] * b[i];
  for (const float each : sums) sum += each;
  return sum;
}

/// (a + step x direction) . b, in double precision.
double dot_moved(std::span<const float> a, std::span<const float> direction, double step,
                 std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] + step * direction[i]) * b[i];
  return sum;
}

}  // namespace

Network Network::of_size(std::size_t parameters) {
  const auto side = static_cast<std::size_t>(std::sqrt(static_cast<double>(parameters)));
  return {side, side - 1};
}

void Network::initialize(std::span<float> weights, std::uint64_t seed) const {
  const double scale = 1 / std::sqrt(static_cast<double>(inputs_));
  for (std::size_t i = 0; i < weights.size(); ++i)
    weights[i] = static_cast<float>(scale * random_real(i, seed, 1));
}

Sample Network::sample(std::uint64_t number, std::uint64_t seed) const {
  Sample sample;
  sample.input.resize(inputs_);
  for (std::size_t i = 0; i < inputs_; ++i)
    sample.input[i] = static_cast<float>(random_real(number, i, 2 * seed));
  sample.wanted = std::sin(3 * sample.input[0]);
  return sample;
}

void Network::gradient(std::span<const float> weights, std::span<const Sample> samples,
                       std::span<float> result) const {
  std::ranges::fill(result, 0.0F);
  const std::span<const float> v = weights.subspan(hidden_ * inputs_);
  std::vector<float> active(hidden_);
  for (const Sample& sample : samples) {
    for (std::size_t h = 0; h < hidden_; ++h)
      active[h] = std::tanh(dot(weights.subspan(h * inputs_, inputs_), sample.input));
    const float error = dot(v, active) - sample.wanted;
    for (std::size_t h = 0; h < hidden_; ++h) {
      result[hidden_ * inputs_ + h] += error * active[h];
      const float slope = error * v[h] * (1 - active[h] * active[h]);
      const std::span<float> row = result.subspan(h * inputs_, inputs_);
      for (std::size_t i = 0; i < inputs_; ++i) row[i] += slope * sample.input[i];
    }
  }
}

double Network::loss(std::span<const float> weights, std::span<const float> direction, double step,
                     std::span<const Sample> samples) const {
  const std::size_t v = hidden_ * inputs_;
  double loss = 0;
  for (const Sample& sample : samples) {
    double answer = 0;
    for (std::size_t h = 0; h < hidden_; ++h) {
      const std::size_t row = h * inputs_;
      answer += (weights[v + h] + step * direction[v + h]) *
                std::tanh(dot_moved(weights.subspan(row, inputs_), direction.subspan(row, inputs_), step,
                                    sample.input));
    }
    loss += (answer - sample.wanted) * (answer - sample.wanted) / 2;
  }
  return loss;
}

}  // namespace wan::bench
