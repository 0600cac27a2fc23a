// SPDX-License-Identifier: BSD-3-Clause
#include "bench/lab/link_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "topo/quantity.h"

namespace wan::lab {
namespace {

using Words = std::span<const std::string>;

InputError in_place(std::string key, InputError error) {
  error.file = "link";
  error.key = std::move(key);
  return error;
}

tl::unexpected<InputError> wrong(std::string key, std::string value, std::string remedy) {
  return tl::unexpected(InputError{"link", 0, std::move(key), std::move(value), std::move(remedy)});
}

/// The sites that a word stands for.
Result<std::vector<SiteIndex>> sites_of(const std::string& word, const std::vector<std::string>& sites) {
  std::vector<SiteIndex> found;
  for (std::size_t site = 0; site < sites.size(); ++site)
    if (word == "*" || word == sites[site]) found.push_back(static_cast<SiteIndex>(site));
  if (found.empty())
    return wrong("", word, fmt::format("no site of this lab; its sites are {}", fmt::join(sites, ", ")));
  return found;
}

Result<LinkChange> latency_of(const std::string& text) {
  return parse_duration(text)
      .map([](Nanoseconds latency_ns) { return LinkChange{.latency_ns = latency_ns}; })
      .map_error([](InputError error) { return in_place("latency", std::move(error)); });
}

Result<LinkChange> bandwidth_of(const std::string& text) {
  return parse_rate(text)
      .map([](BytesPerSecond rate) { return LinkChange{.bandwidth_bytes_per_s = rate}; })
      .map_error([](InputError error) { return in_place("bandwidth", std::move(error)); });
}

Result<LinkChange> loss_of(const std::string& text) {
  return parse_percent_ppm(text)
      .map([](int loss_ppm) { return LinkChange{.loss_ppm = loss_ppm}; })
      .map_error([](InputError error) { return in_place("loss", std::move(error)); });
}

/// All of `words` is one change.
Result<LinkChange> change_of(Words words) {
  const std::string& what = words[0];
  if (words.size() == 1 && what == "down") return LinkChange{.is_up = false};
  if (words.size() == 1 && what == "up") return LinkChange{.is_up = true};
  if (words.size() == 2 && what == "latency") return latency_of(words[1]);
  if (words.size() == 2 && what == "bandwidth") return bandwidth_of(words[1]);
  if (words.size() == 2 && what == "loss") return loss_of(words[1]);
  return wrong("", fmt::format("{}", fmt::join(words, " ")), fmt::format("expected {}", kLinkUsage));
}

std::vector<std::pair<SiteIndex, SiteIndex>> pairs_between(const std::vector<SiteIndex>& from,
                                                           const std::vector<SiteIndex>& to, bool one_way) {
  std::vector<std::pair<SiteIndex, SiteIndex>> pairs;
  for (const SiteIndex a : from)
    for (const SiteIndex b : to) {
      if (a == b) continue;
      pairs.emplace_back(a, b);
      if (!one_way) pairs.emplace_back(b, a);
    }
  std::ranges::sort(pairs);
  pairs.erase(std::ranges::unique(pairs).begin(), pairs.end());
  return pairs;
}

}  // namespace

Result<LinkCommand> parse_link_command(const std::vector<std::string>& words,
                                       const std::vector<std::string>& sites) {
  const bool one_way = !words.empty() && words.back() == "one-way";
  const Words rest = Words(words).first(words.size() - (one_way ? 1 : 0));
  if (rest.size() < 3)
    return wrong("", fmt::format("{}", fmt::join(words, " ")), fmt::format("expected {}", kLinkUsage));
  const auto from = sites_of(rest[0], sites), to = sites_of(rest[1], sites);
  if (!from) return tl::unexpected(from.error());
  if (!to) return tl::unexpected(to.error());
  const auto change = change_of(rest.subspan(2));
  if (!change) return tl::unexpected(change.error());
  const auto pairs = pairs_between(*from, *to, one_way);
  if (pairs.empty()) return wrong("", rest[0] + " " + rest[1], "a link joins two sites");
  return LinkCommand{pairs, *change};
}

}  // namespace wan::lab
