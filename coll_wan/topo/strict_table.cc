// SPDX-License-Identifier: BSD-3-Clause
// Strict reading of TOML. No threads. Tested by tests/unit/topo_site_file.cc and
// tests/fuzz/topo_site_file.cc.
#include "topo/strict_table.h"

#include <algorithm>
#include <limits>
#include <sstream>

#include "base/invariant.h"
#include "base/nearest.h"

namespace wan {

int line_of(const toml::source_region& source) {
  constexpr toml::source_index most = std::numeric_limits<int>::max();
  return static_cast<int>(std::min(source.begin.line, most));
}

int line_of(const toml::node& node) {
  return line_of(node.source());
}

std::string shown(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (node.is_array()) return "[...]";
  if (node.is_table()) return "{...}";
  std::ostringstream out;
  node.visit([&out](const auto& value) { out << value; });
  return out.str();
}

void Mistakes::add(int line, std::string key, std::string value, std::string remedy) {
  found_.push_back({file_, line, std::move(key), std::move(value), std::move(remedy)});
}

InputError Mistakes::first() const {
  invariant(!none(), "there is no mistake to tell of");
  return *std::ranges::min_element(found_, {}, &InputError::line);
}

StrictTable::StrictTable(const toml::table& table, std::string path, std::span<const std::string_view> keys,
                         Mistakes& mistakes)
    : table_(table), path_(std::move(path)), mistakes_(mistakes) {
  for (const auto& [key, node] : table) {
    const bool known = std::ranges::find(keys, key.str()) != keys.end();
    if (!known)
      mistakes_.add(line_of(key.source()), dotted(key.str()), shown(node),
                    "no such key here: " + suggestion(key.str(), keys));
  }
}

int StrictTable::line_of_key(std::string_view key) const {
  const toml::node* node = table_.get(key);
  return node ? line_of(*node) : line();
}

std::optional<std::string> StrictTable::text(std::string_view key, const std::string& expected) const {
  const toml::node* node = table_.get(key);
  if (!node) return std::nullopt;
  if (node->is_string()) return node->as_string()->get();
  note(key, *node, expected);
  return std::nullopt;
}

std::optional<bool> StrictTable::flag(std::string_view key) const {
  const toml::node* node = table_.get(key);
  if (!node) return std::nullopt;
  if (node->is_boolean()) return node->as_boolean()->get();
  note(key, *node, "expected true or false, without quotes");
  return std::nullopt;
}

std::optional<int> StrictTable::whole_number(std::string_view key, int least, int most) const {
  const toml::node* node = table_.get(key);
  if (!node) return std::nullopt;
  const auto* number = node->as_integer();
  if (number && number->get() >= least && number->get() <= most) return static_cast<int>(number->get());
  note(key, *node,
       "expected a whole number from " + std::to_string(least) + " to " + std::to_string(most) +
           ", without quotes");
  return std::nullopt;
}

const toml::table* StrictTable::table(std::string_view key, const std::string& expected) const {
  const toml::node* node = table_.get(key);
  if (node && !node->is_table()) note(key, *node, expected);
  return node ? node->as_table() : nullptr;
}

const toml::array* StrictTable::array(std::string_view key, const std::string& expected) const {
  const toml::node* node = table_.get(key);
  if (node && !node->is_array()) note(key, *node, expected);
  return node ? node->as_array() : nullptr;
}

std::vector<const toml::table*> StrictTable::tables(std::string_view key, const std::string& expected) const {
  std::vector<const toml::table*> all;
  const toml::array* entries = array(key, expected);
  if (!entries) return all;
  for (const toml::node& entry : *entries) {
    if (entry.is_table())
      all.push_back(entry.as_table());
    else
      note(key, entry, expected);
  }
  return all;
}

void StrictTable::note(std::string_view key, std::string remedy) const {
  const toml::node* node = table_.get(key);
  mistakes_.add(line_of_key(key), dotted(key), node ? shown(*node) : "", std::move(remedy));
}

void StrictTable::note(std::string_view key, const toml::node& node, std::string remedy) const {
  mistakes_.add(line_of(node), dotted(key), shown(node), std::move(remedy));
}

}  // namespace wan
