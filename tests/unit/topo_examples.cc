// SPDX-License-Identifier: BSD-3-Clause
// The example topologies in mca_params/: every one is loaded, and is what its name says.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "topo/site_file.h"

namespace wan {
namespace {

std::string folder() {
  const char* top = std::getenv("top_srcdir");
  return std::string(top ? top : ".") + "/mca_params/";
}

SiteFile loaded(const std::string& name) {
  auto file = SiteFile::load(folder() + name);
  if (!file) ADD_FAILURE() << file.error().message();
  return std::move(file).value();
}

int slots_of(const SiteFile& file, const Site& site) {
  int slots = 0;
  for (const HostPattern& pattern : site.hosts)
    for (const std::string& host : pattern.enumerate()) slots += file.node_of(host, {}).slots.value();
  return slots;
}

std::vector<int> slots_by_site(const SiteFile& file) {
  std::vector<int> slots;
  for (const Site& site : file.sites()) slots.push_back(slots_of(file, site));
  return slots;
}

/// The links between different sites.
std::vector<Link> links(const SiteFile& file) {
  std::vector<Link> all;
  const auto sites = static_cast<SiteIndex>(file.sites().size());
  for (SiteIndex from = 0; from < sites; ++from)
    for (SiteIndex to = 0; to < sites; ++to)
      if (from != to) all.push_back(file.link(from, to));
  return all;
}

void expect_equal_links(const SiteFile& file, const Link& link) {
  for (const Link& each : links(file)) EXPECT_EQ(each, link);
}

TEST(Examples, Cities) {
  const SiteFile file = loaded("cities.toml");
  EXPECT_EQ(slots_by_site(file), (std::vector<int>{4, 3, 1}));
  EXPECT_EQ(file.site_named("paris"), 0);
  EXPECT_EQ(file.link(0, 2).latency_ns, 112'000'000);
  EXPECT_EQ(file.link(2, 0).latency_ns, 112'000'000);
}

TEST(Examples, Uniform) {
  const SiteFile file = loaded("uniform-4x4.toml");
  EXPECT_EQ(slots_by_site(file), (std::vector<int>{4, 4, 4, 4}));
  expect_equal_links(file, {10'000'000, 12'500'000, 0});
}

TEST(Examples, Far) {
  const SiteFile file = loaded("far-4x4.toml");
  EXPECT_EQ(slots_by_site(file), (std::vector<int>{4, 4, 4, 4}));
  expect_equal_links(file, {75'000'000, 2'500'000, 0});
}

TEST(Examples, Fat) {
  const SiteFile file = loaded("fat-4x4.toml");
  EXPECT_EQ(slots_by_site(file), (std::vector<int>{4, 4, 4, 4}));
  expect_equal_links(file, {25'000'000, 100'000'000, 0});
}

TEST(Examples, Magpie) {
  const SiteFile file = loaded("magpie-8x5.toml");
  EXPECT_EQ(slots_by_site(file), std::vector<int>(8, 5));
  expect_equal_links(file, {10'000'000, 1'000'000, 0});
}

TEST(Examples, ThreeLevels) {
  const SiteFile file = loaded("three-levels.toml");
  EXPECT_EQ(slots_by_site(file), std::vector<int>(6, 4));
  for (SiteIndex from = 0; from < 6; ++from)
    for (SiteIndex to = 0; to < 6; ++to) {
      if (from == to) continue;
      const bool is_one_region = (from < 3) == (to < 3);
      EXPECT_EQ(file.link(from, to),
                (is_one_region ? Link{2'000'000, 100'000'000, 0} : Link{80'000'000, 12'500'000, 0}));
    }
}

TEST(Examples, Unequal) {
  const SiteFile file = loaded("unequal-5.toml");
  EXPECT_EQ(slots_by_site(file), (std::vector<int>{7, 5, 3, 2, 1}));
  const auto all = links(file);
  const auto [nearest, farthest] = std::ranges::minmax(all, {}, &Link::latency_ns);
  const auto [slowest, fastest] = std::ranges::minmax(all, {}, &Link::bandwidth_bytes_per_s);
  EXPECT_EQ(nearest.latency_ns, 5'000'000);
  EXPECT_EQ(farthest.latency_ns, 130'000'000);
  EXPECT_EQ(slowest.bandwidth_bytes_per_s, 4'000'000);
  EXPECT_EQ(fastest.bandwidth_bytes_per_s, 100'000'000);
}

TEST(Examples, EveryTopologyFileInTheFolderIsRight) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder())) {
    if (entry.path().extension() != ".toml") continue;
    const auto file = SiteFile::load(entry.path());
    EXPECT_TRUE(file.has_value()) << file.error().message();
    ++files;
  }
  EXPECT_GE(files, 4);
}

}  // namespace
}  // namespace wan
