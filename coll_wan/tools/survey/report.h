// SPDX-License-Identifier: BSD-3-Clause
// What wanctl probe makes of its measurements: a topology file, and what it has to say beside it. Pure; no
// threads. Tested by tests/unit/survey_report.cc.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/json.h"
#include "tools/survey/survey.h"

namespace wan::tools::survey {

struct Report {
  Survey survey;
  std::vector<std::string> sites;  ///< of each host
  std::vector<Pair> unreached;     ///< then there is no topology
  std::vector<Pair> untimed;
  std::string topology;  ///< the text of a topology file (topo/site_file.h)
};

/// `date` goes into the file's first line.
Report report_of(Survey survey, std::string_view date);

/// One line that says who does not reach whom, and what to do; empty if all do.
std::string unreached_text(const Report& report);
/// One line for each link whose rate is an estimate.
std::vector<std::string> untimed_texts(const Report& report);

/// {"hosts": [{"asked": "a1", "name": "a1.example", "site": "a"}], "rounds": 3,
///  "unreached": [{"from": "a1", "to": "b1"}], "untimed": [...], "topology": as of `topology show`, or null}
Json json_of(const Report& report);

}  // namespace wan::tools::survey
