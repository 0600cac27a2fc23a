// SPDX-License-Identifier: BSD-3-Clause
#include "multicast/message.h"

#include <algorithm>
#include <concepts>
#include <type_traits>

#include "base/invariant.h"

namespace wan::multicast {
namespace {

/// Kind, leg and flag share the first byte.
constexpr unsigned kKind = 0x0f, kLeg = 0x10, kDirect = 0x80;
/// So do table and children another one.
constexpr unsigned kChild = 0x10;

/// The least significant byte first, whatever the host.
class Writer {
 public:
  explicit Writer(std::span<char> bytes) : rest_(bytes) {}
  template <std::integral Number>
  void put(Number number) {
    const auto bits = static_cast<std::make_unsigned_t<Number>>(number);
    for (std::size_t i = 0; i < sizeof bits; ++i) rest_[i] = static_cast<char>(bits >> 8 * i & 0xff);
    rest_ = rest_.subspan(sizeof bits);
  }
  void put(std::string_view bytes) {
    std::ranges::copy(bytes, rest_.begin());
    rest_ = rest_.subspan(bytes.size());
  }

 private:
  std::span<char> rest_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  template <std::integral Number>
  void read(Number& number) {
    std::make_unsigned_t<Number> bits = 0;
    const std::string_view bytes = take(sizeof bits);
    for (std::size_t i = 0; i < bytes.size(); ++i)
      bits = static_cast<decltype(bits)>(bits | std::uint64_t{static_cast<unsigned char>(bytes[i])} << 8 * i);
    number = static_cast<Number>(bits);
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

constexpr std::size_t kNameBytes = sizeof(Position) + sizeof(std::uint32_t);

bool is_sound(const Message& message) {
  return message.name.source >= 0 && message.total >= 0 && message.segment > 0 && message.returned >= 0;
}

}  // namespace

std::size_t size_of(const Message& message) {
  switch (message.kind) {
    case Kind::begin:
      return 1 + kNameBytes + sizeof message.tag + 2 * sizeof(Bytes) + sizeof message.oldest +
             sizeof message.table + sizeof(std::uint32_t) + message.positions.size();
    case Kind::taken:
      return 1 + kNameBytes + sizeof(std::uint32_t) + message.positions.size() + message.unreached.size();
    case Kind::data:
    case Kind::gone:
    case Kind::ask:
      return 1 + kNameBytes;
    case Kind::returns:
      return 1 + sizeof message.returned;
  }
  return 0;
}

void encode(const Message& message, std::span<char> bytes) {
  invariant(message.table < kChild && message.children < kChild, "no message has room for that way");
  Writer out(bytes);
  out.put(static_cast<std::uint8_t>(static_cast<unsigned>(message.kind) |
                                    static_cast<unsigned>(message.leg) * kLeg |
                                    (message.name.direct ? kDirect : 0)));
  if (message.kind == Kind::returns) return out.put(message.returned);
  out.put(message.name.source);
  out.put(message.name.number);
  if (message.kind == Kind::begin) {
    out.put(message.tag);
    out.put(message.total);
    out.put(message.segment);
    out.put(message.oldest);
    out.put(static_cast<std::uint8_t>(message.table | message.children * kChild));
  }
  if (message.kind == Kind::begin || message.kind == Kind::taken) {
    out.put(static_cast<std::uint32_t>(message.positions.size()));
    out.put(message.positions);
  }
  if (message.kind == Kind::taken) out.put(message.unreached);
}

Buffer encode(const Message& message) {
  Buffer buffer(size_of(message));
  encode(message, buffer.writable());
  return buffer;
}

std::optional<Message> decode(std::string_view bytes) {
  Reader in(bytes);
  std::uint8_t first = 0;
  in.read(first);
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
    in.read(message.oldest);
    std::uint8_t way = 0;
    in.read(way);
    message.table = static_cast<std::uint8_t>(way % kChild);
    message.children = static_cast<std::uint8_t>(way / kChild);
  }
  if (message.kind == Kind::begin || message.kind == Kind::taken) {
    std::uint32_t size = 0;
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
