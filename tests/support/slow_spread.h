// SPDX-License-Identifier: BSD-3-Clause
// What cost/spread.h and cost/direct.h compute, in the obvious way: every link is looked at for every time
// that is tried, in 128 bits. The oracle of tests/unit/cost_shares.cc.
#pragma once

#include "cost/spread.h"

namespace wan {

Nanoseconds slow_direct_from_one_ns(const Network& network, SiteIndex root, Bytes bytes);
Nanoseconds slow_direct_to_one_ns(const Network& network, SiteIndex root, Bytes bytes);
Nanoseconds slow_direct_among_all_ns(const Network& network, Bytes bytes);
Nanoseconds slow_direct_in_order_ns(const Network& network, Bytes bytes);

std::optional<Spread> slow_spread_from_one(const Network& network, SiteIndex root, Bytes bytes, Bytes piece);
std::optional<Spread> slow_spread_to_one(const Network& network, SiteIndex root, Bytes bytes, Bytes piece);
std::optional<Spread> slow_spread_among_all(const Network& network, Bytes bytes, Bytes piece);

}  // namespace wan
