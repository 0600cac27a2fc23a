// SPDX-License-Identifier: BSD-3-Clause
// tools/what_if.h. No threads.
#include <gtest/gtest.h>

#include "tools/usage_error.h"
#include "tools/what_if.h"

namespace wan::tools {
namespace {

Setting setting(const std::string& ranks = "") {
  const auto file = SiteFile::parse(
      "[defaults]\nlatency = '10 ms'\nbandwidth = '1 MB/s'\n[site.a]\nhosts = ['a']\nuplink = '1 "
      "MB/s'\n[site.b]\n"
      "hosts = ['b']\n[site.c]\nhosts = ['c']\n",
      "test");
  return {document_of(file.value()), ranks};
}

/// "ab 20, ba 10, ...": latencies in milliseconds of those that are not 10 ms.
std::string latencies(const WhatIf& what_if) {
  std::string text;
  for (const auto& link : changed(setting(), what_if).document.links)
    if (link.values.latency_ns != 10'000'000)
      text += link.from + link.to + " " + std::to_string(*link.values.latency_ns / 1'000'000) + ", ";
  return text;
}

TEST(WhatIf, ChangesLinks) {
  EXPECT_EQ(latencies({.latencies = {"a:b=x2"}}), "ab 20, ba 20, ");
  EXPECT_EQ(latencies({.latencies = {"a>b=x2"}}), "ab 20, ");
  EXPECT_EQ(latencies({.latencies = {"a>*=30 ms"}}), "ab 30, ac 30, ");
  EXPECT_EQ(latencies({.latencies = {"*:c=1ms"}}), "ac 1, bc 1, ca 1, cb 1, ");
  EXPECT_EQ(latencies({.latencies = {"*:*=x3", "a:b=x0.5"}}), "ab 15, ac 30, ba 15, bc 30, ca 30, cb 30, ");
}

TEST(WhatIf, ChangesCaps) {
  const auto sites = changed(setting(), {.uplinks = {"a=x3"}, .downlinks = {"b=8 Mbit/s"}}).document.sites;
  EXPECT_EQ(sites[0].uplink_bytes_per_s, 3'000'000);
  EXPECT_EQ(sites[0].downlink_bytes_per_s, 1'000'000);
  EXPECT_EQ(sites[1].downlink_bytes_per_s, 1'000'000);
  EXPECT_FALSE(sites[1].uplink_bytes_per_s);
}

TEST(WhatIf, AddsASiteOverDefaultLinks) {
  const Setting after = changed(setting(), {.sites = {"d=4"}});
  EXPECT_EQ(after.document.links.size(), 12u);
  EXPECT_EQ(after.document.links.back().values, after.document.defaults);
  EXPECT_EQ(after.document.nodes.front().slots, 4);
  EXPECT_TRUE(site_file_of(after.document, "test"));
}

TEST(WhatIf, KeepsTheNumbersOfRanks) {
  EXPECT_EQ(changed(setting("5"), {.sites = {"d"}}).ranks, "5");
  EXPECT_EQ(changed(setting("5"), {.sites = {"d=2"}}).ranks, "5,5,5,2");
  EXPECT_EQ(changed(setting("1,2,3"), {.sites = {"d"}}).ranks, "1,2,3,1");
  EXPECT_EQ(changed(setting("1,2,3"), {.without_sites = {"b"}}).ranks, "1,3");
  EXPECT_EQ(changed(setting("1,2,3"), {.without_sites = {"a"}, .sites = {"d=7", "e=8"}}).ranks, "2,3,7,8");
}

TEST(WhatIf, RemovesASiteAndItsLinks) {
  const auto document = changed(setting(), {.without_sites = {"b"}}).document;
  EXPECT_EQ(document.sites.size(), 2u);
  ASSERT_EQ(document.links.size(), 2u);
  EXPECT_EQ(document.links[0].to, "c");
}

TEST(WhatIf, RefusesWhatMakesNoSense) {
  const WhatIf wrong[] = {{.latencies = {"a:b"}},
                          {.latencies = {"ab=x2"}},
                          {.latencies = {"a:d=x2"}},
                          {.latencies = {"a:b=x"}},
                          {.latencies = {"a:b=x-1"}},
                          {.latencies = {"a:b=xnan"}},
                          {.latencies = {"a:b=1 MB/s"}},
                          {.bandwidths = {"a:b=1 ms"}},
                          {.latencies = {"=x2"}},
                          {.latencies = {"a:a=x2"}},
                          {.uplinks = {"b=x2"}},
                          {.uplinks = {"d=1 MB/s"}},
                          {.sites = {"a"}},
                          {.sites = {"d="}},
                          {.sites = {"d=x"}},
                          {.without_sites = {"d"}},
                          {.without_sites = {"a", "b", "c"}}};
  for (const WhatIf& each : wrong) EXPECT_THROW(changed(setting(), each), UsageError);
}

}  // namespace
}  // namespace wan::tools
