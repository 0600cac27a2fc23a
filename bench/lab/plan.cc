// SPDX-License-Identifier: BSD-3-Clause
#include "bench/lab/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/rate.h"
#include "bench/lab/counters.h"

namespace wan::lab {
namespace {

constexpr int kMostPerSite = 10'000;
constexpr int kHostsPerThirdOctet = 250;
constexpr std::uint32_t kOthersOctet = 254;

std::optional<int> parse_number(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  if (!whole || number < 1 || number > kMostPerSite) return std::nullopt;
  return number;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// The n-th name (from 1) that a pattern with '*' stands for.
std::string fill_star(const std::string& pattern, int n) {
  std::string name = pattern;
  for (std::size_t at; (at = name.find('*')) != std::string::npos;) name.replace(at, 1, std::to_string(n));
  return name;
}

/// Names of hosts of `site`, as many as the file lists, or `wanted` where it has only a pattern with '*'.
std::vector<std::string> host_names(const Site& site, int wanted) {
  std::vector<std::string> names;
  for (const HostPattern& pattern : site.hosts) {
    const auto listed = pattern.enumerate();
    names.insert(names.end(), listed.begin(), listed.end());
  }
  const auto starred = std::ranges::find_if(
      site.hosts, [](const HostPattern& pattern) { return pattern.text().find('*') != std::string::npos; });
  if (starred == site.hosts.end()) return names;
  for (int n = 1; static_cast<int>(names.size()) < wanted; ++n)
    names.push_back(fill_star(starred->text(), n));
  return names;
}

std::optional<int> slots_of(const SiteFile& file, const std::string& host) {
  for (const Node& node : file.nodes())
    for (const HostPattern& pattern : node.hosts)
      if (node.slots && pattern.matches(host, {})) return node.slots;
  return std::nullopt;
}

std::string host_address(SiteIndex site, int host) {
  return fmt::format("10.{}.{}.{}", site + 1, host / kHostsPerThirdOctet, host % kHostsPerThirdOctet + 1);
}

/// Share `part` of `parts` of `total`, the first ones larger.
int share(int total, int parts, int part) {
  return total / parts + (part < total % parts ? 1 : 0);
}

class Planner {
 public:
  Planner(const SiteFile& file, const std::string& file_name, const LabWishes& wishes)
      : file_(file), file_name_(file_name), wishes_(wishes) {}

  Result<LabPlan> plan() {
    for (const auto& option : {wishes_.ranks, wishes_.hosts})
      if (option)
        if (auto names = option->check_names(file_); !names) return tl::unexpected(names.error());
    for (std::size_t i = 0; i < file_.sites().size(); ++i)
      if (auto added = add_site(static_cast<SiteIndex>(i)); !added) return tl::unexpected(added.error());
    if (plan_.sites.empty() || plan_.sites.size() > kMaxLabSites) return wrong_number_of_sites();
    fill_fabric();
    return std::move(plan_);
  }

 private:
  Result<void> add_site(SiteIndex index) {
    const Site& site = file_.sites()[static_cast<std::size_t>(index)];
    if (wishes_.ranks && !wishes_.ranks->of(site.name)) return {};
    auto hosts = wishes_.ranks ? spread_ranks(site, *wishes_.ranks->of(site.name)) : listed_hosts(site);
    if (hosts.empty()) return tl::unexpected(no_host(site));
    const auto number = static_cast<SiteIndex>(plan_.sites.size());
    for (std::size_t h = 0; h < hosts.size(); ++h)
      hosts[h].address = host_address(number, static_cast<int>(h));
    plan_.sites.push_back(
        {site.name, fmt::format("10.{}.255.254", number + 1),
         wishes_.has_other_traffic ? fmt::format("10.{}.{}.1", number + 1, kOthersOctet) : "",
         fmt::format("10.{}.0.0/16", number + 1), std::move(hosts)});
    chosen_.push_back(index);
    return {};
  }

  std::vector<HostPlan> spread_ranks(const Site& site, int ranks) const {
    const auto wish = wishes_.hosts ? wishes_.hosts->of(site.name) : std::nullopt;
    const int wanted = std::min(ranks, wish.value_or(kDefaultHosts));
    const auto names = host_names(site, wanted);
    const int count = std::min(wanted, static_cast<int>(names.size()));
    std::vector<HostPlan> hosts;
    for (int h = 0; h < count; ++h)
      hosts.push_back({names[static_cast<std::size_t>(h)], "", share(ranks, count, h)});
    return hosts;
  }

  std::vector<HostPlan> listed_hosts(const Site& site) const {
    std::vector<HostPlan> hosts;
    for (std::string& name : host_names(site, 1)) {
      const int slots = slots_of(file_, name).value_or(1);
      hosts.push_back({std::move(name), "", slots});
    }
    return hosts;
  }

  InputError no_host(const Site& site) const {
    return {file_name_, 0, "site." + site.name + ".hosts", "",
            "the lab needs host names: add a pattern such as \"" + site.name + "-[1-2]\""};
  }

  tl::unexpected<InputError> wrong_number_of_sites() const {
    return tl::unexpected(InputError{file_name_, 0, "site", std::to_string(plan_.sites.size()),
                                     fmt::format("a lab has 1 to {} sites", kMaxLabSites)});
  }

  Link link_between(SiteIndex from, SiteIndex to) const {
    Link link = file_.link(from, to);
    if (wishes_.loss_ppm) link.loss_ppm = *wishes_.loss_ppm;
    return link;
  }

  void fill_fabric() {
    FabricConfig& fabric = plan_.fabric;
    fabric.sites = static_cast<SiteIndex>(chosen_.size());
    fabric.seed = wishes_.seed;
    fabric.jitter_ppm = wishes_.jitter_ppm;
    fabric.queue_ppm = wishes_.queue_ppm;
    fabric.flow_rate = wishes_.flow_rate;
    for (const SiteIndex from : chosen_) {
      const Site& site = file_.sites()[static_cast<std::size_t>(from)];
      for (const SiteIndex to : chosen_) fabric.links.push_back(link_between(from, to));
      fabric.uplinks.push_back(site.uplink);
      fabric.downlinks.push_back(site.downlink);
    }
  }

  const SiteFile& file_;
  const std::string& file_name_;
  const LabWishes& wishes_;
  LabPlan plan_;
  std::vector<SiteIndex> chosen_;  ///< index in the file of each site of the lab
};

}  // namespace

Result<PerSite> PerSite::parse(std::string_view text, std::string name) {
  PerSite result;
  result.option_ = std::move(name);
  if ((result.all_ = parse_number(text))) return result;
  for (const std::string_view part : split(text, ',')) {
    const std::size_t equals = part.find('=');
    const auto number = equals == part.npos ? std::nullopt : parse_number(part.substr(equals + 1));
    if (!number)
      return tl::unexpected(
          InputError{result.option_, 0, "", std::string(text),
                     "expected a number such as \"4\" or a list such as \"paris=7,tokyo=5\""});
    result.named_[std::string(part.substr(0, equals))] = *number;
  }
  return result;
}

std::optional<int> PerSite::of(const std::string& site) const {
  if (all_) return all_;
  const auto found = named_.find(site);
  return found == named_.end() ? std::nullopt : std::optional(found->second);
}

Result<void> PerSite::check_names(const SiteFile& file) const {
  for (const auto& [name, number] : named_)
    if (!file.site_named(name))
      return tl::unexpected(InputError{option_, 0, "", name, "the topology file has no site of this name"});
  return {};
}

std::optional<SiteIndex> site_of_address(std::uint32_t address, SiteIndex sites) {
  const auto site = static_cast<SiteIndex>(address >> 16 & 0xff) - 1;
  if (address >> 24 != 10 || site < 0 || site >= sites) return std::nullopt;
  return site;
}

bool is_of_others(std::uint32_t address) {
  return (address >> 8 & 0xff) == kOthersOctet;
}

std::uint32_t router_of(SiteIndex site) {
  return std::uint32_t{10} << 24 | static_cast<std::uint32_t>(site + 1) << 16 | 0xfffe;
}

Result<LabPlan> plan_lab(const SiteFile& file, const std::string& file_name, const LabWishes& wishes) {
  return Planner(file, file_name, wishes).plan();
}

int packets_of_a_round_trip(const FabricConfig& fabric, int mtu) {
  constexpr Bytes kLeast = 10, kMost = 65'535;
  Bytes most = kLeast;
  const auto link = [&](SiteIndex from, SiteIndex to) {
    return fabric.links[static_cast<std::size_t>(from * fabric.sites + to)];
  };
  for (SiteIndex from = 0; from < fabric.sites; ++from)
    for (SiteIndex to = 0; to < fabric.sites; ++to) {
      const Nanoseconds round_trip = link(from, to).latency_ns + link(to, from).latency_ns;
      if (from != to)
        most = std::max(most, passed(link(from, to).bandwidth_bytes_per_s, round_trip) / mtu + 1);
    }
  return static_cast<int>(std::min(most, kMost));
}

BytesPerSecond fastest_sum(const FabricConfig& fabric) {
  BytesPerSecond out = 0, in = 0;
  for (SiteIndex site = 0; site < fabric.sites; ++site) {
    BytesPerSecond from_here = 0, to_here = 0;
    for (SiteIndex peer = 0; peer < fabric.sites; ++peer) {
      if (peer == site) continue;
      from_here += fabric.links[static_cast<std::size_t>(site * fabric.sites + peer)].bandwidth_bytes_per_s;
      to_here += fabric.links[static_cast<std::size_t>(peer * fabric.sites + site)].bandwidth_bytes_per_s;
    }
    const auto at = static_cast<std::size_t>(site);
    out += std::min(from_here, fabric.uplinks[at].value_or(from_here));
    in += std::min(to_here, fabric.downlinks[at].value_or(to_here));
  }
  return std::min(out, in);
}

}  // namespace wan::lab
