// SPDX-License-Identifier: BSD-3-Clause
// The queries of a topology file and its reading from disk. Immutable; no threads. Tested by
// tests/unit/topo_site_file.cc.
#include "topo/site_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>

#include "base/invariant.h"

namespace wan {
namespace {

constexpr std::size_t kMostFileBytes = 16 << 20;

tl::unexpected<InputError> unreadable(const std::string& path, std::string remedy) {
  return tl::make_unexpected(InputError{.file = path, .remedy = std::move(remedy)});
}

}  // namespace

Result<std::string> SiteFile::read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return unreadable(path, std::string("cannot be opened: ") + std::strerror(errno));
  std::string text;
  char chunk[1 << 14];
  while (text.size() <= kMostFileBytes && (in.read(chunk, sizeof chunk) || in.gcount() > 0))
    text.append(chunk, static_cast<std::size_t>(in.gcount()));
  if (in.bad()) return unreadable(path, "cannot be read: expected a TOML file");
  if (text.size() > kMostFileBytes) return unreadable(path, "is larger than 16 MiB: expected a TOML file");
  return text;
}

Result<SiteFile> SiteFile::load(const std::string& path) {
  return read(path).and_then([&path](const std::string& text) { return parse(text, path); });
}

std::optional<SiteIndex> SiteFile::site_of(std::string_view host,
                                           std::span<const std::string> addresses) const {
  const auto found = std::ranges::find_if(
      sites_, [&](const Site& site) { return any_matches(site.hosts, host, addresses); });
  if (found == sites_.end()) return std::nullopt;
  return static_cast<SiteIndex>(found - sites_.begin());
}

std::optional<SiteIndex> SiteFile::site_named(std::string_view name) const {
  const auto found = std::ranges::find(sites_, name, &Site::name);
  if (found == sites_.end()) return std::nullopt;
  return static_cast<SiteIndex>(found - sites_.begin());
}

Node SiteFile::node_of(std::string_view host, std::span<const std::string> addresses) const {
  Node merged;
  for (const Node& node : nodes_) {
    if (!any_matches(node.hosts, host, addresses)) continue;
    if (!merged.send_overhead_ns) merged.send_overhead_ns = node.send_overhead_ns;
    if (!merged.receive_overhead_ns) merged.receive_overhead_ns = node.receive_overhead_ns;
    if (!merged.slots) merged.slots = node.slots;
  }
  return merged;
}

std::size_t SiteFile::index(SiteIndex from, SiteIndex to) const {
  const auto count = static_cast<SiteIndex>(sites_.size());
  invariant(from >= 0 && from < count && to >= 0 && to < count, "no such site in the topology file");
  return static_cast<std::size_t>(from) * sites_.size() + static_cast<std::size_t>(to);
}

const Link& SiteFile::link(SiteIndex from, SiteIndex to) const {
  return links_[index(from, to)];
}

bool SiteFile::has_entry(SiteIndex from, SiteIndex to) const {
  return has_entries_[index(from, to)];
}

}  // namespace wan
