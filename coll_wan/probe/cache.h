// SPDX-License-Identifier: BSD-3-Clause
// What jobs have measured, kept for the next jobs on the same hosts: a folder of topology files, each with
// the hosts of its job in comments in front, and what messages cost a host. Files are written whole and
// renamed, so that any number of jobs may write and read at once. What is old, damaged, or of another version
// does not count. No clock: the caller brings the time. Tested by tests/unit/probe_cache.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wan::probe {

/// A host as a job finds it. One that has got another address is another host.
struct CachedHost {
  std::string name, address;
  friend auto operator<=>(const CachedHost&, const CachedHost&) = default;
};

/// Whose the names of the sites are.
enum class Naming : std::uint8_t { found, given };

struct CachedNetwork {
  Naming naming = Naming::found;
  std::int64_t written_s = 0;  ///< seconds since 1970
  std::vector<CachedHost> hosts;
  std::string topology;  ///< the text of a topology file

  friend bool operator==(const CachedNetwork&, const CachedNetwork&) = default;
};

inline constexpr std::int64_t kCacheSeconds = 24 * 3600;

/// A topology file, with comments that decode_network() reads.
std::string encode(const CachedNetwork& network);
/// The networks of texts that stand one after the other; what is none is left out.
std::vector<CachedNetwork> decode_networks(std::string_view texts);

/// The first one that knows all these hosts and whose sites' names are as wanted.
const CachedNetwork* find_network(std::span<const CachedNetwork> networks, std::span<const CachedHost> hosts,
                                  Naming naming);

/// Where it is kept what wan-calibrate has measured of a host (cost/machine_file.h), until that is done anew;
/// empty if nowhere.
std::string machine_path(const std::string& folder, std::string_view host);
/// Empty: nothing is kept.
std::string read_machine(const std::string& path);
/// false: that is not possible.
bool write_machine(const std::string& path, std::string_view text);

/// The folder by the values of XDG_CACHE_HOME and HOME; empty if there is none.
std::string cache_folder(std::string_view xdg_cache_home, std::string_view home);
/// By those of this process.
std::string own_cache_folder();
/// The texts of the networks in the folder, the latest first.
std::string read_cache(const std::string& folder, std::int64_t now_s);
/// Keeps a network; the path of its file, or nullopt where that is not possible. Old files go.
std::optional<std::string> write_cache(const std::string& folder, const CachedNetwork& network);

}  // namespace wan::probe
