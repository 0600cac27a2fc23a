// SPDX-License-Identifier: BSD-3-Clause
// What hosts measure (probe/measurement.h) as JSON, both ways: the orders of wanctl probe and the answers to
// them. Reading throws nlohmann::json::exception on what is no such JSON. Tested by
// tests/unit/survey_helper.cc.
#pragma once

#include <nlohmann/json.hpp>

#include "probe/endpoint.h"
#include "probe/measurement.h"

namespace wan::probe {

NLOHMANN_JSON_SERIALIZE_ENUM(Depth, {{Depth::glance, "glance"}, {Depth::study, "study"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Endpoint, port, key, addresses)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Errand, from, to, depth, patience_ns)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Train, bytes, spread_ns)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Finding, from, to, round_trips, there, back)

}  // namespace wan::probe
