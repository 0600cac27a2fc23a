// SPDX-License-Identifier: BSD-3-Clause
#include "multicast/message.h"

#include <algorithm>
#include <bit>
#include <concepts>
#include <limits>
#include <type_traits>

#include "base/invariant.h"

namespace wan::multicast {
namespace {

/// Kind, leg and flag share the first byte.
constexpr unsigned kKind = 0x0f, kLeg = 0x10, kDirect = 0x80;
/// So do table, children and another flag.
constexpr unsigned kChild = 0x10, kPatient = 0x80;

/// Numbers take a byte for each seven bits that they have, the least significant first; the highest bit of a
/// byte says that others follow.
constexpr unsigned kBits = 7, kMore = 0x80;

class Writer {
 public:
  explicit Writer(std::span<char> bytes) : rest_(bytes) {}
  template <std::integral Number>
  void put(Number number) {
    std::uint64_t bits = static_cast<std::make_unsigned_t<Number>>(number);
    for (; bits >= kMore; bits >>= kBits) put_byte(static_cast<unsigned>(bits & (kMore - 1)) | kMore);
    put_byte(static_cast<unsigned>(bits));
  }
  void put_byte(unsigned byte) {
    rest_[0] = static_cast<char>(byte);
    rest_ = rest_.subspan(1);
  }
  void put(std::string_view bytes) {
    std::ranges::copy(bytes, rest_.begin());
    rest_ = rest_.subspan(bytes.size());
  }

 private:
  std::span<char> rest_;
};

/// What a Writer needs.
class Counter {
 public:
  template <std::integral Number>
  void put(Number number) {
    size_ += (std::bit_width(static_cast<std::make_unsigned_t<Number>>(number) | 1U) + kBits - 1) / kBits;
  }
  void put_byte(unsigned) { ++size_; }
  void put(std::string_view bytes) { size_ += bytes.size(); }
  std::size_t size() const { return size_; }

 private:
  std::size_t size_ = 0;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  template <std::integral Number>
  void read(Number& number) {
    using Bits = std::make_unsigned_t<Number>;
    Bits bits = 0;
    for (unsigned shift = 0;; shift += kBits) {
      const unsigned byte = read_byte();
      const Bits part = static_cast<Bits>(byte & (kMore - 1));
      // Neither more than the number has, nor a byte more than it takes.
      failed_ = failed_ || shift >= std::numeric_limits<Bits>::digits ||
                static_cast<Bits>(static_cast<Bits>(part << shift) >> shift) != part ||
                (shift > 0 && byte == 0);
      if (failed_) return;
      bits = static_cast<Bits>(bits | static_cast<Bits>(part << shift));
      if (byte < kMore) break;
    }
    number = static_cast<Number>(bits);
  }
  unsigned read_byte() {
    const std::string_view byte = take(1);
    return failed_ ? 0 : static_cast<unsigned char>(byte[0]);
  }
  /// What is missing fails.
  std::string_view take(std::size_t size) {
    failed_ = failed_ || size > rest_.size();
    if (failed_) return {};
    const std::string_view bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return bytes;
  }
  std::string_view take_rest() { return take(rest_.size()); }
  bool is_done() const { return !failed_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

bool is_sound(const Message& message) {
  return message.name.source >= 0 && message.total >= 0 && message.segment > 0 && message.returned >= 0;
}

template <class Out>
void put(const Message& message, Out& out) {
  invariant(message.table < kChild && message.children < kPatient / kChild,
            "no message has room for that way");
  out.put_byte(static_cast<unsigned>(message.kind) | static_cast<unsigned>(message.leg) * kLeg |
               (message.name.direct ? kDirect : 0));
  if (message.kind == Kind::returns) return out.put(message.returned);
  out.put(message.name.source);
  out.put(message.name.number);
  if (message.kind == Kind::begin) {
    out.put(message.tag);
    out.put(message.total);
    out.put(message.segment);
    out.put(message.name.number - message.oldest);
    out.put_byte(message.table + message.children * kChild + (message.is_patient ? kPatient : 0));
  }
  if (message.kind == Kind::begin || message.kind == Kind::taken) {
    out.put(message.positions.size());
    out.put(message.positions);
  }
  if (message.kind == Kind::taken) out.put(message.unreached);
}

}  // namespace

std::size_t size_of(const Message& message) {
  Counter counter;
  put(message, counter);
  return counter.size();
}

void encode(const Message& message, std::span<char> bytes) {
  Writer writer(bytes);
  put(message, writer);
}

Buffer encode(const Message& message) {
  Buffer buffer(size_of(message));
  encode(message, buffer.writable());
  return buffer;
}

std::optional<Message> decode(std::string_view bytes) {
  Reader in(bytes);
  const unsigned first = in.read_byte();
  Message message{.kind = static_cast<Kind>(first & kKind),
                  .name = {.direct = (first & kDirect) != 0},
                  .leg = static_cast<Leg>((first & ~kDirect) / kLeg)};
  const bool has_direct_form = message.kind != Kind::returns && message.kind != Kind::gone;
  const bool has_leg = message.kind == Kind::returns || (message.kind <= Kind::data && !message.name.direct);
  if (message.kind > Kind::gone || message.leg > Leg::wrapped || (message.name.direct && !has_direct_form) ||
      (message.leg != Leg::table && !has_leg))
    return std::nullopt;
  if (message.kind == Kind::returns) {
    in.read(message.returned);
  } else {
    in.read(message.name.source);
    in.read(message.name.number);
  }
  if (message.kind == Kind::begin) {
    in.read(message.tag);
    in.read(message.total);
    in.read(message.segment);
    std::uint32_t age = 0;
    in.read(age);
    message.oldest = message.name.number - age;
    const unsigned way = in.read_byte();
    message.table = static_cast<std::uint8_t>(way % kChild);
    message.children = static_cast<std::uint8_t>(way % kPatient / kChild);
    message.is_patient = way >= kPatient;
  }
  if (message.kind == Kind::begin || message.kind == Kind::taken) {
    std::size_t size = 0;
    in.read(size);
    message.positions = in.take(size);
  }
  if (message.kind == Kind::taken) message.unreached = in.take_rest();
  return in.is_done() && is_sound(message) ? std::optional(message) : std::nullopt;
}

std::int64_t segments_of(Bytes total, Bytes segment) {
  return total <= 0 ? 1 : (total - 1) / segment + 1;
}

}  // namespace wan::multicast
