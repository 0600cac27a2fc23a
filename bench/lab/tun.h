// SPDX-License-Identifier: BSD-3-Clause
// A TUN device: the emulator's end of a site's access link. The device lies in the network namespace that its
// maker was in and goes away with this object. Threads: one user at a time. Tested through
// tests/lab/lab_*_test.sh.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "bench/lab/system.h"

namespace wan::lab {

class TunDevice {
 public:
  /// Makes device `name` in the calling thread's network namespace, non-blocking.
  explicit TunDevice(const std::string& name);

  int fd() const { return fd_.get(); }
  /// One IP packet into `buffer`; nullopt if none is waiting.
  std::optional<std::size_t> read(std::span<std::byte> buffer) const;
  /// Hands an IP packet to the site; false if the kernel would not take it.
  [[nodiscard]] bool write(std::span<const std::byte> packet) const;

 private:
  Fd fd_;
};

}  // namespace wan::lab
