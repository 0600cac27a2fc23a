// SPDX-License-Identifier: BSD-3-Clause
#include "tools/topology_document.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "base/nearest.h"

namespace wan::tools {
namespace {

using Number = TopologyDocument::Number;
using Values = TopologyDocument::Values;

struct NamedUnit {
  const char* name;
  std::int64_t size;
};

/// number / 10^decimals without trailing zeros.
std::string decimal_text(std::int64_t number, std::int64_t one) {
  std::string text = std::to_string(number / one);
  std::string rest = std::to_string(number % one + one).substr(1);
  rest.erase(rest.find_last_not_of('0') + 1);
  return rest.empty() ? text : text + "." + rest;
}

/// In the largest of the units (the largest first, powers of ten) that does not make it less than one.
std::string quantity_text(std::int64_t number, std::span<const NamedUnit> units) {
  const auto unit = std::ranges::find_if(units.first(units.size() - 1),
                                         [&](const NamedUnit& each) { return number >= each.size; });
  return decimal_text(number, unit->size) + " " + unit->name;
}

std::vector<std::string> texts_of(std::span<const HostPattern> patterns) {
  std::vector<std::string> texts;
  for (const HostPattern& pattern : patterns) texts.push_back(pattern.text());
  return texts;
}

Values values_of(const Link& link) {
  return {link.latency_ns, link.bandwidth_bytes_per_s, link.loss_ppm};
}

// ---- TOML

struct TablePlace {
  int line;
  std::string pointer;  ///< of the JSON value that stands there
};

struct Toml {
  std::string text;
  std::vector<TablePlace> places;  ///< by line
};

class TomlWriter {
 public:
  Toml write(const TopologyDocument& document) {
    default_loss_ppm_ = document.defaults.loss_ppm.value_or(0);
    if (document.defaults != Values{}) table("[defaults]", "/defaults");
    values(document.defaults, 0);
    for (std::size_t i = 0; i < document.sites.size(); ++i)
      site(document.sites[i], fmt::format("/sites/{}", i));
    for (std::size_t i = 0; i < document.links.size(); ++i)
      link(document.links[i], fmt::format("/links/{}", i));
    for (std::size_t i = 0; i < document.nodes.size(); ++i)
      node(document.nodes[i], fmt::format("/nodes/{}", i));
    return std::move(toml_);
  }

 private:
  void line(const std::string& text, const std::string& pointer) {
    toml_.places.push_back({++lines_, pointer});
    toml_.text += text + "\n";
  }
  void table(const std::string& header, const std::string& pointer) {
    if (lines_ > 0) line("", pointer);
    line(header, pointer);
    pointer_ = pointer;
  }
  void entry(const char* key, const char* json_key, const std::string& value) {
    line(fmt::format("{} = {}", key, value), pointer_ + "/" + json_key);
  }
  static std::string quoted(const std::string& text) { return Json(text).dump(); }
  static std::string quoted(std::span<const std::string> texts) {
    std::string list;
    for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + quoted(text);
    return "[" + list + "]";
  }

  /// `loss_ppm`: what need not be said.
  void values(const Values& own, std::int64_t loss_ppm) {
    if (own.latency_ns) entry("latency", "latency_ns", quoted(duration_text(*own.latency_ns)));
    if (own.bandwidth_bytes_per_s)
      entry("bandwidth", "bandwidth_bytes_per_s", quoted(rate_text(*own.bandwidth_bytes_per_s)));
    if (own.loss_ppm && *own.loss_ppm != loss_ppm)
      entry("loss", "loss_ppm", quoted(percent_text(*own.loss_ppm)));
  }

  void site(const TopologyDocument::Site& each, const std::string& pointer) {
    constexpr const char* kBare = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    const bool is_bare = !each.name.empty() && each.name.find_first_not_of(kBare) == std::string::npos;
    table(fmt::format("[site.{}]", is_bare ? each.name : quoted(each.name)), pointer);
    entry("hosts", "hosts", quoted(each.hosts));
    if (each.uplink_bytes_per_s)
      entry("uplink", "uplink_bytes_per_s", quoted(rate_text(*each.uplink_bytes_per_s)));
    if (each.downlink_bytes_per_s && each.downlink_bytes_per_s != each.uplink_bytes_per_s)
      entry("downlink", "downlink_bytes_per_s", quoted(rate_text(*each.downlink_bytes_per_s)));
  }

  void link(const TopologyDocument::Link& each, const std::string& pointer) {
    table("[[link]]", pointer);
    entry("from", "from", quoted(each.from));
    entry("to", "to", quoted(each.to));
    if (each.directions == TopologyDocument::Directions::both) entry("both", "both", "true");
    values(each.values, default_loss_ppm_);
  }

  void node(const TopologyDocument::Node& each, const std::string& pointer) {
    table("[[node]]", pointer);
    entry("hosts", "hosts", quoted(each.hosts));
    if (each.send_overhead_ns)
      entry("send_overhead", "send_overhead_ns", quoted(duration_text(*each.send_overhead_ns)));
    if (each.receive_overhead_ns)
      entry("receive_overhead", "receive_overhead_ns", quoted(duration_text(*each.receive_overhead_ns)));
    if (each.slots) entry("slots", "slots", std::to_string(*each.slots));
  }

  Toml toml_;
  int lines_ = 0;
  std::string pointer_;
  std::int64_t default_loss_ppm_ = 0;
};

// ---- JSON

void put(Json& json, const char* key, const Number& value) {
  if (value) json[key] = *value;
}

void put(Json& json, const Values& values) {
  put(json, "latency_ns", values.latency_ns);
  put(json, "bandwidth_bytes_per_s", values.bandwidth_bytes_per_s);
  put(json, "loss_ppm", values.loss_ppm);
}

/// Reads one document; the first mistake is thrown as an InputError.
class JsonReader {
 public:
  explicit JsonReader(const std::string& name) : name_(name) {}

  TopologyDocument read(const Json& json) {
    expect_keys(json, "", {"defaults", "sites", "links", "nodes"});
    TopologyDocument document;
    if (json.contains("defaults")) document.defaults = values_under("/defaults", json["defaults"]);
    each(json, "sites",
         [&](const Json& entry, const std::string& at) { document.sites.push_back(site(entry, at)); });
    each(json, "links",
         [&](const Json& entry, const std::string& at) { document.links.push_back(link(entry, at)); });
    each(json, "nodes",
         [&](const Json& entry, const std::string& at) { document.nodes.push_back(node(entry, at)); });
    return document;
  }

 private:
  using Words = std::vector<std::string_view>;

  [[noreturn]] void fail(const std::string& pointer, const Json& value, std::string remedy) const {
    throw InputError{name_, 0, pointer.empty() ? "/" : pointer,
                     value.is_structured() ? (value.is_array() ? "[...]" : "{...}") : value.dump(),
                     std::move(remedy)};
  }

  void expect_keys(const Json& json, const std::string& at, const Words& keys) const {
    if (!json.is_object())
      fail(at, json, "expected an object, such as {\"" + std::string(keys.front()) + "\": ...}");
    for (const auto& [key, value] : json.items())
      if (std::ranges::find(keys, key) == keys.end())
        fail(at + "/" + key, value, "no such key: " + suggestion(key, keys));
  }

  template <class Read>
  void each(const Json& json, const char* key, Read read) const {
    const auto found = json.find(key);
    if (found == json.end()) return;
    const std::string at = std::string("/") + key;
    if (!found->is_array()) fail(at, *found, "expected a list");
    for (std::size_t i = 0; i < found->size(); ++i) read((*found)[i], fmt::format("{}/{}", at, i));
  }

  std::string text(const Json& json, const std::string& at, const char* key) const {
    if (!json.contains(key)) fail(at, json, fmt::format("the key \"{}\" is missing", key));
    if (!json[key].is_string()) fail(at + "/" + key, json[key], "expected a text");
    return json[key];
  }

  std::vector<std::string> texts(const Json& json, const std::string& at, const char* key) const {
    std::vector<std::string> all;
    const auto expected = [](const Json& value) { return value.is_string(); };
    if (!json.contains(key)) fail(at, json, fmt::format("the key \"{}\" is missing", key));
    if (!json[key].is_array() || !std::ranges::all_of(json[key], expected))
      fail(at + "/" + key, json[key],
           "expected a list of texts, such as [\"par-[01-64]\", \"10.20.0.0/16\"]");
    return json[key];
  }

  Number number(const Json& json, const std::string& at, const char* key) const {
    const auto found = json.find(key);
    if (found == json.end() || found->is_null()) return std::nullopt;
    if (!found->is_number_unsigned() || found->get<std::uint64_t>() > INT64_MAX)
      fail(at + "/" + key, *found, "expected a whole number, 0 or more");
    return found->get<std::int64_t>();
  }

  Values values(const Json& json, const std::string& at) const {
    return {number(json, at, "latency_ns"), number(json, at, "bandwidth_bytes_per_s"),
            number(json, at, "loss_ppm")};
  }
  Values values_under(const std::string& at, const Json& json) const {
    expect_keys(json, at, {"latency_ns", "bandwidth_bytes_per_s", "loss_ppm"});
    return values(json, at);
  }

  TopologyDocument::Site site(const Json& json, const std::string& at) {
    expect_keys(json, at, {"name", "hosts", "uplink_bytes_per_s", "downlink_bytes_per_s"});
    const std::string name = text(json, at, "name");
    if (!names_.insert(name).second) fail(at + "/name", json["name"], "another site has this name already");
    return {name, texts(json, at, "hosts"), number(json, at, "uplink_bytes_per_s"),
            number(json, at, "downlink_bytes_per_s")};
  }

  TopologyDocument::Link link(const Json& json, const std::string& at) const {
    expect_keys(json, at, {"from", "to", "latency_ns", "bandwidth_bytes_per_s", "loss_ppm", "both"});
    const bool both = json.contains("both") && json["both"] == true;
    if (json.contains("both") && !json["both"].is_boolean())
      fail(at + "/both", json["both"], "expected true or false");
    return {text(json, at, "from"), text(json, at, "to"), values(json, at),
            both ? TopologyDocument::Directions::both : TopologyDocument::Directions::one};
  }

  TopologyDocument::Node node(const Json& json, const std::string& at) const {
    expect_keys(json, at, {"hosts", "send_overhead_ns", "receive_overhead_ns", "slots"});
    return {texts(json, at, "hosts"), number(json, at, "send_overhead_ns"),
            number(json, at, "receive_overhead_ns"), number(json, at, "slots")};
  }

  const std::string& name_;
  std::set<std::string> names_;
};

int line_at(const std::string& text, std::size_t byte) {
  return 1 +
         static_cast<int>(std::count(
             text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size())), '\n'));
}

}  // namespace

std::string duration_text(std::int64_t ns) {
  constexpr NamedUnit kUnits[] = {{"s", 1'000'000'000}, {"ms", 1'000'000}, {"us", 1'000}, {"ns", 1}};
  return quantity_text(ns, kUnits);
}

std::string rate_text(std::int64_t bytes_per_s) {
  constexpr NamedUnit kUnits[] = {{"Tbit/s", 1'000'000'000'000},
                                  {"Gbit/s", 1'000'000'000},
                                  {"Mbit/s", 1'000'000},
                                  {"kbit/s", 1'000},
                                  {"bit/s", 1}};
  if (bytes_per_s > INT64_MAX / 8) return std::to_string(bytes_per_s) + " B/s";
  return quantity_text(8 * bytes_per_s, kUnits);
}

std::string percent_text(std::int64_t ppm) {
  return decimal_text(ppm, 10'000) + " %";
}

TopologyDocument document_of(const SiteFile& file) {
  TopologyDocument document;
  document.defaults = values_of(file.default_link());
  for (const Site& site : file.sites())
    document.sites.push_back({site.name, texts_of(site.hosts), site.uplink, site.downlink});
  const auto sites = static_cast<SiteIndex>(file.sites().size());
  for (SiteIndex from = 0; from < sites; ++from)
    for (SiteIndex to = 0; to < sites; ++to)
      if (from != to)
        document.links.push_back({file.sites()[static_cast<std::size_t>(from)].name,
                                  file.sites()[static_cast<std::size_t>(to)].name,
                                  values_of(file.link(from, to))});
  for (const Node& node : file.nodes())
    document.nodes.push_back(
        {texts_of(node.hosts), node.send_overhead_ns, node.receive_overhead_ns, node.slots});
  return document;
}

TopologyDocument shortened(TopologyDocument document) {
  using Link = TopologyDocument::Link;
  std::vector<Link> kept;
  std::map<std::pair<std::string, std::string>, std::size_t> places;
  for (const Link& link : document.links) {
    if (link.values == document.defaults) continue;
    const auto reverse = places.find({link.to, link.from});
    if (reverse != places.end() && kept[reverse->second].values == link.values) {
      kept[reverse->second].directions = TopologyDocument::Directions::both;
      continue;
    }
    places[{link.from, link.to}] = kept.size();
    kept.push_back(link);
  }
  document.links = std::move(kept);
  return document;
}

std::string toml_of(const TopologyDocument& document) {
  return TomlWriter().write(document).text;
}

Json json_of(const TopologyDocument& document) {
  Json json{{"defaults", Json::object()},
            {"sites", Json::array()},
            {"links", Json::array()},
            {"nodes", Json::array()}};
  put(json["defaults"], document.defaults);
  for (const auto& site : document.sites) {
    Json& entry = json["sites"].emplace_back(Json{{"name", site.name}, {"hosts", site.hosts}});
    put(entry, "uplink_bytes_per_s", site.uplink_bytes_per_s);
    put(entry, "downlink_bytes_per_s", site.downlink_bytes_per_s);
  }
  for (const auto& link : document.links) {
    Json& entry = json["links"].emplace_back(Json{{"from", link.from}, {"to", link.to}});
    if (link.directions == TopologyDocument::Directions::both) entry["both"] = true;
    put(entry, link.values);
  }
  for (const auto& node : document.nodes) {
    Json& entry = json["nodes"].emplace_back(Json{{"hosts", node.hosts}});
    put(entry, "send_overhead_ns", node.send_overhead_ns);
    put(entry, "receive_overhead_ns", node.receive_overhead_ns);
    put(entry, "slots", node.slots);
  }
  return json;
}

Result<TopologyDocument> document_of_json(const std::string& text, const std::string& name) {
  try {
    return JsonReader(name).read(Json::parse(text));
  } catch (const InputError& error) {
    return tl::make_unexpected(error);
  } catch (const Json::parse_error& error) {
    return tl::make_unexpected(InputError{.file = name,
                                          .line = line_at(text, error.byte),
                                          .remedy = "not valid JSON: " + std::string(error.what())});
  }
}

Result<SiteFile> site_file_of(const TopologyDocument& document, const std::string& name) {
  const Toml toml = TomlWriter().write(document);
  return SiteFile::parse(toml.text, name).map_error([&](InputError error) {
    const auto place = std::ranges::find(toml.places, error.line, &TablePlace::line);
    error.key = place == toml.places.end() ? "/" : place->pointer;
    error.line = 0;
    return error;
  });
}

}  // namespace wan::tools
