// SPDX-License-Identifier: BSD-3-Clause
// tools/site_sources.h: who says what of hosts here and elsewhere, and who is believed.
#include "tools/site_sources.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace wan::tools {
namespace {

using Table = std::map<std::string, std::string>;

SiteFile file_of(const std::string& sites) {
  return SiteFile::parse("[defaults]\nlatency = \"1 ms\"\nbandwidth = \"1 GB/s\"\n" + sites, "sites.toml")
      .value();
}

AskedHost host(const std::string& name, Table variables = {}, Whereabouts where = Whereabouts::here) {
  AskedHost asked{where, {}};
  asked.surroundings.host = name;
  asked.surroundings.variable = [variables = std::move(variables)](const std::string& variable) {
    const auto found = variables.find(variable);
    return found == variables.end() ? "" : found->second;
  };
  return asked;
}

AskedHost elsewhere(const std::string& name, Table variables = {}) {
  return host(name, std::move(variables), Whereabouts::elsewhere);
}

Question question(std::vector<AskedHost> hosts, const std::string& list = "") {
  return {parse_sources(list, "coll_wan_discover").value(), std::move(hosts)};
}

const Statement& statement(const HostReport& report, Source source) {
  return *std::ranges::find(report.statements, source, &Statement::source);
}

std::string verdict(const SourcesReport& report, Source source) {
  return std::ranges::find(report.outcomes, source, &Outcome::source)->text;
}

/// "paris by label", or "-".
std::string located(const HostReport& report) {
  if (!report.located.source) return "-";
  return report.located.site + " by " + std::string(name_of(*report.located.source));
}

TEST(SiteSources, EverySourceSaysWhyItIsSilent) {
  const auto report = ask_sources(question({host("tux5")})).value();
  ASSERT_EQ(report.hosts.size(), 1u);
  EXPECT_EQ(report.hosts[0].statements.size(), kSources);
  for (const Statement& each : report.hosts[0].statements) {
    EXPECT_FALSE(each.finding) << name_of(each.source);
    EXPECT_NE(each.silence, "") << name_of(each.source);
  }
  EXPECT_EQ(located(report.hosts[0]), "-");
  EXPECT_FALSE(report.hosts[0].among_others);
  EXPECT_EQ(verdict(report, Source::slurm), "says nothing");
  EXPECT_EQ(verdict(report, Source::probe), "can be asked in a job only");
}

TEST(SiteSources, AreAskedInTheOrderOfTheList) {
  const auto report = ask_sources(question({host("tux5")}, "slurm,label")).value();
  ASSERT_EQ(report.hosts[0].statements.size(), 2u);
  EXPECT_EQ(report.hosts[0].statements[0].source, Source::slurm);
  EXPECT_EQ(report.hosts[0].statements[1].source, Source::label);
}

TEST(SiteSources, ALabelIsBelievedAndAFileContradictsIt) {
  const SiteFile file = file_of("[site.tokyo]\nhosts = [\"tux*\"]\n");
  AskedHost asked = host("tux5", {{"KUBERNETES_ZONE", "eu-1"}});
  asked.surroundings.label = "paris";
  asked.surroundings.file = &file;
  const auto report = ask_sources(question({asked})).value();
  EXPECT_EQ(located(report.hosts[0]), "paris by label");
  EXPECT_EQ(verdict(report, Source::label), "names the site of 1 of 1 processes");
  EXPECT_EQ(verdict(report, Source::kubernetes), "is not needed: sources before it place all");
  EXPECT_EQ(report.contradictions,
            std::vector<std::string>{"tux5: label says paris, and file says tokyo; label is believed"});
  EXPECT_FALSE(report.hosts[0].among_others) << "it is paris, whoever else takes part";
}

TEST(SiteSources, WhatAloneProvesNothingNamesTheSiteAmongOthers) {
  const auto report = ask_sources(question({host("tux5", {{"SLURM_CLUSTER_NAME", "alpha"}})})).value();
  EXPECT_EQ(located(report.hosts[0]), "-");
  EXPECT_EQ(verdict(report, Source::slurm), "says the same of all processes, which proves nothing");
  ASSERT_TRUE(report.hosts[0].among_others);
  EXPECT_EQ(report.hosts[0].among_others->source, Source::slurm);
  EXPECT_EQ(report.hosts[0].among_others->finding->names, Path{"alpha"});
}

TEST(SiteSources, HintsCountWhereTheirSourceIsNamed) {
  AskedHost asked = host("tux5");
  asked.surroundings.subnet = "10.1.0.0/16";
  const auto by_default = ask_sources(question({asked})).value();
  EXPECT_FALSE(by_default.hosts[0].among_others);
  EXPECT_EQ(verdict(by_default, Source::subnet),
            "gives hints only, and does not count unless coll_wan_discover names it");
  const auto by_name = ask_sources(question({asked}, "subnet")).value();
  ASSERT_TRUE(by_name.hosts[0].among_others);
  EXPECT_EQ(by_name.hosts[0].among_others->finding->names, (Path{"10.0.0.0/8", "10.1.0.0/16"}));
}

TEST(SiteSources, OfHostsElsewhereTheFileKnows) {
  const SiteFile file = file_of("[site.a]\nhosts = [\"a-*\"]\n[site.b]\nhosts = [\"b-*\"]\n");
  std::vector<AskedHost> hosts{host("a-1", {{"KUBERNETES_ZONE", "eu-1"}}), elsewhere("b-1"),
                               elsewhere("c-1")};
  for (AskedHost& each : hosts) each.surroundings.file = &file;
  hosts[1].surroundings.label = "of this host, not of b-1";
  const auto report = ask_sources(question(hosts)).value();
  EXPECT_EQ(located(report.hosts[0]), "a by file");
  EXPECT_EQ(located(report.hosts[1]), "b by file");
  EXPECT_EQ(located(report.hosts[2]), "-") << "its subnet names its site, and is not known here";
  EXPECT_EQ(verdict(report, Source::file), "names the site of 2 of 3 processes");
  EXPECT_EQ(statement(report.hosts[1], Source::label).silence, "only a process on that host can say");
  EXPECT_EQ(statement(report.hosts[1], Source::kubernetes).silence, "only a process on that host can say");
  EXPECT_EQ(verdict(report, Source::kubernetes),
            "is not judged: only a job knows what it says of each of these hosts");
}

TEST(SiteSources, SitesByTopographAreToldOfAllHosts) {
  std::vector<AskedHost> hosts{host("a-1"), elsewhere("b-1")};
  for (AskedHost& each : hosts) {
    each.surroundings.topograph = "topology.conf";
    each.surroundings.text_of = [](const std::string&) {
      return std::optional<std::string>("SwitchName=left Nodes=a-1\nSwitchName=right Nodes=b-1\n");
    };
  }
  const auto report = ask_sources(question(hosts)).value();
  EXPECT_EQ(located(report.hosts[0]), "left by topograph");
  EXPECT_EQ(located(report.hosts[1]), "right by topograph");
  EXPECT_EQ(verdict(report, Source::topograph), "places 2 of 2 processes at different sites");
}

TEST(SiteSources, WhatEarlierJobsMeasuredCounts) {
  std::vector<AskedHost> hosts{host("a-1"), elsewhere("b-1")};
  hosts[0].probed = "par";
  hosts[1].probed = "tky";
  const auto report = ask_sources(question(hosts)).value();
  EXPECT_EQ(located(report.hosts[0]), "par by probe");
  EXPECT_EQ(located(report.hosts[1]), "tky by probe");
  EXPECT_EQ(located(ask_sources(question(hosts, "label")).value().hosts[0]), "-") << "nobody asks the probe";
}

TEST(SiteSources, AMistakeOfASettingIsToldAsAJobTellsIt) {
  const auto report = ask_sources(question({host("a-1")}, "topograph"));
  ASSERT_FALSE(report);
  EXPECT_NE(report.error().message().find("set coll_wan_topograph to its path"), std::string::npos);
}

}  // namespace
}  // namespace wan::tools
