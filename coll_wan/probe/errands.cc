// SPDX-License-Identifier: BSD-3-Clause
#include "probe/errands.h"

#include <algorithm>
#include <bit>
#include <set>

namespace wan::probe {
namespace {

/// Trains leave in turn, all over the job, a volley on most links after the other: neither a host nor what
/// lies between shall be busy with many.
constexpr Nanoseconds kTurn = 20'000'000;
constexpr std::size_t kTurns = 24;

using Pairs = std::vector<std::pair<int, int>>;

Pairs all_pairs(int groups) {
  Pairs pairs;
  for (int step = 1; step < groups; ++step)
    for (int a = 0; a + step < groups; ++a) pairs.emplace_back(a, a + step);
  return pairs;
}

/// Those of every group with `landmarks` groups that stand evenly among them.
Pairs pairs_with_landmarks(int groups, int landmarks) {
  std::set<std::pair<int, int>> pairs;
  for (int i = 0; i < landmarks; ++i) {
    const int landmark = static_cast<int>(static_cast<std::int64_t>(i) * groups / landmarks);
    for (int group = 0; group < groups; ++group)
      if (group != landmark) pairs.insert(std::minmax(group, landmark));
  }
  return {pairs.begin(), pairs.end()};
}

Pairs pairs_to_study(int groups, std::size_t most) {
  Pairs pairs = all_pairs(groups);
  if (pairs.size() <= most) return pairs;
  const int landmarks = std::max(1, static_cast<int>(most / static_cast<std::size_t>(groups)));
  return pairs_with_landmarks(groups, landmarks);
}

Host one_of(const std::vector<Host>& members, int turn) {
  return members[static_cast<std::size_t>(turn) % members.size()];
}

int steps_around(int hosts) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(std::max(hosts, 1))));
}

}  // namespace

std::vector<Errand> glances(int hosts) {
  std::set<std::pair<Host, Host>> pairs;
  for (Host host = 1; host < hosts; ++host) pairs.emplace(host, 0);
  for (Host host = 0; host < hosts; ++host)
    for (Host step = 1; step <= hosts / 2; step *= 2) {
      const Host other = (host + step) % hosts;
      if (other != 0 && !pairs.contains({other, host})) pairs.emplace(host, other);
    }
  std::vector<Errand> errands;
  for (const auto& [from, to] : pairs) errands.push_back({from, to, Depth::glance, 0});
  std::erase_if(errands, [&](const Errand& each) {
    return each.from == 0 && pairs.contains({each.to, each.from});
  });
  return errands;
}

std::size_t most_studies(int hosts) {
  return 64 + 4 * static_cast<std::size_t>(hosts) * static_cast<std::size_t>(steps_around(hosts));
}

std::vector<Errand> studies(const Partition& groups) {
  const auto members = groups.members();
  const int hosts = static_cast<int>(groups.group_of.size());
  std::vector<Errand> errands;
  for (const auto& [a, b] : pairs_to_study(groups.groups, most_studies(hosts))) {
    const Host one = one_of(members[static_cast<std::size_t>(a)], b);
    const Host other = one_of(members[static_cast<std::size_t>(b)], a);
    const auto turn = static_cast<Nanoseconds>(errands.size() % kTurns);
    errands.push_back({one, other, Depth::study, turn * kTurn});
  }
  return errands;
}

}  // namespace wan::probe
