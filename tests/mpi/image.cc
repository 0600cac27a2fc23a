// SPDX-License-Identifier: BSD-3-Clause
// Memory images: patterns, items, comparison. Threads: none shared. Tested by: the negative controls of
// tests/mpi/run.
#include "image.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "value.h"

namespace mpitest {
namespace {

constexpr std::ptrdiff_t kGuardBytes = 64;

/// The pattern, long enough that copying it in pieces hides no shift by a power of two.
const std::vector<std::byte>& pattern() {
  static const std::vector<std::byte> bytes = [] {
    std::vector<std::byte> made(4099);
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = static_cast<std::byte>(hash_of(i, 77) & 0xff);
    return made;
  }();
  return bytes;
}

std::string hex(std::byte b) {
  static const char digits[] = "0123456789abcdef";
  const auto v = std::to_integer<unsigned>(b);
  return {'0', 'x', digits[v >> 4], digits[v & 15]};
}

}  // namespace

std::uint64_t bits_of(Basic basic, std::uint64_t h) {
  if (basic == Basic::kDouble)
    return std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<std::int32_t>(h)));
  return basic == Basic::kInt32 ? h & 0xffffffff : h & 0xff;
}

std::uint64_t load(const std::byte* at, Basic basic) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, size_of(basic));
  return bits;
}

void store(std::byte* at, Basic basic, std::uint64_t bits) {
  std::memcpy(at, &bits, size_of(basic));
}

Item load_item(const std::byte* origin, const Recipe& recipe) {
  Item item{};
  for (std::size_t i = 0; i < recipe.elements.size(); ++i)
    item[i] = load(origin + recipe.elements[i].offset, recipe.elements[i].basic);
  return item;
}

void store_item(std::byte* origin, const Recipe& recipe, const Item& item) {
  for (std::size_t i = 0; i < recipe.elements.size(); ++i)
    store(origin + recipe.elements[i].offset, recipe.elements[i].basic, item[i]);
}

Image::Image(Span span)
    : origin_(kGuardBytes - std::min<std::ptrdiff_t>(span.low, 0)),
      bytes_(static_cast<std::size_t>(origin_ + std::max<std::ptrdiff_t>(span.high, 0) + kGuardBytes)) {
  reset();
}

void Image::reset() {
  const auto& source = pattern();
  for (std::size_t done = 0; done < bytes_.size(); done += source.size())
    std::memcpy(bytes_.data() + done, source.data(), std::min(source.size(), bytes_.size() - done));
}

std::optional<std::string> Image::difference(const Image& actual) const {
  const auto [mine, theirs] = std::mismatch(bytes_.begin(), bytes_.end(), actual.bytes_.begin());
  if (mine == bytes_.end()) return std::nullopt;
  const std::ptrdiff_t offset = (mine - bytes_.begin()) - origin_;
  return "byte at offset " + std::to_string(offset) + " is " + hex(*theirs) + ", must be " + hex(*mine);
}

}  // namespace mpitest
