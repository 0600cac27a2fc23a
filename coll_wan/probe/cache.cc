// SPDX-License-Identifier: BSD-3-Clause
#include "probe/cache.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/lines.h"

namespace wan::probe {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFormat = "# coll_wan probe 1\n";
constexpr std::string_view kWritten = "# written ", kSites = "# sites ", kHost = "# host ";
constexpr std::size_t kMostFiles = 16, kMostBytes = 256 << 10;

std::string_view name_of(Naming naming) {
  return naming == Naming::found ? "found" : "given";
}

bool take_prefix(std::string_view& line, std::string_view prefix) {
  if (!line.starts_with(prefix)) return false;
  line.remove_prefix(prefix.size());
  return true;
}

bool read_time(std::string_view text, std::int64_t& time) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), time);
  return error == std::errc() && end == text.data() + text.size();
}

bool read_naming(std::string_view text, Naming& naming) {
  naming = text == name_of(Naming::given) ? Naming::given : Naming::found;
  return text == name_of(naming);
}

bool read_host(std::string_view text, std::vector<CachedHost>& hosts) {
  const auto space = text.find(' ');
  if (space == text.npos) return false;
  hosts.push_back({std::string(text.substr(0, space)), std::string(text.substr(space + 1))});
  return true;
}

/// `text` follows the format's line.
std::optional<CachedNetwork> decode_network(std::string_view text) {
  CachedNetwork network;
  auto line = take_line(text);
  if (!take_prefix(line, kWritten) || !read_time(line, network.written_s)) return std::nullopt;
  line = take_line(text);
  if (!take_prefix(line, kSites) || !read_naming(line, network.naming)) return std::nullopt;
  while (text.starts_with(kHost)) {
    line = take_line(text);
    take_prefix(line, kHost);
    if (!read_host(line, network.hosts)) return std::nullopt;
  }
  network.topology = text;
  return network.hosts.empty() ? std::nullopt : std::optional(network);
}

bool is_fresh(const CachedNetwork& network, std::int64_t now_s) {
  constexpr std::int64_t other_clocks = 3600;
  return network.written_s <= now_s + other_clocks && now_s - network.written_s < kCacheSeconds;
}

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The files of the folder that may be networks, without those that are just being written.
std::vector<fs::path> files_in(const std::string& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (auto each = fs::directory_iterator(folder, error); !error && each != fs::directory_iterator();
       each.increment(error)) {
    std::error_code unknown;
    if (each->path().extension() == ".toml" && each->file_size(unknown) <= kMostBytes && !unknown)
      files.push_back(each->path());
  }
  return files;
}

struct Kept {
  CachedNetwork network;
  fs::path path;
};

std::vector<Kept> latest_first(const std::string& folder) {
  std::vector<Kept> kept;
  for (const fs::path& path : files_in(folder)) {
    const auto networks = decode_networks(text_of(path));
    if (networks.size() == 1) kept.push_back({networks.front(), path});
  }
  std::ranges::sort(kept, [](const Kept& a, const Kept& b) {
    return std::pair(b.network.written_s, a.path) < std::pair(a.network.written_s, b.path);
  });
  return kept;
}

/// Other jobs may do so at the same time.
void remove_old(const std::string& folder, std::int64_t now_s) {
  const auto kept = latest_first(folder);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    std::error_code ignored;
    if (i >= kMostFiles || !is_fresh(kept[i].network, now_s)) fs::remove(kept[i].path, ignored);
  }
}

/// With the folder that it is in. false: that is not possible.
bool write_whole(const std::string& path, std::string_view text) {
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  static std::atomic<unsigned> writes = 0;  // each has a file of its own until it is renamed
  const std::string unfinished = path + "." + std::to_string(getpid()) + "." + std::to_string(gethostid()) +
                                 "." + std::to_string(++writes);
  {
    std::ofstream out(unfinished, std::ios::binary);
    out << text;
    if (!out.flush()) error = std::make_error_code(std::errc::io_error);
  }
  if (!error) fs::rename(unfinished, path, error);
  if (!error) return true;
  std::error_code ignored;
  fs::remove(unfinished, ignored);
  return false;
}

/// Equal for equal hosts and naming: FNV-1a.
std::string file_name(const CachedNetwork& network) {
  std::uint64_t hash = 14695981039346656037u;
  const auto add = [&](std::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  };
  add(name_of(network.naming));
  for (const CachedHost& host : network.hosts) add("\n" + host.name + " " + host.address);
  char hex[17];
  return {hex, std::to_chars(hex, hex + sizeof hex, hash, 16).ptr};
}

}  // namespace

std::string encode(const CachedNetwork& network) {
  std::string text(kFormat);
  text.append(kWritten).append(std::to_string(network.written_s)).append("\n");
  text.append(kSites).append(name_of(network.naming)).append("\n");
  for (const CachedHost& host : network.hosts)
    text.append(kHost).append(host.name).append(" ").append(host.address).append("\n");
  return text + network.topology;
}

std::vector<CachedNetwork> decode_networks(std::string_view texts) {
  std::vector<CachedNetwork> networks;
  for (auto begin = texts.find(kFormat); begin != texts.npos;) {
    texts.remove_prefix(begin + kFormat.size());
    begin = texts.find(kFormat);
    if (auto network = decode_network(texts.substr(0, begin))) networks.push_back(std::move(*network));
  }
  return networks;
}

const CachedNetwork* find_network(std::span<const CachedNetwork> networks, std::span<const CachedHost> hosts,
                                  Naming naming) {
  const auto found = std::ranges::find_if(networks, [&](const CachedNetwork& network) {
    return network.naming == naming && std::ranges::all_of(hosts, [&](const CachedHost& host) {
             return std::ranges::find(network.hosts, host) != network.hosts.end();
           });
  });
  return found == networks.end() ? nullptr : &*found;
}

std::string cache_folder(std::string_view xdg_cache_home, std::string_view home) {
  if (xdg_cache_home.starts_with('/')) return std::string(xdg_cache_home) + "/coll_wan";
  return home.starts_with('/') ? std::string(home) + "/.cache/coll_wan" : "";
}

std::string own_cache_folder() {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string_view(value == nullptr ? "" : value);
  };
  return cache_folder(variable("XDG_CACHE_HOME"), variable("HOME"));
}

std::string read_cache(const std::string& folder, std::int64_t now_s) {
  std::string texts;
  if (folder.empty()) return texts;
  for (const Kept& each : latest_first(folder)) {
    const std::string text = encode(each.network);
    if (is_fresh(each.network, now_s) && texts.size() + text.size() <= kMostBytes) texts += text;
  }
  return texts;
}

std::optional<std::string> write_cache(const std::string& folder, const CachedNetwork& network) {
  const std::string path = folder + "/" + file_name(network) + ".toml";
  if (folder.empty() || !write_whole(path, encode(network))) return std::nullopt;
  remove_old(folder, network.written_s);
  return path;
}

/// Its name has the version of the format.
std::string machine_path(const std::string& folder, std::string_view host) {
  if (folder.empty()) return "";
  std::string path = folder + "/machine-1-";
  for (const char c : host) path += c == '/' ? '_' : c;
  return path + ".csv";
}

std::string read_machine(const std::string& path) {
  std::error_code error;
  return fs::file_size(path, error) > kMostBytes || error ? "" : text_of(path);
}

bool write_machine(const std::string& path, std::string_view text) {
  return !path.empty() && write_whole(path, text);
}

}  // namespace wan::probe
