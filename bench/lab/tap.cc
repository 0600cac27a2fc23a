// SPDX-License-Identifier: BSD-3-Clause
#include "bench/lab/tap.h"

#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace wan::lab {

TapDevice::TapDevice(const std::string& name)
    : fd_(checked_available(::open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC),
                            "cannot open /dev/net/tun (it must exist and be readable and writable)")) {
  ifreq request{};
  request.ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR;
  std::strncpy(request.ifr_name, name.c_str(), sizeof request.ifr_name - 1);
  checked_available(::ioctl(fd_.get(), TUNSETIFF, &request), "cannot make a TAP device");
  checked_available(::ioctl(fd_.get(), TUNSETOFFLOAD, TUN_F_CSUM | TUN_F_TSO4),
                    "cannot have a TAP device cut TCP streams");
}

std::optional<std::size_t> TapDevice::read(std::span<std::byte> buffer) const {
  const ssize_t got = ::read(fd_.get(), buffer.data(), buffer.size());
  if (got >= 0) return static_cast<std::size_t>(got);
  if (errno == EAGAIN || errno == EINTR) return std::nullopt;
  throw LabError(errno_text("TAP device"));
}

bool TapDevice::write(std::span<const std::byte> bytes) const {
  return ::write(fd_.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
}

}  // namespace wan::lab
