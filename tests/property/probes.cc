// SPDX-License-Identifier: BSD-3-Clause
// The probe on simulated networks: it finds the sites, the latencies and the rates, in time. probe/explore.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "probe/budget.h"
#include "probe/errands.h"
#include "probe/explore.h"
#include "tests/support/property_main.h"
#include "tests/support/simulated_wan.h"

namespace wan {

const int kCases = 300;

namespace {

using probe::Exploration;
using probe::Partition;

constexpr Link kInside{50'000, 1'000'000'000, 0};

WideArea area_of(const std::vector<int>& hosts_of_site, auto link) {
  WideArea area;
  const int sites = static_cast<int>(hosts_of_site.size());
  for (int site = 0; site < sites; ++site)
    area.site_of.insert(area.site_of.end(),
                        static_cast<std::size_t>(hosts_of_site[static_cast<std::size_t>(site)]), site);
  area.links.assign(static_cast<std::size_t>(sites),
                    std::vector<Link>(static_cast<std::size_t>(sites), kInside));
  for (int a = 0; a < sites; ++a)
    for (int b = 0; b < sites; ++b)
      if (a != b) area.links[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] = link(a, b);
  return area;
}

/// Off by how much of what is right.
double error(double measured, double right) {
  return std::abs(measured / right - 1);
}

std::string text_of(const Partition& partition) {
  std::string text;
  for (const int group : partition.group_of) text += " " + std::to_string(group);
  return text;
}

/// What is wrong with an exploration, in words; empty if nothing.
std::string mistakes_in(const Exploration& found, const WideArea& area, double latency_error,
                        double rate_error) {
  std::ostringstream text;
  const Partition right = probe::partition_by(area.site_of);
  if (found.sites != right) {
    text << "sites" << text_of(found.sites) << ", but they are" << text_of(right) << '\n';
    return text.str();
  }
  const auto members = right.members();
  for (int a = 0; a < right.groups; ++a)
    for (int b = 0; b < right.groups; ++b) {
      if (a == b) continue;
      const Link& is =
          area.between(members[static_cast<std::size_t>(a)][0], members[static_cast<std::size_t>(b)][0]);
      const auto& seen = found.links.at(a, b);
      if (!seen ||
          error(static_cast<double>(seen->latency_ns), static_cast<double>(is.latency_ns)) > latency_error ||
          error(static_cast<double>(seen->bandwidth_bytes_per_s),
                static_cast<double>(is.bandwidth_bytes_per_s)) > rate_error)
        text << a << " -> " << b << ": " << (seen ? seen->latency_ns : -1) << " ns, "
             << (seen ? seen->bandwidth_bytes_per_s : -1) << " B/s, but is " << is.latency_ns << " ns, "
             << is.bandwidth_bytes_per_s << " B/s\n";
    }
  return text.str();
}

std::vector<int> some_sites() {
  const int sites = *rc::gen::inRange(2, 9);
  return *rc::gen::container<std::vector<int>>(static_cast<std::size_t>(sites), rc::gen::inRange(1, 5));
}

/// Evenly over the powers, as latencies and rates are.
std::int64_t between(std::int64_t least, std::int64_t most) {
  const double part = *rc::gen::inRange(0, 1'000'001) / 1e6;
  return std::llround(static_cast<double>(least) *
                      std::pow(static_cast<double>(most) / static_cast<double>(least), part));
}

/// Latencies are equal in both directions, as round trips show them; rates are not.
WideArea some_area(Nanoseconds longest, BytesPerSecond fastest, BytesPerSecond slowest = 125'000) {
  std::vector<std::vector<Nanoseconds>> latencies(8, std::vector<Nanoseconds>(8));
  for (std::size_t a = 0; a < 8; ++a)
    for (std::size_t b = a + 1; b < 8; ++b) latencies[a][b] = latencies[b][a] = between(1'000'000, longest);
  auto area = area_of(some_sites(), [&](int a, int b) {
    return Link{latencies[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)],
                between(slowest, fastest), 0};
  });
  area.seed = *rc::gen::arbitrary<std::uint32_t>();
  return area;
}

void shuffle_hosts(WideArea& area) {
  for (std::size_t i = area.site_of.size(); i > 1; --i)
    std::swap(area.site_of[i - 1],
              area.site_of[static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(i)))]);
}

/// Explores it twice, for equal inputs give equal results.
Exploration explored(const WideArea& area, const std::optional<std::vector<int>>& known_sites = {}) {
  SimulatedWan wan(area), again(area);
  Exploration found = probe::explore(area.hosts(), known_sites, wan);
  const Exploration other = probe::explore(area.hosts(), known_sites, again);
  RC_ASSERT(other.sites == found.sites);
  RC_ASSERT(found.unreached.empty());
  RC_ASSERT(wan.elapsed_ns() <= probe::kLongestExploration);
  return found;
}

void finds(const WideArea& area, double latency_error, double rate_error) {
  const std::string mistakes = mistakes_in(explored(area), area, latency_error, rate_error);
  if (!mistakes.empty()) RC_FAIL(mistakes);
}

/// What hosts see of a network is a matter of chance: of all links, but for one of so many, it finds what
/// they are.
void finds_all_but_one_of(int number, auto some, double latency_error, double rate_error,
                          bool knows_sites = false) {
  int links = 0, wrong = 0;
  std::string last;
  EXPECT_TRUE(rc::check([&] {
    const WideArea area = some();
    const Exploration found = explored(area, knows_sites ? std::optional(area.site_of) : std::nullopt);
    RC_ASSERT(found.sites == probe::partition_by(area.site_of));
    const std::string mistakes = mistakes_in(found, area, latency_error, rate_error);
    if (!mistakes.empty()) last = mistakes;
    links += found.sites.groups * (found.sites.groups - 1);
    wrong += static_cast<int>(std::ranges::count(mistakes, '\n'));
  }));
  EXPECT_LE(wrong, links / number) << wrong << " of " << links << '\n' << last;
}

TEST(Probes, FindSitesLatenciesAndRates) {
  finds_all_but_one_of(
      1'000, [] { return some_area(150'000'000, 12'500'000); }, 0.10, 0.25);
}

TEST(Probes, FindThemWhateverTheOrderOfHosts) {
  finds_all_but_one_of(
      1'000,
      [] {
        auto area = some_area(150'000'000, 12'500'000);
        shuffle_hosts(area);
        return area;
      },
      0.10, 0.25);
}

TEST(Probes, FindTheRatesOfFastLinksThatAreNotLong) {
  finds_all_but_one_of(
      1'000, [] { return some_area(20'000'000, 125'000'000); }, 0.10, 0.25);
}

/// Delays are up to a fifth longer: the least of a few is the latency, within a tenth.
TEST(Probes, FindThemThroughJitter) {
  finds_all_but_one_of(
      100,
      [] {
        auto area = some_area(150'000'000, 12'500'000, 1250'000);
        area.jitter = 0.2;
        return area;
      },
      0.10, 0.25);
}

/// Processes that wake up a millisecond late see some trains come at once, and others for too long. Round
/// trips inside a site tell them nothing then.
TEST(Probes, FindTheRatesWhereHostsAreBusy) {
  finds_all_but_one_of(
      50,
      [] {
        auto area = some_area(50'000'000, 12'500'000, 1'250'000);
        area.lateness_ns = 1'000'000;
        return area;
      },
      1, 0.25, true);
}

TEST(Probes, TellSitesApartThatAreNear) {
  for (const Nanoseconds near : {1'000'000, 2'000'000})
    EXPECT_TRUE(rc::check([near] {
      auto sites = some_sites();
      finds(area_of(sites,
                    [&](int a, int b) {
                      return Link{a + b == 1 ? near : 75'000'000, 12'500'000, 0};
                    }),
            0.10, 0.25);
    }));
}

TEST(Probes, KnowASiteThatIsAlone) {
  EXPECT_TRUE(rc::check([] {
    const auto area = area_of({*rc::gen::inRange(2, 40)}, [](int, int) { return kInside; });
    SimulatedWan wan(area);
    RC_ASSERT(probe::explore(area.hosts(), std::nullopt, wan).sites.groups == 1);
    RC_ASSERT(wan.elapsed_ns() <= 10'000'000);
  }));
}

TEST(Probes, CountHostsThatCannotBeReachedAsUnknown) {
  EXPECT_TRUE(rc::check([] {
    auto area = some_area(50'000'000, 12'500'000);
    const auto mute = static_cast<probe::Host>(*rc::gen::inRange(1, area.hosts()));
    area.mute = {mute};
    SimulatedWan wan(area);
    const Exploration found = probe::explore(area.hosts(), std::nullopt, wan);
    // Where two hosts are alone, neither reaches anybody.
    RC_ASSERT(area.hosts() == 2 || found.unreached == std::vector<probe::Host>{mute});
    area.site_of[static_cast<std::size_t>(mute)] = -1;
    RC_ASSERT(found.sites == probe::partition_by(area.site_of));
    RC_ASSERT(wan.elapsed_ns() <= probe::kLongestExploration);
  }));
}

TEST(Probes, AskForFewMeasurementsOfManyHosts) {
  for (const int hosts : {2, 3, 16, 100, 1000}) {
    const double most = 2.0 * hosts * std::ceil(std::log2(hosts)) + 2;
    EXPECT_LE(static_cast<double>(probe::glances(hosts).size()), most);
    std::vector<int> alone;
    for (int host = 0; host < hosts; ++host) alone.push_back(host);
    EXPECT_LE(probe::studies(probe::partition_by(alone)).size(), probe::most_studies(hosts));
  }
}

}  // namespace
}  // namespace wan
