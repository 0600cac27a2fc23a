// SPDX-License-Identifier: BSD-3-Clause
// The least completion time that a collective can have over a Network, whatever the algorithm. A simulation
// or a measurement below it is a defect of one of them.
//
// What lies inside a site costs nothing here. Five arguments, of which the bound is the largest:
//  1. pair: what site b must have of site a's information takes its quickest flow from a to b;
//  2. entry: where the information from several sites is distinct (gather, allgather, alltoall), what the k
//  farthest of
//     them owe to b takes the quickest flow of the sum, for each k;
//  3. exit: the same for what a owes to several sites (scatter, alltoall, reduce_scatter);
//  4. cut: where both add up (alltoall), what each set of sites owes to the others, for up to ten sites;
//  5. volume: a result combined from all C sites and known to all takes 2 (C - 1) transfers of each element
//  (gossip
//     with one-way messages; Harary & Schwenk, The communication problem on graphs and digraphs, 1974), and
//     all links together carry no more by the time T than the sum of rate x (T - latency).
// With equal links of latency L and rate B these give the table of the blueprint's section 6: L + m/B while
// m/B <= L, then, where relays help, bcast L (2C - 3)/(C - 1) + m/(B (C - 1)), and for allreduce L + 2m/(C
// B), which segments can reach and two unsegmented phases exceed by the L of the second phase. Tested by
// tests/unit/cost_bounds.cc.
#pragma once

#include "cost/demand.h"
#include "topo/topology.h"

namespace wan {

/// Nanoseconds, rounded down; 0 where no site needs anything of another.
Nanoseconds lower_bound(const Network& network, const Demand& demand);

}  // namespace wan
