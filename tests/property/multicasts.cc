// SPDX-License-Identifier: BSD-3-Clause
// Multicasts over random topology IDs with holes: what papers/001 proves of them, section 7. multicast/.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "multicast/forwarding.h"
#include "multicast/strided_map.h"
#include "tests/support/property_main.h"

namespace wan {

const int kCases = 2'000;

namespace {

using multicast::Branch;
using multicast::Destinations;
using multicast::Forwarder;
using multicast::Leg;
using multicast::Places;
using multicast::Position;
using multicast::Range;
using multicast::RoutingTable;

/// All processes of a domain.
struct Domain {
  Places places;
  std::vector<RoutingTable> tables;
  std::vector<std::int32_t> site_of;  ///< [position]; empty: there are no sites

  Position size() const { return places.size(); }
  const RoutingTable& table(Position position) const { return tables[static_cast<std::size_t>(position)]; }
};

Domain some_domain() {
  const Rank size = *rc::gen::inRange(1, 60);
  const int levels = *rc::gen::inRange(0, 4);
  std::vector<std::vector<std::int32_t>> groups;
  for (int level = 0; level < levels; ++level)
    groups.push_back(*rc::gen::container<std::vector<std::int32_t>>(static_cast<std::size_t>(size),
                                                                    rc::gen::inRange(0, 7)));
  const auto columns = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(2, 9)));
  Domain domain{Places(size, groups), {}, {}};
  if (levels > 0)
    for (const Rank rank : domain.places.ranks())
      domain.site_of.push_back(groups[0][static_cast<std::size_t>(rank)]);
  for (Position self = 0; self < size; ++self) domain.tables.emplace_back(domain.places, self, columns);
  return domain;
}

Position some_position(const Domain& domain) {
  return *rc::gen::inRange(0, domain.size());
}

/// The paper's LCD, by the IDs themselves.
int common_prefix(const std::vector<int>& a, const std::vector<int>& b) {
  return static_cast<int>(std::ranges::mismatch(a, b).in1 - a.begin());
}

TEST(Multicasts, HaveIdsThatDiffer) {
  EXPECT_TRUE(rc::check([] {
    const Domain domain = some_domain();
    std::map<std::vector<int>, Position> seen;
    for (Position each = 0; each < domain.size(); ++each)
      RC_ASSERT(seen.emplace(domain.table(each).digits(), each).second);
    // Positions are in the order of IDs.
    Position next = 0;
    for (const auto& [digits, position] : seen) RC_ASSERT(position == next++);
  }));
}

TEST(Multicasts, KnowTheCommonPrefixWithoutTheOtherId) {
  EXPECT_TRUE(rc::check([] {
    const Domain domain = some_domain();
    const Position x = some_position(domain), z = some_position(domain);
    RC_ASSERT(domain.table(x).common_digits(z) ==
              common_prefix(domain.table(x).digits(), domain.table(z).digits()));
  }));
}

/// Lemma 1: x can forward to some y with LCD(y, z) > LCD(x, z), though entries may be empty.
TEST(Multicasts, ComeNearerWithEachStep) {
  EXPECT_TRUE(rc::check([] {
    const Domain domain = some_domain();
    const Position x = some_position(domain), z = some_position(domain);
    if (x == z) return;
    const int lcd = domain.table(x).common_digits(z);
    int entries = 0;
    for (const auto& entry : domain.table(x).entries(lcd)) {
      if (!entry.range.contains(z)) continue;
      ++entries;
      RC_ASSERT(entry.range.contains(entry.master));
      RC_ASSERT(domain.table(entry.master).common_digits(z) > lcd);
    }
    RC_ASSERT(entries == 1);
  }));
}

/// A multicast from process to process.
struct Delivery {
  const Domain& domain;
  Forwarder forwarder;
  bool all_know;  ///< all destinations; or they are sent along, as in a chain and after it always
  Destinations destinations;
  int children = 0;  ///< Inside

  std::vector<int> received = std::vector<int>(static_cast<std::size_t>(domain.size()));
  std::map<std::int32_t, int> entered{};  ///< how many messages have come into each site
  int most_steps = 0;

  void start(Position source) { forward(source, 0, destinations, 0, Leg::table, all_know); }

  void forward(Position self, int row, const Destinations& known, int steps, Leg leg, bool knows_all) {
    most_steps = std::max(most_steps, steps);
    const auto next_ones = branches(domain.table(self), row, known, forwarder, {children, leg});
    RC_ASSERT(std::ranges::count_if(next_ones, [](const Branch& each) { return each.leg != Leg::table; }) <=
              children);
    for (const Branch& each : next_ones) {
      ++received[static_cast<std::size_t>(each.to)];
      if (!domain.site_of.empty() && site(self) != site(each.to)) ++entered[site(each.to)];
      const auto sent = Destinations::decode(each.destinations.encode(each.range), each.range);
      RC_ASSERT(sent == each.destinations);
      const RoutingTable& table = domain.table(each.to);
      if (each.leg == Leg::table) {
        // Theorem 2: the row only grows, so no way comes back.
        const int next = row_after(table, self);
        RC_ASSERT(next > row);
        RC_ASSERT(leg == Leg::table || table.host().contains(self));
        RC_ASSERT(table.range(next) == each.range || each.range.size() == 1);
        RC_ASSERT(children == 0 || !table.site().contains(self) || table.host().contains(self));
        const bool knows = knows_all && leg == Leg::table;
        forward(each.to, next, knows ? destinations : *sent, steps + 1, Leg::table, knows);
      } else {
        // The leg only grows, and the position but for the step to the last leg.
        const bool wraps = each.leg == Leg::wrapped && leg != Leg::wrapped;
        RC_ASSERT(each.leg >= leg);
        RC_ASSERT((each.to < self) == wraps);
        RC_ASSERT(table.site() == each.range && each.range.contains(self));
        RC_ASSERT(each.destinations.contain(each.to));
        forward(each.to, table.host_row(), *sent, steps + 1, each.leg, false);
      }
    }
  }
  std::int32_t site(Position position) const { return domain.site_of[static_cast<std::size_t>(position)]; }
};

Destinations some_destinations(const Domain& domain) {
  return Destinations(*rc::gen::container<std::vector<Position>>(rc::gen::inRange(0, domain.size())));
}

/// What lets tables of several widths share the memory of their receivers (multicast/engine.h).
TEST(Multicasts, OfMoreColumnsUseEntriesOfThoseOfFewer) {
  EXPECT_TRUE(rc::check([] {
    const int size = *rc::gen::inRange(1, 300);
    std::vector<std::vector<std::int32_t>> groups;
    for (int levels = *rc::gen::inRange(0, 3), level = 0; level < levels; ++level)
      groups.push_back(*rc::gen::container<std::vector<std::int32_t>>(static_cast<std::size_t>(size),
                                                                      rc::gen::inRange(0, 40)));
    const Places places(size, groups);
    const Position self = *rc::gen::inRange(0, size);
    const int few = *rc::gen::element(2, 4), many = few * (few == 4 ? 4 : *rc::gen::element(2, 4, 8));
    const RoutingTable wide(places, self, std::vector{256, many});
    for (int row = 0; row < wide.rows(); ++row)
      for (const auto& entry : wide.entries(row)) {
        const RoutingTable narrow(places, entry.range.begin, std::vector{256, few});
        bool is_there = false;
        for (int i = 0; i <= narrow.rows(); ++i) is_there = is_there || narrow.range(i) == entry.range;
        RC_ASSERT(is_there);
      }
  }));
}

/// Theorem 1, and that each destination is reached once.
TEST(Multicasts, ReachAllDestinationsOnce) {
  EXPECT_TRUE(rc::check([] {
    const Domain domain = some_domain();
    Delivery delivery{domain, *rc::gen::element(Forwarder::master, Forwarder::destination),
                      *rc::gen::arbitrary<bool>(), some_destinations(domain), *rc::gen::inRange(0, 5)};
    const Position source = some_position(domain);
    delivery.start(source);
    int most_digits = 0;
    for (Position each = 0; each < domain.size(); ++each) {
      const int times = delivery.received[static_cast<std::size_t>(each)];
      most_digits = std::max(most_digits, domain.table(each).rows());
      if (delivery.destinations.contain(each) && each != source)
        RC_ASSERT(times == 1);
      else
        RC_ASSERT(times <= (delivery.forwarder == Forwarder::master && each != source ? 1 : 0));
    }
    if (delivery.children == 0) RC_ASSERT(delivery.most_steps <= most_digits);
    for (const auto& [site, messages] : delivery.entered) RC_ASSERT(messages == 1);
  }));
}

TEST(Multicasts, AreSentToThoseThatAreMeant) {
  EXPECT_TRUE(rc::check([] {
    const Position size = *rc::gen::inRange(1, 3'000);
    const auto positions = *rc::gen::container<std::vector<Position>>(rc::gen::inRange(0, size));
    const Destinations some(positions);
    const Position first = *rc::gen::inRange(0, size + 1);
    const Range range{first, *rc::gen::inRange(first, size + 1)};
    const Destinations part = some.within(range);
    for (Position each = 0; each < size; ++each)
      RC_ASSERT(part.contain(each) == (std::ranges::count(positions, each) > 0 && range.contains(each)));
    const std::string bytes = part.encode(range);
    RC_ASSERT(Destinations::decode(bytes, range) == part);
    RC_ASSERT(bytes.size() <= 1 + (static_cast<std::size_t>(range.size()) + 7) / 8);
  }));
}

/// Of a million processes, each keeps O(log n): here on 64 sites of 64 hosts with 256 processes.
TEST(Multicasts, TakeLittleMemoryOfAMillionProcesses) {
  constexpr Rank hosts = 64 * 64, each = 256, size = hosts * each;
  std::vector<std::int32_t> site(size), host(size);
  for (Rank rank = 0; rank < size; ++rank) {
    host[static_cast<std::size_t>(rank)] = rank / each;
    site[static_cast<std::size_t>(rank)] = rank / each / 64;
  }
  const Places places(size, {site, host});
  const double log_2 = std::log2(size);
  for (Position self = 0; self < size; self += 65'537) {
    const RoutingTable table(places, self, std::vector{64, 16, 16});
    EXPECT_EQ(table.rows(), 1 + 2 + 2);
    EXPECT_LE(static_cast<double>(table.bytes()), 120 * log_2) << "at " << self;
  }
  const multicast::StridedMap ranks(places.ranks()), positions(places.positions());
  EXPECT_LE(static_cast<double>(ranks.bytes() + positions.bytes()), 10 * log_2);
}

}  // namespace
}  // namespace wan
