// SPDX-License-Identifier: BSD-3-Clause
// A lower bound of the broadcast time in a cluster of Liu's model (ClusterGraph) of any size. Pure function;
// no threads. Tested by bench/papers/cluster_bound_test.cc.
//
// 1. Let t(k) be the least time by which k receivers can be ready to receive (the injections to them have
// ended). Of the k
//    receivers with the longest r the last one is ready no earlier than t(k), and all of them have an r of at
//    least r_k, the k-th longest. So the broadcast takes at least max over k of t(k) + r_k.
// 2. Where the classes of speeds (s_1, r_1), (s_2, r_2), ... ascend, each s_i divides s_(i+1) and r_(i+1) -
// r_i, fastest node
//    first attains all t(k) at once. For let a slower q be ready just before a faster p, at times d apart,
//    and exchange them. Each injection of q would end, counted from when it is ready, at an instant at which
//    one of p's ends. So within any time d at least as many of p's end as of q's: what p gains by being ready
//    d earlier makes up for what q loses, and no later node is ready later. The root's own speed does not
//    matter. (Liu, section 4.1, has this for powers of two, with a condition on r that is too weak:
//    tests/unit/algo_broadcast_tree.cc.)
// 3. Faster speeds do not slow a broadcast. So every cluster is rounded down to such a one; of many ways to
// do so the one
//    with the best bound counts.
#pragma once

#include "algo/trees/broadcast_graph.h"

namespace wan::bench {

/// 0 for one node. The speeds are consistent: who sends faster receives no slower.
Nanoseconds cluster_bound(const ClusterGraph& cluster, NodeIndex root);

}  // namespace wan::bench
