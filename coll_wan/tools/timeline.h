// SPDX-License-Identifier: BSD-3-Clause
// A Simulation as a picture (SVG): a row for each rank, grouped by site and host, its sends, receives,
// copies and reductions as bars, messages as lines between the rows, those between sites as bands in the
// colour of the sending site from their first bit to their last. The time axis is folded where no processor
// works (tools/time_axis.h). Bars and lines tell their numbers when pointed at. Pure; no threads. Tested by
// tests/unit/tools_timeline.cc.
#pragma once

#include <string>

#include "check/simulate.h"
#include "plan/program.h"
#include "topo/layout.h"

namespace wan::tools {

struct TimelineText {
  std::string title;
  Nanoseconds bound_ns = 0;  ///< drawn as a line; 0: none
};

std::string timeline_svg(const Schedule& schedule, const Layout& layout, const Simulation& simulation,
                         const TimelineText& text);

}  // namespace wan::tools
