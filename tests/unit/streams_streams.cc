// SPDX-License-Identifier: BSD-3-Clause
// Two processes' streams in one, over loopback.
#include "streams/streams.h"

#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <numeric>
#include <random>

namespace wan {
namespace {

constexpr ProcessName kAlice = 1, kBob = 2;

/// What users were told.
struct Told : StreamUser {
  std::vector<std::int32_t> ended, lost;
  std::vector<bool> in_vain = std::vector<bool>(1'000);
  void stream_ended(std::int32_t index, bool is_lost) override { (is_lost ? lost : ended).push_back(index); }
  bool is_in_vain(std::int32_t index) override { return in_vain[static_cast<std::size_t>(index)]; }
};

struct Process {
  explicit Process(ProcessName name, Streams::Settings settings = {}) {
    auto listener = probe::Listener::open({"127.0.0.1"});
    endpoint = listener->endpoint;
    streams = std::make_unique<Streams>(name, std::move(*listener), settings);
  }
  probe::Endpoint endpoint;
  std::unique_ptr<Streams> streams;
  Told told;
};

std::vector<char> random_bytes(std::size_t length, unsigned seed) {
  std::vector<char> bytes(length);
  std::mt19937 random(seed);
  for (char& each : bytes) each = static_cast<char>(random());
  return bytes;
}

class Pair : public ::testing::Test {
 protected:
  void poll() {
    if (alice.streams) alice.streams->poll();
    if (bob.streams) bob.streams->poll();
  }
  /// Polls until it holds, 20 s at most.
  bool comes(const std::function<bool()>& what) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!what() && std::chrono::steady_clock::now() < end) poll();
    return what();
  }
  bool meet() {
    return comes([&] { return alice.streams->lead_to(kBob, bob.endpoint); });
  }
  Ticket send(std::span<const char> bytes, std::int32_t index) {
    return alice.streams->send(kBob, bytes, alice.told, index);
  }
  void receive(const Ticket& ticket, std::span<char> into, std::int32_t index) {
    bob.streams->receive(kAlice, ticket, into, bob.told, index);
  }
  Process alice{kAlice}, bob{kBob};
};

TEST_F(Pair, LeadNowhereBeforeTheyAreOpen) {
  EXPECT_FALSE(alice.streams->lead_to(kBob, bob.endpoint));
  EXPECT_TRUE(meet());
  EXPECT_EQ(alice.streams->opened(), 1);
  EXPECT_EQ(bob.streams->opened(), 0);
}

TEST_F(Pair, AreAsManyAsLetSoMuchLeaveAtOnce) {
  const auto window = static_cast<Bytes>(Streams::Settings{}.window);
  alice.streams->lead_to(kBob, bob.endpoint, 5 * window);
  ASSERT_TRUE(meet());
  EXPECT_TRUE(comes([&] { return alice.streams->opened() == 5; }));
  alice.streams->lead_to(kBob, bob.endpoint, 100 * window);
  EXPECT_TRUE(comes([&] { return alice.streams->opened() == Streams::Settings{}.most; }));
}

TEST_F(Pair, AreAsManyAsTheCalledOneTakes) {
  Streams::Settings settings;
  settings.most_of_all = 3;
  Process carol(7, settings);
  const auto leads = [&] {
    carol.streams->poll();
    return alice.streams->lead_to(7, carol.endpoint, Bytes{1} << 30);
  };
  ASSERT_TRUE(comes(leads));
  const std::vector<char> sent = random_bytes(32 << 20, 1);
  std::vector<char> got(sent.size());
  const Ticket ticket = alice.streams->send(7, sent, alice.told, 0);
  carol.streams->receive(kAlice, ticket, got, carol.told, 0);
  ASSERT_TRUE(comes([&] {
    carol.streams->poll();
    return !carol.told.ended.empty() || !carol.told.lost.empty();
  }));
  EXPECT_TRUE(carol.told.lost.empty());
  EXPECT_EQ(got, sent);
}

TEST_F(Pair, CarryAMessage) {
  ASSERT_TRUE(meet());
  const std::vector<char> sent = random_bytes(1 << 20, 1);
  std::vector<char> got(sent.size());
  const Ticket ticket = send(sent, 3);
  EXPECT_EQ(ticket.bytes, sent.size());
  EXPECT_FALSE(ticket.must_be_asked_for);
  receive(ticket, got, 5);
  ASSERT_TRUE(comes([&] { return !alice.told.ended.empty() && !bob.told.ended.empty(); }));
  EXPECT_EQ(alice.told.ended, std::vector{3});
  EXPECT_EQ(bob.told.ended, std::vector{5});
  EXPECT_EQ(got, sent);
  EXPECT_EQ(alice.streams->carried(), 1);
  EXPECT_TRUE(comes([&] { return !alice.streams->is_active() && !bob.streams->is_active(); }));
}

TEST_F(Pair, OpenMoreStreamsForWhatDoesNotFit) {
  ASSERT_TRUE(meet());
  const std::vector<char> sent = random_bytes(64 << 20, 1);
  std::vector<char> got(sent.size());
  receive(send(sent, 0), got, 0);
  ASSERT_TRUE(comes([&] { return !bob.told.ended.empty(); }));
  EXPECT_EQ(got, sent);
  EXPECT_GT(alice.streams->opened(), 1);
  EXPECT_LE(alice.streams->opened(), Streams::Settings{}.most);
}

TEST_F(Pair, KeepWhatComesBeforeItIsAskedFor) {
  ASSERT_TRUE(meet());
  const std::vector<char> first = random_bytes(100'000, 1), second = random_bytes(50'000, 2);
  std::vector<char> got_first(first.size()), got_second(second.size());
  const Ticket ticket_of_first = send(first, 0), ticket_of_second = send(second, 1);
  ASSERT_TRUE(comes([&] { return alice.told.ended.size() == 2; }));
  for (int i = 0; i < 100; ++i) poll();
  receive(ticket_of_second, got_second, 1);
  receive(ticket_of_first, got_first, 0);
  ASSERT_TRUE(comes([&] { return bob.told.ended.size() == 2; }));
  EXPECT_EQ(got_first, first);
  EXPECT_EQ(got_second, second);
}

/// Lets so much go.
struct Allowance : StreamPace {
  Bytes left = 0;
  Bytes room(Nanoseconds) override { return left; }
  void take(Nanoseconds, Bytes bytes) override { left = std::max<Bytes>(0, left - bytes); }
  Bytes window() override { return 1 << 20; }
};

TEST_F(Pair, WriteNoMoreThanThePaceAllows) {
  ASSERT_TRUE(meet());
  const std::vector<char> sent = random_bytes(100'000, 1);
  std::vector<char> got(sent.size());
  Allowance pace;
  const Ticket ticket = alice.streams->send(kBob, sent, alice.told, 0, &pace);
  receive(ticket, got, 0);
  const auto come = [&] {
    return std::inner_product(got.begin(), got.end(), sent.begin(), std::ptrdiff_t{0}, std::plus{},
                              [](char a, char b) { return a == b; });
  };
  const std::ptrdiff_t by_chance = come();
  pace.left = 50'000;
  ASSERT_TRUE(comes([&] { return come() > by_chance + 40'000; }));
  for (int i = 0; i < 1'000; ++i) poll();
  EXPECT_EQ(pace.left, 0);
  EXPECT_LT(come(), by_chance + 50'000);
  EXPECT_TRUE(alice.told.ended.empty());
  pace.left = 1 << 20;
  ASSERT_TRUE(comes([&] { return !bob.told.ended.empty(); }));
  EXPECT_EQ(got, sent);
}

/// As over an access link: whatever the receivers' names, what was sent first goes first.
TEST_F(Pair, SendTheOlderOfMessagesThatShareAPaceFirst) {
  Process carol(7), dave(0);
  const auto all_come = [&](const std::function<bool()>& what) {
    return comes([&] {
      carol.streams->poll();
      dave.streams->poll();
      return what();
    });
  };
  const std::vector<char> sent = random_bytes(100'000, 1);
  std::vector<std::vector<char>> got(3, std::vector<char>(sent.size()));
  Allowance pace;
  std::int32_t index = 0;
  const std::pair<ProcessName, Process*> receivers[] = {{7, &carol}, {kBob, &bob}, {0, &dave}};
  for (const auto& [name, receiver] : receivers)
    ASSERT_TRUE(all_come([&] { return alice.streams->lead_to(name, receiver->endpoint); }));
  for (const auto& [name, receiver] : receivers) {
    const Ticket ticket = alice.streams->send(name, sent, alice.told, index, &pace);
    receiver->streams->receive(kAlice, ticket, got[static_cast<std::size_t>(index)], receiver->told, index);
    ++index;
  }
  while (alice.told.ended.size() < 3) {
    pace.left += 10'000;
    ASSERT_TRUE(all_come([&] { return pace.left < 1'500 || alice.told.ended.size() == 3; }));
  }
  EXPECT_EQ(alice.told.ended, (std::vector<std::int32_t>{0, 1, 2}));
  for (const auto& [name, receiver] : receivers)
    ASSERT_TRUE(all_come([&] { return !receiver->told.ended.empty(); }));
  for (const auto& each : got) EXPECT_EQ(each, sent);
}

/// Of what nobody asks for only so much is sent; the rest goes when it is asked for, in any order, and what
/// was asked for makes room for more.
TEST_F(Pair, SendNoMoreUnaskedThanIsAllowed) {
  ASSERT_TRUE(meet());
  const std::size_t each = Streams::Settings{}.unasked / 4;
  const std::vector<char> sent = random_bytes(each, 1);
  std::vector<std::vector<char>> got(6, std::vector<char>(each));
  std::vector<Ticket> tickets;
  for (int i = 0; i < 6; ++i) tickets.push_back(send(sent, i));
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(tickets[i].must_be_asked_for, i >= 4);
  ASSERT_TRUE(comes([&] { return alice.told.ended.size() == 4; }));
  receive(tickets[5], got[5], 5);
  ASSERT_TRUE(comes([&] { return bob.told.ended.size() == 1; }));
  EXPECT_EQ(bob.told.ended.back(), 5);
  for (std::size_t i = 0; i < 5; ++i) receive(tickets[i], got[i], static_cast<std::int32_t>(i));
  ASSERT_TRUE(comes([&] { return bob.told.ended.size() == 6; }));
  for (const auto& bytes : got) EXPECT_EQ(bytes, sent);
  ASSERT_TRUE(comes([&] { return !send(sent, 6).must_be_asked_for; }));
}

TEST_F(Pair, DropWhatDoesNotFit) {
  ASSERT_TRUE(meet());
  const std::vector<char> sent = random_bytes(100'000, 1);
  std::vector<char> got(60'000);
  receive(send(sent, 0), std::span(got).first(50'000), 0);
  ASSERT_TRUE(comes([&] { return !bob.told.ended.empty(); }));
  EXPECT_TRUE(std::equal(got.begin(), got.begin() + 50'000, sent.begin()));
  EXPECT_EQ(std::count(got.begin() + 50'000, got.end(), 0), 10'000);
}

TEST_F(Pair, CarryManyMessagesOfAnyLengthInAnyOrder) {
  ASSERT_TRUE(meet());
  std::mt19937 random(7);
  constexpr int kMessages = 300;
  std::vector<std::vector<char>> sent, got;
  std::vector<Ticket> tickets;
  std::vector<int> order(kMessages);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  for (int i = 0; i < kMessages; ++i) {
    sent.push_back(random_bytes(1 + random() % (i % 10 == 0 ? 1'000'000 : 20'000), static_cast<unsigned>(i)));
    got.emplace_back(sent.back().size());
  }
  for (int i = 0; i < kMessages; ++i) {
    tickets.push_back(send(sent[static_cast<std::size_t>(i)], i));
    if (random() % 4 == 0) poll();
  }
  for (const int i : order) {
    receive(tickets[static_cast<std::size_t>(i)], got[static_cast<std::size_t>(i)], i);
    if (random() % 4 == 0) poll();
  }
  ASSERT_TRUE(comes([&] { return bob.told.ended.size() == kMessages; }));
  EXPECT_EQ(got, sent);
  EXPECT_TRUE(bob.told.lost.empty());
}

TEST_F(Pair, TellOfALostProcess) {
  ASSERT_TRUE(meet());
  const std::vector<char> sent = random_bytes(16 << 20, 1);
  std::vector<char> got(sent.size());
  const Ticket never_sent = send(sent, 0);
  receive(never_sent, got, 0);
  for (int i = 0; i < 3; ++i) poll();
  alice.streams.reset();
  ASSERT_TRUE(comes([&] { return !bob.told.lost.empty(); }));
  EXPECT_EQ(bob.told.lost, std::vector{0});
  receive({1, 5'000, false}, got, 1);
  ASSERT_TRUE(comes([&] { return bob.told.lost.size() == 2; })) << "of a message that comes later, too";
}

TEST_F(Pair, EndWhatIsSentToALostProcess) {
  ASSERT_TRUE(meet());
  const std::vector<char> sent = random_bytes(64 << 20, 1);
  send(sent, 0);
  bob.streams.reset();
  ASSERT_TRUE(comes([&] { return !alice.told.ended.empty() || !alice.told.lost.empty(); }));
  EXPECT_EQ(alice.told.lost, std::vector{0});
  EXPECT_FALSE(alice.streams->lead_to(kBob, bob.endpoint));
}

TEST_F(Pair, EndWhatIsInVain) {
  ASSERT_TRUE(meet());
  const std::vector<char> sent = random_bytes(Streams::Settings{}.unasked + 1, 1);
  std::vector<char> got(sent.size());
  EXPECT_TRUE(send(sent, 4).must_be_asked_for);
  receive({99, 1'000, false}, got, 6);  // that nobody sends
  alice.told.in_vain[4] = bob.told.in_vain[6] = true;
  ASSERT_TRUE(comes([&] { return !alice.told.lost.empty() && !bob.told.lost.empty(); }));
  EXPECT_EQ(alice.told.lost, std::vector{4});
  EXPECT_EQ(bob.told.lost, std::vector{6});
}

TEST_F(Pair, CallTheNextAddressWhereNobodyAnswers) {
  bob.endpoint.addresses = {"192.0.2.1", "127.0.0.1"};  // the first is nobody's (RFC 5737)
  EXPECT_TRUE(meet());
}

TEST_F(Pair, GiveUpWhereNoAddressAnswers) {
  bob.streams.reset();
  EXPECT_FALSE(alice.streams->lead_to(kBob, bob.endpoint));
  EXPECT_TRUE(comes([&] { return !alice.streams->is_active(); }));
  EXPECT_FALSE(alice.streams->lead_to(kBob, bob.endpoint));
}

TEST_F(Pair, RefuseWhoDoesNotKnowTheKey) {
  probe::Endpoint endpoint = bob.endpoint;
  endpoint.key = "guess";
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
  while (std::chrono::steady_clock::now() < end) {
    EXPECT_FALSE(alice.streams->lead_to(kBob, endpoint));
    poll();
  }
  EXPECT_EQ(alice.streams->opened(), 1);
}

/// A stream of which no window is known: it is no TCP connection.
TEST(Outgoing, OfWhatIsPacedNothingWaitsForAWindow) {
  for (const bool is_paced : {false, true}) {
    std::array<int, 2> ends{};
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends.data()), 0);
    const probe::Socket other(ends[1]);
    Outgoing outgoing;
    Stream& stream = outgoing.streams().emplace_back(probe::Socket(ends[0]), Stream::State::greeting);
    const FrameHeader welcome = encode(Frame{FrameKind::welcome, 0, 0, 0, 1 << 20});
    ASSERT_EQ(write(ends[1], welcome.data(), welcome.size()), static_cast<ssize_t>(welcome.size()));
    stream.can_read();
    stream.can_write();
    std::vector<char> room(64 << 10);
    ASSERT_TRUE(outgoing.hear(stream, room));
    const std::vector<char> bytes = random_bytes(100'000, 1);
    Told told;
    Allowance pace;
    pace.left = 1 << 20;
    outgoing.add(bytes, told, 0, is_paced ? &pace : nullptr, 0);
    std::vector<Ended> ended;
    EXPECT_TRUE(outgoing.write(ended));
    int come = 0;
    ASSERT_EQ(ioctl(ends[1], FIONREAD, &come), 0);
    EXPECT_EQ(come > 0, !is_paced);
  }
}

TEST(Streams, AreRefusedWhoSaysSomethingElse) {
  Process bob(kBob);
  const probe::Socket stranger = probe::Socket::connecting("127.0.0.1", bob.endpoint.port);
  std::string said = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", heard;
  bool is_over = false;
  for (int i = 0; i < 1'000'000 && !is_over; ++i) {
    if (!said.empty() && !stranger.write(said)) break;
    bob.streams->poll();
    is_over = !stranger.read(heard);
  }
  EXPECT_TRUE(is_over);
  EXPECT_TRUE(heard.empty());
}

}  // namespace
}  // namespace wan
