// SPDX-License-Identifier: BSD-3-Clause
// Host patterns, names and address blocks: topo/host_pattern, topo/name_pattern, topo/address_block.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "topo/host_pattern.h"

namespace wan {
namespace {

using namespace std::string_literals;
using Names = std::vector<std::string>;

HostPattern pattern(std::string_view text) {
  auto parsed = HostPattern::parse(text);
  if (!parsed) ADD_FAILURE() << text << ": " << parsed.error().remedy;
  return std::move(parsed).value();
}

bool matches(std::string_view text, std::string_view host, const Names& addresses = {}) {
  return pattern(text).matches(host, addresses);
}

TEST(HostPattern, LiteralMatchesItselfInAnyCase) {
  EXPECT_TRUE(matches("Par-01", "par-01"));
  EXPECT_TRUE(matches("par-01", "PAR-01"));
  EXPECT_FALSE(matches("par-01", "par-011"));
  EXPECT_FALSE(matches("par-01", "xpar-01"));
  EXPECT_FALSE(matches("par-01", ""));
}

TEST(HostPattern, WithoutADotItMatchesTheFirstLabelToo) {
  EXPECT_TRUE(matches("par-01", "par-01.example.org"));
  EXPECT_TRUE(matches("tky*", "tky7.example.org"));
  EXPECT_FALSE(matches("par-01.example.org", "par-01"));
  EXPECT_FALSE(matches("par-01.example.org", "par-01.example.com"));
  EXPECT_FALSE(matches("example", "par-01.example.org"));
}

TEST(HostPattern, PaddedNumbersNeedTheirWidth) {
  EXPECT_TRUE(matches("par-[01-64]", "par-01"));
  EXPECT_TRUE(matches("par-[01-64]", "par-64"));
  EXPECT_FALSE(matches("par-[01-64]", "par-1"));
  EXPECT_FALSE(matches("par-[01-64]", "par-001"));
  EXPECT_FALSE(matches("par-[01-64]", "par-00"));
  EXPECT_FALSE(matches("par-[01-64]", "par-65"));
}

TEST(HostPattern, PlainNumbersHaveNoLeadingZero) {
  EXPECT_TRUE(matches("n[8-12]", "n8"));
  EXPECT_TRUE(matches("n[8-12]", "n12"));
  EXPECT_FALSE(matches("n[8-12]", "n08"));
  EXPECT_TRUE(matches("n[0-2]", "n0"));
  EXPECT_FALSE(matches("n[0-2]", "n00"));
  EXPECT_FALSE(matches("n[8-12]", "n"));
  EXPECT_FALSE(matches("n[8-12]", "n1x"));
}

TEST(HostPattern, ListsAndSeveralBracketsAndStars) {
  EXPECT_TRUE(matches("node[1,3-5].example.org", "node4.example.org"));
  EXPECT_FALSE(matches("node[1,3-5].example.org", "node2.example.org"));
  EXPECT_TRUE(matches("r[1-2]n[01-02]", "r2n01"));
  EXPECT_TRUE(matches("[1-12][1-12]", "112"));
  EXPECT_TRUE(matches("*a*b*", "xxaxxbxx"));
  EXPECT_FALSE(matches("*a*b*", "xxbxxaxx"));
  EXPECT_TRUE(matches("*", "anything.at.all"));
}

TEST(HostPattern, ManyStarsStayFast) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += "*a";
  EXPECT_FALSE(matches(text, std::string(255, 'a')));
}

TEST(HostPattern, BlocksHoldAddressesOfTheirFamily) {
  EXPECT_TRUE(matches("10.20.0.0/16", "host", {"192.168.0.1", "10.20.255.1"}));
  EXPECT_FALSE(matches("10.20.0.0/16", "host", {"10.21.0.1"}));
  EXPECT_TRUE(matches("10.20.0.4/30", "host", {"10.20.0.7"}));
  EXPECT_FALSE(matches("10.20.0.4/30", "host", {"10.20.0.8"}));
  EXPECT_TRUE(matches("fd00:1::/32", "host", {"fd00:1:ffff::1"}));
  EXPECT_FALSE(matches("fd00:1::/32", "host", {"fd00:2::1"}));
  EXPECT_FALSE(matches("0.0.0.0/0", "host", {"fd00::1"}));
  EXPECT_TRUE(matches("::/0", "host", {"fd00::1"}));
  EXPECT_FALSE(matches("10.20.0.0/16", "host", {"", "10.20", "junk", "10.20.0.1\0x"s}));
}

TEST(HostPattern, OneAddressIsABlockAndAHostNameMayBeAnAddress) {
  EXPECT_TRUE(matches("10.1.2.3", "host", {"10.1.2.3"}));
  EXPECT_FALSE(matches("10.1.2.3", "host", {"10.1.2.4"}));
  EXPECT_TRUE(matches("10.1.0.0/16", "10.1.2.3"));
  EXPECT_TRUE(matches("fd00::1", "fd00:0::1"));
}

TEST(HostPattern, EnumeratesInTheOrderWritten) {
  EXPECT_EQ(pattern("par-[09-11]").enumerate(), (Names{"par-09", "par-10", "par-11"}));
  EXPECT_EQ(pattern("n[9-10,3]x").enumerate(), (Names{"n9x", "n10x", "n3x"}));
  EXPECT_EQ(pattern("r[1-2]n[1-2]").enumerate(), (Names{"r1n1", "r1n2", "r2n1", "r2n2"}));
  EXPECT_EQ(pattern("one").enumerate(), (Names{"one"}));
  EXPECT_EQ(pattern("n[1-2,2-3]").enumerate(), (Names{"n1", "n2", "n3"}));
}

TEST(HostPattern, DoesNotEnumerateWhatHasNoEnd) {
  EXPECT_EQ(pattern("tky*").enumerate(), Names{});
  EXPECT_EQ(pattern("10.20.0.0/16").enumerate(), Names{});
  EXPECT_EQ(pattern("n[1-65536]").enumerate().size(), 65'536u);
  EXPECT_EQ(pattern("n[0-65536]").enumerate(), Names{});
  EXPECT_EQ(pattern("[0-999999999999999999][0-999999999999999999][0-999999999999999999]").enumerate(),
            Names{});
  EXPECT_TRUE(matches("n[0-999999999999999999]", "n123456789012345678"));
}

TEST(HostPattern, RefusesWhatIsNoPattern) {
  for (const auto& text : {""s,
                           "a b"s,
                           "par-[01-64"s,
                           "par-01-64]"s,
                           "par-[]"s,
                           "par-[a-b]"s,
                           "par-[2-1]"s,
                           "par-[1-]"s,
                           "par-[-1]"s,
                           "par-[1,]"s,
                           "par-[1,,2]"s,
                           "par-[01-100]"s,
                           "par-[1-064]"s,
                           "par-[1-2-3]"s,
                           "[[1]]"s,
                           "par?"s,
                           "pär"s,
                           "a\0b"s,
                           "n[1234567890123456789]"s,
                           "a@b"s,
                           std::string(1025, 'a')})
    EXPECT_FALSE(HostPattern::parse(text)) << text;
}

TEST(HostPattern, RefusesWhatIsNoBlock) {
  for (const auto& text : {"/"s, "10.20.0.0/"s, "10.20.0.0/33"s, "10.20.0.0/-1"s, "10.20.0.0/ 8"s,
                           "10.20.0.0/8x"s, "10.20.0/16"s, "10.20.0.1/16"s, "fd00::/129"s, "fd00::1/64"s,
                           "fd00:"s, "par/16"s, "10.20.0.0/16/16"s, "10.20.0.0\0/16"s})
    EXPECT_FALSE(HostPattern::parse(text)) << text;
}

TEST(HostPattern, SaysWhatWouldBeRight) {
  EXPECT_EQ(HostPattern::parse("10.20.3.0/16").error().remedy,
            "the address has bits set after the prefix; the block that holds it is \"10.20.0.0/16\"");
  EXPECT_NE(HostPattern::parse("fd00::/200").error().remedy.find("from 0 to 128"), std::string::npos);
  EXPECT_NE(HostPattern::parse("par-[2-1]").error().remedy.find("par-[01-64]"), std::string::npos);
  EXPECT_EQ(HostPattern::parse("par-[2-1]").error().value, "par-[2-1]");
}

std::string random_number_range() {
  const auto first = *rc::gen::inRange(0, 120);
  const auto last = *rc::gen::inRange(first, first + 12);
  std::string low = std::to_string(first), high = std::to_string(last);
  if (*rc::gen::arbitrary<bool>()) low.insert(0, high.size() - low.size(), '0');
  return "[" + low + "-" + high + "]";
}

std::string random_pattern() {
  std::string text = *rc::gen::element<std::string>("n", "par-", "a.b");
  const auto brackets = *rc::gen::inRange(0, 3);
  for (int i = 0; i < brackets; ++i)
    text += random_number_range() + *rc::gen::element<std::string>("", "x", ".org");
  return text;
}

RC_GTEST_PROP(HostPatternProperty, MatchesExactlyWhatItEnumerates, ()) {
  const auto text = random_pattern();
  const auto parsed = HostPattern::parse(text);
  RC_ASSERT(parsed.has_value());
  RC_ASSERT(parsed->text() == text);
  const auto names = parsed->enumerate();
  RC_ASSERT(!names.empty());
  for (const auto& name : names) RC_ASSERT(parsed->matches(name, {}));
  const auto other = *rc::gen::elementOf(names) + *rc::gen::element<std::string>("", "0", "1", "x");
  const bool listed = std::ranges::find(names, other) != names.end();
  RC_ASSERT(parsed->matches(other, {}) == listed);
}

RC_GTEST_PROP(HostPatternProperty, AnyTextIsAPatternOrAnErrorThatShowsIt, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::elementOf("an019-,[]*./:f"s));
  const auto parsed = HostPattern::parse(text);
  if (parsed) parsed->matches("n01.a", std::vector<std::string>{"10.0.0.1", "fd00::1"});
  if (!parsed) RC_ASSERT(parsed.error().value == text && !parsed.error().remedy.empty());
}

RC_GTEST_PROP(HostPatternProperty, ABlockHoldsExactlyTheAddressesWithItsFirstBits, ()) {
  const auto address = *rc::gen::arbitrary<std::uint32_t>();
  const auto bits = *rc::gen::inRange<std::uint32_t>(0, 33);
  const auto flipped = *rc::gen::inRange<std::uint32_t>(0, 32);
  const auto dotted = [](std::uint32_t a) {
    return std::to_string(a >> 24) + "." + std::to_string(a >> 16 & 255) + "." +
           std::to_string(a >> 8 & 255) + "." + std::to_string(a & 255);
  };
  const std::uint32_t mask = bits == 0 ? 0 : ~std::uint32_t{0} << (32 - bits);
  const auto block = HostPattern::parse(dotted(address & mask) + "/" + std::to_string(bits));
  RC_ASSERT(block.has_value());
  RC_ASSERT(block->matches(dotted(address), {}));
  RC_ASSERT(block->matches(dotted(address ^ (0x8000'0000u >> flipped)), {}) == (flipped >= bits));
}

}  // namespace
}  // namespace wan
