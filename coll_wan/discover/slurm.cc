// SPDX-License-Identifier: BSD-3-Clause
#include "discover/slurm.h"

#include <algorithm>
#include <charconv>

#include "discover/slurm_topology.h"

namespace wan {
namespace {

constexpr int kMostGroups = 1'024;

Path parts_of(std::string_view text) {
  Path parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find('.', begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// "group 1" of a heterogeneous job; empty if it is none, or the host is in no group.
std::string group_of(const Surroundings& surroundings) {
  const std::string size = surroundings.variable("SLURM_HET_SIZE");
  int groups = 0;
  std::from_chars(size.data(), size.data() + size.size(), groups);
  for (int group = 0; group < std::min(groups, kMostGroups); ++group) {
    const auto hosts =
        HostList::parse(surroundings.variable("SLURM_JOB_NODELIST_HET_GROUP_" + std::to_string(group)));
    if (hosts && hosts->has_host(surroundings.host)) return "group " + std::to_string(group);
  }
  return "";
}

/// The folder of slurm.conf.
std::string folder_of(const Surroundings& surroundings) {
  const std::string configuration = surroundings.variable("SLURM_CONF");
  const auto slash = configuration.rfind('/');
  return slash == configuration.npos ? "/etc/slurm" : configuration.substr(0, slash);
}

/// Collects names with where they stand.
class Names {
 public:
  void add(const Path& names, const std::string& evidence) {
    if (names.empty()) return;
    finding_.names.insert(finding_.names.end(), names.begin(), names.end());
    finding_.evidence += (finding_.evidence.empty() ? "" : ", ") + evidence;
  }
  void all_so_far_are_proven() { finding_.proven = static_cast<int>(finding_.names.size()); }
  std::optional<Finding> finding() const {
    return finding_.names.empty() ? std::nullopt : std::optional(finding_);
  }

 private:
  Finding finding_{Source::slurm, Weight::apart, {}, 0, ""};
};

Result<std::optional<Path>> switches_in_file(const std::string& text, const std::string& path,
                                             const std::string& host) {
  const auto topology = SlurmTopology::parse(text, path);
  if (!topology) return tl::unexpected(topology.error());
  return topology->above(host);
}

/// Adds the switches that a file beside slurm.conf knows; what is wrong with it, if anything.
std::optional<InputError> add_switches_of_files(Names& names, const Surroundings& surroundings) {
  for (const char* name : {"/topology.yaml", "/topology.conf"}) {
    const std::string path = folder_of(surroundings) + name;
    const auto text = surroundings.text_of(path);
    if (!text) continue;
    const auto switches = switches_in_file(*text, path, surroundings.host);
    if (!switches) return switches.error();
    names.add(switches->value_or(Path{}), path);
    return std::nullopt;  // Slurm ignores topology.conf beside topology.yaml
  }
  return std::nullopt;
}

}  // namespace

Path switches_in(std::string_view address, std::string_view pattern) {
  Path parts = parts_of(address);
  const Path kinds = parts_of(pattern);
  if (parts.size() != kinds.size() || kinds.back() != "node") return {};
  parts.pop_back();
  return parts;
}

Result<std::optional<Finding>> find_in_slurm(const Surroundings& surroundings, Asked asked) {
  Names names;
  if (const std::string cluster = surroundings.variable("SLURM_CLUSTER_NAME"); !cluster.empty())
    names.add({cluster}, "SLURM_CLUSTER_NAME");
  names.all_so_far_are_proven();
  if (const std::string group = group_of(surroundings); !group.empty()) names.add({group}, "SLURM_HET_SIZE");
  const Path switches = switches_in(surroundings.variable("SLURM_TOPOLOGY_ADDR"),
                                    surroundings.variable("SLURM_TOPOLOGY_ADDR_PATTERN"));
  names.add(switches, "SLURM_TOPOLOGY_ADDR");
  if (switches.empty() && asked == Asked::by_name)
    if (const auto wrong = add_switches_of_files(names, surroundings)) return tl::unexpected(*wrong);
  return names.finding();
}

Result<std::optional<Finding>> find_in_topograph(const Surroundings& surroundings) {
  const std::string& path = surroundings.topograph;
  const auto text = surroundings.text_of(path);
  if (!text)
    return tl::unexpected(InputError{"coll_wan_topograph", 0, "", path,
                                     "cannot be read: name a file that every host of the job can read"});
  const auto switches = switches_in_file(*text, path, surroundings.host);
  if (!switches) return tl::unexpected(switches.error());
  if (!*switches) return std::optional<Finding>();
  return std::optional(
      Finding{Source::topograph, Weight::apart, **switches, static_cast<int>((*switches)->size()), path});
}

}  // namespace wan
