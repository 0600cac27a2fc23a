// SPDX-License-Identifier: BSD-3-Clause
// Fuzz target: any text is a quantity in its range, or a mistake that shows the text and a remedy.
#include <cstddef>
#include <cstdint>

#include "base/invariant.h"
#include "topo/quantity.h"

namespace {

template <class T>
void check(const wan::Result<T>& quantity, std::string_view text, T least, T most) {
  if (quantity) {
    wan::invariant(*quantity >= least && *quantity <= most, "a quantity is out of its range");
    return;
  }
  wan::invariant(quantity.error().value == text, "a mistake does not show the text");
  wan::invariant(!quantity.error().remedy.empty(), "a mistake has no remedy");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check<wan::Nanoseconds>(wan::parse_duration(text), text, 0, 3'600'000'000'000);
  check<wan::BytesPerSecond>(wan::parse_rate(text), text, 1, 1'000'000'000'000'000);
  check<wan::Bytes>(wan::parse_bytes(text), text, 0, 1'000'000'000'000'000'000);
  check<int>(wan::parse_percent_ppm(text), text, 0, 1'000'000);
  return 0;
}
