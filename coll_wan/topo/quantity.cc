// SPDX-License-Identifier: BSD-3-Clause
// Decimal numbers with units, in integer arithmetic only: every rank reads the same value from the same text
// (invariant 8). A number is digits with at most one point between them; the unit follows, with or without
// spaces. Pure functions; no threads. Tested by tests/unit/topo_quantity.cc and tests/fuzz/topo_quantity.cc.
#include "topo/quantity.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>

namespace wan {
namespace {

/// mantissa x 10^-decimals
struct Decimal {
  std::int64_t mantissa = 0;
  int decimals = 0;
};

/// One of the unit is numerator / denominator of what the caller counts in.
struct Unit {
  std::string_view name;
  std::int64_t numerator;
  std::int64_t denominator = 1;
};

struct Quantity {
  std::span<const Unit> units;
  std::int64_t least, most;
  std::string_view expected;  ///< what would be right: the units and the range, for the error's remedy
};

constexpr std::int64_t kKilo = 1000, kMega = 1000 * kKilo, kGiga = 1000 * kMega, kTera = 1000 * kGiga;
constexpr std::int64_t kBitsPerByte = 8;
constexpr int kMostDigits = 18;  // the mantissa stays below 2^63

constexpr std::array kTimes{Unit{"ns", 1}, Unit{"us", kKilo}, Unit{"ms", kMega}, Unit{"s", kGiga}};
constexpr Quantity kDuration{kTimes, 0, 3600 * kGiga,
                             R"(expected a time in ns, us, ms or s, from 0 to 3600 s, such as "20 ms")"};

constexpr std::array kRates{Unit{"bit/s", 1, kBitsPerByte},
                            Unit{"kbit/s", kKilo, kBitsPerByte},
                            Unit{"Mbit/s", kMega, kBitsPerByte},
                            Unit{"Gbit/s", kGiga, kBitsPerByte},
                            Unit{"Tbit/s", kTera, kBitsPerByte},
                            Unit{"B/s", 1},
                            Unit{"kB/s", kKilo},
                            Unit{"MB/s", kMega},
                            Unit{"GB/s", kGiga}};
constexpr Quantity kRate{kRates, 1, 1000 * kTera,
                         "expected a rate in bit/s, kbit/s, Mbit/s, Gbit/s, Tbit/s, B/s, kB/s, MB/s or GB/s, "
                         R"(from 1 B/s to 8000 Tbit/s, such as "10 Gbit/s")"};

constexpr std::array kSizes{Unit{"", 1},          Unit{"B", 1},        Unit{"kB", kKilo},
                            Unit{"MB", kMega},    Unit{"GB", kGiga},   Unit{"KiB", 1 << 10},
                            Unit{"MiB", 1 << 20}, Unit{"GiB", 1 << 30}};
constexpr Quantity kSize{
    kSizes, 0, kGiga* kGiga,
    "expected a number of bytes, or a size in B, kB, MB, GB, KiB, MiB or GiB, from 0 to 10^18 B, "
    R"(such as "64 KiB")"};

constexpr std::array kPercents{Unit{"%", 10'000}};
constexpr Quantity kPercent{kPercents, 0, 1'000'000,
                            R"(expected a share from "0 %" to "100 %", such as "0.1 %")"};

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Reads "12" or "12.5"; nullopt for anything else and for more digits than kMostDigits.
std::optional<Decimal> parse_decimal(std::string_view text) {
  const auto point = text.find('.');
  const bool digits_around = !text.empty() && text.front() != '.' && text.back() != '.';
  if (!digits_around || point != text.rfind('.')) return std::nullopt;
  Decimal number;
  int digits = 0;
  for (const char c : text) {
    if (c == '.') continue;
    if (++digits > kMostDigits) return std::nullopt;
    number.mantissa = number.mantissa * 10 + (c - '0');
  }
  if (point != text.npos) number.decimals = static_cast<int>(text.size() - point) - 1;
  return number;
}

/// number x numerator / denominator, half rounded up.
/// Below 10^18 x 8 x 10^12, so it fits.
Wide scaled(const Decimal& number, const Unit& unit) {
  Wide divisor = unit.denominator;
  for (int i = 0; i < number.decimals; ++i) divisor *= 10;
  return (Wide{number.mantissa} * unit.numerator * 2 + divisor) / (divisor * 2);
}

/// The whole quantity; nullopt for every mistake.
std::optional<std::int64_t> read(std::string_view text, const Quantity& quantity) {
  const auto end = std::min(text.find_first_not_of("0123456789."), text.size());
  const auto number = parse_decimal(text.substr(0, end));
  const auto unit = std::ranges::find(quantity.units, trimmed(text.substr(end)), &Unit::name);
  if (!number || unit == quantity.units.end()) return std::nullopt;
  const Wide value = scaled(*number, *unit);
  if (value < quantity.least || value > quantity.most) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

Result<std::int64_t> parse(std::string_view text, const Quantity& quantity) {
  if (const auto value = read(trimmed(text), quantity)) return *value;
  return bad_value(text, quantity.expected);
}

}  // namespace

Result<Nanoseconds> parse_duration(std::string_view text) {
  return parse(text, kDuration);
}

Result<BytesPerSecond> parse_rate(std::string_view text) {
  return parse(text, kRate);
}

Result<Bytes> parse_bytes(std::string_view text) {
  return parse(text, kSize);
}

Result<int> parse_percent_ppm(std::string_view text) {
  return parse(text, kPercent).map([](std::int64_t ppm) { return static_cast<int>(ppm); });
}

}  // namespace wan
