// SPDX-License-Identifier: BSD-3-Clause
// Fuzz target: any text is what wan-calibrate has measured, and can be written and read again, or a mistake
// that names the file.
#include <cstddef>
#include <cstdint>

#include "base/invariant.h"
#include "cost/machine_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto machine = wan::parse_machine({reinterpret_cast<const char*>(data), size}, "machine.csv");
  if (!machine) {
    wan::invariant(machine.error().message().find("machine.csv") != std::string::npos,
                   "a mistake is nowhere");
    return 0;
  }
  const auto again = wan::parse_machine(wan::machine_text(*machine), "");
  wan::invariant(again && *again == *machine, "a machine is another one");
  const wan::Machine believed = wan::believable(*machine);
  wan::invariant(wan::believable(believed) == believed, "what may be believed may not");
  return 0;
}
