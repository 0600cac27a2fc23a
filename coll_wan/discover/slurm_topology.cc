// SPDX-License-Identifier: BSD-3-Clause
#include "discover/slurm_topology.h"

#include <algorithm>
#include <initializer_list>

#include "base/lines.h"
#include "discover/block_yaml.h"

namespace wan {
namespace {

using Group = SlurmTopology::Group;
using Groups = std::vector<Group>;

tl::unexpected<InputError> mistake(const std::string& file, int line, std::string_view key,
                                   std::string_view value, std::string_view remedy) {
  return tl::unexpected(InputError{file, line, std::string(key), std::string(value), std::string(remedy)});
}

bool equal_words(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

/// Reads a list of names into `list`; what is wrong with it, if anything.
std::optional<InputError> take_list(std::optional<HostList>& list, const std::string& file, int line,
                                    std::string_view key, std::string_view text) {
  auto parsed = HostList::parse(text);
  if (!parsed) return InputError{file, line, std::string(key), std::string(text), parsed.error().remedy};
  list = std::move(*parsed);
  return std::nullopt;
}

// ---- topology.conf

/// One line of topology.conf that may be continued on the next by a backslash.
struct ConfLine {
  int number;
  std::string text;
};

std::vector<ConfLine> conf_lines(std::string_view text) {
  std::vector<ConfLine> lines;
  bool continues = false;
  for (int number = 1; !text.empty(); ++number) {
    std::string_view line = take_line(text);
    line = line.substr(0, line.find('#'));
    line = line.substr(0, line.find_last_not_of(kBlank) + 1);
    if (!continues) lines.push_back({number, ""});
    continues = line.ends_with('\\');
    lines.back().text += continues ? line.substr(0, line.size() - 1) : line;
  }
  return lines;
}

constexpr std::string_view kConfExpected =
    "expected SwitchName=, Switches=, Nodes=, LinkSpeed=, BlockName= or BlockSizes=";

/// Reads one KEY=VALUE into the group of its line.
std::optional<InputError> take_field(Group& group, const std::string& file, int line,
                                     std::string_view field) {
  const auto equals = field.find('=');
  const std::string_view key = field.substr(0, equals);
  const std::string_view value = equals == field.npos ? "" : field.substr(equals + 1);
  if (value.empty()) return InputError{file, line, "", std::string(field), std::string(kConfExpected)};
  if (equal_words(key, "SwitchName") || equal_words(key, "BlockName")) {
    if (!group.name.empty())
      return InputError{file, line, std::string(key), std::string(value),
                        "is a second name: expected one a line"};
    group.name = value;
    return std::nullopt;
  }
  if (equal_words(key, "Switches")) return take_list(group.children, file, line, key, value);
  if (equal_words(key, "Nodes")) return take_list(group.nodes, file, line, key, value);
  if (equal_words(key, "LinkSpeed") || equal_words(key, "BlockSizes")) return std::nullopt;
  return InputError{file, line, std::string(key), std::string(value), std::string(kConfExpected)};
}

Result<Group> group_of(const ConfLine& line, const std::string& file) {
  Group group{.name = "", .line = line.number};
  std::string_view rest = line.text;
  for (auto begin = rest.find_first_not_of(kBlank); begin != rest.npos;
       begin = rest.find_first_not_of(kBlank)) {
    rest.remove_prefix(begin);
    const auto end = std::min(rest.find_first_of(kBlank), rest.size());
    if (const auto wrong = take_field(group, file, line.number, rest.substr(0, end)))
      return tl::unexpected(*wrong);
    rest.remove_prefix(end);
  }
  if (group.name.empty() && (group.nodes || group.children))
    return mistake(file, line.number, "", line.text, "names no switch: " + std::string(kConfExpected));
  return group;
}

// ---- topology.yaml

std::optional<InputError> unknown_key(const YamlNode& node, const std::string& file,
                                      std::initializer_list<std::string_view> known) {
  for (const auto& [key, value] : node.fields) {
    if (std::ranges::find(known, key) != known.end()) continue;
    std::string expected = "is a key that coll_wan does not know: expected one of";
    for (const std::string_view each : known) expected += " " + std::string(each);
    return InputError{file, value.line, key, value.scalar, expected};
  }
  return std::nullopt;
}

bool is_true(const YamlNode* node) {
  return node != nullptr && equal_words(node->scalar, "true");
}

/// "- switch: NAME" with its nodes and children, or "- block: NAME" with its nodes.
Result<Group> group_of(const YamlNode& item, const std::string& file, std::string_view name_key) {
  if (const auto wrong = unknown_key(item, file, {name_key, "nodes", "children"}))
    return tl::unexpected(*wrong);
  const YamlNode* name = item.find(name_key);
  if (name == nullptr || name->scalar.empty())
    return mistake(file, item.line, name_key, "", "is missing: expected a name");
  Group group{.name = name->scalar, .line = item.line};
  for (const auto& [key, list] : {std::pair("nodes", &group.nodes), std::pair("children", &group.children)})
    if (const YamlNode* value = item.find(key); value != nullptr)
      if (const auto wrong = take_list(*list, file, value->line, key, value->scalar))
        return tl::unexpected(*wrong);
  return group;
}

Result<Groups> groups_of(const YamlNode& listed, const std::string& file, std::string_view name_key) {
  Groups groups;
  for (const YamlNode& item : listed.items) {
    auto group = group_of(item, file, name_key);
    if (!group) return tl::unexpected(group.error());
    groups.push_back(std::move(*group));
  }
  return groups;
}

/// The switches or blocks of one topology; a flat one has none.
Result<Groups> groups_of(const YamlNode& topology, const std::string& file) {
  if (const auto wrong = unknown_key(
          topology, file, {"topology", "cluster_default", "clusterDefault", "tree", "block", "flat"}))
    return tl::unexpected(*wrong);
  if (const YamlNode* tree = topology.find("tree"); tree != nullptr) {
    if (const auto wrong = unknown_key(*tree, file, {"switches"})) return tl::unexpected(*wrong);
    const YamlNode* switches = tree->find("switches");
    return switches == nullptr ? Groups{} : groups_of(*switches, file, "switch");
  }
  if (const YamlNode* block = topology.find("block"); block != nullptr) {
    if (const auto wrong = unknown_key(*block, file, {"block_sizes", "blockSizes", "blocks"}))
      return tl::unexpected(*wrong);
    const YamlNode* blocks = block->find("blocks");
    return blocks == nullptr ? Groups{} : groups_of(*blocks, file, "block");
  }
  return Groups{};
}

bool is_default(const YamlNode& topology) {
  return is_true(topology.find("cluster_default")) || is_true(topology.find("clusterDefault"));
}

}  // namespace

Result<SlurmTopology> SlurmTopology::parse_conf(std::string_view text, const std::string& file) {
  Groups groups;
  for (const ConfLine& line : conf_lines(text)) {
    auto group = group_of(line, file);
    if (!group) return tl::unexpected(group.error());
    if (!group->name.empty()) groups.push_back(std::move(*group));
  }
  return SlurmTopology(std::move(groups), file);
}

Result<SlurmTopology> SlurmTopology::parse_yaml(std::string_view text, const std::string& file) {
  const auto root = parse_block_yaml(text, file);
  if (!root) return tl::unexpected(root.error());
  std::optional<Groups> chosen;
  bool is_chosen_by_default = false;
  for (const YamlNode& topology : root->items) {
    if (topology.fields.empty() || topology.fields.front().first != "topology")
      return mistake(file, topology.line, "", topology.scalar, "expected \"- topology: NAME\"");
    auto groups = groups_of(topology, file);
    if (!groups) return tl::unexpected(groups.error());
    const bool is_better = !chosen || (is_default(topology) && !is_chosen_by_default);
    if (is_better) chosen = std::move(*groups);
    is_chosen_by_default |= is_default(topology);
  }
  return SlurmTopology(chosen.value_or(Groups{}), file);
}

Result<SlurmTopology> SlurmTopology::parse(std::string_view text, const std::string& file) {
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view line = take_line(rest);
    const auto first = line.find_first_not_of(kBlank);
    if (first != line.npos && line[first] != '#')
      return line[first] == '-' ? parse_yaml(text, file) : parse_conf(text, file);
  }
  return SlurmTopology({}, file);
}

Result<std::optional<Path>> SlurmTopology::above(std::string_view host) const {
  auto at = std::ranges::find_if(
      groups_, [host](const Group& each) { return each.nodes && each.nodes->has_host(host); });
  if (at == groups_.end()) return std::optional<Path>();
  Path path;
  for (; at != groups_.end(); at = std::ranges::find_if(groups_, [&path](const Group& each) {
                                return each.children && each.children->has(path.front());
                              })) {
    if (path.size() == groups_.size())
      return mistake(file_, at->line, "", at->name, "is a switch that lies below itself: expected a tree");
    path.insert(path.begin(), at->name);
  }
  return std::optional<Path>(std::move(path));
}

}  // namespace wan
