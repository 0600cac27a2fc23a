// SPDX-License-Identifier: BSD-3-Clause
// A TAP device with segmentation offload (bench/lab/train.h): the emulator's end of a site's access link. The
// device lies in the network namespace that its maker was in and goes away with this object. Threads: one
// user at a time. Tested through bench/lab/tests/lab_*_test.sh.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "bench/lab/system.h"

namespace wan::lab {

class TapDevice {
 public:
  /// Makes device `name` in the calling thread's network namespace, non-blocking.
  explicit TapDevice(const std::string& name);

  int fd() const { return fd_.get(); }
  /// One Ethernet frame into `buffer`, behind the header that says how it is to be cut (train.h); nullopt if
  /// none is waiting.
  std::optional<std::size_t> read(std::span<std::byte> buffer) const;
  /// Hands such a frame to the site; false if the kernel would not take it.
  [[nodiscard]] bool write(std::span<const std::byte> bytes) const;

 private:
  Fd fd_;
};

}  // namespace wan::lab
