// SPDX-License-Identifier: BSD-3-Clause
// Who sends to whom in a collective call, as one of its ranks sees it: its partners are the ranks that it has
// blocks for, or gets blocks from.
//
//                      intracommunicator          intercommunicator
//   without a root     all ranks, itself too      the other group
//   the root           all ranks, itself too      the other group
//   who is no root     the root                   the root, where that is in the other group
//
// Without a root everybody is a root and a partner of those that it has for partners. On an intercommunicator
// the root's own group, but for the root, takes no part: it has no Parties. Ranks are numbered as plans are:
// an intercommunicator has those of both groups (plan/call.h), but in a call with a root the root is rank 0
// and the other group follows. Immutable. Tested by tests/unit/process_parties.cc.
#pragma once

#include <vector>

#include "plan/call.h"

namespace wan {

class Parties {
 public:
  /// Rank `me` of `size` makes the call; those below `split`, if it is not 0, are one group, the others the
  /// other. The root, where the collective has one, is numbered as they are.
  Parties(Collective collective, Rank me, Rank split, Rank size, Rank root = 0);

  bool is_inter() const { return split_ > 0; }
  /// Has this rank a block for, or from, each of its blocks() partners?
  bool is_root() const { return !is_rooted() || me_ == root_; }
  /// Has this rank a block for, or from, each root?
  bool is_partner() const { return !is_rooted() || partners_.contains(me_); }
  /// Of a root.
  Rank blocks() const { return partners_.size(); }
  RankInterval group() const { return group_of(me_, split_, size_); }

  /// The call without its lengths. Its root is numbered as it was given.
  Call call(Placement placement) const;
  /// A call in which each root gives every partner `given` bytes, and gets `taken` from it.
  Call call_of_blocks(Placement placement, Count given, Count taken) const;
  /// The lengths of the partners' blocks, or of what those of this rank's group have, as one for each rank.
  std::vector<Count> counts_of_partners(const std::vector<Count>& lengths) const;
  std::vector<Count> counts_of_group(const std::vector<Count>& lengths) const;
  /// Of what is counted so, the part of the root itself.
  Count own_count(const std::vector<Count>& counts) const;

 private:
  bool is_rooted() const { return traits(collective_).rooted; }
  /// Is the root a group by itself?
  bool is_root_alone() const { return is_inter() && is_rooted(); }

  Collective collective_;
  Rank me_, split_, size_, root_;
  RankInterval partners_;
};

}  // namespace wan
