// SPDX-License-Identifier: BSD-3-Clause
// The topology file (TOML; blueprint, section 7): sites, the hosts that belong to them, and the links between
// them. One format for the component, the tests, the lab and the tools. Immutable once parsed, so any thread
// may read it.
//
// Invariants: at least one site, each with a name of letters, digits, '-', '_' and '.' and at least one
// pattern; no pattern in two sites; every link between two different sites has a latency and a bandwidth,
// from its [[link]] or from [defaults]. Tested by tests/unit/topo_site_file.cc and
// tests/fuzz/topo_site_file.cc.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/types.h"
#include "topo/host_pattern.h"
#include "topo/link.h"

namespace wan {

/// [site.NAME]
struct Site {
  std::string name;
  std::vector<HostPattern> hosts;
  std::optional<BytesPerSecond> uplink;    ///< cap on all that leaves the site
  std::optional<BytesPerSecond> downlink;  ///< cap on all that enters the site; `uplink` alone sets both
};

/// [[node]]: hosts that differ from their site's default (papers/002, sender-receiver model).
struct Node {
  std::vector<HostPattern> hosts;
  std::optional<Nanoseconds> send_overhead_ns;
  std::optional<Nanoseconds> receive_overhead_ns;
  std::optional<int> slots;  ///< processes the host takes; read by the lab and the tools only
};

class SiteFile {
 public:
  /// Parses `text`; `name` stands in error messages. The first mistake names line, key, value and remedy.
  static Result<SiteFile> parse(std::string_view text, std::string name);
  /// Reads and parses the file at `path`; a file that cannot be read is an error with line 0.
  static Result<SiteFile> load(const std::string& path);
  /// The text of such a file; the error is that of load().
  static Result<std::string> read(const std::string& path);

  std::span<const Site> sites() const { return sites_; }
  std::span<const Node> nodes() const { return nodes_; }

  /// Index of the first site, in file order, one of whose patterns matches the host name or one of its
  /// addresses (text, IPv4 or IPv6).
  std::optional<SiteIndex> site_of(std::string_view host, std::span<const std::string> addresses) const;
  /// Index of the site with this name.
  std::optional<SiteIndex> site_named(std::string_view name) const;
  /// What the [[node]] entries say of a host: of each value, the first entry in file order that matches and
  /// states it. Its `hosts` is empty.
  Node node_of(std::string_view host, std::span<const std::string> addresses) const;
  /// The link from one site to another site: its [[link]] entry, completed from [defaults].
  const Link& link(SiteIndex from, SiteIndex to) const;
  /// Is there a [[link]] entry for this direction?
  bool has_entry(SiteIndex from, SiteIndex to) const;
  /// The link to and from sites that the file does not know: [defaults]. A latency that [defaults] does not
  /// state is the longest of the file, a bandwidth the lowest; in a file of one site 10 ms and 125 MB/s.
  const Link& default_link() const { return default_link_; }

 private:
  friend class SiteFileReader;
  std::size_t index(SiteIndex from, SiteIndex to) const;

  std::vector<Site> sites_;
  std::vector<Node> nodes_;
  std::vector<Link> links_;        ///< sites x sites, row-major by `from`; of a site to itself: never read
  std::vector<bool> has_entries_;  ///< likewise
  Link default_link_;
};

}  // namespace wan
