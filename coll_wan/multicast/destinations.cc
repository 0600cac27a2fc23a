// SPDX-License-Identifier: BSD-3-Clause
#include "multicast/destinations.h"

#include <algorithm>
#include <cstdint>

#include "base/invariant.h"

namespace wan::multicast {
namespace {

/// The first byte: what follows.
enum class Form : char {
  runs = 0,  ///< in turn how many are left out and how many follow, less one of each but the first; seven
             ///< bits a byte
  bits = 1   ///< one for each position, from the lowest bit of the first byte
};

void append_number(std::string& bytes, std::uint32_t number) {
  for (; number >= 0x80; number >>= 7) bytes += static_cast<char>((number & 0x7f) | 0x80);
  bytes += static_cast<char>(number);
}

/// nullopt where there is none, it is longer than it must be, or no position is that large.
std::optional<Position> take_number(std::string_view& bytes) {
  std::uint64_t number = 0;
  for (int shift = 0; shift < 35 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    number |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte >= 0x80) continue;
    const bool is_right = number <= INT32_MAX && (byte != 0 || shift == 0);
    return is_right ? std::optional(static_cast<Position>(number)) : std::nullopt;
  }
  return std::nullopt;
}

std::string as_runs(std::span<const Range> ranges, Position first) {
  std::string bytes(1, static_cast<char>(Form::runs));
  Position done = first;
  for (const Range& each : ranges) {
    const Position gap = each.begin - done - (done == first ? 0 : 1);
    append_number(bytes, static_cast<std::uint32_t>(gap));
    append_number(bytes, static_cast<std::uint32_t>(each.size() - 1));
    done = each.end;
  }
  return bytes;
}

std::size_t size_of_bits(const Range& whole) {
  return 1 + (static_cast<std::size_t>(whole.size()) + 7) / 8;
}

std::string as_bits(std::span<const Range> ranges, const Range& whole) {
  std::string bytes(size_of_bits(whole), '\0');
  bytes[0] = static_cast<char>(Form::bits);
  for (const Range& each : ranges)
    for (Position position = each.begin; position < each.end; ++position) {
      const auto bit = static_cast<std::size_t>(position - whole.begin);
      bytes[1 + bit / 8] = static_cast<char>(bytes[1 + bit / 8] | 1 << bit % 8);
    }
  return bytes;
}

}  // namespace

Destinations::Destinations(std::vector<Position> positions) {
  std::ranges::sort(positions);
  for (const Position each : positions)
    if (ranges_.empty() || each >= ranges_.back().end) add({each, each + 1});
}

/// After all others.
void Destinations::add(const Range& range) {
  if (!ranges_.empty() && ranges_.back().end == range.begin)
    ranges_.back().end = range.end;
  else
    ranges_.push_back(range);
}

Position Destinations::size() const {
  Position size = 0;
  for (const Range& each : ranges_) size += each.size();
  return size;
}

std::vector<Position> Destinations::positions() const {
  std::vector<Position> all;
  for (const Range& each : ranges_)
    for (Position position = each.begin; position < each.end; ++position) all.push_back(position);
  return all;
}

bool Destinations::contain(Position position) const {
  const auto found = std::ranges::upper_bound(ranges_, position, {}, &Range::end);
  return found != ranges_.end() && found->contains(position);
}

Destinations Destinations::within(const Range& range) const {
  Destinations result;
  for (auto each = std::ranges::upper_bound(ranges_, range.begin, {}, &Range::end);
       each != ranges_.end() && std::max(each->begin, range.begin) < range.end; ++each)
    result.ranges_.push_back({std::max(each->begin, range.begin), std::min(each->end, range.end)});
  return result;
}

Position Destinations::next(Position position) const {
  invariant(!empty(), "no destinations");
  const auto found = std::ranges::upper_bound(ranges_, position, {}, &Range::end);
  return found == ranges_.end() ? ranges_.front().begin : std::max(position, found->begin);
}

std::string Destinations::encode(const Range& range) const {
  invariant(empty() || range.contains({ranges_.front().begin, ranges_.back().end}),
            "destinations outside the range");
  std::string runs = as_runs(ranges_, range.begin);
  return runs.size() <= size_of_bits(range) ? runs : as_bits(ranges_, range);
}

bool Destinations::take_runs(std::string_view bytes, const Range& range) {
  std::int64_t done = range.begin;
  while (!bytes.empty()) {
    const auto gap = take_number(bytes), more = take_number(bytes);
    if (!gap || !more) return false;
    const std::int64_t begin = done + *gap + (empty() ? 0 : 1);
    done = begin + *more + 1;
    if (done > range.end) return false;
    add({static_cast<Position>(begin), static_cast<Position>(done)});
  }
  return true;
}

bool Destinations::take_bits(std::string_view bytes, const Range& range) {
  for (Position bit = 0; bit < range.size(); ++bit) {
    const auto byte = static_cast<std::size_t>(bit) / 8;
    if (byte >= bytes.size()) return false;
    if ((bytes[byte] >> bit % 8 & 1) != 0) add({range.begin + bit, range.begin + bit + 1});
  }
  return true;
}

std::optional<Destinations> Destinations::decode(std::string_view bytes, const Range& range) {
  if (bytes.empty()) return std::nullopt;
  const std::string_view rest = bytes.substr(1);
  Destinations result;
  const bool is_right = bytes.front() == static_cast<char>(Form::runs) ? result.take_runs(rest, range)
                                                                       : result.take_bits(rest, range);
  return is_right && result.encode(range) == bytes ? std::optional(result) : std::nullopt;
}

}  // namespace wan::multicast
