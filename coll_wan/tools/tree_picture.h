// SPDX-License-Identifier: BSD-3-Clause
// The tree of a plan as a picture (SVG): a box for each site, in it a box for each host, in that its ranks as
// circles, the tree of the site as lines, and the messages of the plan between sites as arrows in the colour
// of the sending site. The sites stand in two rows, their coordinators towards the middle, where the arrows
// are. Lines and arrows tell messages and lengths when pointed at. Pure; no threads. Tested by
// tests/unit/tools_tree_picture.cc.
#pragma once

#include <string>
#include <vector>

#include "algo/trees/tree.h"
#include "plan/program.h"
#include "topo/layout.h"

namespace wan::tools {

/// `trees`: of each site, in order; `hosts`: the name of each rank's host, or nothing.
std::string tree_svg(const Schedule& schedule, const Layout& layout, const std::vector<Tree>& trees,
                     const std::vector<std::string>& hosts, const std::string& title);

}  // namespace wan::tools
