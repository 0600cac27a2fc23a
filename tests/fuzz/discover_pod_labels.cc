// SPDX-License-Identifier: BSD-3-Clause
// Fuzz target: a label that is found in any text stands in a line of it.
#include <cstddef>
#include <cstdint>

#include "base/invariant.h"
#include "discover/kubernetes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = "\n" + std::string(reinterpret_cast<const char*>(data), size) + "\n";
  for (const std::string key : {"topology.kubernetes.io/zone", "a", ""}) {
    const std::string value = wan::label_in(text, key);
    wan::invariant(value.find_first_of("\"\\\n") == value.npos, "a value has what needs an escape");
    if (value.empty()) continue;
    wan::invariant(text.find("\n" + key + "=\"" + value + "\"\n") != text.npos, "a label stands in no line");
  }
  return 0;
}
