// SPDX-License-Identifier: BSD-3-Clause
// tools/topology_findings.h: an example of each kind, beside one that is almost the same and sound. No
// threads.
#include <gtest/gtest.h>

#include "tools/topology_findings.h"

namespace wan::tools {
namespace {

constexpr const char* kHead = "[defaults]\nlatency = '20 ms'\nbandwidth = '1 Gbit/s'\n";
constexpr const char* kTwo = "[site.a]\nhosts = ['a-[1-9]']\n[site.b]\nhosts = ['b-[1-9]']\n";
constexpr const char* kThree =
    "[site.a]\nhosts = ['a-[1-9]']\n[site.b]\nhosts = ['b-[1-9]']\n[site.c]\nhosts = ['c-[1-9]']\n";

/// "kind: subject", or "".
std::string found(const std::string& sites, const std::string& more) {
  const auto file = SiteFile::parse(kHead + sites + more, "test");
  if (!file) return file.error().message();
  std::string text;
  for (const Finding& finding : findings_of(*file))
    text += (text.empty() ? "" : ", ") + finding.kind + ": " + finding.subject;
  return text;
}

std::string link(const std::string& from, const std::string& to, const std::string& more) {
  return "[[link]]\nfrom = '" + from + "'\nto = '" + to + "'\n" + more + "\n";
}

TEST(TopologyFindings, NothingIsSuspicious) {
  EXPECT_EQ(found(kTwo, ""), "");
  EXPECT_EQ(found(kThree, link("a", "b", "both = true\nlatency = '25 ms'")), "");
}

TEST(TopologyFindings, OneSite) {
  EXPECT_EQ(found("[site.a]\nhosts = ['a']\n", ""), "single-site: a");
}

TEST(TopologyFindings, OneDirection) {
  EXPECT_EQ(found(kTwo, link("a", "b", "latency = '25 ms'")), "one-way-link: a -> b");
  EXPECT_EQ(found(kTwo, link("a", "b", "latency = '25 ms'") + link("b", "a", "latency = '26 ms'")), "");
  EXPECT_EQ(found(kTwo, link("a", "b", "latency = '25 ms'") + link("b", "a", "")), "")
      << "as by default, but said";
}

TEST(TopologyFindings, UnequalDirections) {
  EXPECT_EQ(found(kTwo, link("a", "b", "latency = '1 ms'") + link("b", "a", "latency = '30 ms'")),
            "unequal-directions: a - b");
  EXPECT_EQ(found(kTwo, link("a", "b", "bandwidth = '2 Mbit/s'") + link("b", "a", "bandwidth = '3 Gbit/s'")),
            "unequal-directions: a - b");
}

TEST(TopologyFindings, OddNumbers) {
  EXPECT_EQ(found(kTwo, link("a", "b", "both = true\nlatency = '25 us'")),
            "short-latency: a -> b, short-latency: b -> a");
  EXPECT_EQ(found(kTwo, link("a", "b", "both = true\nlatency = '1 s'")),
            "long-latency: a -> b, long-latency: b -> a");
  EXPECT_EQ(found(kTwo, link("a", "b", "both = true\nbandwidth = '1 kB/s'")),
            "odd-bandwidth: a -> b, odd-bandwidth: b -> a");
  EXPECT_EQ(found(kTwo, link("a", "b", "both = true\nbandwidth = '2 Tbit/s'")),
            "odd-bandwidth: a -> b, odd-bandwidth: b -> a");
  EXPECT_EQ(found(kTwo, link("a", "b", "both = true\nloss = '5 %'")), "much-loss: a -> b, much-loss: b -> a");
}

TEST(TopologyFindings, Detour) {
  EXPECT_EQ(found(kThree, link("a", "c", "both = true\nlatency = '51 ms'")),
            "detour: a -> c, detour: c -> a");
  EXPECT_EQ(found(kThree, link("a", "c", "both = true\nlatency = '50 ms'")), "");
}

TEST(TopologyFindings, NarrowAccess) {
  EXPECT_EQ(
      found(
          "[site.a]\nhosts = ['a']\nuplink = '100 Mbit/s'\ndownlink = '1 Gbit/s'\n[site.b]\nhosts = ['b']\n",
          ""),
      "narrow-access: a");
  EXPECT_EQ(found("[site.a]\nhosts = ['a']\ndownlink = '100 Mbit/s'\n[site.b]\nhosts = ['b']\n", ""),
            "narrow-access: a");
  EXPECT_EQ(found("[site.a]\nhosts = ['a']\nuplink = '1 Gbit/s'\n[site.b]\nhosts = ['b']\n", ""), "");
}

std::string of_hosts(const std::string& a, const std::string& b) {
  return found("[site.a]\nhosts = ['" + a + "']\n[site.b]\nhosts = ['" + b + "']\n", "");
}

TEST(TopologyFindings, CommonHosts) {
  EXPECT_EQ(of_hosts("n[1-100]", "n[100-200]"), "common-host: n100");
  EXPECT_EQ(of_hosts("n[1-99]", "n[100-200]"), "");
  EXPECT_EQ(of_hosts("par*", "par-[01-64]"), "common-host: par-01");
  EXPECT_EQ(of_hosts("par-*", "par*"), "common-host: par-");
  EXPECT_EQ(of_hosts("*", "b1"), "common-host: b1");
  EXPECT_EQ(of_hosts("b1", "*"), "common-host: b1");
  EXPECT_EQ(of_hosts("par*", "tok*"), "");
  EXPECT_EQ(of_hosts("10.1.0.0/16", "10.1.2.0/24"), "common-host: 10.1.2.0");
  EXPECT_EQ(of_hosts("10.1.2.0/24", "10.1.0.0/16"), "common-host: 10.1.2.0");
  EXPECT_EQ(of_hosts("10.1.0.0/16", "10.2.0.0/16"), "");
  EXPECT_EQ(of_hosts("fd00:1::/32", "fd00:1::5"), "common-host: fd00:1::5");
  EXPECT_EQ(of_hosts("node1", "node1.example.org"), "common-host: node1.example.org");
}

TEST(TopologyFindings, NodesOfNoSite) {
  EXPECT_EQ(found(kTwo, "[[node]]\nhosts = ['a-1', 'c-1']\nslots = 2\n"), "node-of-no-site: [[node]] a-1");
  EXPECT_EQ(found(kTwo, "[[node]]\nhosts = ['a-1', '*-2']\nslots = 2\n"), "");
  EXPECT_EQ(found(kTwo, "[[node]]\nhosts = ['a-1']\nsend_overhead = '2 ms'\n"),
            "long-overhead: [[node]] a-1");
}

}  // namespace
}  // namespace wan::tools
