// SPDX-License-Identifier: BSD-3-Clause
#include "tools/doctor/pairs.h"

#include <algorithm>

namespace wan::tools::doctor {

const PairFacts* reverse_of(const Facts& facts, const PairFacts& pair) {
  const auto found = std::ranges::find_if(
      facts.pairs, [&](const PairFacts& other) { return other.from == pair.to && other.to == pair.from; });
  return found == facts.pairs.end() ? nullptr : &*found;
}

const std::string& main_address(const PairFacts& pair) {
  static const std::string none;
  return pair.reaches.empty() ? none : pair.reaches.front().address;
}

bool is_blocked(const PairFacts& pair) {
  return std::ranges::any_of(pair.reaches, [&](const Reach& reach) {
    return reach.address == main_address(pair) && reach.purpose != Purpose::sample &&
           reach.answer != Answer::answered;
  });
}

bool is_reached(const PairFacts& pair) {
  return std::ranges::find(pair.reaches, Answer::answered, &Reach::answer) != pair.reaches.end();
}

StatedLink link_of(const PairFacts& pair) {
  if (pair.stated) return *pair.stated;
  return pair.measured ? StatedLink{pair.measured->round_trip_ns, pair.measured->rate} : StatedLink{};
}

double product_of(const StatedLink& link) {
  return static_cast<double>(link.round_trip_ns) / 1e9 * static_cast<double>(link.rate);
}

}  // namespace wan::tools::doctor
