// SPDX-License-Identifier: BSD-3-Clause
// How a helper on a host takes orders: a line of JSON each, {"do": WHAT, ...}, which it answers with a line.
// Threads: one. Tested by tests/unit/doctor_agent.cc.
#pragma once

#include <functional>

#include "tools/doctor/facts_json.h"

namespace wan::tools::doctor {

/// Until `in` ends. An order that `answer` does not understand, for which it throws what the library of JSON
/// throws, is answered by {"error": TEXT}.
void answer_orders(int in, int out, const std::function<SortedJson(const SortedJson&)>& answer);

}  // namespace wan::tools::doctor
