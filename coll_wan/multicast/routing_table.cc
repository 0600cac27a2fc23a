// SPDX-License-Identifier: BSD-3-Clause
#include "multicast/routing_table.h"

#include <algorithm>
#include <numeric>

#include "base/invariant.h"

namespace wan::multicast {
namespace {

/// Of an entry with many processes so many are compared: a table takes little time to make, too.
constexpr int kMostCandidates = 16;

/// A number that looks random, the same for the same input everywhere (SplitMix64).
std::uint64_t scattered(std::uint64_t number) {
  number += 0x9e3779b97f4a7c15;
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

/// The border at which chunk `digit` of `chunks` begins, of groups numbered from `first` to before `last`. An
/// even number of chunks are those of both halves.
std::size_t chunk_border(std::size_t first, std::size_t last, int digit, int chunks) {
  if (chunks % 2 == 0) {
    const std::size_t middle = first + (last - first) / 2;
    const int half = chunks / 2;
    return digit < half ? chunk_border(first, middle, digit, half)
                        : chunk_border(middle, last, digit - half, half);
  }
  return first + (last - first) * static_cast<std::size_t>(digit) / static_cast<std::size_t>(chunks);
}

std::vector<Position> single_processes(const Range& range) {
  std::vector<Position> borders(static_cast<std::size_t>(range.size()) + 1);
  std::iota(borders.begin(), borders.end(), range.begin);
  return borders;
}

int columns_of(std::span<const int> columns, int level) {
  invariant(!columns.empty(), "no columns");
  const auto last = static_cast<int>(columns.size()) - 1;
  const int number = columns[static_cast<std::size_t>(std::min(level, last))];
  invariant(number >= 2, "a digit of one value only");
  return number;
}

}  // namespace

RoutingTable::RoutingTable(const Places& places, Position self, std::span<const int> columns,
                           const ForwardingCost& cost)
    : self_(self), site_{0, places.size()}, host_{self, self + 1} {
  invariant(self >= 0 && self < places.size(), "a position outside the domain");
  Range range{0, places.size()};
  for (int level = 0; level < places.levels(); ++level) {
    range = add_rows(places.borders(level, range), columns_of(columns, level), cost);
    if (level == 0) site_ = range;
    if (level == 1) host_ = range;
  }
  add_rows(single_processes(range), columns_of(columns, places.levels()), cost);
  while (host_row_ < rows() && !host_.contains(this->range(host_row_))) ++host_row_;
}

/// The rows that tell the groups between `borders` apart. Returns the range of this process's group.
Range RoutingTable::add_rows(const std::vector<Position>& borders, int columns, const ForwardingCost& cost) {
  std::size_t first = 0, last = borders.size() - 1;  // groups that are not told apart from this process's
  while (last - first > 1) {
    const int chunks = static_cast<int>(std::min(last - first, static_cast<std::size_t>(columns)));
    Row row{{borders[first], borders[last]}, 0, {}};
    std::size_t own_first = first, own_last = last;
    for (int digit = 0; digit < chunks; ++digit) {
      const std::size_t from = chunk_border(first, last, digit, chunks),
                        to = chunk_border(first, last, digit + 1, chunks);
      const Range range{borders[from], borders[to]};
      if (range.contains(self_)) {
        row.digit = digit;
        own_first = from;
        own_last = to;
      } else {
        row.entries.push_back({range, master_of(range, cost)});
      }
    }
    rows_.push_back(std::move(row));
    first = own_first;
    last = own_last;
  }
  return {borders[first], borders[last]};
}

Position RoutingTable::master_of(const Range& range, const ForwardingCost& cost) const {
  const auto size = static_cast<std::uint64_t>(range.size());
  const std::uint64_t first =
      scattered(static_cast<std::uint64_t>(self_) << 32 ^ static_cast<std::uint64_t>(range.begin)) % size;
  const auto candidate = [&](std::uint64_t step) {
    return range.begin + static_cast<Position>((first + step) % size);
  };
  Position best = candidate(0);
  if (!cost) return best;
  const auto candidates = std::min<std::uint64_t>(size, kMostCandidates);
  for (std::uint64_t i = 1; i < candidates; ++i) {
    const Position other = candidate(i * size / candidates);
    if (cost(other) < cost(best)) best = other;
  }
  return best;
}

std::vector<int> RoutingTable::digits() const {
  std::vector<int> digits;
  for (const Row& row : rows_) digits.push_back(row.digit);
  return digits;
}

Range RoutingTable::range(int row) const {
  if (row == rows()) return {self_, self_ + 1};
  return rows_[static_cast<std::size_t>(row)].range;
}

int RoutingTable::common_digits(Position other) const {
  invariant(range(0).contains(other), "a position outside the domain");
  int row = 0;
  while (row < rows() && range(row + 1).contains(other)) ++row;
  return row;
}

std::size_t RoutingTable::bytes() const {
  std::size_t bytes = sizeof *this + rows_.capacity() * sizeof(Row);
  for (const Row& row : rows_) bytes += row.entries.capacity() * sizeof(Entry);
  return bytes;
}

}  // namespace wan::multicast
