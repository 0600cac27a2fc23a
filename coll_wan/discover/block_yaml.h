// SPDX-License-Identifier: BSD-3-Clause
// The part of YAML that Slurm's topology.yaml is written in, and no more: lists ("- ") and mappings
// ("key: value") by indentation, plain or quoted values on one line, comments from '#' to the end of the
// line. Flow lists ("[4, 16]") are read as plain values; anchors, tags, documents after the first and values
// over several lines are mistakes. There is no YAML library that needs no library at run time on Debian 12.
// Pure functions; no threads. Tested by tests/unit/discover_block_yaml.cc and
// tests/fuzz/discover_slurm_topology.cc.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace wan {

/// A value with its line, of one of three kinds: a list, a mapping, or else a scalar.
struct YamlNode {
  int line = 0;
  std::string scalar = {};
  std::vector<YamlNode> items = {};
  std::vector<std::pair<std::string, YamlNode>> fields = {};

  /// The value of a key; nullptr if the mapping has none.
  const YamlNode* find(std::string_view key) const;
};

/// The error names file and line. An empty text is an empty scalar.
Result<YamlNode> parse_block_yaml(std::string_view text, const std::string& file);

}  // namespace wan
