// SPDX-License-Identifier: BSD-3-Clause
// All Programs of a call, for checks, tests and tools: what each rank would plan, its survey having told it
// what it does.
#pragma once

#include "algo/plan.h"
#include "plan/global_call.h"

namespace wan {

Schedule plan_all(const Topology& topology, const Tuning& tuning, const GlobalCall& call);

}  // namespace wan
