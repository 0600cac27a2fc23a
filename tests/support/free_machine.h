// SPDX-License-Identifier: BSD-3-Clause
// A machine on which nothing but the wide area takes time.
#pragma once

#include "cost/machine.h"

namespace wan {

inline Machine free_machine() {
  constexpr BytesPerSecond kWide = 1'000'000'000'000'000'000;
  constexpr Bytes kNeverAsks = 1'000'000'000'000;
  Machine machine;
  machine.shared_memory = machine.tcp = {{0, 0}, 0, 0, kNeverAsks};
  machine.host_link = machine.site_link = {0, kWide, 0};
  machine.copy_ps_per_byte = machine.reduce_ps_per_byte = 0;
  machine.framing = Framing::none();
  return machine;
}

}  // namespace wan
