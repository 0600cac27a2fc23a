// SPDX-License-Identifier: BSD-3-Clause
// The ways between sites (WAN_WAY of algo/algorithms.def), each with what all ranks must know of it. Tested
// by tests/unit/algo_choice.cc.
#pragma once

#include <variant>

#include "algo/algorithm.h"
#include "algo/choice/segments.h"
#include "algo/choice/shards.h"
#include "algo/choice/wide_tree.h"
#include "cost/routes.h"

namespace wan {

struct DirectWay {
  static constexpr Algorithm kAlgorithm = Algorithm::direct;
  static constexpr Cut kCut = Cut::whole;
};
struct SpreadWay {
  static constexpr Algorithm kAlgorithm = Algorithm::spread;
  static constexpr Cut kCut = Cut::shards;
  Shards shards;  ///< some site owns one that it has to pass on
};
struct AggregateWay {
  static constexpr Algorithm kAlgorithm = Algorithm::aggregate;
  static constexpr Cut kCut = Cut::whole;
};
struct RelayedWay {
  static constexpr Algorithm kAlgorithm = Algorithm::relayed;
  static constexpr Cut kCut = Cut::whole;
  Routes routes;
};
struct TreeWay {
  static constexpr Algorithm kAlgorithm = Algorithm::tree;
  static constexpr Cut kCut = Cut::whole;
  WideTree tree;
};
using Way = std::variant<DirectWay, SpreadWay, AggregateWay, RelayedWay, TreeWay>;

inline Algorithm algorithm_of(const Way& way) {
  return std::visit([](const auto& each) { return each.kAlgorithm; }, way);
}
/// How its messages are cut.
inline Cut cut_of(const Way& way) {
  return std::visit([](const auto& each) { return each.kCut; }, way);
}

}  // namespace wan
