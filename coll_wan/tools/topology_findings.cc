// SPDX-License-Identifier: BSD-3-Clause
#include "tools/topology_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "tools/topology_document.h"

namespace wan::tools {
namespace {

// Between sites of this planet, and links that one can rent: beyond these a unit is probably wrong.
constexpr Nanoseconds kShortestLatency = 50'000, kLongestLatency = 400'000'000;
constexpr BytesPerSecond kLowestRate = 125'000, kHighestRate = 125'000'000'000;
constexpr int kMostLossPpm = 20'000;
constexpr Nanoseconds kLongestOverhead = 1'000'000;
constexpr std::int64_t kUnequal = 10;         ///< times, in the two directions of a link
constexpr std::int64_t kMatches = 2'000'000;  ///< that the search for common hosts may try

/// Detours are compared exactly: longer by more than a quarter.
bool is_much_longer(Nanoseconds direct, Nanoseconds detour) {
  return direct > detour + detour / 4;
}

class Inspection {
 public:
  explicit Inspection(const SiteFile& file)
      : file_(file), sites_(static_cast<SiteIndex>(file.sites().size())) {}

  std::vector<Finding> findings() {
    if (sites_ == 1)
      add("single-site", name(0), "is the only site: coll_wan leaves communicators of one site to others");
    for (SiteIndex from = 0; from < sites_; ++from)
      for (SiteIndex to = 0; to < sites_; ++to)
        if (from != to) inspect_link(from, to);
    inspect_caps();
    inspect_hosts();
    for (std::size_t i = 0; i < file_.nodes().size(); ++i) inspect_node(i);
    return std::move(findings_);
  }

 private:
  void add(const char* kind, std::string subject, std::string text) {
    findings_.push_back({kind, std::move(subject), std::move(text)});
  }
  const Site& site(SiteIndex index) const { return file_.sites()[static_cast<std::size_t>(index)]; }
  const std::string& name(SiteIndex index) const { return site(index).name; }
  std::string arrow(SiteIndex from, SiteIndex to) const { return name(from) + " -> " + name(to); }

  // ---- Links

  void inspect_link(SiteIndex from, SiteIndex to) {
    const Link& link = file_.link(from, to);
    inspect_numbers(link, arrow(from, to));
    inspect_detour(from, to);
    if (!file_.has_entry(to, from) && link != file_.default_link())
      add("one-way-link", arrow(from, to),
          "has a [[link]], and the other direction has what [defaults] says; `both = true` describes both");
    else if (from < to)
      inspect_directions(link, file_.link(to, from), name(from) + " - " + name(to));
  }

  void inspect_numbers(const Link& link, const std::string& subject) {
    if (link.latency_ns < kShortestLatency)
      add("short-latency", subject,
          fmt::format("takes {}: so near each other, two sites are better described as one",
                      duration_text(link.latency_ns)));
    if (link.latency_ns > kLongestLatency)
      add("long-latency", subject,
          fmt::format("takes {} one way: check the unit", duration_text(link.latency_ns)));
    if (link.bandwidth_bytes_per_s < kLowestRate || link.bandwidth_bytes_per_s > kHighestRate)
      add("odd-bandwidth", subject,
          fmt::format("carries {}: check the unit; bit/s and B/s are both understood",
                      rate_text(link.bandwidth_bytes_per_s)));
    if (link.loss_ppm > kMostLossPpm)
      add("much-loss", subject,
          fmt::format("loses {} of its packets: no TCP connection is quick over it",
                      percent_text(link.loss_ppm)));
  }

  void inspect_directions(const Link& there, const Link& back, const std::string& subject) {
    const auto [short_ns, long_ns] = std::minmax(there.latency_ns, back.latency_ns);
    const auto [low, high] = std::minmax(there.bandwidth_bytes_per_s, back.bandwidth_bytes_per_s);
    if (long_ns / kUnequal > short_ns)
      add("unequal-directions", subject,
          fmt::format("takes {} in one direction and {} in the other", duration_text(short_ns),
                      duration_text(long_ns)));
    if (high / kUnequal > low)
      add("unequal-directions", subject,
          fmt::format("carries {} in one direction and {} in the other", rate_text(low), rate_text(high)));
  }

  void inspect_detour(SiteIndex from, SiteIndex to) {
    std::optional<SiteIndex> best;
    const auto time = [&](SiteIndex by) {
      return file_.link(from, by).latency_ns + file_.link(by, to).latency_ns;
    };
    for (SiteIndex by = 0; by < sites_; ++by)
      if (by != from && by != to && (!best || time(by) < time(*best))) best = by;
    if (best && is_much_longer(file_.link(from, to).latency_ns, time(*best)))
      add("detour", arrow(from, to),
          fmt::format("takes {}, and by way of {} only {}: is it routed so badly?",
                      duration_text(file_.link(from, to).latency_ns), name(*best),
                      duration_text(time(*best))));
  }

  // ---- Access links

  void inspect_caps() {
    for (SiteIndex each = 0; each < sites_; ++each) {
      inspect_cap(each, site(each).uplink, "uplink",
                  [&](SiteIndex other) { return file_.link(each, other); });
      inspect_cap(each, site(each).downlink, "downlink",
                  [&](SiteIndex other) { return file_.link(other, each); });
    }
  }

  template <class LinkOf>
  void inspect_cap(SiteIndex each, std::optional<BytesPerSecond> cap, const char* which, LinkOf link_of) {
    if (!cap) return;
    for (SiteIndex other = 0; other < sites_; ++other)
      if (other != each && link_of(other).bandwidth_bytes_per_s > *cap)
        return add(
            "narrow-access", name(each),
            fmt::format("has an {} of {}, and a link of {} with {}: the link can never carry that", which,
                        rate_text(*cap), rate_text(link_of(other).bandwidth_bytes_per_s), name(other)));
  }

  // ---- Hosts

  struct Pattern {
    SiteIndex site;
    const HostPattern* pattern;
  };

  /// Host names or addresses that the pattern matches: all, or the first, the last and some between.
  static std::vector<std::string> samples(const HostPattern& pattern, std::size_t most) {
    std::string text = pattern.text();
    std::vector<std::string> names = pattern.enumerate();
    if (names.empty() && text.find('*') != text.npos) {
      std::erase(text, '*');
      const auto plain = HostPattern::parse(text.empty() ? "x" : text);
      if (plain) names = plain->enumerate();
    } else if (names.empty()) {
      return {text.substr(0, text.find('/'))};
    }
    if (names.size() <= most) return names;
    std::vector<std::string> some;
    for (std::size_t i = 0; i < most; ++i) some.push_back(names[i * (names.size() - 1) / (most - 1)]);
    return some;
  }

  static bool matches(const HostPattern& pattern, const std::string& host) {
    return pattern.matches(host, std::span(&host, 1));
  }

  std::vector<Pattern> patterns() const {
    std::vector<Pattern> all;
    for (SiteIndex each = 0; each < sites_; ++each)
      for (const HostPattern& pattern : site(each).hosts) all.push_back({each, &pattern});
    return all;
  }

  std::size_t most_samples() const {
    const auto all = static_cast<std::int64_t>(patterns().size() + file_.nodes().size());
    return static_cast<std::size_t>(std::clamp<std::int64_t>(kMatches / (all * all), 2, 65'536));
  }

  /// Hosts that belong to two sites: one finding for each two patterns.
  void inspect_hosts() {
    const auto all = patterns();
    const std::size_t most = most_samples();
    std::vector<std::vector<std::string>> hosts;
    for (const Pattern& each : all) hosts.push_back(samples(*each.pattern, most));
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = i + 1; j < all.size(); ++j)
        if (all[i].site != all[j].site) inspect_pair(all[i], hosts[i], all[j], hosts[j]);
  }

  void inspect_pair(const Pattern& first, const std::vector<std::string>& first_hosts, const Pattern& second,
                    const std::vector<std::string>& second_hosts) {
    auto common =
        std::ranges::find_if(second_hosts, [&](const auto& host) { return matches(*first.pattern, host); });
    std::optional<std::string> host;
    if (common != second_hosts.end()) host = *common;
    for (const std::string& each : first_hosts)
      if (!host && matches(*second.pattern, each)) host = each;
    if (host)
      add("common-host", *host,
          fmt::format("belongs to site {} (\"{}\") and to site {} (\"{}\"): the first of the file counts",
                      name(first.site), first.pattern->text(), name(second.site), second.pattern->text()));
  }

  void inspect_node(std::size_t index) {
    const Node& node = file_.nodes()[index];
    const std::string subject = "[[node]] " + node.hosts.front().text();
    if (std::max(node.send_overhead_ns.value_or(0), node.receive_overhead_ns.value_or(0)) > kLongestOverhead)
      add("long-overhead", subject, "has an overhead of more than 1 ms for each message: check the unit");
    for (const HostPattern& pattern : node.hosts)
      if (!has_site(pattern))
        add("node-of-no-site", subject,
            fmt::format("\"{}\" matches no host of any site: the entry has no effect", pattern.text()));
  }

  /// Has any of its hosts a site, or does it match a host of one?
  bool has_site(const HostPattern& pattern) const {
    const std::size_t most = most_samples();
    const auto known = [&](const std::string& host) {
      return file_.site_of(host, std::span(&host, 1)).has_value();
    };
    if (std::ranges::any_of(samples(pattern, most), known)) return true;
    for (const Pattern& each : patterns())
      if (std::ranges::any_of(samples(*each.pattern, most),
                              [&](const std::string& host) { return matches(pattern, host); }))
        return true;
    return false;
  }

  const SiteFile& file_;
  SiteIndex sites_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> findings_of(const SiteFile& file) {
  return Inspection(file).findings();
}

}  // namespace wan::tools
