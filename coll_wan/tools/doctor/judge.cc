// SPDX-License-Identifier: BSD-3-Clause
#include "tools/doctor/judge.h"

#include <algorithm>
#include <iterator>

namespace wan::tools::doctor {

std::vector<Finding> judge(const Facts& facts) {
  std::vector<Finding> findings;
  for (const auto part :
       {judge_names, judge_software, judge_network, judge_packets, judge_tcp, judge_clocks, judge_links})
    std::ranges::move(part(facts), std::back_inserter(findings));
  std::ranges::stable_sort(findings, {}, &Finding::severity);
  return findings;
}

}  // namespace wan::tools::doctor
