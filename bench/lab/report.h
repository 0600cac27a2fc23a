// SPDX-License-Identifier: BSD-3-Clause
// What went over the links of a lab, for people and programs. Pure. Tested by
// bench/lab/tests/emulator_test.cc.
#pragma once

#include <string>

#include "bench/lab/counters.h"

namespace wan::lab {

/// {"scheduling": ..., "departures": ..., "links": [{"from": ..., "to": ..., "packets": ..., ...}]}
std::string report_json(const CountersView& counters, const std::string& scheduling,
                        const std::string& departures);
/// One line a directed pair of sites, with a header line.
std::string report_csv(const CountersView& counters);
/// One sentence if measurements of this run are not valid (late deliveries, packets dropped before the
/// emulator); else "".
std::string report_warning(const CountersView& counters);

}  // namespace wan::lab
