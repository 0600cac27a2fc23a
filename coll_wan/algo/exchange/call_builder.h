// SPDX-License-Identifier: BSD-3-Clause
// A Builder for a call, and where the call's data stand in its buffers. Tested, as part of every schedule, by
// tests/property.
#pragma once

#include "algo/choice/choice.h"
#include "algo/exchange/blocks.h"
#include "algo/exchange/lanes.h"
#include "algo/exchange/position.h"
#include "plan/builder.h"
#include "plan/call.h"

namespace wan {

/// A Builder for this rank's Program of `call`.
Builder builder_for(const Position& position, const Call& call, const Choice& choice);

/// The shards of the call's vector, shared by its lanes.
Lanes lanes_of(const Position& position, const Call& call, const Choice& choice);

/// This rank's contribution, where the user put it: in the input or, with MPI_IN_PLACE, the output.
Range contribution(const Builder& b, const Call& call);
/// The same, moved to scratch if it stands in the output, for a rank that writes its result there.
Range kept_contribution(Builder& b, const Call& call);

/// gather(v), scatter(v): the blocks of all ranks in the root's input or output.
Blocks blocks_at_root(Range whole, const Call& call, Rank size);

}  // namespace wan
