// SPDX-License-Identifier: BSD-3-Clause
#include "tools/ranks.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <string>

namespace wan::tools {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == text.npos) return parts;
    text.remove_prefix(end + 1);
  }
}

tl::unexpected<InputError> mistake(std::string_view option, std::string_view value, std::string remedy) {
  return tl::make_unexpected(InputError{std::string(option), 0, {}, std::string(value), std::move(remedy)});
}

constexpr Count kMostRanks = 100'000;

std::vector<std::string> hosts_of(const Site& site) {
  std::vector<std::string> hosts;
  for (const HostPattern& pattern : site.hosts) {
    const auto listed = pattern.enumerate();
    hosts.insert(hosts.end(), listed.begin(), listed.end());
  }
  if (hosts.empty()) hosts.push_back(site.name + "-1");
  return hosts;
}

/// Slots of each host of a site.
std::vector<Count> slots_of(const SiteFile& file, const std::vector<std::string>& hosts) {
  std::vector<Count> slots;
  for (const std::string& host : hosts) slots.push_back(file.node_of(host, {}).slots.value_or(1));
  return slots;
}

std::vector<Count> shares(Count ranks, std::size_t hosts) {
  const Count each = ranks / static_cast<Count>(hosts), rest = ranks % static_cast<Count>(hosts);
  std::vector<Count> shares(hosts, each);
  for (std::size_t host = 0; host < static_cast<std::size_t>(rest); ++host) ++shares[host];
  return shares;
}

}  // namespace

Result<std::vector<Path>> paths_of_labels(std::string_view labels) {
  std::vector<Path> paths;
  const bool has_paths = labels.find_first_of("/,") != labels.npos;
  if (has_paths)
    for (const std::string& path : split(labels, ',')) paths.push_back(split(path, '/'));
  else
    for (const char label : labels) paths.push_back({std::string(1, label)});
  const auto is_empty = [](const std::string& label) { return label.empty(); };
  for (const Path& path : paths)
    if (std::ranges::any_of(path, is_empty))
      return mistake("--sites", labels,
                     "expected a letter a rank, as in \"aabbc\", or a path a rank, as in \"a/h1,a/h2,b/h1\"");
  if (paths.empty()) return mistake("--sites", labels, "expected at least one rank, as in \"aabbc\"");
  return paths;
}

Result<std::vector<Count>> parse_counts(std::string_view text, std::string_view option) {
  std::vector<Count> counts;
  for (const std::string& word : split(text, ',')) {
    Count count = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
    if (error != std::errc() || end != word.data() + word.size() || count < 0 || count > 1'000'000'000)
      return mistake(option, word, "expected a number from 0 to 1000000000");
    counts.push_back(count);
  }
  return counts;
}

Result<std::vector<Path>> paths_of_file(const SiteFile& file, std::string_view ranks) {
  std::vector<Count> wanted;
  if (!ranks.empty()) {
    const auto parsed = parse_counts(ranks, "--ranks");
    if (!parsed) return tl::unexpected(parsed.error());
    wanted = parsed->size() == 1 ? std::vector<Count>(file.sites().size(), parsed->front()) : *parsed;
    if (wanted.size() != file.sites().size())
      return mistake("--ranks", ranks,
                     "expected one number, or one for each of the file's " +
                         std::to_string(file.sites().size()) + " sites");
  }
  std::vector<Path> paths;
  for (std::size_t site = 0; site < file.sites().size(); ++site) {
    const auto hosts = hosts_of(file.sites()[site]);
    const auto slots = wanted.empty() ? slots_of(file, hosts) : shares(wanted[site], hosts.size());
    if (static_cast<Count>(paths.size()) + std::accumulate(slots.begin(), slots.end(), Count{0}) > kMostRanks)
      return mistake("--ranks", ranks, "expected at most " + std::to_string(kMostRanks) + " ranks in all");
    for (std::size_t host = 0; host < hosts.size(); ++host)
      paths.insert(paths.end(), static_cast<std::size_t>(slots[host]),
                   Path{file.sites()[site].name, hosts[host]});
  }
  if (paths.empty()) return mistake("--ranks", ranks, "expected at least one rank");
  return paths;
}

}  // namespace wan::tools
