// SPDX-License-Identifier: BSD-3-Clause
#include "algo/trees/site_tree.h"

#include <algorithm>
#include <map>
#include <utility>

#include "algo/trees/group_tree.h"
#include "cost/model.h"

namespace wan {

namespace {

class SiteTree {
 public:
  SiteTree(const Topology& topology, SiteIndex site, Rank coordinator, TreeShape shape, int radix,
           const TreeLoad& load)
      : model_(topology, topology.machine),
        shape_(shape),
        radix_(radix),
        load_(load),
        tree_(ranks_of(topology, site), coordinator) {
    link_groups(0, topology.layout.ranks_of(site), coordinator);
  }

  Tree tree() && { return std::move(tree_); }

 private:
  static std::vector<Rank> ranks_of(const Topology& topology, SiteIndex site) {
    const auto ranks = topology.layout.ranks_of(site);
    return {ranks.begin(), ranks.end()};
  }

  /// Joins `ranks` (ascending, `coordinator` among them) level by level: first the groups' coordinators, then
  /// each group.
  void link_groups(int level, std::span<const Rank> ranks, Rank coordinator) {
    const Layout& layout = model_.layout();
    std::map<std::int32_t, std::vector<Rank>> groups;
    for (const Rank rank : ranks)
      groups[level < layout.levels() ? layout.group_of(level, rank) : rank].push_back(rank);
    std::vector<Rank> coordinators{coordinator};
    std::vector<Rank> sizes{0};
    for (const auto& [group, members] : groups) {
      if (std::ranges::binary_search(members, coordinator)) continue;
      coordinators.push_back(layout.best_carrier(members));
      sizes.push_back(static_cast<Rank>(members.size()));
    }
    link(level == 0 ? Proximity::same_site : Proximity::same_host, coordinators, sizes);
    if (level >= layout.levels()) return;
    for (const auto& [group, members] : groups) {
      const bool at_home = std::ranges::binary_search(members, coordinator);
      link_groups(level + 1, members, at_home ? coordinator : layout.best_carrier(members));
    }
  }

  /// sizes: of the groups that these stand for; the first one's does not matter.
  void link(Proximity proximity, std::span<const Rank> coordinators, std::span<const Rank> sizes) {
    std::vector<GroupMember> members;
    for (std::size_t i = 0; i < coordinators.size(); ++i) {
      const Overheads overheads = model_.overheads(coordinators[i], proximity);
      members.push_back({overheads.send_ns, overheads.receive_ns, sizes[i]});
    }
    const BroadcastTree& shape = shape_of(proximity, std::move(members));
    for (const NodeIndex node : shape.top_down())
      for (const NodeIndex child : shape.children_of(node))
        tree_.link(coordinators[static_cast<std::size_t>(node)],
                   coordinators[static_cast<std::size_t>(child)]);
  }

  /// Equal hosts have equal trees.
  const BroadcastTree& shape_of(Proximity proximity, std::vector<GroupMember> members) {
    const auto key = std::pair(proximity, std::move(members));
    const auto found = known_.find(key);
    if (found != known_.end()) return found->second;
    return known_.emplace(key, group_tree(model_.machine(), proximity, key.second, shape_, radix_, load_))
        .first->second;
  }

  Model model_;
  TreeShape shape_;
  int radix_;
  const TreeLoad& load_;
  Tree tree_;
  std::map<std::pair<Proximity, std::vector<GroupMember>>, BroadcastTree> known_;
};

}  // namespace

Tree site_tree(const Topology& topology, SiteIndex site, Rank coordinator, TreeShape shape, int radix,
               const TreeLoad& load) {
  return SiteTree(topology, site, coordinator, shape, radix, load).tree();
}

}  // namespace wan
