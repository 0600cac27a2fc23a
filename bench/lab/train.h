// SPDX-License-Identifier: BSD-3-Clause
// What a site's device hands over at once: one IP packet, or, with segmentation offload, up to 64 KiB of a
// TCP stream that its sender would else have cut into packets (virtio 1.2, 5.1.6: the header before the frame
// says how long they are). So a site's packets of 1500 bytes cost the emulator no more than longer ones. On
// the link they are the packets that they stand for. Pure. Tested by bench/lab/tests/train_test.cc.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bench/lab/frame.h"
#include "bench/lab/packet.h"

namespace wan::lab {

/// Bytes before a frame, in each read and write of a device.
inline constexpr std::size_t kOffloadHeader = 10;
/// The longest read.
inline constexpr std::size_t kLongestTrain = kOffloadHeader + kFrameHeader + 65'535;

/// Packets that leave a site one behind the other.
class Train {
 public:
  /// `bytes` are those of a read, `whole` what is in their one packet.
  Train(std::span<const std::byte> bytes, const PacketInfo& whole);

  std::size_t packets() const { return packets_; }
  /// Of packet `index`, from 0: as if it had come alone.
  PacketInfo packet(std::size_t index) const;
  /// Of the IP packets from `first` on, `count` of them.
  Bytes ip_bytes(std::size_t first, std::size_t count) const;

  /// What is to be written so that a device takes these packets at once.
  std::vector<std::byte> piece(std::size_t first, std::size_t count) const;

 private:
  Bytes payload(std::size_t first, std::size_t count) const;

  std::vector<std::byte> bytes_;
  PacketInfo whole_;
  std::size_t packets_ = 1;
  Bytes segment_ = 0;  ///< payload of each packet but the last; where there are several
  Bytes headers_ = 0;  ///< of each packet
};

}  // namespace wan::lab
