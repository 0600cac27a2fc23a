// SPDX-License-Identifier: BSD-3-Clause
// What processes tell each other of links, so that all believe the same of them. A testimony is a list of
// integers of which the greatest count, one by one: MPI_MAX over the testimonies of all processes is that of
// all together, equal on each. A link has six: the least and the highest rate by which processes have seen
// it full (learn/link_estimate.h), of which the geometric mean counts, the highest rate that one has
// demonstrated, the least that those together have, the least round trip, and what a process is about to try
// the link with. Each is rounded to seven binary digits, in integers: processes on different systems come to
// the same belief.
//
// Threads: none. Tested by: tests/unit/learn_testimony.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "learn/learnt_link.h"
#include "topo/topology.h"

namespace wan {

/// Links between more sites than this are not agreed upon: a testimony has 20 bytes for each pair.
inline constexpr SiteIndex kMostSitesInTestimony = 32;

using Testimony = std::vector<std::int32_t>;

/// Of a process at site `here`; findings: by site, and at `here` those of its access link.
Testimony testimony_of(SiteIndex here, std::span<const Findings> findings);

/// What several processes say together.
Testimony together(const Testimony& a, const Testimony& b);

/// What is to be believed of the links from now on, where all that processes know makes that another thing
/// than `held`; nullopt: what is held is near enough. A rate is that of the full link, unless clearly more
/// was demonstrated since; else what was `stated` first, or what was demonstrated. One that is within a
/// factor of 2 of what was stated is as stated, or stays so; another changes by more than an eighth, or not
/// at all. Links that are off by factors that are that near share one. A link of which nothing shows that it
/// is as stated is as much slower as most others are, and one of which is known only that it is better has a
/// factor as high as others. A latency is half of the round trip, shared by the two directions as it was
/// stated; it changes by more than a factor of 1.5. Of access links: those that have a stated rate.
std::optional<Network> corrected(const Network& stated, const Network& held,
                                 std::span<const std::int32_t> testimony);

/// Is a link, or access link, held for clearly slower than stated?
bool has_slow_link(const Network& stated, const Network& held);

/// How much less is held of a link than was stated, beside all other links; of a site to itself: of its
/// access link, which has a stated rate, beside those of other sites.
Slowdown slowdown_of(const Network& stated, const Network& held, SiteIndex from, SiteIndex to);

/// Of `from_now_on` only what can be held for sure: links, and access links, that were held for clearly
/// slower than stated and are not any more; where all links are held for that, links that were held for
/// clearly slower than the quickest in proportion and are not any more; and lower latencies. What shows these
/// cannot be too much. nullopt: there is nothing of that.
std::optional<Network> surely_better(const Network& stated, const Network& held, const Network& from_now_on);

/// A process of site `from` is about to try the link to `to`, or its site's access link where that is `from`.
struct Trial {
  SiteIndex from, to;
  Bytes bytes;  ///< of each message
};
/// In the order of their sites.
std::vector<Trial> trials_of(SiteIndex sites, std::span<const std::int32_t> testimony);

}  // namespace wan
