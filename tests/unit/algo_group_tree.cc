// SPDX-License-Identifier: BSD-3-Clause
// algo/trees/group_tree.h: no shape is quicker than the one that is chosen; what comes of the processes'
// overheads, of long vectors and of blocks.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <ranges>

#include "algo/trees/broadcast_builders.h"
#include "algo/trees/group_tree.h"

namespace wan {
namespace {

using Way = TreeLoad::Way;
using Content = TreeLoad::Content;
using Nodes = std::vector<NodeIndex>;
using Members = std::vector<GroupMember>;

Nodes children(const BroadcastTree& tree, NodeIndex node) {
  const auto found = tree.children_of(node);
  return {found.begin(), found.end()};
}

Members equal_hosts(std::size_t number) {
  return Members(number, GroupMember{10'000, 10'000, 1});
}

BroadcastTree chosen(const Members& members, const TreeLoad& load) {
  return group_tree(Machine{}, Proximity::same_site, members, TreeShape::automatic, 8, load);
}

TEST(GroupTree, OfFewHostsAndAShortMessageIsFlat) {
  EXPECT_EQ(children(chosen(equal_hosts(4), {}), 0), (Nodes{1, 2, 3}));
}

TEST(GroupTree, OfManyHostsIsNot) {
  const auto tree = chosen(equal_hosts(100), {});
  EXPECT_LT(children(tree, 0).size(), 20u);
  const auto time = [&](const BroadcastTree& each) {
    return group_time(Machine{}, Proximity::same_site, equal_hosts(100), each, {});
  };
  EXPECT_LT(time(tree), time(shaped_tree(TreeShape::knomial, 8, 100, 0)));
}

TEST(GroupTree, OfALongVectorIsAChain) {
  const TreeLoad load{Way::down, Content::vector, 100'000'000, 32'768};
  EXPECT_EQ(children(chosen(equal_hosts(5), load), 0), Nodes{1});
}

TEST(GroupTree, OfLongBlocksIsFlat) {
  EXPECT_EQ(children(chosen(equal_hosts(16), {Way::up, Content::blocks, 1'000'000}), 0).size(), 15u);
}

// Twelve hosts, the last one slow by far: it is sent to, and sends to nobody.
TEST(GroupTree, LeavesASlowProcessToTheOthers) {
  Members members = equal_hosts(12);
  members.back() = {900'000, 900'000, 1};
  for (const Way way : {Way::down, Way::up, Way::both})
    EXPECT_EQ(children(chosen(members, {way}), 11), Nodes{});
}

TEST(GroupTree, IsWhatTheUserChose) {
  const auto tree = [](TreeShape shape) {
    return group_tree(Machine{}, Proximity::same_host, equal_hosts(9), shape, 3, {});
  };
  EXPECT_EQ(children(tree(TreeShape::flat), 0).size(), 8u);
  EXPECT_EQ(children(tree(TreeShape::chain), 0), Nodes{1});
  EXPECT_EQ(children(tree(TreeShape::knomial), 0), (Nodes{3, 6, 1, 2}));
  EXPECT_EQ(children(tree(TreeShape::greedy), 1).empty(), false);
  EXPECT_EQ(children(tree(TreeShape::fnf), 1).empty(), false);
}

/// Has every subtree consecutive numbers?
bool has_consecutive_subtrees(const BroadcastTree& tree) {
  const auto order = tree.top_down();
  Nodes last(order.size()), below(order.size(), 1);
  for (const NodeIndex node : order | std::views::reverse) {
    const auto i = static_cast<std::size_t>(node);
    last[i] = std::max(last[i], node);
    if (last[i] - node + 1 != below[i]) return false;
    if (const auto parent = tree.parent_of(node)) {
      const auto above = static_cast<std::size_t>(*parent);
      last[above] = std::max(last[above], last[i]);
      below[above] += below[i];
    }
  }
  return true;
}

TEST(GroupTree, OfHostsThatCouldChangePlacesHasConsecutiveSubtrees) {
  for (const TreeShape shape : {TreeShape::automatic, TreeShape::knomial, TreeShape::greedy, TreeShape::fnf})
    for (std::size_t hosts = 1; hosts <= 60; ++hosts)
      for (const Way way : {Way::down, Way::up, Way::both})
        EXPECT_TRUE(has_consecutive_subtrees(
            group_tree(Machine{}, Proximity::same_host, equal_hosts(hosts), shape, 4, {way})))
            << hosts;
}

Members random_members() {
  Members members(static_cast<std::size_t>(*rc::gen::inRange(1, 40)));
  for (GroupMember& member : members)
    member = {*rc::gen::inRange(0, 100'000), *rc::gen::inRange(0, 100'000), *rc::gen::inRange(1, 9)};
  return members;
}

TEST(GroupTree, IsNoSlowerThanAnyOther) {
  EXPECT_TRUE(rc::check([] {
    const Members members = random_members();
    const TreeLoad load{*rc::gen::element(Way::down, Way::up, Way::both),
                        *rc::gen::element(Content::vector, Content::sum, Content::blocks),
                        *rc::gen::element<Bytes>(0, 8, 10'000, 1'000'000, TreeLoad::kMost),
                        *rc::gen::element<Bytes>(1'000, 32'768),
                        *rc::gen::element<Nanoseconds>(0, 1'000'000)};
    const auto distance = *rc::gen::element(Proximity::same_host, Proximity::same_site);
    const auto time = [&](TreeShape shape, int radix) {
      return group_time(Machine{}, distance, members,
                        group_tree(Machine{}, distance, members, shape, radix, load), load);
    };
    const Nanoseconds best = time(TreeShape::automatic, 8);
    for (const TreeShape shape : {TreeShape::flat, TreeShape::chain, TreeShape::greedy, TreeShape::fnf})
      RC_ASSERT(best <= time(shape, 2));
    for (const int radix : {2, 3, 4, 8, 16}) RC_ASSERT(best <= time(TreeShape::knomial, radix));
  }));
}

}  // namespace
}  // namespace wan
