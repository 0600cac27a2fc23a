// SPDX-License-Identifier: BSD-3-Clause
// algo/trees/tree.h: the shapes as they are drawn, at sizes that are no powers of two; a site's tree follows
// its hosts and NUMA domains.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "algo/trees/site_tree.h"
#include "algo/trees/tree.h"
#include "tests/support/layouts.h"

namespace wan {
namespace {

using Children = std::vector<std::vector<int>>;
using Ranks = std::vector<Rank>;

Ranks children(const Tree& tree, Rank rank) {
  const auto found = tree.children_of(rank);
  return {found.begin(), found.end()};
}

TEST(Shape, FlatOfSix) {
  EXPECT_EQ(shape_children(TreeShape::flat, 2, 6), (Children{{1, 2, 3, 4, 5}, {}, {}, {}, {}, {}}));
}

TEST(Shape, ChainOfFour) {
  EXPECT_EQ(shape_children(TreeShape::chain, 2, 4), (Children{{1}, {2}, {3}, {}}));
}

//      0
//  4   2   1
//  5   3
TEST(Shape, KnomialOfRadixTwoAndSix) {
  EXPECT_EQ(shape_children(TreeShape::knomial, 2, 6), (Children{{4, 2, 1}, {}, {3}, {}, {5}, {}}));
}

//      0
//  2   4   1
//  3
TEST(Shape, KnomialOfRadixTwoAndFive) {
  EXPECT_EQ(shape_children(TreeShape::knomial, 2, 5), (Children{{2, 4, 1}, {}, {3}, {}, {}}));
}

//        0
//   3    6   1 2
//  4 5   7
TEST(Shape, KnomialOfRadixThreeAndEight) {
  EXPECT_EQ(shape_children(TreeShape::knomial, 3, 8),
            (Children{{3, 6, 1, 2}, {}, {}, {4, 5}, {}, {}, {7}, {}}));
}

TEST(Shape, OneNodeHasNoChildren) {
  for (const TreeShape shape : {TreeShape::flat, TreeShape::chain, TreeShape::knomial})
    EXPECT_EQ(shape_children(shape, 2, 1), Children{{}});
}

int nodes_below(const Children& tree, int node) {
  int below = 0;
  for (const int child : tree[static_cast<std::size_t>(node)]) below += 1 + nodes_below(tree, child);
  return below;
}

TEST(Shape, EveryNodeHasOneParentAndLargeSubtreesComeFirst) {
  for (const TreeShape shape : {TreeShape::flat, TreeShape::chain, TreeShape::knomial})
    for (int radix = 2; radix <= 5; ++radix)
      for (int nodes = 1; nodes <= 40; ++nodes) {
        const Children tree = shape_children(shape, radix, nodes);
        EXPECT_EQ(nodes_below(tree, 0), nodes - 1);
        std::multiset<int> seen;
        for (const auto& list : tree) {
          seen.insert(list.begin(), list.end());
          EXPECT_TRUE(std::ranges::is_sorted(list, std::greater{},
                                             [&](int child) { return nodes_below(tree, child); }));
        }
        for (int node = 1; node < nodes; ++node) EXPECT_EQ(seen.count(node), 1u);
      }
}

TEST(Shape, NeedsANodeAndARadixOfTwo) {
  EXPECT_DEATH(shape_children(TreeShape::knomial, 1, 5), "radix of 2 or more");
  EXPECT_DEATH(shape_children(TreeShape::flat, 2, 0), "a tree has a root");
}

TEST(Tree, KnowsParentsChildrenAndSubtrees) {
  Tree tree({2, 3, 5, 8, 9}, 5);
  tree.link(5, 9);
  tree.link(5, 2);
  tree.link(9, 3);
  EXPECT_EQ(tree.root(), 5);
  EXPECT_EQ(tree.parent_of(5), std::nullopt);
  EXPECT_EQ(tree.parent_of(3), 9);
  EXPECT_EQ(children(tree, 5), (Ranks{9, 2}));
  EXPECT_EQ(tree.subtree_of(5), (Ranks{2, 3, 5, 9}));
  EXPECT_EQ(tree.subtree_of(9), (Ranks{3, 9}));
  EXPECT_EQ(tree.subtree_of(8), Ranks{8});
}

TEST(Tree, RefusesStrangersAndSecondParents) {
  EXPECT_DEATH(Tree({1, 2}, 3), "a rank outside its tree");
  Tree tree({1, 2, 3}, 1);
  tree.link(1, 2);
  EXPECT_DEATH(tree.link(3, 2), "a rank with two parents");
  EXPECT_DEATH(tree.link(3, 1), "a rank with two parents");
  EXPECT_DEATH(tree.link(4, 3), "a rank outside its tree");
}

TEST(SiteTree, HasOneEdgeBetweenTwoHosts) {
  const Tree tree = site_tree(topology_of("s1 s1 s1 s2 s2"), 0, 1, TreeShape::knomial, 2);
  EXPECT_EQ(children(tree, 1), (Ranks{3, 2, 0}));
  EXPECT_EQ(children(tree, 3), Ranks{4});
  EXPECT_EQ(tree.subtree_of(1), (Ranks{0, 1, 2, 3, 4}));
}

TEST(SiteTree, HasOneEdgeBetweenTwoNumaDomains) {
  const Tree tree = site_tree(topology_of("s1x s1x s1y s1y s2x s2x"), 0, 0, TreeShape::flat, 2);
  EXPECT_EQ(children(tree, 0), (Ranks{4, 2, 1}));  // the other host, the other domain, the other rank
  EXPECT_EQ(children(tree, 2), Ranks{3});
  EXPECT_EQ(children(tree, 4), Ranks{5});
}

TEST(SiteTree, HasTheRanksOfItsSiteOnly) {
  const Tree tree = site_tree(topology_of("a b a c b a"), 0, 2, TreeShape::flat, 2);
  EXPECT_EQ(tree.subtree_of(2), (Ranks{0, 2, 5}));
  EXPECT_EQ(Ranks(tree.members().begin(), tree.members().end()), (Ranks{0, 2, 5}));
}

TEST(Shape, HasAName) {
  for (std::size_t shape = 0; shape < tree_shape_names().size(); ++shape)
    EXPECT_EQ(tree_shape_named(tree_shape_names()[shape]), static_cast<TreeShape>(shape));
  EXPECT_EQ(tree_shape_named("greedy"), TreeShape::greedy);
  EXPECT_EQ(tree_shape_named("binary"), std::nullopt);
}

TEST(SiteTree, WithoutHostsIsOneShape) {
  const Tree tree = site_tree(topology_of("a a a a a"), 0, 0, TreeShape::chain, 2);
  for (Rank rank = 1; rank < 5; ++rank) EXPECT_EQ(tree.parent_of(rank), rank - 1);
}

// Eight processes of a host: by shared memory a message takes as long on its way as to send. Eight hosts: 40
// us on its way.
TEST(SiteTree, FollowsWhatAMessageCosts) {
  const Tree inside = site_tree(topology_of("ax ax ax ax ax ax ax ax"), 0, 0, TreeShape::automatic, 8);
  EXPECT_EQ(children(inside, 0).size(), 4u);
  const Tree between = site_tree(topology_of("a1 a2 a3 a4"), 0, 0, TreeShape::automatic, 8);
  EXPECT_EQ(children(between, 0), (Ranks{1, 2, 3}));
}

TEST(SiteTree, OfAVectorThatComesSlowlyIsThatOfAPiece) {
  const Topology topology = topology_of("a1 a2 a3 a4 a5");
  TreeLoad load{TreeLoad::Way::down, TreeLoad::Content::vector, 100'000'000, 32'768};
  EXPECT_EQ(children(site_tree(topology, 0, 0, TreeShape::automatic, 8, load), 0), Ranks{1});
  load.period_ns = 2'600'000;  // 12.5 MB/s
  EXPECT_GT(children(site_tree(topology, 0, 0, TreeShape::automatic, 8, load), 0).size(), 1u);
}

}  // namespace
}  // namespace wan
