// SPDX-License-Identifier: BSD-3-Clause
// The formula that every test value comes from: each process can compute what any other process contributed.
// Stateless, safe from any thread. Source of the mixer: splitmix64 (Steele, Lea, Flood, OOPSLA 2014).
// Tested by every program here: a receiver computes the sender's values from it.
#pragma once

#include <cstdint>

namespace mpitest {

/// A bijective scrambling of 64 bits.
constexpr std::uint64_t scramble(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// A hash of any list of integers, order included.
template <class... Integers>
constexpr std::uint64_t hash_of(Integers... values) {
  std::uint64_t h = 0;
  ((h = scramble(h ^ static_cast<std::uint64_t>(values))), ...);
  return h;
}

}  // namespace mpitest
