// SPDX-License-Identifier: BSD-3-Clause
// What wanctl doctor prints: for people tables and the findings with what mends them, for programs JSON.
// Pure. Tested by tests/unit/doctor_text.cc.
#pragma once

#include <string>
#include <vector>

#include "tools/doctor/facts.h"
#include "tools/doctor/finding.h"

namespace wan::tools::doctor {

std::string report_text(const Facts& facts, const std::vector<Finding>& findings);
/// {"hosts": [...], "pairs": [...], "findings": [...], "faults": NUMBER}
std::string report_json(const Facts& facts, const std::vector<Finding>& findings);

/// Findings that are faults.
int faults_in(const std::vector<Finding>& findings);

}  // namespace wan::tools::doctor
