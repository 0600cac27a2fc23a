// SPDX-License-Identifier: BSD-3-Clause
// Rooted trees over some ranks of a communicator, and the shapes they are made of. Tested by tests/unit/algo_tree.cc.
//
//   flat, 6 nodes         chain, 4 nodes      k-nomial, radix 2, 6 nodes     k-nomial, radix 3, 8 nodes
//        0                0-1-2-3                  0                              0
//   1 2 3 4 5                                  4   2   1                      3   6   1 2
//                                              5   3                         4 5   7
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/types.h"
#include "topo/layout.h"

namespace wan {

enum class TreeShape : std::uint8_t { flat, chain, knomial };

/// Children of each of `nodes` nodes, numbered from the root 0; of a node's children the one with most below it first.
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
  /// Links `ranks` in the given shape below ranks[0].
  void link_as(TreeShape shape, int radix, std::span<const Rank> ranks);

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

/// The tree inside a site, rooted at `coordinator`: it follows the hosts and, below them, the NUMA domains. Each group of
/// each level has one coordinator; between two groups there is one edge.
///
///   site s, hosts {0 1 2} {3 4}, coordinator 1:   1 -> 3 (host to host), 1 -> 0, 1 -> 2, 3 -> 4
Tree site_tree(const Layout& layout, SiteIndex site, Rank coordinator, TreeShape shape, int radix);

}  // namespace wan
