// SPDX-License-Identifier: BSD-3-Clause
#include "algo/trees/group_tree.h"

#include <algorithm>
#include <optional>
#include <ranges>
#include <vector>

#include "algo/trees/broadcast_builders.h"
#include "base/index.h"
#include "base/invariant.h"

namespace wan {

namespace {

using Way = TreeLoad::Way;
using Members = std::span<const GroupMember>;

/// What a message costs who sends it and who receives it, and on its way: down the tree, or up, or both
/// together.
class GroupCosts {
 public:
  GroupCosts(const Machine& machine, Proximity proximity, Members members, const TreeLoad& load)
      : medium_(proximity == Proximity::same_host ? machine.shared_memory : machine.tcp),
        link_(proximity == Proximity::same_host ? machine.host_link : machine.site_link),
        framing_(proximity == Proximity::same_host ? Framing::none() : machine.framing),
        combining_ps_(load.content == TreeLoad::Content::sum ? machine.reduce_ps_per_byte : 0),
        members_(members),
        load_(load) {}

  /// The parent's part of a message on an edge: it sends or receives one after the other.
  Nanoseconds injection_ns(NodeIndex parent, Bytes bytes) const {
    const Nanoseconds wire =
        time_of(framing_.wire_bytes(bytes, framing_.message_header), link_.bandwidth_bytes_per_s);
    Nanoseconds sum = 0;
    if (goes(Way::down))
      sum += member(parent).send_ns + std::max(wire, processor_ns(bytes, medium_.send_ps_per_byte));
    if (goes(Way::up))
      sum += member(parent).receive_ns + std::max(wire, processor_ns(bytes, medium_.receive_ps_per_byte)) +
             processor_ns(bytes, combining_ps_);
    return sum;
  }
  /// The rest of it.
  Nanoseconds weight_ns(NodeIndex child, Bytes bytes) const {
    return latency_ns(child, bytes) + own_ns(child, bytes);
  }
  /// How long a member is busy with a message of its parent or for it.
  Nanoseconds own_ns(NodeIndex child, Bytes bytes) const {
    Nanoseconds sum = 0;
    if (goes(Way::down)) sum += member(child).receive_ns + processor_ns(bytes, medium_.receive_ps_per_byte);
    if (goes(Way::up)) sum += member(child).send_ns + processor_ns(bytes, medium_.send_ps_per_byte);
    return sum;
  }

 private:
  const GroupMember& member(NodeIndex node) const { return members_[at(node)]; }
  bool goes(Way way) const { return load_.way == way || load_.way == Way::both; }
  /// Of a message above the eager limit: there, back with the answer, and there.
  Nanoseconds latency_ns(NodeIndex child, Bytes bytes) const {
    const Nanoseconds handshake =
        bytes > medium_.eager_limit ? 2 * link_.latency_ns + member(child).send_ns + member(child).receive_ns
                                    : 0;
    return (load_.way == Way::both ? 2 : 1) * (link_.latency_ns + handshake);
  }

  const Medium& medium_;
  const Link& link_;
  Framing framing_;
  PicosecondsPerByte combining_ps_;
  Members members_;
  const TreeLoad& load_;
};

/// Ranks below each member, with its own.
std::vector<Rank> ranks_below(Members members, const BroadcastTree& tree,
                              std::span<const NodeIndex> top_down) {
  std::vector<Rank> below;
  for (const GroupMember& member : members) below.push_back(member.ranks);
  for (std::size_t i = top_down.size(); i-- > 1;)
    below[at(*tree.parent_of(top_down[i]))] += below[at(top_down[i])];
  return below;
}

Nanoseconds time_of_tree(const GroupCosts& costs, Members members, const BroadcastTree& tree,
                         const TreeLoad& load) {
  const auto order = tree.top_down();
  const bool is_blocks = load.content == TreeLoad::Content::blocks;
  const auto below = is_blocks ? ranks_below(members, tree, order) : std::vector<Rank>{};
  std::vector<Nanoseconds> there(members.size());
  Nanoseconds last = 0, busiest = load.period_ns;
  for (const NodeIndex node : order) {
    Nanoseconds busy = there[at(node)];
    for (const NodeIndex child : tree.children_of(node)) {
      const Bytes bytes = is_blocks ? load.bytes * below[at(child)] : load.piece();
      busy += costs.injection_ns(node, bytes);
      there[at(child)] = busy + costs.weight_ns(child, bytes);
      last = std::max(last, there[at(child)]);
    }
    const Nanoseconds own = node == tree.root() ? 0 : costs.own_ns(node, load.piece());
    busiest = std::max(busiest, own + busy - there[at(node)]);
  }
  return last + (load.pieces() - 1) * busiest;
}

/// A piece to each member, as papers/002 has it: the sender's time, the receiver's time.
ClusterGraph graph_of(const GroupCosts& costs, Members members, const TreeLoad& load) {
  std::vector<NodeSpeed> speeds;
  for (NodeIndex node = 0; node < std::ssize(members); ++node)
    speeds.push_back({costs.injection_ns(node, load.piece()), costs.weight_ns(node, load.piece())});
  return ClusterGraph(std::move(speeds), 0);
}

bool are_alike(Members members) {
  return std::ranges::all_of(members, [&](const GroupMember& member) {
    return member.send_ns == members.front().send_ns && member.receive_ns == members.front().receive_ns;
  });
}

/// Can members but the root change places, and the tree is as good?
bool are_interchangeable(Members members) {
  return are_alike(members) && std::ranges::all_of(members.subspan(1), [&](const GroupMember& member) {
           return member.ranks == members.back().ranks;
         });
}

/// The same tree with its nodes numbered subtree by subtree, from 0, the root.
BroadcastTree numbered_by_subtree(const BroadcastTree& tree) {
  struct Visit {
    NodeIndex node;
    std::optional<NodeIndex> parent;  ///< its new number
  };
  BroadcastTree numbered(tree.nodes(), 0);
  std::vector<Visit> open{{tree.root(), std::nullopt}};
  for (NodeIndex next = 0; !open.empty(); ++next) {
    const auto [node, parent] = open.back();
    open.pop_back();
    if (parent) numbered.link(*parent, next);
    for (const NodeIndex child : tree.children_of(node) | std::views::reverse) open.push_back({child, next});
  }
  return numbered;
}

BroadcastTree placed(Members members, const BroadcastTree& tree) {
  return are_interchangeable(members) ? numbered_by_subtree(tree) : tree;
}

BroadcastTree tree_of(const GroupCosts& costs, Members members, TreeShape shape, int radix,
                      const TreeLoad& load) {
  switch (shape) {
    case TreeShape::greedy:
      return placed(members, earliest_completion(graph_of(costs, members, load), 0));
    case TreeShape::fnf:
      return placed(members, fastest_node_first(graph_of(costs, members, load), 0));
    default:
      return shaped_tree(shape, radix, static_cast<NodeIndex>(members.size()), 0);
  }
}

struct Candidate {
  TreeShape shape;
  int radix;
};

/// Earliest completion is the best of all where every message costs the same and one is all there is.
std::vector<Candidate> candidates(Members members, int radix, const TreeLoad& load) {
  constexpr int kUnused = 2;
  const bool is_one_cost =
      are_alike(members) && load.content != TreeLoad::Content::blocks && load.pieces() == 1;
  if (is_one_cost) return {{TreeShape::greedy, kUnused}};
  std::vector<Candidate> all{
      {TreeShape::knomial, radix}, {TreeShape::flat, kUnused}, {TreeShape::greedy, kUnused}};
  if (!are_alike(members)) all.push_back({TreeShape::fnf, kUnused});
  for (const int other : {2, 3, 4, 16})
    if (other != radix && other < std::ssize(members)) all.push_back({TreeShape::knomial, other});
  all.push_back({TreeShape::chain, kUnused});
  return all;
}

BroadcastTree quickest(const GroupCosts& costs, Members members, int radix, const TreeLoad& load) {
  std::optional<BroadcastTree> best;
  Nanoseconds best_ns = 0;
  for (const Candidate& each : candidates(members, radix, load)) {
    BroadcastTree tree = tree_of(costs, members, each.shape, each.radix, load);
    const Nanoseconds time_ns = time_of_tree(costs, members, tree, load);
    if (best && time_ns >= best_ns) continue;
    best = std::move(tree);
    best_ns = time_ns;
  }
  return *std::move(best);
}

}  // namespace

BroadcastTree group_tree(const Machine& machine, Proximity proximity, Members members, TreeShape shape,
                         int radix, const TreeLoad& load) {
  invariant(!members.empty(), "a group has a coordinator");
  const GroupCosts costs(machine, proximity, members, load);
  constexpr std::size_t kOneTree = 2;
  if (members.size() <= kOneTree) return tree_of(costs, members, TreeShape::flat, radix, load);
  return shape == TreeShape::automatic ? quickest(costs, members, radix, load)
                                       : tree_of(costs, members, shape, radix, load);
}

Nanoseconds group_time(const Machine& machine, Proximity proximity, Members members,
                       const BroadcastTree& tree, const TreeLoad& load) {
  return time_of_tree(GroupCosts(machine, proximity, members, load), members, tree, load);
}

}  // namespace wan
