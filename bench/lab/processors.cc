// SPDX-License-Identifier: BSD-3-Clause
#include "bench/lab/processors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>

#include "base/invariant.h"
#include "base/time.h"
#include "bench/lab/system.h"

namespace wan::lab {
namespace {

/// What a processor that hosts share has to do.
struct Load {
  int processor;
  int slots = 0;
  int first_hosts = 0;
};

std::vector<std::vector<Processors>> one_each(const std::vector<SitePlan>& sites, const Processors& all) {
  std::vector<Load> loads;
  for (const int processor : all) loads.push_back({processor});
  std::vector<std::vector<Processors>> shares(sites.size());
  for (std::size_t s = 0; s < sites.size(); ++s)
    for (std::size_t h = 0; h < sites[s].hosts.size(); ++h) {
      Load& least = *std::ranges::min_element(
          loads, {}, [](const Load& load) { return std::pair(load.slots, load.first_hosts); });
      least.slots += sites[s].hosts[h].slots;
      least.first_hosts += h == 0 ? 1 : 0;
      shares[s].push_back({least.processor});
    }
  return shares;
}

}  // namespace

std::vector<std::vector<Processors>> share_processors(const std::vector<SitePlan>& sites,
                                                      const Processors& all) {
  invariant(!all.empty(), "a machine has processors");
  std::size_t hosts = 0, next = 0;
  for (const SitePlan& site : sites) hosts += site.hosts.size();
  if (all.size() < hosts) return one_each(sites, all);
  const auto from = [&](std::size_t host) {
    return all.begin() + static_cast<std::ptrdiff_t>(host * all.size() / hosts);
  };
  std::vector<std::vector<Processors>> shares(sites.size());
  for (std::size_t s = 0; s < sites.size(); ++s)
    for (std::size_t h = 0; h < sites[s].hosts.size(); ++h, ++next)
      shares[s].emplace_back(from(next), from(next + 1));
  return shares;
}

Processors allowed_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  checked(::sched_getaffinity(0, sizeof set, &set), "cannot ask for the processors");
  Processors all;
  for (int processor = 0; processor < CPU_SETSIZE; ++processor)
    if (CPU_ISSET(processor, &set)) all.push_back(processor);
  return all;
}

void run_on(const Processors& processors) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int processor : processors) CPU_SET(processor, &set);
  checked(::sched_setaffinity(0, sizeof set, &set), "cannot move to a host's processors");
}

void ProcessorTurns::take(Nanoseconds now) {
  constexpr Nanoseconds kTurn = 2 * kMillisecond;
  if (all_.size() < 2 || now < until_) return;
  turn_ = (turn_ + 1) % all_.size();
  until_ = now + kTurn;
  run_on({all_[turn_]});
}

std::string to_text(const Processors& processors) {
  return fmt::format("{}", fmt::join(processors, " "));
}

Processors processors_in(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<int>(words), {}};
}

}  // namespace wan::lab
