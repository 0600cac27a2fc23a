// SPDX-License-Identifier: BSD-3-Clause
// Rooted trees over some ranks of a communicator, and the shapes they are made of. Tested by
// tests/unit/algo_tree.cc.
//
//   flat, 6 nodes         chain, 4 nodes      k-nomial, radix 2, 6 nodes     k-nomial, radix 3, 8 nodes
//        0                0-1-2-3                  0                              0
//   1 2 3 4 5                                  4   2   1                      3   6   1 2
//                                              5   3                         4 5   7
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace wan {

/// `automatic`: what is quickest; greedy: earliest completion; fnf: fastest node first
/// (algo/trees/group_tree.h).
enum class TreeShape : std::uint8_t { automatic, flat, chain, knomial, greedy, fnf };

/// "auto", "flat", ... in the order of the shapes.
std::span<const std::string_view> tree_shape_names();
std::optional<TreeShape> tree_shape_named(std::string_view name);

/// Of flat, chain and k-nomial: children of each of `nodes` nodes, numbered from the root 0; of a node's
/// children the one with most below it first.
std::vector<std::vector<int>> shape_children(TreeShape shape, int radix, int nodes);

class Tree {
 public:
  /// A tree of these ranks (ascending) with no edges yet.
  explicit Tree(std::vector<Rank> members, Rank root);

  Rank root() const { return root_; }
  std::span<const Rank> members() const { return members_; }
  std::optional<Rank> parent_of(Rank rank) const;
  /// In the order in which a broadcast sends to them.
  std::span<const Rank> children_of(Rank rank) const { return nodes_[position(rank)].children; }
  /// The rank itself and all below it, ascending.
  std::vector<Rank> subtree_of(Rank rank) const;

  void link(Rank parent, Rank child);

 private:
  struct Node {
    Rank parent = -1;
    std::vector<Rank> children;
  };
  std::size_t position(Rank rank) const;

  std::vector<Rank> members_;
  std::vector<Node> nodes_;
  Rank root_;
};

}  // namespace wan
