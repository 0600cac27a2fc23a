// SPDX-License-Identifier: BSD-3-Clause
// Memory that a call needs while it runs, kept for the next ones. A process pays for every page of memory
// that is new to it when it first touches it (4 KiB: 1 us, in a virtual machine 3 us), and the C library
// gives long pieces back to the system when they are freed: a coordinator of a reduction of 64 KiB paid 0.2
// ms in each call, before its site had sent anything. Bounded: at most `capacity` bytes are kept; those that
// were used last stay. Threads: any. Tested by: tests/unit.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace wan {

class SpareMemory {
 public:
  /// Shorter pieces are the C library's, which keeps those itself.
  static constexpr std::size_t kLeast = 32 << 10;

  explicit SpareMemory(std::size_t capacity) : capacity_(capacity) {}

  /// Uninitialised memory; goes back to where it came from, which it must not outlive.
  class Piece {
   public:
    Piece() = default;
    Piece(Piece&& other) noexcept = default;
    Piece& operator=(Piece&& other) noexcept;
    ~Piece();
    char* get() const { return bytes_.get(); }

   private:
    friend class SpareMemory;
    Piece(SpareMemory* home, std::unique_ptr<char[]> bytes, std::size_t size)
        : home_(home), bytes_(std::move(bytes)), size_(size) {}

    SpareMemory* home_ = nullptr;
    std::unique_ptr<char[]> bytes_;
    std::size_t size_ = 0;
  };

  /// At least `bytes`; throws std::bad_alloc.
  Piece take(std::size_t bytes);
  /// Bytes kept now.
  std::size_t kept();

 private:
  struct Spare {
    std::unique_ptr<char[]> bytes;
    std::size_t size;
  };
  void give(Spare spare);

  const std::size_t capacity_;
  std::mutex mutex_;
  std::size_t kept_ = 0;
  std::vector<Spare> spares_;  ///< used last: last
};

/// The one of this process: keeps at most 8 MiB.
SpareMemory& spare_memory();

}  // namespace wan
