// SPDX-License-Identifier: BSD-3-Clause
// Name patterns: parsing, matching and enumeration. Matching keeps the set of positions that the pieces so
// far can end at, so no pattern is slow; enumeration is bounded by kMostNames. Pure functions; no threads.
// Tested by tests/unit/topo_host_pattern.cc and tests/fuzz/topo_host_pattern.cc.
#include "topo/name_pattern.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_set>
#include <utility>

namespace wan {
namespace {

using Any = NamePattern::Any;
using NumberRange = NamePattern::NumberRange;
using Numbers = NamePattern::Numbers;
using Piece = NamePattern::Piece;

constexpr std::uint64_t kMostNames = 65'536;
constexpr std::size_t kMostDigitsOfNumber = 18;  // a number stays below 2^63
constexpr std::size_t kMostText = 1'024;
constexpr std::size_t kMostName = 255;  // RFC 1035, section 2.3.4

constexpr std::string_view kPatternExpected =
    "expected a host name of letters, digits, '-', '_' and '.', with '*' for any text and brackets for "
    "rising numbers of "
    "one width, such as \"par-[01-64]\", \"n[1,3-5].example.org\" or \"tky*\"";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_name_char(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.';
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool equal_names(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower, lower);
}

// ---- Parsing

/// A decimal number; nullopt if `text` is anything else or longer than kMostDigitsOfNumber.
std::optional<std::uint64_t> parse_number(std::string_view text) {
  if (text.empty() || text.size() > kMostDigitsOfNumber || !std::ranges::all_of(text, is_digit))
    return std::nullopt;
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

bool zero_padded(std::string_view number) {
  return number.size() > 1 && number.front() == '0';
}

/// "7", "1-64" or "01-64"; nullopt if it is none, falls, or its two ends are padded to different widths.
std::optional<NumberRange> parse_range(std::string_view text) {
  const auto dash = text.find('-');
  const auto first_text = text.substr(0, dash);
  const auto last_text = dash == text.npos ? first_text : text.substr(dash + 1);
  const auto first = parse_number(first_text), last = parse_number(last_text);
  if (!first || !last || *first > *last) return std::nullopt;
  const bool padded = zero_padded(first_text) || zero_padded(last_text);
  if (padded && first_text.size() != last_text.size()) return std::nullopt;
  return NumberRange{*first, *last, padded ? first_text.size() : 0};
}

/// What stands between the brackets: ranges separated by commas.
std::optional<Numbers> parse_numbers(std::string_view text) {
  Numbers numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    const auto range = parse_range(text.substr(begin, end - begin));
    if (!range) return std::nullopt;
    numbers.push_back(*range);
    begin = end + 1;
  }
  return numbers;
}

/// Takes the piece at the front of `rest`; nullopt where none begins there.
std::optional<Piece> take_piece(std::string_view& rest) {
  const auto take = [&rest](std::size_t length) {
    const auto taken = rest.substr(0, length);
    rest.remove_prefix(length);
    return taken;
  };
  if (rest.front() == '*') {
    take(1);
    return Any{};
  }
  if (rest.front() == '[') {
    const auto close = rest.find(']');
    if (close == rest.npos) return std::nullopt;
    auto numbers = parse_numbers(take(close + 1).substr(1, close - 1));
    return numbers ? std::optional<Piece>(*std::move(numbers)) : std::nullopt;
  }
  const auto length = static_cast<std::size_t>(std::ranges::find_if_not(rest, is_name_char) - rest.begin());
  if (length == 0) return std::nullopt;
  return std::string(take(length));
}

// ---- Matching

/// ends[i]: the pieces so far can match the first i characters of the name.
using Ends = std::vector<bool>;

bool lists(const NumberRange& range, std::string_view digits) {
  const bool width_fits = range.width ? digits.size() == range.width : !zero_padded(digits);
  const auto number = parse_number(digits);
  return width_fits && number && *number >= range.first && *number <= range.last;
}

bool piece_matches(const std::string& literal, std::string_view part) {
  return equal_names(literal, part);
}
bool piece_matches(const Any&, std::string_view) {
  return true;
}
bool piece_matches(const Numbers& numbers, std::string_view part) {
  return std::ranges::any_of(numbers, [part](const NumberRange& range) { return lists(range, part); });
}

/// The shortest and the longest text that a piece can stand for.
struct Lengths {
  std::size_t least, most;
};
Lengths lengths(const std::string& literal) {
  return {literal.size(), literal.size()};
}
Lengths lengths(const Any&) {
  return {0, kMostName};
}
Lengths lengths(const Numbers&) {
  return {1, kMostDigitsOfNumber};
}

Ends advance(const Ends& ends, const auto& piece, std::string_view name) {
  Ends next(ends.size());
  const auto [least, most] = lengths(piece);
  for (std::size_t begin = 0; begin < ends.size(); ++begin)
    for (std::size_t end = begin + least; ends[begin] && end <= std::min(begin + most, name.size()); ++end)
      if (piece_matches(piece, name.substr(begin, end - begin))) next[end] = true;
  return next;
}

// ---- Enumeration

/// Saturates just above kMostNames.
std::uint64_t bounded_sum(std::uint64_t a, std::uint64_t b) {
  return std::min(a + b, kMostNames + 1);
}

std::uint64_t count(const std::string&) {
  return 1;
}
std::uint64_t count(const Any&) {
  return kMostNames + 1;
}
std::uint64_t count(const Numbers& numbers) {
  std::uint64_t all = 0;
  for (const auto& range : numbers)
    all = bounded_sum(all, std::min(range.last - range.first, kMostNames) + 1);
  return all;
}

std::string padded(std::uint64_t number, std::size_t width) {
  const std::string digits = std::to_string(number);
  return std::string(std::max(width, digits.size()) - digits.size(), '0') + digits;
}

std::vector<std::string> texts(const std::string& literal) {
  return {literal};
}
std::vector<std::string> texts(const Any&) {
  return {};
}
std::vector<std::string> texts(const Numbers& numbers) {
  std::vector<std::string> all;
  for (const auto& range : numbers)
    for (auto number = range.first; number <= range.last; ++number)
      all.push_back(padded(number, range.width));
  return all;
}

std::vector<std::string> each_followed_by_each(const std::vector<std::string>& heads,
                                               const std::vector<std::string>& tails) {
  std::vector<std::string> all;
  for (const auto& head : heads)
    for (const auto& tail : tails) all.push_back(head + tail);
  return all;
}

void drop_repeated(std::vector<std::string>& names) {
  std::unordered_set<std::string> seen;
  std::erase_if(names, [&seen](const std::string& name) { return !seen.insert(name).second; });
}

}  // namespace

Result<NamePattern> NamePattern::parse(std::string_view text) {
  if (text.empty() || text.size() > kMostText) return bad_value(text, kPatternExpected);
  std::vector<Piece> pieces;
  for (auto rest = text; !rest.empty();) {
    auto piece = take_piece(rest);
    if (!piece) return bad_value(text, kPatternExpected);
    pieces.push_back(*std::move(piece));
  }
  return NamePattern(std::move(pieces));
}

bool NamePattern::matches(std::string_view name) const {
  if (name.size() > kMostName) return false;
  Ends ends(name.size() + 1);
  ends.front() = true;
  for (const Piece& piece : pieces_)
    ends = std::visit([&](const auto& kind) { return advance(ends, kind, name); }, piece);
  return ends.back();
}

std::vector<std::string> NamePattern::enumerate() const {
  std::uint64_t total = 1;
  for (const Piece& piece : pieces_)
    total = std::min(total * std::visit([](const auto& kind) { return count(kind); }, piece), kMostNames + 1);
  if (total > kMostNames) return {};
  std::vector<std::string> names{""};
  for (const Piece& piece : pieces_)
    names = each_followed_by_each(names, std::visit([](const auto& kind) { return texts(kind); }, piece));
  drop_repeated(names);
  return names;
}

}  // namespace wan
