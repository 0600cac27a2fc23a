// SPDX-License-Identifier: BSD-3-Clause
// From the text of a topology file to a SiteFile: TOML syntax, then keys and values, then what must hold
// between them. Each stage starts only if the one before found nothing, so that no mistake is told that
// merely follows from another. No threads. Tested by tests/unit/topo_site_file.cc and
// tests/fuzz/topo_site_file.cc.
#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <utility>

#include "base/nearest.h"
#include "topo/ascii_text.h"
#include "topo/quantity.h"
#include "topo/site_file.h"
#include "topo/strict_table.h"

namespace wan {

/// What [defaults] or a [[link]] states of a link.
struct LinkValues {
  std::optional<Nanoseconds> latency_ns;
  std::optional<BytesPerSecond> bandwidth_bytes_per_s;
  std::optional<int> loss_ppm;
};

namespace {

using Keys = std::span<const std::string_view>;
constexpr std::array<std::string_view, 4> kFileKeys{"defaults", "site", "link", "node"};
constexpr std::array<std::string_view, 3> kDefaultsKeys{"latency", "bandwidth", "loss"};
constexpr std::array<std::string_view, 3> kSiteKeys{"hosts", "uplink", "downlink"};
constexpr std::array<std::string_view, 6> kLinkKeys{"from", "to", "latency", "bandwidth", "loss", "both"};
constexpr std::array<std::string_view, 4> kNodeKeys{"hosts", "send_overhead", "receive_overhead", "slots"};

constexpr std::size_t kMostFileSites = 1'000;  // bounds the link matrix
constexpr int kMostSlots = 1'000'000;

LinkValues read_values(const StrictTable& table) {
  return {table.quantity("latency", parse_duration), table.quantity("bandwidth", parse_rate),
          table.quantity("loss", parse_percent_ppm)};
}

/// `stated`, completed from `defaults`.
LinkValues completed(const LinkValues& stated, const LinkValues& defaults) {
  return {stated.latency_ns ? stated.latency_ns : defaults.latency_ns,
          stated.bandwidth_bytes_per_s ? stated.bandwidth_bytes_per_s : defaults.bandwidth_bytes_per_s,
          stated.loss_ppm ? stated.loss_ppm : defaults.loss_ppm};
}

/// The first quantity that is not known; nullopt if the link is whole.
std::optional<std::string_view> missing_key(const LinkValues& values) {
  if (!values.latency_ns) return "latency";
  if (!values.bandwidth_bytes_per_s) return "bandwidth";
  return std::nullopt;
}

bool is_site_name(std::string_view name) {
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
  return !name.empty() && name.find_first_not_of(allowed) == name.npos;
}

std::string lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

}  // namespace

/// Reads one file; used once.
class SiteFileReader {
 public:
  explicit SiteFileReader(std::string name) : mistakes_(name), name_(std::move(name)) {}

  Result<SiteFile> read(std::string_view text) {
    const auto ascii = ascii_text(text);
    if (!ascii) return in_this_file(ascii.error());
    return read_ascii(*ascii);
  }

 private:
  Result<SiteFile> read_ascii(std::string_view text) {
    const toml::parse_result parsed = toml::parse(text, name_);
    if (!parsed) return syntax_error(parsed.error());
    const StrictTable file(parsed.table(), "", kFileKeys, mistakes_);
    read_sites(file);
    read_defaults(file);
    read_nodes(file);
    if (mistakes_.none()) read_links(file);
    if (mistakes_.none()) fill_links();
    if (!mistakes_.none()) return tl::make_unexpected(mistakes_.first());
    return std::move(result_);
  }

  struct Pair {
    SiteIndex from, to;
    auto operator<=>(const Pair&) const = default;
  };
  /// One direction of a [[link]].
  struct Entry {
    LinkValues values;
    int line;
  };
  struct Place {
    std::string site;
    int line;
  };
  struct NamedTable {
    std::string_view name;
    const toml::table* table;
  };

  tl::unexpected<InputError> in_this_file(InputError error) const {
    error.file = name_;
    return tl::make_unexpected(std::move(error));
  }

  tl::unexpected<InputError> syntax_error(const toml::parse_error& error) const {
    return in_this_file(InputError{.line = line_of(error.source()),
                                   .remedy = "not valid TOML: " + std::string(error.description())});
  }

  // ---- [site.NAME]

  void read_sites(const StrictTable& file) {
    const std::string expected =
        "expected one table for each site, such as [site.paris] with hosts = [\"par*\"]";
    const toml::table* all = file.table("site", expected);
    if (!file.has("site") || (all && all->empty())) file.note("site", expected);
    if (!all) return;
    if (all->size() > kMostFileSites) return file.note("site", "expected at most 1000 sites");
    for (const auto& [name, table] : in_file_order(*all)) read_site(name, *table);
  }

  /// The tables of [site.NAME], sorted by where they stand; toml++ keeps them by name.
  std::vector<NamedTable> in_file_order(const toml::table& all) {
    std::vector<NamedTable> sites;
    for (const auto& [key, node] : all) {
      if (node.is_table())
        sites.push_back({key.str(), node.as_table()});
      else
        mistakes_.add(line_of(node), "site." + std::string(key.str()), shown(node),
                      "expected a table such as [site.paris] with hosts = [\"par*\"]");
    }
    const auto place = [](const NamedTable& site) {
      const toml::source_position begin = site.table->source().begin;
      return std::pair(begin.line, begin.column);
    };
    std::ranges::stable_sort(sites, {}, place);
    return sites;
  }

  void read_site(std::string_view name, const toml::table& table) {
    const StrictTable site(table, "site." + std::string(name), kSiteKeys, mistakes_);
    if (!is_site_name(name))
      mistakes_.add(site.line(), "site", std::string(name),
                    "expected a site name of letters, digits, '-', '_' and '.', such as [site.new-york]");
    const auto uplink = site.quantity("uplink", parse_rate);
    const auto downlink = site.quantity("downlink", parse_rate);
    result_.sites_.push_back({std::string(name), read_hosts(site), uplink, downlink ? downlink : uplink});
    site_lines_.push_back(site.line());
    refuse_repeated_hosts(site, result_.sites_.back());
  }

  std::vector<HostPattern> read_hosts(const StrictTable& table) {
    const std::string expected =
        "expected a list of hosts, such as hosts = [\"par-[01-64]\", \"10.20.0.0/16\"]";
    std::vector<HostPattern> hosts;
    const toml::array* entries = table.array("hosts", expected);
    if (!table.has("hosts") || (entries && entries->empty())) table.note("hosts", expected);
    if (!entries) return hosts;
    for (const toml::node& entry : *entries) {
      auto pattern = HostPattern::parse(entry.value<std::string_view>().value_or(""));
      if (pattern)
        hosts.push_back(*std::move(pattern));
      else
        table.note("hosts", entry, pattern.error().remedy);
    }
    return hosts;
  }

  void refuse_repeated_hosts(const StrictTable& table, const Site& site) {
    for (const HostPattern& pattern : site.hosts) {
      const auto [place, is_new] =
          places_.try_emplace(lower_case(pattern.text()), Place{site.name, table.line_of_key("hosts")});
      if (!is_new)
        mistakes_.add(table.line_of_key("hosts"), table.dotted("hosts"), pattern.text(),
                      "site " + place->second.site + " has this pattern already, in line " +
                          std::to_string(place->second.line) + "; list each pattern once, at one site");
    }
  }

  // ---- [defaults] and [[node]]

  void read_defaults(const StrictTable& file) {
    const toml::table* table = file.table("defaults", "expected the table [defaults]");
    if (table) defaults_ = read_values(StrictTable(*table, "defaults", kDefaultsKeys, mistakes_));
  }

  void read_nodes(const StrictTable& file) {
    for (const toml::table* table : file.tables("node", "expected [[node]], in two pairs of brackets")) {
      const StrictTable node(*table, "node", kNodeKeys, mistakes_);
      result_.nodes_.push_back({read_hosts(node), node.quantity("send_overhead", parse_duration),
                                node.quantity("receive_overhead", parse_duration),
                                node.whole_number("slots", 1, kMostSlots)});
    }
  }

  // ---- [[link]]

  void read_links(const StrictTable& file) {
    for (const toml::table* table : file.tables("link", "expected [[link]], in two pairs of brackets"))
      read_link(StrictTable(*table, "link", kLinkKeys, mistakes_));
  }

  void read_link(const StrictTable& link) {
    const auto from = read_site_name(link, "from"), to = read_site_name(link, "to");
    const auto both = link.flag("both");
    const LinkValues values = read_values(link);
    if (!from || !to) return;
    if (*from == *to)
      return link.note("to", "expected a site other than `from`, because a link joins two sites");
    add_link({*from, *to}, values, link);
    if (both.value_or(false)) add_link({*to, *from}, values, link);
  }

  std::optional<SiteIndex> read_site_name(const StrictTable& link, std::string_view key) {
    const std::string expected = "expected the name of a site of this file: ";
    if (!link.has(key)) link.note(key, expected + suggestion("", site_names()));
    const auto name = link.text(key, expected + suggestion("", site_names()));
    if (!name) return std::nullopt;
    const auto site = result_.site_named(*name);
    if (!site) link.note(key, "no such site in this file: " + suggestion(*name, site_names()));
    return site;
  }

  std::vector<std::string_view> site_names() const {
    std::vector<std::string_view> names;
    for (const Site& site : result_.sites_) names.push_back(site.name);
    return names;
  }

  void add_link(Pair pair, const LinkValues& values, const StrictTable& link) {
    const auto [entry, is_new] = entries_.try_emplace(pair, Entry{values, link.line()});
    if (!is_new)
      mistakes_.add(link.line(), "link", arrow(pair),
                    "line " + std::to_string(entry->second.line) +
                        " already describes this direction; keep one of the two (`both = true` describes "
                        "both directions)");
  }

  std::string arrow(Pair pair) const { return name_of(pair.from) + " -> " + name_of(pair.to); }

  const std::string& name_of(SiteIndex site) const {
    return result_.sites_[static_cast<std::size_t>(site)].name;
  }

  // ---- The link matrix

  void fill_links() {
    const auto sites = static_cast<SiteIndex>(result_.sites_.size());
    for (SiteIndex from = 0; from < sites; ++from)
      for (SiteIndex to = 0; to < sites && mistakes_.none(); ++to) add_to_matrix({from, to});
    if (mistakes_.none()) result_.default_link_ = link_of_unknown_sites();
  }

  void add_to_matrix(Pair pair) {
    result_.links_.push_back(pair.from == pair.to ? Link{} : link_of(pair));
    result_.has_entries_.push_back(entries_.contains(pair));
  }

  Link link_of(Pair pair) {
    const auto entry = entries_.find(pair);
    const bool stated = entry != entries_.end();
    const LinkValues values = completed(stated ? entry->second.values : LinkValues{}, defaults_);
    if (const auto key = missing_key(values)) {
      mistakes_.add(stated ? entry->second.line : site_lines_[static_cast<std::size_t>(pair.from)], "link",
                    arrow(pair),
                    "no " + std::string(*key) + ": give it in a [[link]] from " + name_of(pair.from) +
                        " to " + name_of(pair.to) + " or in [defaults]");
      return {};
    }
    return {*values.latency_ns, *values.bandwidth_bytes_per_s, values.loss_ppm.value_or(0)};
  }

  Link link_of_unknown_sites() const {
    const Link worst = result_.sites_.size() > 1 ? worst_link() : kUnknownLink;
    return {defaults_.latency_ns.value_or(worst.latency_ns),
            defaults_.bandwidth_bytes_per_s.value_or(worst.bandwidth_bytes_per_s),
            defaults_.loss_ppm.value_or(0)};
  }

  /// The longest latency and the lowest bandwidth between two sites of the file.
  Link worst_link() const {
    Link worst{.latency_ns = 0, .bandwidth_bytes_per_s = std::numeric_limits<BytesPerSecond>::max()};
    for (const Link& link : result_.links_) {
      const bool between_two_sites = link.bandwidth_bytes_per_s > 0;
      if (!between_two_sites) continue;
      worst.latency_ns = std::max(worst.latency_ns, link.latency_ns);
      worst.bandwidth_bytes_per_s = std::min(worst.bandwidth_bytes_per_s, link.bandwidth_bytes_per_s);
    }
    return worst;
  }

  Mistakes mistakes_;
  std::string name_;
  SiteFile result_;
  LinkValues defaults_;
  std::vector<int> site_lines_;          ///< in the order of the sites
  std::map<std::string, Place> places_;  ///< of each pattern, in lower case
  std::map<Pair, Entry> entries_;
};

Result<SiteFile> SiteFile::parse(std::string_view text, std::string name) {
  return SiteFileReader(std::move(name)).read(text);
}

}  // namespace wan
