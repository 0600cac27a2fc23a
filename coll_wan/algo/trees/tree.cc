// SPDX-License-Identifier: BSD-3-Clause
#include "algo/trees/tree.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "base/invariant.h"

namespace wan {

namespace {

using Children = std::vector<std::vector<int>>;

Children flat_children(int nodes) {
  Children children(static_cast<std::size_t>(nodes));
  for (int node = 1; node < nodes; ++node) children[0].push_back(node);
  return children;
}

Children chain_children(int nodes) {
  Children children(static_cast<std::size_t>(nodes));
  for (int node = 1; node < nodes; ++node) children[static_cast<std::size_t>(node) - 1].push_back(node);
  return children;
}

/// A child's number is higher than its parent's.
void put_largest_first(Children& children) {
  std::vector<int> below(children.size());
  for (std::size_t node = children.size(); node-- > 0;)
    for (const int child : children[node]) below[node] += 1 + below[static_cast<std::size_t>(child)];
  for (auto& list : children)
    std::ranges::stable_sort(list, std::greater{},
                             [&](int child) { return below[static_cast<std::size_t>(child)]; });
}

/// Node v with a trailing zero digit in base `radix` at weight w has the children v + d w, 1 <= d < radix.
Children knomial_children(int radix, int nodes) {
  Children children(static_cast<std::size_t>(nodes));
  std::int64_t weight = 1;
  while (weight * radix < nodes) weight *= radix;
  for (; weight >= 1; weight /= radix)
    for (std::int64_t node = 0; node < nodes; node += weight * radix)
      for (std::int64_t child = node + weight; child < std::min<std::int64_t>(nodes, node + weight * radix);
           child += weight)
        children[static_cast<std::size_t>(node)].push_back(static_cast<int>(child));
  put_largest_first(children);
  return children;
}

constexpr std::string_view kShapeNames[] = {"auto", "flat", "chain", "knomial", "greedy", "fnf"};

}  // namespace

std::span<const std::string_view> tree_shape_names() {
  return kShapeNames;
}

std::optional<TreeShape> tree_shape_named(std::string_view name) {
  const auto found = std::ranges::find(kShapeNames, name);
  return found == std::end(kShapeNames)
             ? std::nullopt
             : std::optional(static_cast<TreeShape>(found - std::begin(kShapeNames)));
}

std::vector<std::vector<int>> shape_children(TreeShape shape, int radix, int nodes) {
  invariant(nodes >= 1 && radix >= 2, "a tree has a root and a radix of 2 or more");
  switch (shape) {
    case TreeShape::flat:
      return flat_children(nodes);
    case TreeShape::chain:
      return chain_children(nodes);
    case TreeShape::knomial:
      return knomial_children(radix, nodes);
    default:
      broken("a tree of fixed shape");
  }
}

Tree::Tree(std::vector<Rank> members, Rank root)
    : members_(std::move(members)), nodes_(members_.size()), root_(root) {
  position(root);
}

std::size_t Tree::position(Rank rank) const {
  const auto found = std::ranges::lower_bound(members_, rank);
  invariant(found != members_.end() && *found == rank, "a rank outside its tree");
  return static_cast<std::size_t>(found - members_.begin());
}

std::optional<Rank> Tree::parent_of(Rank rank) const {
  const Rank parent = nodes_[position(rank)].parent;
  return parent < 0 ? std::nullopt : std::optional(parent);
}

std::vector<Rank> Tree::subtree_of(Rank rank) const {
  std::vector<Rank> found{rank};
  for (std::size_t next = 0; next < found.size(); ++next) {
    const auto children = children_of(found[next]);
    found.insert(found.end(), children.begin(), children.end());
  }
  std::ranges::sort(found);
  return found;
}

void Tree::link(Rank parent, Rank child) {
  invariant(nodes_[position(child)].parent < 0 && child != root_, "a rank with two parents");
  nodes_[position(child)].parent = parent;
  nodes_[position(parent)].children.push_back(child);
}

}  // namespace wan
