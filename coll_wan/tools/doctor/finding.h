// SPDX-License-Identifier: BSD-3-Clause
// One thing that is wrong, as wanctl doctor reports it.
#pragma once

#include <string>
#include <vector>

namespace wan::tools::doctor {

enum class Severity {
  fault,  ///< a job fails, hangs or is slow
  note,   ///< worth knowing
};

struct Finding {
  std::string name;  ///< "firewall-one-way"; docs and scripts refer to it
  Severity severity = Severity::fault;
  std::vector<std::string> hosts;  ///< whom it concerns; of a pair: from, to
  std::string evidence;            ///< what was seen, in whole sentences
  std::vector<std::string> mend;   ///< lines that mend it; those that begin with '#' say where they belong
};

}  // namespace wan::tools::doctor
