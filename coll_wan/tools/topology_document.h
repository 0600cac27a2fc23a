// SPDX-License-Identifier: BSD-3-Clause
// A topology as somebody writes it down: as TOML (topo/site_file.h), or as JSON for programs. It may be
// changed, and need not be right until a SiteFile has been made of it. Pure functions; no threads. Tested by
// tests/unit/tools_topology.cc.
//
//   {"defaults": {"latency_ns": 10000000, "bandwidth_bytes_per_s": 125000000, "loss_ppm": 0},
//    "sites": [{"name": "paris", "hosts": ["par-[01-64]"], "uplink_bytes_per_s": 1250000000}, ...],
//    "links": [{"from": "paris", "to": "tokyo", "latency_ns": 112000000, "bandwidth_bytes_per_s": ...}, ...],
//    "nodes": [{"hosts": ["par-01"], "send_overhead_ns": 9000, "receive_overhead_ns": 9000, "slots": 2}]}
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "tools/json.h"
#include "topo/site_file.h"

namespace wan::tools {

/// In the units that the JSON names. Values out of range are found by site_file_of().
struct TopologyDocument {
  using Number = std::optional<std::int64_t>;
  struct Values {
    Number latency_ns, bandwidth_bytes_per_s, loss_ppm;
    friend bool operator==(const Values&, const Values&) = default;
  };
  struct Site {
    std::string name;
    std::vector<std::string> hosts;
    Number uplink_bytes_per_s, downlink_bytes_per_s;
  };
  enum class Directions : std::uint8_t { one, both };
  struct Link {
    std::string from, to;
    Values values;
    Directions directions = Directions::one;
  };
  struct Node {
    std::vector<std::string> hosts;
    Number send_overhead_ns, receive_overhead_ns, slots;
  };
  Values defaults;
  std::vector<Site> sites;
  std::vector<Link> links;
  std::vector<Node> nodes;
};

/// With every link between two sites, direction by direction, and the default link.
TopologyDocument document_of(const SiteFile& file);
/// The same, without the links that [defaults] describe, and with an entry for two equal directions.
TopologyDocument shortened(TopologyDocument document);

std::string toml_of(const TopologyDocument& document);
Json json_of(const TopologyDocument& document);
/// `name` stands in error messages, whose keys are JSON pointers ("/links/3/latency_ns").
Result<TopologyDocument> document_of_json(const std::string& text, const std::string& name);
/// The error of a wrong document has the same keys.
Result<SiteFile> site_file_of(const TopologyDocument& document, const std::string& name);

/// "38.5 ms", "400 Mbit/s", "0.1 %": exact, and read back as the same by topo/quantity.h.
std::string duration_text(std::int64_t ns);
std::string rate_text(std::int64_t bytes_per_s);
std::string percent_text(std::int64_t ppm);

}  // namespace wan::tools
