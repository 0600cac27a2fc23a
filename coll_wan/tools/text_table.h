// SPDX-License-Identifier: BSD-3-Clause
// Tables of text. Pure functions; no threads. Tested by tests/unit/tools_topology.cc.
#pragma once

#include <string>
#include <vector>

namespace wan::tools {

using Row = std::vector<std::string>;

/// The rows, the first of which names the columns, with columns as wide as they need; what begins with a
/// digit or a sign is flush right. All rows are as long as the first.
std::string text_table(const std::vector<Row>& rows);

}  // namespace wan::tools
