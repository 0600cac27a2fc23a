// SPDX-License-Identifier: BSD-3-Clause
#include "api/knowledge.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "cost/machine_file.h"
#include "discover/collect.h"
#include "discover/own_surroundings.h"
#include "discover/sites.h"
#include "probe/cache.h"
#include "process/record.h"
#include "topo/site_file.h"

namespace wan::multicast {
namespace {

struct Statement {
  ProcessRecord record;
  std::string file_text;     ///< of the topology file
  std::string machine_text;  ///< Machine, as measured
};

Result<std::vector<Finding>> look_around(const Place& place, const std::string& host,
                                         std::string& file_text) {
  const auto asks = parse_sources(place.discover, "wan_discover");
  if (!asks) return tl::unexpected(asks.error());
  Surroundings here = own_surroundings(host);
  here.label = place.site;
  here.topograph = place.topograph;
  add_own_addresses(here);
  std::optional<SiteFile> file;
  if (!place.topology.empty()) {
    auto text = SiteFile::read(place.topology);
    if (!text) return tl::unexpected(text.error());
    auto parsed = SiteFile::parse(*text, place.topology);
    if (!parsed) return tl::unexpected(parsed.error());
    file_text = std::move(*text);
    file = std::move(*parsed);
    here.file = &*file;
  }
  return collect(here, *asks);
}

std::optional<Statement> read(std::string_view bytes) {
  auto record = take_field(bytes), file = take_field(bytes), machine = take_field(bytes);
  if (!record || !file || !machine) return std::nullopt;
  auto decoded = decode_process(*record);
  if (!decoded) return std::nullopt;
  return Statement{std::move(*decoded), std::move(*file), std::move(*machine)};
}

/// What is damaged does not count.
Machine machine_of(const std::string& text) {
  const auto measured = parse_machine(text, "");
  return measured ? believable(*measured) : Machine{};
}

}  // namespace

std::string statement(const Place& place, const std::string& host, Standing standing) {
  Statement own;
  auto found = look_around(place, host, own.file_text);
  if (found)
    own.record.findings = std::move(*found);
  else
    own.record.complaint = found.error().message();
  own.record.place = {host};
  const bool is_first = standing == Standing::first;
  if (is_first) own.machine_text = probe::read_machine(probe::machine_path(place.cache, host));
  std::string bytes;
  append_field(bytes, encode(own.record));
  append_field(bytes, is_first ? own.file_text : "");
  append_field(bytes, own.machine_text);
  return bytes;
}

tl::expected<Map, std::string> map_of(std::span<const std::string> statements, const std::string& discover) {
  const auto asks = parse_sources(discover, "wan_discover");
  if (!asks) return tl::unexpected(asks.error().message());
  std::vector<Statement> all;
  for (const std::string& each : statements) {
    auto statement = read(each);
    if (!statement) return tl::unexpected(std::string("a process uses another version of libwan_multicast"));
    if (!statement->record.complaint.empty()) return tl::unexpected(statement->record.complaint);
    all.push_back(std::move(*statement));
  }
  std::vector<const std::vector<Finding>*> said;
  for (const Statement& each : all) said.push_back(&each.record.findings);
  const Sites sites = decide(said, *asks);
  std::vector<Path> paths;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    paths.push_back({sites.of[rank].site});
    paths.back().insert(paths.back().end(), all[rank].record.place.begin(), all[rank].record.place.end());
  }
  Layout layout(paths);
  const auto file = SiteFile::parse(all.front().file_text, "the topology file");
  Network network = !all.front().file_text.empty() && file ? network_of(layout, *file)
                                                           : Network(layout.sites(), kUnknownLink);
  return Map{std::move(layout), std::move(network), machine_of(all.front().machine_text)};
}

}  // namespace wan::multicast
