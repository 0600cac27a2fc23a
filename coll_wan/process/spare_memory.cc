// SPDX-License-Identifier: BSD-3-Clause
#include "process/spare_memory.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace wan {

SpareMemory::Piece::~Piece() {
  if (home_ != nullptr && bytes_ != nullptr) home_->give({std::move(bytes_), size_});
}

SpareMemory::Piece& SpareMemory::Piece::operator=(Piece&& other) noexcept {
  std::swap(home_, other.home_);
  std::swap(bytes_, other.bytes_);
  std::swap(size_, other.size_);
  return *this;
}

SpareMemory::Piece SpareMemory::take(std::size_t bytes) {
  if (bytes < kLeast || bytes > capacity_)
    return {nullptr, std::make_unique_for_overwrite<char[]>(bytes), bytes};
  {
    const std::lock_guard lock(mutex_);
    const auto fits = [bytes](const Spare& spare) { return spare.size >= bytes && spare.size / 2 <= bytes; };
    const auto latest = std::ranges::find_if(spares_ | std::views::reverse, fits);
    if (latest != spares_.rend()) {
      Spare found = std::move(*latest);
      spares_.erase(std::prev(latest.base()));
      kept_ -= found.size;
      return {this, std::move(found.bytes), found.size};
    }
  }
  return {this, std::make_unique_for_overwrite<char[]>(bytes), bytes};
}

void SpareMemory::give(Spare spare) {
  std::vector<Spare> released;  // after the lock
  const std::lock_guard lock(mutex_);
  kept_ += spare.size;
  spares_.push_back(std::move(spare));
  while (kept_ > capacity_) {
    kept_ -= spares_.front().size;
    released.push_back(std::move(spares_.front()));
    spares_.erase(spares_.begin());
  }
}

std::size_t SpareMemory::kept() {
  const std::lock_guard lock(mutex_);
  return kept_;
}

SpareMemory& spare_memory() {
  static SpareMemory instance(8 << 20);
  return instance;
}

}  // namespace wan
