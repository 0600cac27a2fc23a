// SPDX-License-Identifier: BSD-3-Clause
// compare_topologies RIGHT MEASURED LATENCY RATE: how far a measured topology file is off. Prints
// "sites N latency_percent X rate_percent Y", where X and Y are those of the worst link. Ends with status 1
// where the hosts of MEASURED are in other sites than by RIGHT, or a link is off by more than LATENCY or RATE
// percent; with 99 where a file cannot be read.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>

#include "topo/site_file.h"

namespace {

using wan::SiteFile;
using wan::SiteIndex;

SiteFile load(const char* path) {
  auto file = SiteFile::load(path);
  if (file) return *std::move(file);
  std::fprintf(stderr, "%s\n", file.error().message().c_str());
  std::exit(99);
}

/// The site by the right file of each measured site; ends the program where a measured site has hosts of
/// several, or several measured sites have hosts of one.
std::map<SiteIndex, SiteIndex> sites_of(const SiteFile& right, const SiteFile& measured) {
  std::map<SiteIndex, SiteIndex> sites;
  std::set<SiteIndex> taken;
  for (SiteIndex site = 0; site < static_cast<SiteIndex>(measured.sites().size()); ++site) {
    std::set<SiteIndex> of_hosts;
    for (const auto& pattern : measured.sites()[static_cast<std::size_t>(site)].hosts)
      of_hosts.insert(right.site_of(pattern.text(), {}).value_or(-1));
    const bool is_right = of_hosts.size() == 1 && taken.insert(*of_hosts.begin()).second;
    if (!is_right) {
      std::printf("sites %zu wrong\n", measured.sites().size());
      std::exit(1);
    }
    sites[site] = *of_hosts.begin();
  }
  return sites;
}

double percent_off(std::int64_t measured, std::int64_t right) {
  return 100 * std::abs(static_cast<double>(measured) / static_cast<double>(right) - 1);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 5) return 99;
  const SiteFile right = load(arguments[1]), measured = load(arguments[2]);
  double latency = 0, rate = 0;
  const auto sites = sites_of(right, measured);
  for (const auto& [from, right_from] : sites)
    for (const auto& [to, right_to] : sites) {
      if (from == to) continue;
      const wan::Link &is = right.link(right_from, right_to), &seen = measured.link(from, to);
      latency = std::max(latency, percent_off(seen.latency_ns, is.latency_ns));
      rate = std::max(rate, percent_off(seen.bandwidth_bytes_per_s, is.bandwidth_bytes_per_s));
    }
  std::printf("sites %zu latency_percent %.1f rate_percent %.1f\n", sites.size(), latency, rate);
  return latency <= std::atof(arguments[3]) && rate <= std::atof(arguments[4]) ? 0 : 1;
}
