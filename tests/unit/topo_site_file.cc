// SPDX-License-Identifier: BSD-3-Clause
// The topology file: what a right one means, and what is said of a wrong one. topo/site_file,
// topo/site_file_reader, topo/strict_table.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "topo/site_file.h"

namespace wan {
namespace {

using Names = std::vector<std::string>;

SiteFile parsed(std::string_view text) {
  auto file = SiteFile::parse(text, "f.toml");
  if (!file) ADD_FAILURE() << file.error().message();
  return std::move(file).value();
}

/// Two sites without links.
const std::string kSites = R"([site.paris]
hosts = ["par*"]
[site.tokyo]
hosts = ["tky*"]
)";
const std::string kDefaults = R"([defaults]
latency = "20 ms"
bandwidth = "1 MB/s"
)";

TEST(SiteFile, SitesStandInFileOrder) {
  const SiteFile file = parsed(kDefaults + "[site.zoo]\nhosts = [\"z\"]\n[site.ant]\nhosts = [\"a\"]\n");
  ASSERT_EQ(file.sites().size(), 2u);
  EXPECT_EQ(file.sites()[0].name, "zoo");
  EXPECT_EQ(file.sites()[1].name, "ant");
  EXPECT_EQ(file.site_named("ant"), 1);
  EXPECT_EQ(file.site_named("bee"), std::nullopt);
}

TEST(SiteFile, SitesOnOneLineStandInFileOrderToo) {
  const SiteFile file = parsed(kDefaults + "[site]\nz = { hosts = [\"z\"] }\na = { hosts = [\"a\"] }\n");
  EXPECT_EQ(file.sites()[0].name, "z");
  const SiteFile inlined = parsed(R"(site = { z = { hosts = ["z"] }, a = { hosts = ["a"] } }
defaults = { latency = "1 ms", bandwidth = "1 MB/s" })");
  EXPECT_EQ(inlined.sites()[0].name, "z");
}

TEST(SiteFile, HostsBelongToTheFirstSiteThatMatches) {
  const SiteFile file = parsed(kDefaults + R"(
[site.a]
hosts = ["n[1-2]", "10.1.0.0/16"]
[site.b]
hosts = ["n*", "fd00::/16"]
)");
  EXPECT_EQ(file.site_of("n2", {}), 0);
  EXPECT_EQ(file.site_of("n3", {}), 1);
  EXPECT_EQ(file.site_of("m", Names{"192.168.0.1", "10.1.2.3"}), 0);
  EXPECT_EQ(file.site_of("m", Names{"fd00::7"}), 1);
  EXPECT_EQ(file.site_of("m", Names{"10.2.0.1"}), std::nullopt);
}

TEST(SiteFile, UplinkSetsBothCapsAndDownlinkOverrides) {
  const SiteFile file = parsed(kDefaults + R"(
[site.none]
hosts = ["a"]
[site.up]
hosts = ["b"]
uplink = "1 MB/s"
[site.down]
hosts = ["c"]
downlink = "2 MB/s"
[site.both]
hosts = ["d"]
uplink = "1 MB/s"
downlink = "2 MB/s"
)");
  using Caps = std::vector<std::optional<BytesPerSecond>>;
  Caps up, down;
  for (const Site& site : file.sites()) up.push_back(site.uplink), down.push_back(site.downlink);
  EXPECT_EQ(up, (Caps{std::nullopt, 1'000'000, std::nullopt, 1'000'000}));
  EXPECT_EQ(down, (Caps{std::nullopt, 1'000'000, 2'000'000, 2'000'000}));
}

TEST(SiteFile, LinksAreDirectedAndCompletedFromTheDefaults) {
  const SiteFile file = parsed(kDefaults + kSites + R"([[link]]
from = "paris"
to = "tokyo"
latency = "112 ms"
loss = "0.5 %"
)");
  EXPECT_EQ(file.link(0, 1), (Link{112'000'000, 1'000'000, 5'000}));
  EXPECT_EQ(file.link(1, 0), (Link{20'000'000, 1'000'000, 0}));
  EXPECT_EQ(file.default_link(), (Link{20'000'000, 1'000'000, 0}));
}

TEST(SiteFile, BothGivesTheTwoDirections) {
  const SiteFile file = parsed(kDefaults + kSites + R"([[link]]
from = "tokyo"
to = "paris"
both = true
bandwidth = "4 MB/s"
)");
  EXPECT_EQ(file.link(0, 1), (Link{20'000'000, 4'000'000, 0}));
  EXPECT_EQ(file.link(1, 0), (Link{20'000'000, 4'000'000, 0}));
}

TEST(SiteFile, DefaultLossHoldsForEveryLinkThatStatesNone) {
  const SiteFile file = parsed(kDefaults + "loss = \"1 %\"\n" + kSites + R"([[link]]
from = "tokyo"
to = "paris"
loss = "0 %"
)");
  EXPECT_EQ(file.link(0, 1).loss_ppm, 10'000);
  EXPECT_EQ(file.link(1, 0).loss_ppm, 0);
}

TEST(SiteFile, NeedsNoDefaultsWhereEveryPairHasALink) {
  const SiteFile file = parsed(kSites + R"([[link]]
from = "paris"
to = "tokyo"
latency = "100 ms"
bandwidth = "9 MB/s"
[[link]]
from = "tokyo"
to = "paris"
latency = "90 ms"
bandwidth = "7 MB/s"
)");
  EXPECT_EQ(file.link(0, 1), (Link{100'000'000, 9'000'000, 0}));
  EXPECT_EQ(file.default_link(), (Link{100'000'000, 7'000'000, 0}));
}

TEST(SiteFile, OneSiteNeedsNoDefaults) {
  const SiteFile file = parsed("[site.home]\nhosts = [\"*\"]\n");
  EXPECT_EQ(file.default_link(), (Link{10'000'000, 125'000'000, 0}));
}

TEST(SiteFile, NodesAreMergedFirstStatementFirst) {
  const SiteFile file = parsed(kDefaults + kSites + R"([[node]]
hosts = ["par-[1-2]"]
slots = 4
[[node]]
hosts = ["par*"]
slots = 2
send_overhead = "12 us"
[[node]]
hosts = ["tky*"]
receive_overhead = "14 us"
)");
  ASSERT_EQ(file.nodes().size(), 3u);
  const Node first = file.node_of("par-1", {});
  EXPECT_EQ(first.slots, 4);
  EXPECT_EQ(first.send_overhead_ns, 12'000);
  EXPECT_EQ(first.receive_overhead_ns, std::nullopt);
  EXPECT_EQ(file.node_of("par-3", {}).slots, 2);
  EXPECT_EQ(file.node_of("tky1", {}).receive_overhead_ns, 14'000);
  EXPECT_EQ(file.node_of("lim1", {}).slots, std::nullopt);
}

TEST(SiteFile, CommentsMayHoldAnything) {
  const SiteFile file = parsed("\xef\xbb\xbf# M\u00fcnchen, \u6771\u4eac \xff\n" + kDefaults +
                               "[site.muenchen] # M\u00fcnchen\nhosts = [\"muc*\"]\n");
  EXPECT_EQ(file.sites()[0].name, "muenchen");
}

// ---- Mistakes

struct Wrong {
  const char* name;
  std::string text;
  int line;
  std::string key, value;
  std::string remedy;  ///< a part of it
};

class Mistake : public testing::TestWithParam<Wrong> {};

TEST_P(Mistake, IsToldWithPlaceValueAndRemedy) {
  const Wrong& wrong = GetParam();
  const auto file = SiteFile::parse(wrong.text, "f.toml");
  ASSERT_FALSE(file.has_value());
  const InputError& error = file.error();
  EXPECT_EQ(error.file, "f.toml");
  EXPECT_EQ(error.line, wrong.line) << error.message();
  EXPECT_EQ(error.key, wrong.key) << error.message();
  EXPECT_EQ(error.value, wrong.value) << error.message();
  EXPECT_NE(error.remedy.find(wrong.remedy), std::string::npos) << error.message();
}

/// kDefaults (3 lines), kSites (4 lines), then `more`, whose first line is 8.
std::string with(const std::string& more) {
  return kDefaults + kSites + more;
}
std::string link(const std::string& more) {
  return with("[[link]]\nfrom = \"paris\"\nto = \"tokyo\"\n" + more);
}
std::string node(const std::string& more) {
  return with("[[node]]\nhosts = [\"par1\"]\n" + more);
}

const Wrong kWrong[] = {
    {"Syntax", "[site.a\n", 1, "", "", "not valid TOML"},
    {"SyntaxKey", "[=", 1, "", "", "not valid TOML"},
    {"SyntaxLine", kSites + "x = = 1\n", 5, "", "", "not valid TOML"},
    {"RepeatedSite", kSites + "[site.paris]\n", 5, "", "", "not valid TOML"},
    {"NotUtf8", "\na = \"\xff\"\n", 2, "", "\xff", "in comments only"},
    {"NotAscii", kDefaults + "[site.m\u00fcnchen]\n", 4, "", "\u00fc", "in comments only"},
    {"NotAsciiAfterAComment", "# note\n[site.m\u00fcnchen]\n", 2, "", "\u00fc", "in comments only"},
    {"NotAsciiAfterHash", kDefaults + "[site.paris]\nhosts = [\"#\u00fc\"]\n", 5, "site.paris.hosts", "#??",
     "host name"},
    {"Control", "[site.a]\nhosts = [\"a\\u0000\"]\n", 2, "site.a.hosts", std::string("a\0", 2), "host name"},
    {"UnknownTable", with("[nodes]\n"), 8, "nodes", "{...}", "did you mean \"node\"?"},
    {"UnknownSiteKey", kDefaults + "[site.paris]\nhosts = [\"p\"]\nuplnik = \"1 MB/s\"\n", 6,
     "site.paris.uplnik", "1 MB/s", "did you mean \"uplink\"?"},
    {"UnknownSiteKeyFar", kDefaults + "[site.paris]\nhosts = [\"p\"]\ncolour = 1\n", 6, "site.paris.colour",
     "1", "use hosts, uplink or downlink"},
    {"UnknownLinkKey", link("latancy = \"1 ms\"\n"), 11, "link.latancy", "1 ms", "did you mean \"latency\"?"},
    {"UnknownNodeKey", node("slot = 2\n"), 10, "node.slot", "2", "did you mean \"slots\"?"},
    {"UnknownDefault", "[defaults]\nlatencies = \"1 ms\"\n" + kSites, 2, "defaults.latencies", "1 ms",
     "did you mean \"latency\"?"},
    {"DefaultsNoTable", "defaults = 1\n" + kSites, 1, "defaults", "1", "[defaults]"},
    {"NoSite", kDefaults, 1, "site", "", "[site.paris]"},
    {"EmptyText", "", 1, "site", "", "[site.paris]"},
    {"EmptySites", "[site]\n", 1, "site", "{...}", "[site.paris]"},
    {"SitesNoTable", "site = [1]\n", 1, "site", "[...]", "[site.paris]"},
    {"SiteNoTable", "[site]\nparis = \"p\"\n", 2, "site.paris", "p", "[site.paris]"},
    {"SiteName", kDefaults + "[site.\"new york\"]\nhosts = [\"n\"]\n", 4, "site", "new york",
     "letters, digits"},
    {"SiteNameEmpty", kDefaults + "[site.\"\"]\nhosts = [\"n\"]\n", 4, "site", "", "letters, digits"},
    {"SiteNameSlash", kDefaults + "[site.\"a/b\"]\nhosts = [\"n\"]\n", 4, "site", "a/b", "letters, digits"},
    {"HostsMissing", kDefaults + "[site.paris]\nuplink = \"1 MB/s\"\n", 4, "site.paris.hosts", "",
     "hosts = ["},
    {"HostsEmpty", kDefaults + "[site.paris]\nhosts = []\n", 5, "site.paris.hosts", "[...]", "hosts = ["},
    {"HostsNoList", kDefaults + "[site.paris]\nhosts = \"par*\"\n", 5, "site.paris.hosts", "par*",
     "hosts = ["},
    {"HostNoText", kDefaults + "[site.paris]\nhosts = [\"p\",\n 7]\n", 6, "site.paris.hosts", "7",
     "host name"},
    {"HostPattern", kDefaults + "[site.paris]\nhosts = [\"p\",\n \"par-[2-1]\"]\n", 6, "site.paris.hosts",
     "par-[2-1]", "par-[01-64]"},
    {"HostBlock", kDefaults + "[site.paris]\nhosts = [\"10.0.0.1/8\"]\n", 5, "site.paris.hosts", "10.0.0.1/8",
     "\"10.0.0.0/8\""},
    {"HostInTwoSites", with("[site.lima]\nhosts = [\"PAR*\"]\n"), 9, "site.lima.hosts", "PAR*",
     "site paris has this pattern already, in line 5"},
    {"HostTwice", kDefaults + "[site.paris]\nhosts = [\"p\", \"p\"]\n", 5, "site.paris.hosts", "p",
     "already, in line 5"},
    {"UplinkZero", kDefaults + "[site.a]\nhosts = [\"a\"]\nuplink = \"0 MB/s\"\n", 6, "site.a.uplink",
     "0 MB/s", "from 1 B/s"},
    {"DownlinkUnit", kDefaults + "[site.a]\nhosts = [\"a\"]\ndownlink = \"10 Gbps\"\n", 6, "site.a.downlink",
     "10 Gbps", "Gbit/s"},
    {"DefaultLatencyNumber", "[defaults]\nlatency = 20\n" + kSites, 2, "defaults.latency", "20", "\"20 ms\""},
    {"DefaultBandwidthArray", "[defaults]\nbandwidth = [1]\n" + kSites, 2, "defaults.bandwidth", "[...]",
     "Gbit/s"},
    {"LatencyRange", link("latency = \"2000000 s\"\n"), 11, "link.latency", "2000000 s", "from 0 to 3600 s"},
    {"LatencyFloat", link("latency = 1.5\n"), 11, "link.latency", "1.5", "\"20 ms\""},
    {"LossRange", link("loss = \"101 %\"\n"), 11, "link.loss", "101 %", "\"100 %\""},
    {"BothNoFlag", link("both = \"true\"\n"), 11, "link.both", "true", "without quotes"},
    {"LinkNoList", with("[link]\nfrom = \"paris\"\n"), 8, "link", "{...}", "[[link]]"},
    {"LinkNoTables", "link = [1]\n" + with(""), 1, "link", "1", "[[link]]"},
    {"LinkFromMissing", with("[[link]]\nto = \"tokyo\"\n"), 8, "link.from", "", "use paris or tokyo"},
    {"LinkToMissing", with("[[link]]\nfrom = \"tokyo\"\n"), 8, "link.to", "", "use paris or tokyo"},
    {"LinkToNumber", with("[[link]]\nfrom = \"tokyo\"\nto = 3\n"), 10, "link.to", "3", "use paris or tokyo"},
    {"LinkToUnknown", with("[[link]]\nfrom = \"paris\"\nto = \"tokio\"\n"), 10, "link.to", "tokio",
     "did you mean \"tokyo\"?"},
    {"LinkToItself", with("[[link]]\nfrom = \"paris\"\nto = \"paris\"\n"), 10, "link.to", "paris",
     "a site other than"},
    {"LinkTwice", link("[[link]]\nfrom = \"paris\"\nto = \"tokyo\"\n"), 11, "link", "paris -> tokyo",
     "line 8"},
    {"LinkTwiceByBoth", link("[[link]]\nfrom = \"tokyo\"\nto = \"paris\"\nboth = true\n"), 11, "link",
     "paris -> tokyo", "line 8"},
    {"NoLatency", "[defaults]\nbandwidth = \"1 MB/s\"\n" + kSites, 3, "link", "paris -> tokyo",
     "no latency: give it in a [[link]] from paris to tokyo or in [defaults]"},
    {"NoBandwidthBack",
     "[defaults]\nlatency = \"1 ms\"\n" + kSites +
         "[[link]]\nfrom=\"paris\"\nto=\"tokyo\"\nbandwidth=\"1 MB/s\"\n",
     5, "link", "tokyo -> paris", "no bandwidth"},
    {"NoBandwidthInLink", kSites + "[[link]]\nfrom=\"paris\"\nto=\"tokyo\"\nboth=true\nlatency=\"1 ms\"\n", 5,
     "link", "paris -> tokyo", "no bandwidth"},
    {"NodeNoHosts", with("[[node]]\nslots = 2\n"), 8, "node.hosts", "", "hosts = ["},
    {"NodeNoList", with("[node]\nslots = 2\n"), 8, "node", "{...}", "[[node]]"},
    {"SlotsZero", node("slots = 0\n"), 10, "node.slots", "0", "from 1 to 1000000"},
    {"SlotsHuge", node("slots = 9223372036854775807\n"), 10, "node.slots", "9223372036854775807", "from 1"},
    {"SlotsText", node("slots = \"2\"\n"), 10, "node.slots", "2", "without quotes"},
    {"OverheadUnit", node("send_overhead = \"12\"\n"), 10, "node.send_overhead", "12", "us"},
    {"FirstInFile", "[[node]]\nhosts = [\"a\"]\nslots = 0\n[site.a]\nhosts = [1]\n", 3, "node.slots", "0",
     "from 1"},
    {"CauseNotConsequence", kSites + "[defaults]\nlatency = 1\nbandwidth = 2\n", 6, "defaults.latency", "1",
     "20 ms"},
};

INSTANTIATE_TEST_SUITE_P(Each, Mistake, testing::ValuesIn(kWrong),
                         [](const auto& wrong) { return std::string(wrong.param.name); });

TEST(SiteFile, RefusesMoreThanAThousandSites) {
  std::string text = kDefaults;
  for (int i = 0; i < 1000; ++i)
    text += "[site.s" + std::to_string(i) + "]\nhosts = [\"h" + std::to_string(i) + "\"]\n";
  EXPECT_EQ(parsed(text).sites().size(), 1000u);
  const auto more = SiteFile::parse(text + "[site.t]\nhosts = [\"t\"]\n", "f.toml");
  ASSERT_FALSE(more.has_value());
  EXPECT_NE(more.error().remedy.find("at most 1000"), std::string::npos);
}

// ---- From disk

class SiteFileOnDisk : public testing::Test {
 protected:
  SiteFileOnDisk() { std::ofstream(path_) << kDefaults << kSites; }
  ~SiteFileOnDisk() override { std::remove(path_.c_str()); }

  const std::string path_ = testing::TempDir() + "coll_wan_sites_" + std::to_string(getpid()) + ".toml";
};

TEST_F(SiteFileOnDisk, IsLoaded) {
  const auto file = SiteFile::load(path_);
  ASSERT_TRUE(file.has_value()) << file.error().message();
  EXPECT_EQ(file->sites().size(), 2u);
}

TEST_F(SiteFileOnDisk, ItsNameStandsInItsMistakes) {
  std::ofstream(path_, std::ios::app) << "x = 1\n";
  EXPECT_EQ(SiteFile::load(path_).error().message().find(path_ + ":8: site.tokyo.x"), 0u);
}

TEST_F(SiteFileOnDisk, AFileThatCannotBeReadIsAnError) {
  const auto missing = SiteFile::load(path_ + ".none");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().line, 0);
  EXPECT_EQ(missing.error().file, path_ + ".none");
  EXPECT_NE(missing.error().remedy.find("No such file"), std::string::npos);
  ASSERT_FALSE(SiteFile::load(testing::TempDir()).has_value());
  EXPECT_EQ(SiteFile::load(testing::TempDir()).error().line, 0);
}

TEST_F(SiteFileOnDisk, AFileWithoutEndIsAnError) {
  ASSERT_FALSE(SiteFile::load("/dev/zero").has_value());
  EXPECT_NE(SiteFile::load("/dev/zero").error().remedy.find("larger than 16 MiB"), std::string::npos);
}

}  // namespace
}  // namespace wan
