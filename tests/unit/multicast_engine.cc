// SPDX-License-Identifier: BSD-3-Clause
// multicast/engine.h: multicasts of several processes over a network that the test controls.
#include "multicast/engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/multicast_network.h"

namespace wan::multicast {
namespace {

constexpr Bytes kSegment = 10, kWindow = 200;
const std::string kText = "a text of more than one segment, and of less than a window of them";

Settings settings(Bytes inbox = 1 << 20, std::uint8_t children = 0) {
  return {.window = [](Position) { return kWindow; },
          .least_window = kWindow,
          .chain_window = kWindow,
          .shape =
              [=](Bytes, const Destinations&) {
                return Shape{0, kSegment, children};
              },
          .forwarder = [](Bytes) { return Forwarder::destination; },
          .inbox = inbox,
          .copied = -1};
}
/// Short ones are copied, of which so much fits in memory.
Settings settings_with_copies(Bytes copies = 1 << 20, Bytes inbox = 1 << 20) {
  Settings settings = multicast::settings(inbox);
  settings.copied = static_cast<Bytes>(kText.size());
  settings.copies = copies;
  return settings;
}

/// Eight processes, four on each of two sites.
Places two_sites() {
  return {8, {{0, 0, 0, 0, 1, 1, 1, 1}}};
}

/// The one to whom position 0 sends what all of the other site are to have.
Position forwarder_of(const Destinations& destinations) {
  return branches(RoutingTable(two_sites(), 0, std::vector{4}), 0, destinations, Forwarder::destination)[0]
      .to;
}

struct Network : MulticastNetwork {
  explicit Network(const Settings& of = settings()) : MulticastNetwork(two_sites(), {{4}}, of) {}
  Ticket send(Position from, std::string_view text, int tag, const Destinations& to) {
    return at(from).send(text, tag, to);
  }
  /// What a process has received so far, as text.
  std::string received(Position at, std::size_t most = 1'000) {
    std::string buffer(most, '-');
    this->at(at).receive(buffer, {});
    deliver_all();
    const auto ended = this->at(at).take_ended();
    return ended.size() == 1 ? buffer.substr(0, static_cast<std::size_t>(ended[0].envelope.bytes))
                             : "nothing";
  }
};

/// A message and its payload.
bool has_come(Engine& engine, Position from, const Message& message, std::string_view payload) {
  const auto arrived = engine.arrived(from, encode(message).view(), static_cast<Bytes>(payload.size()));
  if (arrived.place.empty()) return arrived.is_sound;
  std::ranges::copy(payload, arrived.place.begin());
  engine.landed(from);
  return arrived.is_sound;
}

TEST(Engine, SendsToAllOnceAndEachSiteIsEnteredOnce) {
  Network of;
  const Ticket ticket = of.at(0).send(kText, 3, Destinations({1, 3, 4, 5, 6, 7}));
  of.deliver_all();
  EXPECT_EQ(of.at(0).take_ended(), (std::vector<Ended>{{ticket, {0, 3, static_cast<Bytes>(kText.size())}}}));
  const auto segments = static_cast<std::size_t>(segments_of(static_cast<Bytes>(kText.size()), kSegment));
  std::size_t across = 0;
  for (Position to = 4; to < 8; ++to) across += of.messages_between(0, to);
  EXPECT_EQ(across, segments);
  for (const Position at : {1, 3, 4, 5, 6, 7}) EXPECT_EQ(of.received(at), kText) << at;
  EXPECT_EQ(of.at(2).probe({}), std::nullopt);
  for (Position at = 0; at < 8; ++at) EXPECT_EQ(of.at(at).under_way(), 0u);
}

TEST(Engine, NamesNoDestinationsWhereAllKnowThem) {
  // The last one is none of this network: what a function says need not be right.
  const Destinations all({1, 3, 5, 6, 7}), said({1, 3, 5, 6, 7, 9});
  std::size_t bytes[2] = {0, 0};
  for (const bool all_know : {false, true}) {
    Network of;
    for (Position at = 0; at < 8; ++at)
      of.at(at).know([&, at](Position source, int tag) {
        return source == 0 && tag == 3 ? (at == 0 ? all : said) : Destinations();
      });
    of.at(0).send(kText, 3, all, all_know);
    of.deliver_all();
    EXPECT_EQ(of.at(0).take_ended().size(), 1u);
    for (Position at = 0; at < 8; ++at) {
      EXPECT_EQ(of.at(at).under_way(), 0u);
      EXPECT_EQ(of.received(at), all.contain(at) ? kText : "nothing") << at;
    }
    bytes[all_know ? 1 : 0] = of.bytes();
  }
  EXPECT_LT(bytes[1], bytes[0]);
}

TEST(Engine, ForgetsWhatGoesToThoseThatItDoesNotKnow) {
  Network of;
  of.at(0).send("text", 3, Destinations({1}), true);
  EXPECT_FALSE(of.deliver({0, 1})) << "nobody has told it";
  EXPECT_EQ(of.at(1).under_way(), 0u);
}

TEST(Engine, SendsToItselfAndToNobody) {
  Network of;
  of.send(2, "mine", 0, Destinations({2}));
  of.send(2, "nobody's", 0, {});
  EXPECT_EQ(of.at(2).take_ended().size(), 2u);
  EXPECT_EQ(of.received(2), "mine");
  EXPECT_EQ(of.messages(), 0u);
}

TEST(Engine, AShortOneDoesNotWaitForALongOne) {
  Network of;
  const std::string long_one(100 * kSegment, 'l');
  of.at(0).send(long_one, 1, Destinations({1}));
  of.send(0, "short", 2, Destinations({1}));
  std::string buffer(10, '-');
  of.at(1).receive(buffer, {.tag = 2});
  while (of.at(1).take_ended().empty())
    for (const auto& pair : of.under_way()) of.deliver(pair);
  EXPECT_GT(of.at(0).under_way(), 0u) << "the long one goes on";
  EXPECT_EQ(buffer, "short-----");
}

TEST(Engine, SendsNoMoreThanAWindowToOneThatDoesNotAnswer) {
  Network of;
  of.stop(1);
  const std::string long_one(100 * kSegment, 'l');
  of.at(0).send(long_one, 1, Destinations({1}));
  of.at(0).send(long_one, 1, Destinations({2, 3}));
  of.deliver_all();
  EXPECT_LE(of.messages_between(0, 1) * kSegment, static_cast<std::size_t>(kWindow));
  EXPECT_EQ(of.received(3), long_one) << "others do not wait for it";
  of.go_on();
  EXPECT_EQ(of.received(1), long_one);
}

TEST(Engine, HoldsNoMoreThanAWindowForOneThatDoesNotAnswer) {
  Network of;
  // 0 -> x on the other site -> the others there.
  const Destinations all({4, 5, 6, 7});
  const Position forwarder = forwarder_of(all);
  const Position slow = forwarder == 7 ? 6 : 7;
  of.stop(slow);
  const std::string long_one(100 * kSegment, 'l');
  of.at(0).send(long_one, 1, all);
  of.deliver_all();
  EXPECT_LE(of.at(forwarder).held(), kWindow + kSegment);
  EXPECT_GT(of.at(forwarder).held(), 0);
  of.go_on();
  of.deliver_all();
  EXPECT_EQ(of.at(forwarder).held(), 0);
  EXPECT_EQ(of.received(slow), long_one);
}

TEST(Engine, OneThatHasNoRoomGetsItFromTheSourceWhenItAsks) {
  Network of(settings(100));
  const std::string first(90, '1'), second(90, '2');
  of.at(0).send(first, 1, Destinations({4, 5, 6}));
  of.at(0).send(second, 2, Destinations({4, 5, 6}));
  of.deliver_all();
  EXPECT_EQ(of.at(0).take_ended().size(), 1u) << "the second waits for its receivers";
  for (const Position at : {4, 5, 6}) {
    EXPECT_EQ(of.at(at).kept(), 90);
    EXPECT_EQ(of.received(at), first);
    EXPECT_TRUE(of.at(0).take_ended().empty());
  }
  EXPECT_EQ(of.received(6), second);
  EXPECT_EQ(of.received(4), second);
  EXPECT_TRUE(of.at(0).take_ended().empty());
  EXPECT_EQ(of.received(5), second);
  EXPECT_EQ(of.at(0).take_ended().size(), 1u);
}

TEST(Engine, SendsOneCopyOverAChain) {
  Network of(settings(1 << 20, 1));
  const auto segments = static_cast<std::size_t>(segments_of(static_cast<Bytes>(kText.size()), kSegment));
  of.at(2).send(kText, 3, Destinations({0, 1, 2, 3, 4, 6, 7}));
  of.deliver_all();
  EXPECT_EQ(of.at(2).take_ended().size(), 1u);
  EXPECT_EQ(of.messages_between(2, 3), segments);
  EXPECT_EQ(of.messages_between(3, 0), segments) << "the other way round";
  EXPECT_EQ(of.messages_between(0, 1), segments);
  EXPECT_EQ(of.messages_between(2, 0) + of.messages_between(2, 1), 0u);
  for (const Position at : {0, 1, 2, 3, 4, 6, 7}) EXPECT_EQ(of.received(at), kText) << at;
  EXPECT_EQ(of.at(5).probe({}), std::nullopt);
  for (Position at = 0; at < 8; ++at) EXPECT_EQ(of.at(at).under_way(), 0u);
}

TEST(Engine, NamesTheDestinationsOfAChainThoughAllKnowThem) {
  Network of(settings(1 << 20, 1));
  const Destinations to({1, 3, 4, 6});
  for (Position at = 0; at < 8; ++at)
    of.at(at).know([&](Position source, int tag) { return source == 2 && tag == 3 ? to : Destinations(); });
  of.at(2).send(kText, 3, to, true);
  of.deliver_all();
  EXPECT_EQ(of.at(2).take_ended().size(), 1u);
  for (Position at = 0; at < 8; ++at) EXPECT_EQ(of.received(at), to.contain(at) ? kText : "nothing") << at;
}

/// All windows of the ring are full at once: the first of each message waits where the next begins.
TEST(Engine, ChainsThatFillARingGoOn) {
  Network of(settings(1 << 20, 1));
  const std::string long_one(100 * kSegment, 'l');
  for (Position from = 0; from < 4; ++from) of.at(from).send(long_one, from, Destinations({0, 1, 2, 3}));
  of.deliver_all();
  for (Position at = 0; at < 4; ++at) {
    EXPECT_EQ(of.at(at).take_ended().size(), 1u) << at;
    EXPECT_EQ(of.at(at).held(), 0);
    for (int times = 0; times < 4; ++times) EXPECT_EQ(of.received(at), long_one) << at;
  }
}

TEST(Engine, GivesBackRoomOfAChainThatItHasForgotten) {
  Network of(settings(1 << 20, 1));
  const std::string long_one(100 * kSegment, 'l');
  of.at(4).send(long_one, 1, Destinations({1, 2}));
  // 4 -> x -> the other one, which learns that the source is lost before x does.
  const Position first = of.messages_between(4, 1) > 0 ? 1 : 2, second = 3 - first;
  while (of.messages_between(first, second) == 0) of.deliver({4, first});
  of.kill(4);
  of.at(second).lose(4);
  for (int i = 0; i < 4; ++i) {
    of.deliver({4, first});
    of.deliver({first, second});
  }
  of.at(first).lose(4);
  of.deliver_all();
  EXPECT_EQ(of.at(second).held(), 0);
  // As much as before goes through the same windows.
  of.at(first).send(long_one, 2, Destinations({second}));
  of.deliver_all();
  EXPECT_EQ(of.received(second), long_one);
}

TEST(Engine, SendsItselfWhatALostProcessOfAChainDoesNotPassOn) {
  for (const Position lost : {3, 0, 1}) {
    Network of(settings(1 << 20, 1));
    of.at(2).send(kText, 3, Destinations({0, 1, 3}));
    of.deliver({2, 3});
    of.kill(lost);
    of.deliver_all();
    for (Position at = 0; at < 8; ++at)
      if (at != lost) of.at(at).lose(lost);
    of.deliver_all();
    const auto ended = of.at(2).take_ended();
    ASSERT_EQ(ended.size(), 1u);
    EXPECT_TRUE(ended[0].is_lost);
    for (const Position at : {0, 1, 3}) {
      if (at == lost) continue;
      EXPECT_EQ(of.received(at), kText) << at;
      EXPECT_EQ(of.at(at).probe({}), std::nullopt) << "once";
      EXPECT_EQ(of.at(at).under_way(), 0u);
    }
  }
}

TEST(Engine, ForgetsAChainThatNobodySends) {
  Network of(settings(1 << 20, 1));
  const auto comes = [&](Position from, int children, Leg leg, bool names) {
    return has_come(of.at(1), from,
                    {.kind = Kind::begin,
                     .name = {5, 3},
                     .total = 1,
                     .children = static_cast<std::uint8_t>(children),
                     .leg = leg,
                     .positions = names ? "\1\2" : ""},
                    "x");
  };
  of.at(1).know([](Position, int) { return Destinations({1, 2}); });
  EXPECT_FALSE(comes(4, 1, Leg::chain, true)) << "from another site";
  EXPECT_FALSE(comes(2, 1, Leg::chain, true)) << "from a greater position";
  EXPECT_FALSE(comes(0, 0, Leg::chain, true)) << "by a table";
  EXPECT_FALSE(comes(0, 1, Leg::table, true)) << "by an entry inside the site";
  EXPECT_FALSE(comes(0, 1, Leg::chain, false)) << "for nobody";
  EXPECT_TRUE(comes(0, 1, Leg::chain, true));
}

TEST(Engine, SendsItselfWhatALostProcessDoesNotPassOn) {
  const Destinations all({4, 5, 6, 7});
  const Position lost = forwarder_of(all);
  for (const int messages : {0, 1, 4}) {
    Network of;
    const Ticket ticket = of.at(0).send(kText, 3, all);
    for (int i = 0; i < messages; ++i) of.deliver({0, lost});
    of.kill(lost);
    of.deliver_all();
    EXPECT_TRUE(of.at(0).take_ended().empty());
    for (Position at = 0; at < 8; ++at)
      if (at != lost) of.at(at).lose(lost);
    of.deliver_all();
    EXPECT_EQ(of.at(0).take_ended(),
              (std::vector<Ended>{{ticket, {0, 3, static_cast<Bytes>(kText.size())}, true}}))
        << "one of them is lost";
    for (const Position at : all.positions()) {
      if (at == lost) continue;
      EXPECT_EQ(of.received(at), kText) << at;
      EXPECT_EQ(of.at(at).probe({}), std::nullopt) << "once";
      EXPECT_EQ(of.at(at).under_way(), 0u);
    }
  }
}

TEST(Engine, TakesNothingOfALostProcessAfterWhatHasNotCome) {
  Network of;
  const Destinations all({4, 5, 6, 7});
  const Position first = forwarder_of(all);
  of.at(0).send(kText, 3, all);
  for (int i = 0; i < 3; ++i) of.arrive({0, first});
  of.kill(0);
  of.land({0, first}, false);
  while (of.has_landings({0, first})) of.land({0, first});
  while (of.has_messages({0, first})) {
    EXPECT_TRUE(of.arrive({0, first}));
    EXPECT_FALSE(of.has_landings({0, first})) << "nobody needs it";
  }
  for (Position at = 4; at < 8; ++at)
    EXPECT_EQ(of.messages_between(first, at), 0u) << "it has not come from its beginning";
  of.at(first).lose(0);
  EXPECT_EQ(of.at(first).under_way(), 0u);
}

TEST(Engine, DoesNotWaitForALostSource) {
  Network of;
  std::string first(100, '-'), second(100, '-'), third(100, '-');
  const Ticket coming = of.at(4).receive(first, {}), by_name = of.at(4).receive(second, {.source = 0});
  of.at(0).send(kText, 3, Destinations({4}));
  of.deliver({0, 4});
  of.kill(0);
  of.at(4).lose(0);
  EXPECT_EQ(of.at(4).take_ended(),
            (std::vector<Ended>{{coming, {.source = 0}, true}, {by_name, {.source = 0}, true}}));
  const Ticket late = of.at(4).receive(third, {.source = 0});
  EXPECT_EQ(of.at(4).take_ended(), (std::vector<Ended>{{late, {.source = 0}, true}}));
  const Ticket lost = of.at(4).send(kText, 3, Destinations({0}));
  EXPECT_EQ(of.at(4).take_ended(),
            (std::vector<Ended>{{lost, {4, 3, static_cast<Bytes>(kText.size())}, true}}));
}

TEST(Engine, TakesNothingFromAProcessThatTheSourceHasOvertaken) {
  Network of;
  const auto comes = [&](Position from, const Message& message) {
    return has_come(of.at(4), from, message, "x");
  };
  const auto begin = [](std::uint32_t number, bool direct, std::uint32_t oldest) {
    return Message{
        .kind = Kind::begin, .name = {0, number, direct}, .total = 1, .oldest = oldest, .positions = "\1\1"};
  };
  EXPECT_TRUE(comes(0, begin(3, true, 3)));
  EXPECT_EQ(of.received(4), "x");
  EXPECT_TRUE(comes(5, begin(3, false, 3)));
  EXPECT_EQ(of.at(4).probe({}), std::nullopt) << "it has it";
  EXPECT_TRUE(comes(0, begin(9, false, 9)));
  EXPECT_EQ(of.received(4), "x");
  EXPECT_TRUE(comes(5, begin(3, false, 3)));
  EXPECT_EQ(of.at(4).probe({}), std::nullopt) << "it has had it, long ago";
}

TEST(Engine, ForgetsWhatNobodySends) {
  Network of;
  const auto comes = [&](const Message& message, std::string_view payload = {}, Position from = 0) {
    return has_come(of.at(1), from, message, payload);
  };
  const Message more{.kind = Kind::data, .name = {0, 4}};
  EXPECT_FALSE(of.at(1).arrived(0, "", 0).is_sound);
  EXPECT_FALSE(comes({.kind = Kind::data, .name = {0, 3}}, "x")) << "nothing of that has begun";
  EXPECT_FALSE(comes({.kind = Kind::taken, .name = {1, 3}}));
  EXPECT_FALSE(comes({.kind = Kind::ask, .name = {1, 3}}));
  EXPECT_FALSE(comes({.kind = Kind::gone, .name = {0, 3}}, "x")) << "nothing follows that";
  EXPECT_FALSE(comes({.kind = Kind::begin, .name = {0, 3}, .positions = "?"}));
  EXPECT_FALSE(comes({.kind = Kind::begin, .name = {0, 3}, .table = 1, .positions = "\1\1"}))
      << "no such table";
  const Message begin{.kind = Kind::begin, .name = {0, 4}, .total = 3, .segment = 2, .positions = "\1\1"};
  EXPECT_FALSE(comes(begin, "x")) << "the first segment has two";
  EXPECT_TRUE(comes(begin, "xy"));
  EXPECT_FALSE(comes(begin, "xy")) << "twice";
  EXPECT_FALSE(comes(more, "zz")) << "one byte is missing";
  EXPECT_FALSE(comes(more, "z", 2)) << "from another";
  EXPECT_TRUE(comes(more, "z"));
  EXPECT_FALSE(comes(more, "z"));
  EXPECT_EQ(of.received(1), "xyz");
}

TEST(Engine, HasPayloadsWrittenWhereTheyStay) {
  Network of;
  std::string buffer(4, '-'), shorter(2, '-');
  of.at(1).receive(buffer, {.tag = 1});
  of.at(1).receive(shorter, {.tag = 2});
  const auto place = [&](const Message& message) {
    return of.at(1).arrived(0, encode(message).view(), 2).place.data();
  };
  const auto begin = [](std::uint32_t number, int tag) {
    return Message{
        .kind = Kind::begin, .name = {0, number}, .tag = tag, .total = 4, .segment = 2, .positions = "\1\1"};
  };
  EXPECT_EQ(place(begin(0, 1)), buffer.data());
  EXPECT_EQ(place({.kind = Kind::data, .name = {0, 0}}), buffer.data() + 2);
  EXPECT_EQ(place(begin(1, 2)), shorter.data());
  EXPECT_NE(place({.kind = Kind::data, .name = {0, 1}}), shorter.data() + 2) << "there is none";
}

TEST(Engine, OneThatPassesOnHasItWhenItHasCome) {
  Network of;
  const Destinations all({4, 5, 6, 7});
  const Position forwarder = forwarder_of(all);
  std::string buffer(4, '-');
  of.at(forwarder).receive(buffer, {});
  of.at(0).send("text", 3, all);
  of.deliver({0, forwarder});
  EXPECT_EQ(of.at(forwarder).take_ended().size(), 1u) << "nobody else has taken it";
  EXPECT_EQ(buffer, "text");
}

/// Keeps what is to be sent.
struct Drawer : Carrier {
  std::vector<Payload> payloads;
  void send(Position, const Message&, Payload payload) override { payloads.push_back(std::move(payload)); }
};

TEST(Engine, NeedsItsDataAsLongAsTheCarrierDoes) {
  Drawer drawer;
  Engine engine({RoutingTable(two_sites(), 0, std::vector{4})}, settings(), drawer);
  engine.send(std::string_view("text"), 3, Destinations({1}));
  const std::string none = Destinations().encode({1, 2});
  EXPECT_TRUE(
      has_come(engine, 1, {.kind = Kind::taken, .name = {0, 0}, .positions = none, .unreached = none}, ""));
  engine.settle();
  EXPECT_TRUE(engine.take_ended().empty());
  drawer.payloads.clear();
  engine.settle();
  EXPECT_EQ(engine.take_ended().size(), 1u);
  EXPECT_EQ(engine.under_way(), 0u);
}

TEST(Engine, AShortOneHasEndedWhenItHasBeenCopied) {
  Network of(settings_with_copies());
  const Destinations all({1, 4, 5, 6, 7});
  std::string text = kText;
  const Ticket ticket = of.send(0, text, 3, all);
  EXPECT_EQ(of.at(0).take_ended(), (std::vector<Ended>{{ticket, {0, 3, static_cast<Bytes>(kText.size())}}}));
  std::ranges::fill(text, '-');
  of.deliver_all();
  EXPECT_EQ(of.at(0).under_way(), 0u);
  for (const Position at : all.positions()) EXPECT_EQ(of.received(at), kText) << at;
  EXPECT_TRUE(of.at(0).take_ended().empty()) << "once";

  const std::string longer = kText + "!";
  of.send(0, longer, 3, all);
  EXPECT_TRUE(of.at(0).take_ended().empty()) << "it is long";
  of.deliver_all();
  EXPECT_EQ(of.at(0).take_ended().size(), 1u);
}

TEST(Engine, AnswersForWhichNobodyWaitsComeLater) {
  Network of(settings_with_copies());
  of.send(0, "text", 3, Destinations({1}));
  of.deliver({0, 1});
  EXPECT_TRUE(of.under_way().empty());
  EXPECT_FALSE(of.at(0).needs_data());
  EXPECT_EQ(of.at(0).under_way(), 1u);
  EXPECT_TRUE(of.at(1).rest());
  EXPECT_FALSE(of.at(1).rest());
  of.deliver({1, 0});
  EXPECT_EQ(of.at(0).under_way(), 0u);
  // But not any number of them.
  std::size_t most = 0;
  for (int i = 0; i < 1'000; ++i) {
    of.send(0, "text", 3, Destinations({1}));
    for (auto pairs = of.under_way(); !pairs.empty(); pairs = of.under_way())
      for (const auto& pair : pairs) of.deliver(pair);
    most = std::max(most, of.at(0).under_way());
  }
  EXPECT_GT(most, 10u);
  EXPECT_LE(most, 100u);
}

TEST(Engine, NeedsDataForWhichThereIsNoRoom) {
  Network of(settings_with_copies());
  of.stop(1);
  for (int i = 0; i < 10; ++i) of.send(0, kText, 3, Destinations({1}));
  EXPECT_EQ(of.at(0).take_ended().size(), 10u);
  EXPECT_TRUE(of.at(0).needs_data());
  of.go_on();
  of.deliver_all();
  EXPECT_FALSE(of.at(0).needs_data());
}

TEST(Engine, CopiesNoMoreThanThereIsMemoryFor) {
  Network of(settings_with_copies(10'000));
  of.stop(1);
  std::size_t ended = 0;
  for (int i = 0; i < 100; ++i) {
    of.send(0, kText, 3, Destinations({1}));
    ended += of.at(0).take_ended().size();
  }
  EXPECT_GT(ended, 5u);
  EXPECT_LT(ended, 100u);
  of.go_on();
  of.deliver_all();
  EXPECT_EQ(of.at(0).take_ended().size(), 100 - ended);
  of.send(0, kText, 3, Destinations({1}));
  EXPECT_EQ(of.at(0).take_ended().size(), 1u) << "copies are gone with what they were of";
}

TEST(Engine, KeepsACopyForOneThatHasNoRoom) {
  Network of(settings_with_copies(1 << 20, 0));
  std::string text = "text";
  of.send(0, text, 3, Destinations({1, 5}));
  std::ranges::fill(text, '-');
  of.deliver_all();
  EXPECT_EQ(of.at(0).under_way(), 1u);
  EXPECT_EQ(of.received(5), "text");
  EXPECT_EQ(of.received(1), "text");
  EXPECT_EQ(of.at(0).under_way(), 0u);
}

TEST(Engine, TellsWhenACopyWasForALostProcess) {
  Network of(settings_with_copies());
  const Ticket ticket = of.send(0, "text", 3, Destinations({1, 2}));
  EXPECT_EQ(of.at(0).take_ended(), (std::vector<Ended>{{ticket, {0, 3, 4}}}));
  of.kill(1);
  of.at(0).lose(1);
  of.deliver_all();
  EXPECT_EQ(of.at(0).take_ended(), (std::vector<Ended>{{ticket, {0, 3, 4}, true}}));
  const Ticket next = of.send(0, "text", 3, Destinations({1, 2}));
  EXPECT_TRUE(of.at(0).take_ended().empty()) << "this one ends with an error";
  of.deliver_all();
  EXPECT_EQ(of.at(0).take_ended(), (std::vector<Ended>{{next, {0, 3, 4}, true}}));
}

}  // namespace
}  // namespace wan::multicast
