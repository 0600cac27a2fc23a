// SPDX-License-Identifier: BSD-3-Clause
// Fuzz target: any bytes in the place of destinations are destinations inside their range, in one form only,
// or refused.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/invariant.h"
#include "multicast/destinations.h"

using wan::invariant;
using wan::multicast::Destinations;
using wan::multicast::Position;
using wan::multicast::Range;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const Range& range : {Range{0, 1}, Range{5, 45}, Range{1'000, 1'000'000}}) {
    const auto destinations = Destinations::decode(bytes, range);
    if (!destinations) continue;
    invariant(destinations->encode(range) == bytes, "destinations are other bytes");
    Position last = range.begin - 1;
    for (const Range& each : destinations->ranges()) {
      invariant(each.begin > last && each.size() > 0, "ranges are not in order");
      last = each.end;
    }
    invariant(destinations->empty() || range.contains({destinations->ranges().front().begin, last}),
              "destinations outside the range");
  }
  return 0;
}
