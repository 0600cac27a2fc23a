// SPDX-License-Identifier: BSD-3-Clause
// multicast/inbox.h: what has come, and what is asked for.
#include "multicast/inbox.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

namespace wan::multicast {
namespace {

using Received = std::vector<std::pair<Ticket, Envelope>>;

Name name(std::uint32_t number) {
  return {1, number};
}
Name again(std::uint32_t number) {
  return {1, number, true};
}

struct Application {
  Inbox inbox;
  std::array<std::string, 4> buffers{std::string(4, '-'), std::string(4, '-'), std::string(4, '-'),
                                     std::string(4, '-')};
  explicit Application(Bytes room) : inbox(room) {}
  Inbox::Posted post(Ticket ticket, Pattern pattern = {}) {
    return inbox.post(ticket, pattern, buffers[ticket]);
  }
  /// All of it.
  bool comes(std::uint32_t number, int tag, std::string_view bytes) {
    const bool is_taken = inbox.begin(name(number), {1, tag, static_cast<Bytes>(bytes.size())});
    if (is_taken) inbox.write(name(number), bytes);
    return is_taken;
  }
};

TEST(Inbox, ReceivesWhatCameBefore) {
  Application of(100);
  EXPECT_TRUE(of.comes(0, 5, "abcd"));
  EXPECT_EQ(of.inbox.kept(), 4);
  EXPECT_EQ(of.inbox.probe({.tag = 5}), (Envelope{1, 5, 4}));
  EXPECT_EQ(of.inbox.probe({.tag = 6}), std::nullopt);
  EXPECT_EQ(of.post(1).ask, std::nullopt);
  EXPECT_EQ(of.inbox.take_received(), (Received{{1, {1, 5, 4}}}));
  EXPECT_EQ(of.buffers[1], "abcd");
  EXPECT_EQ(of.inbox.kept(), 0);
  EXPECT_EQ(of.inbox.take_received(), Received());
}

TEST(Inbox, WritesWhatWasAskedForWhereItBelongs) {
  Application of(0);
  of.post(1, {.source = 2});
  of.post(2, {.source = 1, .tag = 5});
  EXPECT_TRUE(of.inbox.begin(name(0), {1, 5, 4})) << "there is room though none is kept";
  EXPECT_EQ(of.inbox.probe({}), std::nullopt) << "it is not for anybody else";
  EXPECT_FALSE(of.inbox.write(name(0), "ab"));
  EXPECT_TRUE(of.inbox.take_received().empty());
  EXPECT_TRUE(of.inbox.write(name(0), "cd"));
  EXPECT_EQ(of.inbox.take_received(), (Received{{2, {1, 5, 4}}}));
  EXPECT_EQ(of.buffers[2], "abcd");
}

TEST(Inbox, MatchesInTheOrderOfReceivesAndOfWhatComes) {
  Application of(100);
  of.post(1);
  of.post(2);
  of.comes(0, 7, "a");
  of.comes(1, 8, "b");
  of.comes(2, 9, "c");
  of.comes(3, 9, "d");
  of.post(3, {.tag = 9});
  EXPECT_EQ(of.inbox.take_received(), (Received{{1, {1, 7, 1}}, {2, {1, 8, 1}}, {3, {1, 9, 1}}}));
  EXPECT_EQ(of.buffers[3], "c---");
}

TEST(Inbox, IsAskedForWhileItComes) {
  Application of(100);
  of.inbox.begin(name(0), {1, 5, 4});
  of.inbox.write(name(0), "ab");
  EXPECT_EQ(of.post(1).ask, std::nullopt);
  EXPECT_TRUE(of.inbox.take_received().empty());
  of.inbox.write(name(0), "cd");
  EXPECT_EQ(of.inbox.take_received().size(), 1u);
  EXPECT_EQ(of.buffers[1], "abcd");
  EXPECT_EQ(of.inbox.kept(), 0);
}

TEST(Inbox, KeepsNoMoreThanItHasRoomForAndAsksForTheRest) {
  Application of(6);
  EXPECT_TRUE(of.comes(0, 5, "abcd"));
  EXPECT_FALSE(of.comes(1, 6, "efgh"));
  EXPECT_TRUE(of.comes(2, 7, "ij")) << "there is room for two bytes";
  EXPECT_EQ(of.inbox.kept(), 6);
  EXPECT_EQ(of.inbox.probe({.tag = 6}), (Envelope{1, 6, 4})) << "it can be received";
  EXPECT_FALSE(of.inbox.begin_again(again(1))) << "nobody has asked for it";
  EXPECT_EQ(of.post(1, {.tag = 6}).ask, name(1));
  EXPECT_TRUE(of.inbox.take_received().empty());
  EXPECT_FALSE(of.inbox.begin_again(again(0))) << "it has come";
  EXPECT_TRUE(of.inbox.begin_again(again(1)));
  of.inbox.write(again(1), "ef");
  EXPECT_TRUE(of.inbox.begin_again(again(1))) << "from its beginning, as often as the source sends it";
  of.inbox.write(again(1), "efgh");
  EXPECT_EQ(of.inbox.take_received(), (Received{{1, {1, 6, 4}}}));
  EXPECT_EQ(of.buffers[1], "efgh");
  EXPECT_EQ(of.inbox.kept(), 6);
}

TEST(Inbox, CutsOffWhatABufferDoesNotHold) {
  Application of(100);
  of.comes(0, 5, "abcdef");
  of.post(1);
  of.post(2);
  of.inbox.begin(name(1), {1, 5, 6});
  of.inbox.write(name(1), "ghi");
  of.inbox.write(name(1), "jkl");
  EXPECT_EQ(of.inbox.take_received(), (Received{{1, {1, 5, 6}}, {2, {1, 5, 6}}}));
  EXPECT_EQ(of.buffers[1], "abcd");
  EXPECT_EQ(of.buffers[2], "ghij");
}

TEST(Inbox, WhatIsCancelledReceivesNothing) {
  Application of(100);
  of.post(1);
  EXPECT_TRUE(of.inbox.cancel(1));
  EXPECT_FALSE(of.inbox.cancel(1));
  of.comes(0, 5, "abcd");
  EXPECT_TRUE(of.inbox.take_received().empty());
  of.inbox.begin(name(1), {1, 6, 4});
  of.post(2, {.tag = 6});
  EXPECT_FALSE(of.inbox.cancel(2)) << "it comes";
}

TEST(Inbox, WhatHasNoBytesComesAtOnce) {
  Application of(0);
  EXPECT_TRUE(of.comes(0, 5, ""));
  of.post(1);
  EXPECT_EQ(of.inbox.take_received(), (Received{{1, {1, 5, 0}}}));
}

TEST(Inbox, GivesSomebodyElseThePlaceWhereItBelongs) {
  Application of(100);
  of.post(1);
  of.inbox.begin(name(0), {1, 5, 4});
  const auto first = of.inbox.place(name(0), 0, 2), second = of.inbox.place(name(0), 2, 2);
  std::ranges::copy(std::string("ab"), first->bytes.begin());
  EXPECT_FALSE(of.inbox.landed(*first, true));
  std::ranges::copy(std::string("cd"), second->bytes.begin());
  EXPECT_TRUE(of.inbox.landed(*second, true));
  EXPECT_EQ(of.inbox.take_received(), (Received{{1, {1, 5, 4}}}));
  EXPECT_EQ(of.buffers[1], "abcd");
}

TEST(Inbox, HasNoPlaceBehindABuffer) {
  Application of(100);
  of.post(1);
  of.inbox.begin(name(0), {1, 5, 6});
  EXPECT_TRUE(of.inbox.place(name(0), 0, 4));
  EXPECT_FALSE(of.inbox.place(name(0), 3, 3));
}

TEST(Inbox, NothingEndsWhileSomebodyWritesThere) {
  Application of(100);
  of.inbox.begin(name(0), {1, 5, 4});
  const auto spot = of.inbox.place(name(0), 0, 2);
  of.inbox.begin_again(again(0));  // it has come another way meanwhile
  of.inbox.write(again(0), "abcd");
  of.post(1);
  EXPECT_TRUE(of.inbox.take_received().empty());
  EXPECT_EQ(of.inbox.kept(), 4);
  EXPECT_FALSE(of.inbox.landed(*spot, false));
  EXPECT_EQ(of.inbox.take_received(), (Received{{1, {1, 5, 4}}}));
  EXPECT_EQ(of.inbox.kept(), 0);
}

TEST(Inbox, WhatIsLostEndsWhenNobodyWritesThere) {
  Application of(100);
  of.post(1);
  of.inbox.begin(name(0), {1, 5, 4});
  const auto spot = of.inbox.place(name(0), 0, 2);
  of.post(2, {.source = 1});
  of.inbox.lose(1);
  EXPECT_EQ(of.inbox.take_lost(), (std::vector<std::pair<Ticket, Position>>{{2, 1}}));
  EXPECT_EQ(of.inbox.probe({}), std::nullopt);
  EXPECT_FALSE(of.inbox.landed(*spot, false));
  EXPECT_EQ(of.inbox.take_lost(), (std::vector<std::pair<Ticket, Position>>{{1, 1}}));
}

TEST(Inbox, KeepsNothingOfWhatIsLost) {
  Application of(100);
  of.inbox.begin(name(0), {1, 5, 4});
  const auto spot = of.inbox.place(name(0), 0, 2);
  of.inbox.lose(1);
  EXPECT_EQ(of.inbox.kept(), 4);
  EXPECT_EQ(of.inbox.probe({}), std::nullopt);
  of.inbox.landed(*spot, false);
  EXPECT_EQ(of.inbox.kept(), 0);
  EXPECT_TRUE(of.inbox.take_lost().empty());
}

}  // namespace
}  // namespace wan::multicast
