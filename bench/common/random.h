// SPDX-License-Identifier: BSD-3-Clause
// Inputs that every rank can compute by itself: numbers that follow from three others and look random.
#pragma once

#include <cstdint>

namespace wan::bench {

/// Mixed as by SplitMix64 (Steele, Lea and Flood, 2014).
constexpr std::uint64_t mixed(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  std::uint64_t x = a * 0x9e3779b97f4a7c15 + b * 0xc2b2ae3d27d4eb4f + c * 0x165667b19e3779f9 + 1;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// From -1 to 1.
constexpr double random_real(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  return static_cast<double>(mixed(a, b, c) >> 11) / static_cast<double>(std::uint64_t{1} << 52) - 1;
}

}  // namespace wan::bench
