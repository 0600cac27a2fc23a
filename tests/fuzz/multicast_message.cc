// SPDX-License-Identifier: BSD-3-Clause
// Fuzz target: any bytes in the place of a message are a message in one form only, or refused; and an engine
// that gets them goes on.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/invariant.h"
#include "multicast/engine.h"

using namespace wan::multicast;

namespace {

class Nowhere : public Carrier {
  void send(Position, std::shared_ptr<const Packet>) override {}
};

Buffer copy_of(std::string_view bytes) {
  Buffer buffer(bytes.size());
  std::ranges::copy(bytes, buffer.writable().begin());
  return buffer;
}

}  // namespace

/// The input is several messages, each behind a byte that says how long it is. An empty one: a process is
/// lost.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Nowhere nowhere;
  const Places places(6, {{0, 0, 0, 1, 1, 1}});
  Engine engine({RoutingTable(places, 1, std::vector{3})},
                {.window = [](Position) { return 1'000; },
                 .shape =
                     [](wan::Bytes, const Destinations&) {
                       return Shape{0, 16};
                     },
                 .forwarder = [](wan::Bytes) { return Forwarder::master; },
                 .inbox = 100},
                nowhere);
  engine.send(std::string_view("more than a segment of it"), 1, Destinations({0, 2, 4}));
  std::vector<char> buffer(8);
  engine.receive(buffer, {.tag = 2});
  while (!bytes.empty()) {
    const std::string_view one = bytes.substr(
        1, std::min(bytes.size() - 1, static_cast<std::size_t>(static_cast<unsigned char>(bytes[0]))));
    bytes.remove_prefix(1 + one.size());
    if (const auto message = decode(one))
      wan::invariant(encode(*message).view() == one, "a message is other bytes");
    if (one.empty()) engine.lose(2);
    engine.arrived(2 * static_cast<Position>(one.size() % 3), copy_of(one));
    engine.settle();
  }
  return 0;
}
