// SPDX-License-Identifier: BSD-3-Clause
// What processes send each other for a multicast, as bytes. The bytes of a segment, its payload, follow the
// message. A message has one form only; what is none is refused. Pure functions. Tested by
// tests/unit/multicast_message.cc and tests/fuzz/multicast_message.cc.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "base/types.h"
#include "multicast/leg.h"
#include "multicast/range.h"

namespace wan::multicast {

/// Which multicast, whoever passes it on.
struct Name {
  Position source = 0;
  std::uint32_t number = 0;  ///< of the source's multicasts
  bool direct = false;       ///< once more from the source, to one that could not keep it

  friend auto operator<=>(const Name&, const Name&) = default;
};

enum class Kind : std::uint8_t {
  begin,    ///< what it is, and to whom the receiver passes it on; its first segment follows
  data,     ///< the next segment follows
  taken,    ///< all to whom the receiver has sent it have it, but for those named
  ask,      ///< to the source: the sender, who had no room for it, can take it now
  returns,  ///< so many bytes of the receiver's messages take no memory any more
  gone      ///< the sender, who has begun to pass it on to the receiver, does not go on
};

/// Beyond the kind and the name; a kind has what its line says.
struct Message {
  Kind kind = Kind::begin;
  Name name{};           ///< but for returns
  std::int32_t tag = 0;  ///< begin
  Bytes total = 0;       ///< begin: bytes of the whole multicast
  Bytes segment = 1;     ///< begin: of each segment but the last
  /// begin: all of the source's multicasts before this number have ended. After the last comes 0 again.
  std::uint32_t oldest = 0;
  std::uint8_t table = 0;     ///< begin: by which routing table it goes
  std::uint8_t children = 0;  ///< begin: Inside
  bool is_patient = false;    ///< begin: nobody waits for `taken`, which may come with what is sent later
  Leg leg = Leg::table;       ///< begin, data: by which it comes; returns: by which those messages came
  /// begin: destinations, empty where all know them; taken: who refused. Destinations::encode()
  std::string_view positions{};
  /// taken: to whom it was not passed on, since a process on the way is lost. Destinations::encode()
  std::string_view unreached{};
  Bytes returned = 0;  ///< returns

  friend bool operator==(const Message&, const Message&) = default;
};

/// Bytes that are read into once, or written once, and then only read.
class Buffer {
 public:
  explicit Buffer(std::size_t size) : bytes_(std::make_unique_for_overwrite<char[]>(size)), size_(size) {}
  std::span<char> writable() { return {bytes_.get(), size_}; }
  std::string_view view() const { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_;
};

std::size_t size_of(const Message& message);
/// To the beginning of `bytes`, which hold size_of() of it.
void encode(const Message& message, std::span<char> bytes);
Buffer encode(const Message& message);
/// Its views are into `bytes`. nullopt where encode() makes no such bytes.
std::optional<Message> decode(std::string_view bytes);

/// In how many segments so many bytes go: one where there are none.
std::int64_t segments_of(Bytes total, Bytes segment);

}  // namespace wan::multicast
