// SPDX-License-Identifier: BSD-3-Clause
#include "tools/doctor/facts_json.h"

namespace wan::tools::doctor {

void to_json(SortedJson& json, const PairFacts& pair) {
  json = SortedJson{{"from", pair.from}, {"to", pair.to}, {"reaches", pair.reaches}};
  if (pair.measured) json["measured"] = *pair.measured;
  if (pair.stated) json["stated"] = *pair.stated;
}

}  // namespace wan::tools::doctor
