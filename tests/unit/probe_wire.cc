// SPDX-License-Identifier: BSD-3-Clause
// probe/wire.h and probe/endpoint.h: what agents say to each other.
#include "probe/wire.h"

#include <gtest/gtest.h>

#include "probe/endpoint.h"

namespace wan::probe {
namespace {

TEST(Wire, BringsFramesInAnyPieces) {
  const std::string bytes = frame(Kind::visit, 0, "key") + frame(Kind::ping, 7);
  Inbox inbox;
  std::vector<Frame> frames;
  for (const char byte : bytes) ASSERT_TRUE(inbox.take({&byte, 1}, 5, frames));
  EXPECT_EQ(frames, (std::vector<Frame>{{Kind::visit, 0, "key", {}}, {Kind::ping, 7, "", {}}}));
}

TEST(Wire, TimesTrainsFromTheirFirstPieceToTheirLast) {
  const std::string bytes = frame(Kind::ping) + train_frame(Kind::train, 9, 4'000);
  Inbox inbox;
  std::vector<Frame> frames;
  ASSERT_TRUE(inbox.take(std::string_view(bytes).substr(0, 1'016), 100, frames));
  ASSERT_TRUE(inbox.take(std::string_view(bytes).substr(1'016, 1'000), 200, frames));
  ASSERT_TRUE(inbox.take(std::string_view(bytes).substr(2'016), 350, frames));
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[1].train, (Train{3'000, 250}));
  EXPECT_EQ(frames[1].number, 9u);
}

TEST(Wire, TimesTrainsThatFollowEachOther) {
  const std::string bytes = train_frame(Kind::train, 0, 2'000) + train_frame(Kind::train, 0, 2'000);
  Inbox inbox;
  std::vector<Frame> frames;
  for (std::size_t at = 0; at < bytes.size(); at += 500)
    ASSERT_TRUE(inbox.take(std::string_view(bytes).substr(at, 500), static_cast<Nanoseconds>(at), frames));
  ASSERT_EQ(frames.size(), 2u);
  for (const Frame& each : frames) EXPECT_EQ(each.train, (Train{1'500, 1'500}));
}

TEST(Wire, RefusesWhatNoAgentSends) {
  std::vector<Frame> frames;
  EXPECT_FALSE(Inbox().take("GET / HTTP/1.1\r\n\r\n", 0, frames));
  std::string too_long = frame(Kind::ping);
  too_long[15] = 1;
  EXPECT_FALSE(Inbox().take(too_long, 0, frames));
  EXPECT_FALSE(Inbox().take(frame(Kind::visit, 0, std::string(65, 'k')), 0, frames));
}

TEST(Wire, BringsErrandsAndFindings) {
  const std::vector<Errand> errands{{1, 0, Depth::glance, 0}, {3, 2, Depth::study, 5'000'000}};
  EXPECT_EQ(decode_errands(encode(errands)), errands);
  const std::vector<Finding> findings{{1, 0, {5, 7}, {{100, 3}}, {}}, {2, 1, {}, {}, {{1, 2}, {3, 4}}}};
  EXPECT_EQ(decode_findings(encode(findings)), findings);
  EXPECT_EQ(decode_findings(encode(findings) + "x"), std::nullopt);
  EXPECT_EQ(decode_errands("x"), std::nullopt);
}

TEST(Wire, BringsEndpoints) {
  const Endpoint endpoint{4711, "k3y", {"10.0.0.1", "fd00::1"}};
  EXPECT_EQ(decode_endpoint(encode(endpoint)), endpoint);
  for (const char* wrong : {"", "4711", "4711 key", "0 key 10.0.0.1", "65536 key 10.0.0.1", "1 Key 10.0.0.1",
                            "1 key host", "1 key  10.0.0.1"})
    EXPECT_EQ(decode_endpoint(wrong), std::nullopt) << wrong;
}

}  // namespace
}  // namespace wan::probe
