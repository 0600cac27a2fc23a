// SPDX-License-Identifier: BSD-3-Clause
// api/knowledge.h: where processes are, from what they state.
#include "api/knowledge.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <vector>

#include "probe/cache.h"

namespace wan::multicast {
namespace {

std::string written(const std::string& text) {
  const std::string path = ::testing::TempDir() + "api_knowledge.toml";
  std::ofstream(path) << text;
  return path;
}

std::vector<std::string> at_sites(const std::vector<std::string>& sites) {
  std::vector<std::string> statements;
  for (const std::string& site : sites)
    statements.push_back(
        statement({.site = site}, "host-of-" + site, statements.empty() ? Standing::first : Standing::other));
  return statements;
}

TEST(Knowledge, PlacesByLabelAndHost) {
  const auto map = map_of(at_sites({"b", "a", "b"}), "");
  ASSERT_TRUE(map);
  EXPECT_EQ(map->layout.sites(), 2);
  EXPECT_EQ(map->layout.site_of(0), map->layout.site_of(2));
  EXPECT_NE(map->layout.site_of(0), map->layout.site_of(1));
  EXPECT_EQ(map->layout.levels(), 1);
  EXPECT_EQ(map->network.link(0, 1), kUnknownLink);
}

TEST(Knowledge, IsOneSiteWhereNobodyKnows) {
  const std::vector<std::string> statements{statement({}, "x", Standing::first),
                                            statement({}, "y", Standing::other)};
  const auto map = map_of(statements, "label");
  ASSERT_TRUE(map);
  EXPECT_EQ(map->layout.sites(), 1);
  EXPECT_NE(map->layout.group_of(0, 0), map->layout.group_of(0, 1));
}

TEST(Knowledge, TakesSitesAndLinksFromATopologyFile) {
  const std::string path = written(
      "[site.a]\nhosts = [\"x\"]\n[site.b]\nhosts = [\"y\"]\n"
      "[[link]]\nfrom = \"a\"\nto = \"b\"\nlatency = \"7 ms\"\nbandwidth = \"2 MB/s\"\nboth = true\n");
  const std::vector<std::string> statements{statement({.topology = path}, "x", Standing::first),
                                            statement({.topology = path}, "y", Standing::other)};
  const auto map = map_of(statements, "");
  ASSERT_TRUE(map) << map.error();
  EXPECT_EQ(map->layout.site_name(map->layout.site_of(1)), "b");
  EXPECT_EQ(map->network.link(0, 1), (Link{7'000'000, 2'000'000, 0}));
}

TEST(Knowledge, TakesWhatTheFirstHostHasMeasured) {
  const std::string folder = ::testing::TempDir() + "api_knowledge_cache";
  const auto keep = [&](const std::string& host, const std::string& text) {
    ASSERT_TRUE(probe::write_machine(probe::machine_path(folder, host), text));
  };
  keep("x", "tcp_send_ns,1000\nsite_latency_ns,7000\n");
  keep("y", "tcp_send_ns,2000\n");
  const auto machine = [&](const std::string& first) {
    const std::vector<std::string> statements{statement({.cache = folder}, first, Standing::first),
                                              statement({.cache = folder}, "y", Standing::other)};
    return map_of(statements, "").value().machine;
  };
  Machine measured;
  measured.tcp.overheads.send_ns = 1'000;
  measured.site_link.latency_ns = 7'000;
  EXPECT_EQ(machine("x"), measured);
  EXPECT_EQ(machine("z"), Machine{}) << "nothing is kept of this host";
  keep("x", "tcp_send_ns,1\n");
  EXPECT_GT(machine("x").tcp.overheads.send_ns, 100) << "it cannot be";
  keep("x", "tcp_send_ns,");
  EXPECT_EQ(machine("x"), Machine{}) << "it is damaged";
}

TEST(Knowledge, TellsOfMistakes) {
  const std::string path = written("[site.a]\nuplink = 3\n");
  auto statements = at_sites({"a", "b"});
  statements.push_back(statement({.topology = path}, "x", Standing::other));
  const auto map = map_of(statements, "");
  ASSERT_FALSE(map);
  EXPECT_NE(map.error().find(path + ":"), std::string::npos) << map.error();
  statements.back() = statement({.topology = path + ".not"}, "x", Standing::other);
  EXPECT_FALSE(map_of(statements, ""));
  statements.back() = "7:";
  EXPECT_NE(map_of(statements, "").error().find("another version"), std::string::npos);
  EXPECT_NE(map_of(at_sites({"a"}), "nonsense").error().find("wan_discover"), std::string::npos);
}

}  // namespace
}  // namespace wan::multicast
