// SPDX-License-Identifier: BSD-3-Clause
#include "process/parties.h"

#include <algorithm>

namespace wan {
namespace {

/// The lengths of `ranks`, and 0 of the others.
std::vector<Count> counts_for(Rank size, Rank first, const std::vector<Count>& lengths) {
  std::vector<Count> all(static_cast<std::size_t>(size), 0);
  std::ranges::copy(lengths, all.begin() + first);
  return all;
}

}  // namespace

Parties::Parties(Collective collective, Rank me, Rank split, Rank size, Rank root)
    : collective_(collective),
      me_(me),
      split_(split),
      size_(size),
      root_(is_rooted() ? root : 0),
      partners_(partners_of(is_rooted() ? root : me, split, size)) {}

Call Parties::call(Placement placement) const {
  Call call;
  call.collective = collective_;
  call.root = root_;
  call.placement = placement;
  if (is_inter() && is_split_by_groups(collective_)) call.split = is_root_alone() ? 1 : split_;
  return call;
}

Call Parties::call_of_blocks(Placement placement, Count given, Count taken) const {
  Call made = call(placement);
  const bool is_first = me_ < split_;
  made.block = is_first ? given : taken;
  if (is_inter()) made.back = is_first ? taken : given;
  return made;
}

std::vector<Count> Parties::counts_of_partners(const std::vector<Count>& lengths) const {
  return is_root_alone() ? counts_for(1 + partners_.size(), 1, lengths)
                         : counts_for(size_, partners_.first, lengths);
}

std::vector<Count> Parties::counts_of_group(const std::vector<Count>& lengths) const {
  return counts_for(size_, group().first, lengths);
}

Count Parties::own_count(const std::vector<Count>& counts) const {
  return counts[static_cast<std::size_t>(is_root_alone() ? 0 : root_)];
}

}  // namespace wan
