// SPDX-License-Identifier: BSD-3-Clause
#include "streams/frame.h"

#include <gtest/gtest.h>

#include <vector>

namespace wan {
namespace {

/// Writes down what it is told.
struct Notes {
  std::vector<Frame> begun;
  std::vector<std::string> bodies;
  bool begin(const Frame& frame) {
    begun.push_back(frame);
    bodies.emplace_back();
    return true;
  }
  void take(const Frame&, std::uint32_t offset, std::span<const char> bytes) {
    EXPECT_EQ(offset, bodies.back().size());
    bodies.back().append(bytes.begin(), bytes.end());
  }
};

std::string text_of(const Frame& frame, std::string_view body = {}) {
  const FrameHeader header = encode(frame);
  return std::string(header.begin(), header.end()).append(body);
}

const Frame kHello{FrameKind::hello, 3, 0x0102030405060708, 0, 0};
const Frame kData{FrameKind::data, 5, 7, 100, 105};
const Frame kGrant{FrameKind::grant, 0, ~std::uint64_t{0}, 0, 0};

TEST(Frames, ComeBackAsTheyWere) {
  for (const Frame& each : {kHello, kData, kGrant, Frame{FrameKind::credit, 0, 0, 0, 1ull << 40}})
    EXPECT_EQ(decode_frame(encode(each)), each);
}

TEST(Frames, AreReadHoweverTheyAreCut) {
  const std::string all = text_of(kHello, "key") + text_of(kData, "bytes") + text_of(kGrant);
  for (std::size_t part = 1; part <= all.size(); ++part) {
    FrameReader reader;
    Notes notes;
    for (std::size_t at = 0; at < all.size(); at += part) {
      const std::string_view piece = std::string_view(all).substr(at, part);
      ASSERT_TRUE(reader.read(piece, notes));
    }
    EXPECT_EQ(notes.begun, (std::vector{kHello, kData, kGrant}));
    EXPECT_EQ(notes.bodies, (std::vector<std::string>{"key", "bytes", ""}));
  }
}

TEST(Frames, ThatNobodySendsAreRefused) {
  const auto is_refused = [](const Frame& frame) { return !decode_frame(encode(frame)); };
  EXPECT_TRUE(is_refused({static_cast<FrameKind>(0), 0, 0, 0, 0}));
  EXPECT_TRUE(is_refused({static_cast<FrameKind>(6), 0, 0, 0, 0}));
  EXPECT_TRUE(is_refused({FrameKind::data, 5, 0, 1, 5})) << "more than the message has";
  EXPECT_TRUE(is_refused({FrameKind::data, 5, 0, ~0ull - 1, ~0ull})) << "a sum that is too large";
  EXPECT_TRUE(is_refused({FrameKind::data, 0, 0, 0, 5})) << "nothing";
  EXPECT_TRUE(is_refused({FrameKind::data, kLongestFrame + 1, 0, 0, ~0ull}));
  EXPECT_TRUE(is_refused({FrameKind::grant, 1, 0, 0, 0})) << "a grant has no bytes";
  FrameHeader header = encode(kGrant);
  header[0] = 'x';
  EXPECT_FALSE(decode_frame(header)) << "no mark";
  FrameReader reader;
  Notes notes;
  EXPECT_FALSE(reader.read(header, notes));
}

TEST(Tickets, ComeBackAsTheyWereAndNothingElseIsOne) {
  for (const bool asked : {false, true}) {
    const Ticket ticket{1ull << 60, 1ull << 33, asked};
    EXPECT_EQ(decode_ticket(encode(ticket)), ticket);
  }
  TicketBytes bytes = encode(Ticket{1, 2, true});
  bytes[24] = 2;
  EXPECT_FALSE(decode_ticket(bytes));
  EXPECT_FALSE(decode_ticket(TicketBytes{}));
}

}  // namespace
}  // namespace wan
