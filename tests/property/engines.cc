// SPDX-License-Identifier: BSD-3-Clause
// Many multicasts at once between engines whose messages come in any order that a network may choose, with
// receives that are posted at any time, and processes that are lost: all end, each destination has each once,
// and memory is bounded. multicast/engine.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "tests/support/multicast_network.h"
#include "tests/support/property_main.h"

namespace wan {

const int kCases = 4'000;

namespace {

using multicast::Destinations;
using multicast::Envelope;
using multicast::Forwarder;
using multicast::Pattern;
using multicast::Places;
using multicast::Position;
using multicast::Settings;
using multicast::Shape;
using multicast::Ticket;

constexpr Bytes kLongest = 600;

Places some_places() {
  const Rank size = *rc::gen::inRange(1, 14);
  std::vector<std::vector<std::int32_t>> groups;
  for (int levels = *rc::gen::inRange(0, 3), level = 0; level < levels; ++level)
    groups.push_back(*rc::gen::container<std::vector<std::int32_t>>(static_cast<std::size_t>(size),
                                                                    rc::gen::inRange(0, 4)));
  return {size, groups};
}

Settings some_settings() {
  Settings settings;
  settings.least_window = *rc::gen::inRange(2, 300);
  const Bytes more = *rc::gen::inRange(0, 300), segment = *rc::gen::inRange(1, 100);
  settings.window = [least = settings.least_window, more](Position to) { return least + to * more; };
  settings.chain_window = *rc::gen::inRange(0, 300);
  const auto forwarder = *rc::gen::element(Forwarder::master, Forwarder::destination);
  settings.forwarder = [forwarder](Bytes) { return forwarder; };
  // Some of the tables, and some of the chains.
  const std::size_t first = *rc::gen::inRange<std::size_t>(0, 4),
                    tables = *rc::gen::inRange<std::size_t>(1, 5);
  const int fewest = *rc::gen::inRange(0, 4), more_children = *rc::gen::inRange(1, 4);
  settings.shape = [=](Bytes bytes, const Destinations& destinations) {
    const std::size_t table = first + static_cast<std::size_t>(bytes + destinations.size()) % tables;
    const int children = fewest + static_cast<int>(bytes / 8 % more_children);
    return Shape{static_cast<std::uint8_t>(table % 4), segment, static_cast<std::uint8_t>(children)};
  };
  settings.inbox = *rc::gen::inRange(0, 2'000);
  settings.copied = *rc::gen::inRange<Bytes>(-1, kLongest);
  settings.copies = *rc::gen::inRange(0, 20'000);
  return settings;
}

/// A network, what has been sent over it, and what has come.
class World {
 public:
  World(const Places& places, const Settings& settings)
      : network_(places, {{2}, {4}, {16}, {2, 4}}, settings) {
    for (Position at = 0; at < network_.size(); ++at)
      network_.at(at).know([this](Position source, int tag) { return known_.at({source, tag}); });
  }

  void send_some() {
    const Position source = some_living();
    const auto to = *rc::gen::container<std::vector<Position>>(rc::gen::inRange(0, network_.size()));
    // With a tag of its own, by which all know the destinations, or with them in the message.
    const bool all_know = *rc::gen::arbitrary<bool>();
    const int tag = all_know ? 3 + static_cast<int>(known_.size()) : *rc::gen::inRange(0, 3);
    // Whose it is, so that no two are equal.
    std::string& data = data_.emplace_back(std::to_string(data_.size()) + ":");
    data.append(static_cast<std::size_t>(*rc::gen::inRange<Bytes>(0, kLongest - 20)), 'x');
    for (std::size_t i = data.find(':') + 1; i < data.size(); ++i)
      data[i] = static_cast<char>('a' + i * i % 23);
    const Destinations destinations(to);
    for (const auto& range : destinations.ranges())
      for (Position each = range.begin; each < range.end; ++each)
        expected_[each].push_back(text(source, tag, data));
    if (all_know) known_[{source, tag}] = destinations;
    const Ticket ticket = network_.at(source).send(data, tag, destinations, all_know);
    sent_.push_back({source, ticket, destinations, &data});
  }
  void receive_some() {
    const Position at = some_living();
    Pattern pattern;
    if (*rc::gen::arbitrary<bool>()) pattern.source = some_position();
    if (*rc::gen::arbitrary<bool>()) pattern.tag = *rc::gen::inRange(0, 3);
    receive(at, pattern);
  }
  void deliver_some() {
    const auto pairs = network_.under_way();
    if (!pairs.empty()) {
      const auto pair = pairs[static_cast<std::size_t>(*rc::gen::inRange<std::size_t>(0, pairs.size()))];
      // What a dead process was sending may never come.
      if (network_.has_landings(pair) && (!network_.has_messages(pair) || *rc::gen::arbitrary<bool>()))
        network_.land(pair, !network_.is_dead(pair.first) || *rc::gen::arbitrary<bool>());
      else
        RC_ASSERT(network_.arrive(pair));
    }
    if (*rc::gen::inRange(0, 4) == 0) network_.at(some_living()).rest();
    collect();
  }
  /// One process more, but for the last.
  void kill_some() {
    if (living() > 1) network_.kill(some_living());
  }
  /// Some process learns of some dead one.
  void tell_some() {
    const Position of = some_position();
    if (network_.is_dead(of)) network_.at(some_living()).lose(of);
    collect();
  }
  void tell_all() {
    for (Position at = 0; at < network_.size(); ++at)
      for (Position of = 0; of < network_.size(); ++of)
        if (network_.is_dead(of) && !network_.is_dead(at)) network_.at(at).lose(of);
    collect();
  }
  /// Everybody receives all that there is, and nothing else.
  void finish() {
    for (bool goes_on = true; goes_on;) {
      network_.deliver_all();
      collect();
      goes_on = false;
      for (Position at = 0; at < network_.size(); ++at)
        while (!network_.is_dead(at) && network_.at(at).probe({})) {
          receive(at, {});
          goes_on = true;
        }
    }
  }
  void check() {
    for (const auto& [key, receive] : receives_) {
      if (network_.is_dead(key.first)) continue;
      RC_ASSERT(!receive.pattern.source || !network_.is_dead(*receive.pattern.source));
      RC_ASSERT(network_.at(key.first).cancel(key.second));
    }
    for (Position at = 0; at < network_.size(); ++at) {
      if (network_.is_dead(at)) continue;
      // Of what a dead process has sent, some may have come.
      auto& expected = expected_[at];
      std::ranges::sort(received_[at]);
      std::erase_if(expected, [&](const std::string& each) {
        return network_.is_dead(std::stoi(each)) && !std::ranges::binary_search(received_[at], each);
      });
      std::ranges::sort(expected);
      RC_ASSERT(received_[at] == expected);
      RC_ASSERT(network_.at(at).under_way() == 0);
      RC_ASSERT(network_.at(at).held() == 0);
      RC_ASSERT(network_.at(at).kept() == 0);
    }
    for (const Sent& each : sent_) RC_ASSERT(each.has_ended || network_.is_dead(each.source));
  }
  const MulticastNetwork& network() const { return network_; }

 private:
  struct Receive {
    Pattern pattern;
    std::string buffer;
  };
  struct Sent {
    Position source;
    Ticket ticket;
    Destinations to;
    std::string* data;  ///< may change when it has ended
    bool has_ended = false;
  };
  Position some_position() const { return *rc::gen::inRange(0, network_.size()); }
  Position living() const {
    Position living = 0;
    for (Position at = 0; at < network_.size(); ++at) living += network_.is_dead(at) ? 0 : 1;
    return living;
  }
  Position some_living() const {
    Position position = some_position();
    while (network_.is_dead(position)) position = (position + 1) % network_.size();
    return position;
  }
  bool has_dead(const Destinations& destinations) const {
    return std::ranges::any_of(destinations.positions(),
                               [&](Position each) { return network_.is_dead(each); });
  }
  static std::string text(Position source, int tag, const std::string& data) {
    return std::to_string(source) + " " + std::to_string(tag) + " " + data;
  }
  void receive(Position at, const Pattern& pattern) {
    Receive posted{pattern, std::string(kLongest, '?')};
    const std::span<char> buffer(posted.buffer);  // longer than a string keeps in itself: it stays there
    const Ticket ticket = network_.at(at).receive(buffer, pattern);
    receives_.emplace(std::pair(at, ticket), std::move(posted));
    collect();
  }
  void collect() {
    for (Position at = 0; at < network_.size(); ++at)
      for (const auto& [ticket, envelope, is_lost] : network_.at(at).take_ended()) {
        const auto receive = receives_.find({at, ticket});
        if (receive == receives_.end()) {
          const auto sent = std::ranges::find_if(sent_, [&, ticket = ticket](const Sent& each) {
            return each.source == at && each.ticket == ticket;
          });
          RC_ASSERT(sent != sent_.end());
          RC_ASSERT(!is_lost || has_dead(sent->to));
          RC_ASSERT(!sent->has_ended || is_lost);  // what was copied is told of once more
          sent->has_ended = true;
          std::ranges::fill(*sent->data, '-');
          continue;
        }
        if (is_lost) {
          RC_ASSERT(network_.is_dead(envelope.source));
          receives_.erase(receive);
          continue;
        }
        RC_ASSERT(receive->second.pattern.fits(envelope));
        received_[at].push_back(
            text(envelope.source, envelope.tag,
                 receive->second.buffer.substr(0, static_cast<std::size_t>(envelope.bytes))));
        receives_.erase(receive);
      }
  }

  std::deque<std::string> data_;
  std::map<std::pair<Position, int>, Destinations> known_;
  MulticastNetwork network_;
  std::vector<Sent> sent_;
  std::map<std::pair<Position, Ticket>, Receive> receives_;
  std::map<Position, std::vector<std::string>> expected_, received_;
};

TEST(Engines, DeliverAllOnceInAnyOrderOfMessages) {
  EXPECT_TRUE(rc::check([] {
    const Places places = some_places();
    const Settings settings = some_settings();
    World world(places, settings);
    for (int actions = *rc::gen::inRange(1, 80), i = 0; i < actions; ++i) switch (*rc::gen::inRange(0, 6)) {
        case 0:
        case 1:
          world.send_some();
          break;
        case 2:
          world.receive_some();
          break;
        default:
          world.deliver_some();
          break;
      }
    world.finish();
    world.check();
    // Of each other process, on each leg: its window, and one message that may take more.
    const Bytes chains = std::max(settings.chain_window, settings.least_window);
    Bytes most = 0;
    for (Position each = 0; each < places.size(); ++each)
      most = std::max(most, settings.window(each) + 2 * chains + 3 * 150);
    RC_ASSERT(world.network().most_held() <= most * places.size());
  }));
}

TEST(Engines, DeliverAllOnceToThoseThatLive) {
  EXPECT_TRUE(rc::check([] {
    const Places places = some_places();
    const Settings settings = some_settings();
    World world(places, settings);
    for (int actions = *rc::gen::inRange(1, 120), i = 0; i < actions; ++i) switch (*rc::gen::inRange(0, 12)) {
        case 0:
        case 1:
          world.send_some();
          break;
        case 2:
        case 3:
          world.receive_some();
          break;
        case 4:
          if (i % 2 == 0) world.kill_some();
          break;
        case 5:
        case 6:
          world.tell_some();
          break;
        default:
          world.deliver_some();
          break;
      }
    if (*rc::gen::arbitrary<bool>()) world.finish();
    world.tell_all();
    world.finish();
    world.check();
  }));
}

}  // namespace
}  // namespace wan
