// SPDX-License-Identifier: BSD-3-Clause
#include "tools/what_if.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "base/nearest.h"
#include "tools/ranks.h"
#include "tools/usage_error.h"
#include "topo/quantity.h"

namespace wan::tools {
namespace {

using Number = TopologyDocument::Number;
constexpr double kMostFactor = 1e6;

/// "NAME=VALUE"
struct Assignment {
  std::string name, value;
};

Assignment assignment_of(const std::string& option, const std::string& text, const char* example) {
  const auto equals = text.find('=');
  if (equals == text.npos || equals == 0 || equals + 1 == text.size())
    refuse(option, text, std::string("expected ") + example);
  return {text.substr(0, equals), text.substr(equals + 1)};
}

/// The value that `text` gives to what is `old` now.
std::int64_t value_after(const std::string& option, Number old, const std::string& text,
                         Result<std::int64_t> (*parse)(std::string_view)) {
  if (text.front() != 'x')
    return value_of(parse(text).map_error([&](InputError error) {
      error.file = option;
      error.remedy += ", or a factor such as \"x2\"";
      return error;
    }));
  double factor = 0;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), factor);
  if (error != std::errc() || end != text.data() + text.size() || !(factor > 0) || factor > kMostFactor)
    refuse(option, text, "expected a factor from x0.000001 to x1000000");
  if (!old) refuse(option, text, "there is no value to multiply; give one");
  return static_cast<std::int64_t>(static_cast<double>(*old) * factor + 0.5);
}

class Change {
 public:
  explicit Change(Setting setting)
      : document_(std::move(setting.document)), ranks_(std::move(setting.ranks)) {}

  Setting apply(const WhatIf& what_if) {
    for (const std::string& name : what_if.without_sites) remove_site(name);
    for (const std::string& text : what_if.sites) add_site(text);
    for (const std::string& text : what_if.latencies)
      set_links("--latency", text, parse_duration, &TopologyDocument::Values::latency_ns);
    for (const std::string& text : what_if.bandwidths)
      set_links("--bandwidth", text, parse_rate, &TopologyDocument::Values::bandwidth_bytes_per_s);
    for (const std::string& text : what_if.uplinks) set_cap("--uplink", text, &Site::uplink_bytes_per_s);
    for (const std::string& text : what_if.downlinks)
      set_cap("--downlink", text, &Site::downlink_bytes_per_s);
    return {std::move(document_), std::move(ranks_)};
  }

 private:
  using Site = TopologyDocument::Site;

  std::vector<std::string_view> names() const {
    std::vector<std::string_view> all;
    for (const Site& site : document_.sites) all.push_back(site.name);
    return all;
  }

  std::size_t site_named(const std::string& option, const std::string& name) const {
    const auto all = names();
    const auto found = std::ranges::find(all, name);
    if (found == all.end()) refuse(option, name, "no such site: " + suggestion(name, all));
    return static_cast<std::size_t>(found - all.begin());
  }

  bool has_list_of_ranks() const { return ranks_.find(',') != ranks_.npos; }

  void remove_site(const std::string& name) {
    const std::size_t index = site_named("--without-site", name);
    if (document_.sites.size() == 1) refuse("--without-site", name, "it is the last site");
    document_.sites.erase(document_.sites.begin() + static_cast<std::ptrdiff_t>(index));
    std::erase_if(document_.links, [&](const auto& link) { return link.from == name || link.to == name; });
    if (!has_list_of_ranks()) return;
    auto counts = value_of(parse_counts(ranks_, "--ranks"));
    if (index < counts.size()) counts.erase(counts.begin() + static_cast<std::ptrdiff_t>(index));
    ranks_ = fmt::format("{}", fmt::join(counts, ","));
  }

  void add_site(const std::string& text) {
    const std::string name = text.substr(0, text.find('='));
    const std::string ranks = text == name ? "" : text.substr(name.size() + 1);
    if (std::ranges::find(document_.sites, name, &Site::name) != document_.sites.end())
      refuse("--add-site", name, "there is a site of this name already");
    if (!ranks.empty() || text != name) value_of(parse_counts(ranks, "--add-site"));
    for (const Site& other : std::vector<Site>(document_.sites)) {
      document_.links.push_back({name, other.name, document_.defaults});
      document_.links.push_back({other.name, name, document_.defaults});
    }
    document_.sites.push_back({name, {"what-if-" + name}, {}, {}});
    add_ranks(name, ranks);
  }

  /// One unless it is said otherwise; where all sites have as many, that.
  void add_ranks(const std::string& name, const std::string& ranks) {
    if (ranks_.empty())
      document_.nodes.insert(document_.nodes.begin(),
                             {{"what-if-" + name}, {}, {}, ranks.empty() ? 1 : std::stoll(ranks)});
    else if (has_list_of_ranks() || !ranks.empty())
      ranks_ = list_of_ranks() + "," + (ranks.empty() ? "1" : ranks);
  }

  /// With a number for each site that there was.
  std::string list_of_ranks() const {
    if (has_list_of_ranks()) return ranks_;
    return fmt::format("{}", fmt::join(std::vector<std::string>(document_.sites.size() - 1, ranks_), ","));
  }

  void set_links(const std::string& option, const std::string& text,
                 Result<std::int64_t> (*parse)(std::string_view), Number TopologyDocument::Values::*member) {
    const char* example = "LINK=VALUE, such as paris:tokyo=x2, \"paris>tokyo=50 ms\" or \"*:*=1 Gbit/s\"";
    const auto [link, value] = assignment_of(option, text, example);
    const auto separator = link.find_first_of(":>");
    if (separator == link.npos) refuse(option, text, std::string("expected ") + example);
    const std::string from = link.substr(0, separator), to = link.substr(separator + 1);
    for (const std::string& name : {from, to})
      if (name != "*") site_named(option, name);
    const bool both = link[separator] == ':';
    bool any = false;
    for (auto& each : document_.links) {
      if (!joins(each, from, to) && !(both && joins(each, to, from))) continue;
      each.values.*member = value_after(option, each.values.*member, value, parse);
      any = true;
    }
    if (!any) refuse(option, text, "no link is meant: a link joins two sites");
  }

  static bool joins(const TopologyDocument::Link& link, const std::string& from, const std::string& to) {
    return (from == "*" || link.from == from) && (to == "*" || link.to == to);
  }

  void set_cap(const std::string& option, const std::string& text, Number Site::*member) {
    const auto [name, value] =
        assignment_of(option, text, "SITE=VALUE, such as \"paris=10 Gbit/s\" or paris=x2");
    Number& cap = document_.sites[site_named(option, name)].*member;
    cap = value_after(option, cap, value, parse_rate);
  }

  TopologyDocument document_;
  std::string ranks_;
};

}  // namespace

Setting changed(Setting setting, const WhatIf& what_if) {
  return Change(std::move(setting)).apply(what_if);
}

}  // namespace wan::tools
