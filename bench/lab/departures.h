// SPDX-License-Identifier: BSD-3-Clause
// When packets leave a site, by the kernel: a program of its own (BPF) writes the time into each frame that
// is handed to the site's device. The emulator may then read packets many at a time, without taking
// processors from those who send the next ones, and its own delay is not added to a link's. Needs Linux 6.6
// (TCX) and root's rights. Tested through bench/lab/tests/lab_rtt_test.sh.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "bench/lab/system.h"

namespace wan::lab {

/// Who says when packets leave.
enum class Departures : std::uint8_t {
  kernel,   ///< frames are stamped
  emulator  ///< the time at which it reads them
};
/// As the report has it.
const char* name_of(Departures departures);

/// While it lives, frames that leave a device carry the time instead of their addresses.
class DepartureStamps {
 public:
  /// Of device `name` in the calling thread's network namespace; nullopt where the system does not allow it.
  static std::optional<DepartureStamps> of(const std::string& name);

 private:
  explicit DepartureStamps(Fd link) : link_(std::move(link)) {}
  Fd link_;  ///< keeps the program too
};

/// What a stamped frame says: CLOCK_MONOTONIC.
Nanoseconds departure_of(std::span<const std::byte> frame);

}  // namespace wan::lab
