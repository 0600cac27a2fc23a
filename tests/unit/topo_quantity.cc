// SPDX-License-Identifier: BSD-3-Clause
// Quantities as people write them: topo/quantity. Examples, limits, mistakes, and round trips at random.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "topo/quantity.h"

namespace wan {
namespace {

using namespace std::string_literals;

TEST(Duration, ReadsEveryUnit) {
  EXPECT_EQ(parse_duration("7 ns"), 7);
  EXPECT_EQ(parse_duration("7 us"), 7'000);
  EXPECT_EQ(parse_duration("20 ms"), 20'000'000);
  EXPECT_EQ(parse_duration("2 s"), 2'000'000'000);
}

TEST(Duration, ReadsFractionsSpacesAndZero) {
  EXPECT_EQ(parse_duration("12.5ms"), 12'500'000);
  EXPECT_EQ(parse_duration(" \t0.25  us "), 250);
  EXPECT_EQ(parse_duration("0 ms"), 0);
  EXPECT_EQ(parse_duration("007 ns"), 7);
}

TEST(Duration, RoundsHalfUpToWholeNanoseconds) {
  EXPECT_EQ(parse_duration("0.4 ns"), 0);
  EXPECT_EQ(parse_duration("0.5 ns"), 1);
  EXPECT_EQ(parse_duration("1.0004999 us"), 1000);
  EXPECT_EQ(parse_duration("1.0005 us"), 1001);
}

TEST(Duration, EndsAtOneHour) {
  EXPECT_EQ(parse_duration("3600 s"), 3'600'000'000'000);
  EXPECT_FALSE(parse_duration("3600.000000001 s"));
  EXPECT_FALSE(parse_duration("999999999999999999 s"));
}

TEST(Duration, RefusesEverythingElse) {
  for (const auto& text : {""s,
                           " "s,
                           "ms"s,
                           "20"s,
                           "20 MS"s,
                           "20 m"s,
                           "20 ms ms"s,
                           "-1 ms"s,
                           "+1 ms"s,
                           "1e3 ms"s,
                           "1,5 ms"s,
                           ".5 ms"s,
                           "5. ms"s,
                           "1.2.3 ms"s,
                           "1 000 ms"s,
                           "0x1 ms"s,
                           "inf s"s,
                           "nan s"s,
                           "20 ms\n"s,
                           "20 ms\0"s,
                           "1000000000000000000 ns"s,
                           "0.0000000000000000001 s"s})
    EXPECT_FALSE(parse_duration(text)) << '"' << text << '"';
}

TEST(Duration, SaysWhatWouldBeRight) {
  const auto error = parse_duration("20 parsec").error();
  EXPECT_EQ(error.value, "20 parsec");
  EXPECT_EQ(error.remedy, "expected a time in ns, us, ms or s, from 0 to 3600 s, such as \"20 ms\"");
}

TEST(Rate, ReadsBitsAndBytes) {
  EXPECT_EQ(parse_rate("8 bit/s"), 1);
  EXPECT_EQ(parse_rate("8 kbit/s"), 1'000);
  EXPECT_EQ(parse_rate("400 Mbit/s"), 50'000'000);
  EXPECT_EQ(parse_rate("1 Gbit/s"), 125'000'000);
  EXPECT_EQ(parse_rate("0.1 Tbit/s"), 12'500'000'000);
  EXPECT_EQ(parse_rate("3 B/s"), 3);
  EXPECT_EQ(parse_rate("3 kB/s"), 3'000);
  EXPECT_EQ(parse_rate("12.5 MB/s"), 12'500'000);
  EXPECT_EQ(parse_rate("2 GB/s"), 2'000'000'000);
}

TEST(Rate, IsAtLeastOneByteASecond) {
  EXPECT_FALSE(parse_rate("0 MB/s"));
  EXPECT_FALSE(parse_rate("3.9 bit/s"));
  EXPECT_EQ(parse_rate("4 bit/s"), 1);
  EXPECT_EQ(parse_rate("8000 Tbit/s"), 1'000'000'000'000'000);
  EXPECT_FALSE(parse_rate("8001 Tbit/s"));
}

TEST(Rate, RefusesOtherUnits) {
  for (const char* text : {"1 Gbps", "1 gbit/s", "1 MiB/s", "1 MB", "1", "fast", "1 Gbit / s"})
    EXPECT_FALSE(parse_rate(text)) << text;
  EXPECT_NE(parse_rate("fast").error().remedy.find("Gbit/s"), std::string::npos);
}

TEST(Size, ReadsPowersOf1000AndOf1024) {
  EXPECT_EQ(parse_bytes("0"), 0);
  EXPECT_EQ(parse_bytes("65536"), 65'536);
  EXPECT_EQ(parse_bytes("12 B"), 12);
  EXPECT_EQ(parse_bytes("1.5 kB"), 1'500);
  EXPECT_EQ(parse_bytes("1 MB"), 1'000'000);
  EXPECT_EQ(parse_bytes("1 GB"), 1'000'000'000);
  EXPECT_EQ(parse_bytes("64 KiB"), 65'536);
  EXPECT_EQ(parse_bytes("1 MiB"), 1'048'576);
  EXPECT_EQ(parse_bytes("1.5 GiB"), 1'610'612'736);
}

TEST(Size, RefusesTooMuchAndOtherUnits) {
  EXPECT_EQ(parse_bytes("1000000000 GB"), 1'000'000'000'000'000'000);
  EXPECT_FALSE(parse_bytes("1000000001 GB"));
  for (const char* text : {"", "-1", "64 K", "64 kib", "64 Kbit"}) EXPECT_FALSE(parse_bytes(text)) << text;
}

TEST(Percent, ReadsPartsPerMillion) {
  EXPECT_EQ(parse_percent_ppm("0%"), 0);
  EXPECT_EQ(parse_percent_ppm("0.1 %"), 1'000);
  EXPECT_EQ(parse_percent_ppm("0.0001 %"), 1);
  EXPECT_EQ(parse_percent_ppm("100 %"), 1'000'000);
  for (const char* text : {"100.0001 %", "0.1", "0.1 percent", "-1 %", "%"})
    EXPECT_FALSE(parse_percent_ppm(text)) << text;
}

RC_GTEST_PROP(QuantityProperty, WholeNumbersRoundTrip, ()) {
  const auto ns = *rc::gen::inRange<std::int64_t>(0, 3'600'000'000'001);
  RC_ASSERT(parse_duration(std::to_string(ns) + " ns") == ns);
  const auto rate = *rc::gen::inRange<std::int64_t>(1, 1'000'000'000'000'001);
  RC_ASSERT(parse_rate(std::to_string(rate) + " B/s") == rate);
  const auto bytes = *rc::gen::inRange<std::int64_t>(0, 1'000'000'000'000'000'000);
  RC_ASSERT(parse_bytes(std::to_string(bytes)) == bytes);
}

RC_GTEST_PROP(QuantityProperty, FractionsRoundTrip, ()) {
  const auto ns = *rc::gen::inRange<std::int64_t>(0, 3'600'000'000'001);
  const std::string digits = std::to_string(ns % 1'000'000);
  const std::string text =
      std::to_string(ns / 1'000'000) + "." + std::string(6 - digits.size(), '0') + digits + "ms";
  RC_ASSERT(parse_duration(text) == ns);
}

RC_GTEST_PROP(QuantityProperty, AnyTextIsAValueInRangeOrAnErrorThatShowsIt, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::elementOf("0123456789. nums%kMGiBbt/-"s));
  const auto value = parse_duration(text);
  if (value) RC_ASSERT(*value >= 0 && *value <= 3'600'000'000'000);
  if (!value) RC_ASSERT(value.error().value == text && !value.error().remedy.empty());
}

}  // namespace
}  // namespace wan
