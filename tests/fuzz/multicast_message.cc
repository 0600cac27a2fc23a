// SPDX-License-Identifier: BSD-3-Clause
// Fuzz target: any bytes in the place of a message are a message in one form only, or refused; and an engine
// that gets them goes on.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "base/invariant.h"
#include "multicast/engine.h"

using namespace wan::multicast;

namespace {

class Nowhere : public Carrier {
  void send(Position, const Message&, Payload) override {}
};

}  // namespace

/// The input is several messages, each behind two bytes that say how long it is and its payload. An empty
/// one: a process is lost, and all payloads land.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Nowhere nowhere;
  const Places places(6, {{0, 0, 0, 1, 1, 1}});
  Engine engine({RoutingTable(places, 1, std::vector{3})},
                {.window = [](Position) { return 1'000; },
                 .shape =
                     [](wan::Bytes, const Destinations&) {
                       return Shape{0, 16, 1};
                     },
                 .forwarder = [](wan::Bytes) { return Forwarder::master; },
                 .inbox = 100},
                nowhere);
  engine.send(std::string_view("more than a segment of it"), 1, Destinations({0, 2, 4}));
  std::vector<char> buffer(8);
  engine.receive(buffer, {.tag = 2});
  std::map<Position, std::deque<std::span<char>>> coming;
  const auto land = [&] {
    for (auto& [from, all] : coming)
      for (; !all.empty(); all.pop_front()) {
        std::ranges::fill(all.front(), 'p');
        engine.landed(from, all.size() % 2 == 0);
      }
  };
  while (bytes.size() >= 2) {
    const auto number = [&](std::size_t at) {
      return static_cast<std::size_t>(static_cast<unsigned char>(bytes[at]));
    };
    const auto payload = static_cast<wan::Bytes>(number(1));
    const std::string_view one = bytes.substr(2, number(0));
    bytes.remove_prefix(2 + one.size());
    if (const auto message = decode(one))
      wan::invariant(encode(*message).view() == one, "a message is other bytes");
    const Position from = 2 * static_cast<Position>(one.size() % 3);
    if (one.empty()) {
      engine.lose(2);
      land();
    } else if (const auto arrived = engine.arrived(from, one, payload); !arrived.place.empty()) {
      wan::invariant(static_cast<wan::Bytes>(arrived.place.size()) == payload, "another place");
      coming[from].push_back(arrived.place);
    }
    engine.settle();
  }
  land();
  return 0;
}
