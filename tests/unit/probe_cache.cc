// SPDX-License-Identifier: BSD-3-Clause
// probe/cache.h: what jobs keep for the next ones.
#include "probe/cache.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "topo/site_file.h"

namespace wan::probe {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kNow = 1'700'000'000;

CachedNetwork network(std::vector<CachedHost> hosts, std::int64_t written = kNow,
                      Naming naming = Naming::found) {
  return {naming, written, std::move(hosts), "[site.a]\nhosts = [\"a1\"]\n"};
}

class Cache : public testing::Test {
 protected:
  Cache() {
    std::string name = testing::TempDir() + "wan-cache-XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~Cache() override { fs::remove_all(folder_); }
  std::vector<CachedNetwork> read(std::int64_t now = kNow) const {
    return decode_networks(read_cache(folder_ + "/coll_wan", now));
  }
  std::optional<std::string> write(const CachedNetwork& each) const {
    return write_cache(folder_ + "/coll_wan", each);
  }
  std::string folder_;
};

TEST_F(Cache, KeepsWhatIsWrittenAsATopologyFile) {
  const auto path = write(network({{"a1", "10.0.0.1"}, {"b1", "10.0.1.1"}}));
  ASSERT_TRUE(path);
  EXPECT_TRUE(SiteFile::load(*path));
  EXPECT_EQ(read(), (std::vector{network({{"a1", "10.0.0.1"}, {"b1", "10.0.1.1"}})}));
}

TEST_F(Cache, ReplacesWhatIsKnownOfTheSameHosts) {
  write(network({{"a1", "10.0.0.1"}}, kNow - 50));
  write(network({{"a1", "10.0.0.1"}}, kNow));
  write(network({{"a1", "10.0.0.9"}}, kNow - 10));
  const auto known = read();
  ASSERT_EQ(known.size(), 2u);
  EXPECT_EQ(known[0].written_s, kNow) << "the latest first";
}

TEST_F(Cache, ForgetsAfterADay) {
  write(network({{"a1", "10.0.0.1"}}));
  EXPECT_EQ(read(kNow + kCacheSeconds - 1).size(), 1u);
  EXPECT_TRUE(read(kNow + kCacheSeconds).empty());
  EXPECT_TRUE(read(kNow - 7200).empty()) << "written by a clock that is wrong";
  write(network({{"b1", "10.0.0.1"}}, kNow + kCacheSeconds));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ + "/coll_wan"), {}), 1);
}

TEST_F(Cache, KeepsSixteenFilesAtMost) {
  for (int i = 0; i < 20; ++i) write(network({{"h" + std::to_string(i), "10.0.0.1"}}, kNow + i));
  const auto known = read();
  ASSERT_EQ(known.size(), 16u);
  EXPECT_EQ(known[0].hosts[0].name, "h19");
}

TEST_F(Cache, DoesNotMindDamage) {
  write(network({{"a1", "10.0.0.1"}}));
  std::ofstream(folder_ + "/coll_wan/x.toml") << "# coll_wan probe 1\n# written never\n";
  std::ofstream(folder_ + "/coll_wan/y.toml") << std::string(1000, '\0');
  std::ofstream(folder_ + "/coll_wan/z.toml")
      << "# coll_wan probe 2\n# written 1700000000\n# sites found\n# host a b\n";
  fs::create_directory(folder_ + "/coll_wan/w.toml");
  EXPECT_EQ(read().size(), 1u);
  EXPECT_EQ(read_cache("/nowhere/at/all", kNow), "");
  EXPECT_EQ(write_cache("/proc/nowhere", network({{"a", "b"}})), std::nullopt);
  EXPECT_EQ(write_cache("", network({{"a", "b"}})), std::nullopt);
}

/// Writers and readers at once: a reader sees a whole file or none.
TEST_F(Cache, IsSafeWithManyJobs) {
  CachedNetwork large = network({{"a1", "10.0.0.1"}});
  large.topology.append(100'000, '\n');
  write(large);
  std::vector<std::jthread> writers;
  std::atomic<bool> is_over = false;
  for (int i = 0; i < 3; ++i)
    writers.emplace_back([&] {
      while (!is_over) write(large);
    });
  for (int i = 0; i < 200; ++i) {
    const auto known = read();
    ASSERT_EQ(known.size(), 1u);
    ASSERT_EQ(known[0], large);
  }
  is_over = true;
}

TEST(CacheSearch, WantsAllHostsWithTheirAddresses) {
  const std::vector networks{network({{"a1", "10.0.0.1"}, {"b1", "10.0.1.1"}}),
                             network({{"a1", "10.0.0.1"}}, kNow, Naming::given)};
  const auto find = [&](std::vector<CachedHost> hosts, Naming naming) {
    return find_network(networks, hosts, naming);
  };
  EXPECT_EQ(find({{"a1", "10.0.0.1"}}, Naming::found), &networks[0]);
  EXPECT_EQ(find({{"a1", "10.0.0.1"}}, Naming::given), &networks[1]);
  EXPECT_EQ(find({{"a1", "10.0.0.2"}}, Naming::found), nullptr);
  EXPECT_EQ(find({{"a1", "10.0.0.1"}, {"c1", "10.0.2.1"}}, Naming::found), nullptr);
}

TEST(CacheFolder, FollowsXdg) {
  EXPECT_EQ(cache_folder("/var/cache/me", "/users/me"), "/var/cache/me/coll_wan");
  EXPECT_EQ(cache_folder("", "/users/me"), "/users/me/.cache/coll_wan");
  EXPECT_EQ(cache_folder("not/absolute", "/users/me"), "/users/me/.cache/coll_wan");
  EXPECT_EQ(cache_folder("", ""), "");
}

TEST_F(Cache, KeepsWhatMessagesCostAHost) {
  const std::string path = machine_path(folder_ + "/coll_wan", "node/1");
  EXPECT_EQ(path, folder_ + "/coll_wan/machine-1-node_1.csv");
  EXPECT_EQ(read_machine(path), "");
  EXPECT_TRUE(write_machine(path, "copy_ps_per_byte,1\n"));
  EXPECT_TRUE(write_machine(path, "copy_ps_per_byte,2\n"));
  EXPECT_EQ(read_machine(path), "copy_ps_per_byte,2\n");
  EXPECT_TRUE(read().empty()) << "it is no network";
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ + "/coll_wan"), {}), 1);
}

TEST_F(Cache, NoFolderKeepsNothing) {
  EXPECT_EQ(machine_path("", "node"), "");
  EXPECT_FALSE(write_machine("", "copy_ps_per_byte,1\n"));
  EXPECT_EQ(read_machine(""), "");
}

}  // namespace
}  // namespace wan::probe
