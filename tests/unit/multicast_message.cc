// SPDX-License-Identifier: BSD-3-Clause
// multicast/message.h: messages as bytes.
#include "multicast/message.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace wan::multicast {
namespace {

std::vector<Message> one_of_each_kind() {
  return {{.kind = Kind::begin,
           .name = {7, 0xfedcba98},
           .tag = -3,
           .total = 1'000'000'000'000,
           .segment = 5,
           .positions = "who"},
          {.kind = Kind::begin, .name = {7, 8}, .total = 1, .oldest = 6, .table = 2},
          {.kind = Kind::begin, .name = {0, 0, true}, .total = 0, .segment = 9},
          {.kind = Kind::begin, .name = {7, 8}, .children = 2, .leg = Leg::chain, .positions = "who"},
          {.kind = Kind::begin, .name = {7, 8}, .table = 3, .children = 7, .is_patient = true},
          {.kind = Kind::data, .name = {7, 8, true}},
          {.kind = Kind::data, .name = {7, 8}, .leg = Leg::wrapped},
          {.kind = Kind::taken, .name = {7, 8}, .positions = "none"},
          {.kind = Kind::ask, .name = {INT32_MAX, 8}},
          {.kind = Kind::taken, .name = {7, 9}, .positions = "some", .unreached = "others"},
          {.kind = Kind::gone, .name = {7, 8}},
          {.kind = Kind::returns, .returned = 65'536},
          {.kind = Kind::returns, .leg = Leg::wrapped, .returned = 1}};
}

TEST(Message, ComesAsItWasSent) {
  for (const Message& each : one_of_each_kind()) {
    const Buffer buffer = encode(each);
    EXPECT_EQ(decode(buffer.view()), each) << static_cast<int>(each.kind);
  }
}

TEST(Message, HasTheSameBytesOnAllHosts) {
  const Buffer buffer = encode({.kind = Kind::ask, .name = {0x01020304, 0xa0b0c0d0}});
  EXPECT_EQ(std::string(buffer.view()), "\x03\x84\x86\x88\x08\xd0\x81\xc3\x85\x0a");
}

TEST(Message, ThatIsCutOffIsNone) {
  for (const Message& each : one_of_each_kind()) {
    const Buffer buffer = encode(each);
    for (std::size_t size = 0; size + each.unreached.size() < buffer.view().size(); ++size)
      EXPECT_EQ(decode(buffer.view().substr(0, size)), std::nullopt) << size;
  }
}

TEST(Message, WithMoreBehindItIsNone) {
  for (const Kind kind : {Kind::begin, Kind::data, Kind::ask, Kind::returns}) {
    const Buffer buffer = encode({.kind = kind});
    EXPECT_TRUE(decode(buffer.view()));
    EXPECT_EQ(decode(std::string(buffer.view()) + "x"), std::nullopt);
  }
}

TEST(Message, WithNumbersThatCannotBeIsNone) {
  EXPECT_EQ(decode(encode({.kind = Kind::begin, .total = -1}).view()), std::nullopt);
  EXPECT_EQ(decode(encode({.kind = Kind::begin, .segment = 0}).view()), std::nullopt);
  EXPECT_EQ(decode(encode({.kind = Kind::ask, .name = {-1, 0}}).view()), std::nullopt);
  EXPECT_EQ(decode(encode({.kind = Kind::returns, .returned = -1}).view()), std::nullopt);
  EXPECT_EQ(decode("\x06"), std::nullopt);
  EXPECT_EQ(decode(std::string("\x84\0", 2)), std::nullopt) << "what is returned is not sent again";
  EXPECT_EQ(decode(std::string("\x85\0\0", 3)), std::nullopt) << "nor is what is gone";
}

TEST(Message, WithALegThatCannotBeIsNone) {
  std::string bytes(encode({.kind = Kind::begin, .name = {7, 8}, .children = 1, .leg = Leg::wrapped}).view());
  EXPECT_TRUE(decode(bytes));
  bytes[0] = '\x30';
  EXPECT_EQ(decode(bytes), std::nullopt) << "there is no such leg";
  bytes[0] = '\x90';
  EXPECT_EQ(decode(bytes), std::nullopt) << "the source itself sends it to one";
  EXPECT_EQ(decode(std::string("\x13\0\0\0\0\0\0\0\0", 9)), std::nullopt) << "what is asked for has no leg";
}

TEST(Message, HasOneFormOfEachNumber) {
  EXPECT_TRUE(decode(std::string("\x03\x01\x02", 3)));
  EXPECT_EQ(decode(std::string("\x03\x81\x00\x02", 4)), std::nullopt) << "a byte more than it takes";
  EXPECT_TRUE(decode("\x03\x01\xff\xff\xff\xff\x0f"));
  EXPECT_EQ(decode("\x03\x01\xff\xff\xff\xff\x1f"), std::nullopt) << "a bit more than it has";
  EXPECT_EQ(decode("\x03\x01\x80\x80\x80\x80\x80\x01"), std::nullopt) << "many more";
}

TEST(Message, TakesFewBytesForSmallNumbers) {
  EXPECT_LE(size_of({.kind = Kind::begin, .name = {7, 300}, .total = 8, .segment = 60 << 10, .oldest = 299}),
            12u);
}

TEST(Message, HasOneSegmentWhereItHasNoBytes) {
  EXPECT_EQ(segments_of(0, 8), 1);
  EXPECT_EQ(segments_of(8, 8), 1);
  EXPECT_EQ(segments_of(9, 8), 2);
}

}  // namespace
}  // namespace wan::multicast
