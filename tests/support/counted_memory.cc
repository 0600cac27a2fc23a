// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/counted_memory.h"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::int64_t> in_use = 0, most = 0;

void* allocate(std::size_t bytes) {
  void* const memory = std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) throw std::bad_alloc();
  const auto size = static_cast<std::int64_t>(malloc_usable_size(memory));
  const std::int64_t now = in_use.fetch_add(size, std::memory_order_relaxed) + size;
  for (std::int64_t before = most.load(std::memory_order_relaxed);
       before < now && !most.compare_exchange_weak(before, now, std::memory_order_relaxed);) {
  }
  return memory;
}

void release(void* memory) {
  if (memory == nullptr) return;
  in_use.fetch_sub(static_cast<std::int64_t>(malloc_usable_size(memory)), std::memory_order_relaxed);
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t bytes) {
  return allocate(bytes);
}
void* operator new[](std::size_t bytes) {
  return allocate(bytes);
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  try {
    return allocate(bytes);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* memory) noexcept {
  release(memory);
}
void operator delete[](void* memory) noexcept {
  release(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  release(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  release(memory);
}

namespace wan {

std::int64_t bytes_in_use() {
  return in_use.load(std::memory_order_relaxed);
}

std::int64_t most_bytes_in_use() {
  return most.load(std::memory_order_relaxed);
}

void watch_memory() {
  most.store(bytes_in_use(), std::memory_order_relaxed);
}

}  // namespace wan
