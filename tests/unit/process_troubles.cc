// SPDX-License-Identifier: BSD-3-Clause
// process/troubles.h: which processes coll_wan serves, what is said where it does not, and that
// help-coll-wan.txt has the text.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "process/troubles.h"
#include "topo/topology.h"

namespace wan {
namespace {

ProcessRecord at(const std::string& site, const std::string& host) {
  return {{{Source::label, Weight::stated, {site}, 1, "coll_wan_site"}}, {host}, {}, {}};
}

/// A job of processes that are all at a site of their own.
std::vector<ProcessRecord> of_sites(SiteIndex sites) {
  std::vector<ProcessRecord> records;
  for (SiteIndex site = 0; site < sites; ++site)
    records.push_back(at("s" + std::to_string(site), "h" + std::to_string(site)));
  return records;
}

const std::vector<Ask> kAsks = parse_sources("", "").value();

bool can_serve(Records members) {
  return can_serve(members, sites_of(members, kAsks));
}

std::vector<Trouble> troubles_of(Records job) {
  return troubles_of(job, kAsks, sites_of(job, kAsks));
}

std::vector<const ProcessRecord*> pointers(const std::vector<ProcessRecord>& records) {
  std::vector<const ProcessRecord*> all;
  for (const ProcessRecord& record : records) all.push_back(&record);
  return all;
}

/// The text of a topic of help-coll-wan.txt, as a printf format.
std::string help_text(const std::string& topic) {
  const char* const sources = std::getenv("top_srcdir");
  std::ifstream file(std::string(sources == nullptr ? "." : sources) + "/coll_wan/mca/help-coll-wan.txt");
  std::string text, line;
  for (bool is_inside = false; std::getline(file, line);) {
    if (!line.empty() && line[0] == '[')
      is_inside = line == "[" + topic + "]";
    else if (is_inside && line != "#")
      text += line + "\n";
  }
  return text;
}

/// How many texts the format takes.
std::size_t places(const std::string& format) {
  std::size_t number = 0;
  for (auto at = format.find("%s"); at != format.npos; at = format.find("%s", at + 2)) ++number;
  return number;
}

std::size_t given(const Trouble& trouble) {
  std::size_t number = 0;
  for (const std::string& text : trouble.texts) number += text.empty() ? 0 : 1;
  return number;
}

/// The only trouble of a job, whose text must be there and take what it is given.
Trouble only_trouble(const std::vector<const ProcessRecord*>& job) {
  const std::vector<Trouble> all = troubles_of(job);
  EXPECT_EQ(all.size(), 1u);
  if (all.empty()) return {};
  EXPECT_EQ(places(help_text(all[0].topic)), given(all[0])) << all[0].topic;
  return all[0];
}

TEST(Troubles, AreNoneOfAJobThatSaysWhereItIs) {
  const auto job = of_sites(3);
  EXPECT_TRUE(can_serve(pointers(job)));
  EXPECT_TRUE(troubles_of(pointers(job)).empty());
  EXPECT_TRUE(troubles_of({}).empty());
}

TEST(Troubles, AreNoneOfAsManySitesAsAreServed) {
  const auto job = of_sites(kMostSites);
  EXPECT_TRUE(can_serve(pointers(job)));
  EXPECT_TRUE(troubles_of(pointers(job)).empty());
}

TEST(Troubles, OneSiteMoreIsNotServed) {
  const auto job = of_sites(kMostSites + 1);
  EXPECT_FALSE(can_serve(pointers(job)));
  const Trouble trouble = only_trouble(pointers(job));
  EXPECT_STREQ(trouble.topic, "too many sites");
  EXPECT_EQ(trouble.texts[0], std::to_string(kMostSites + 1));
  EXPECT_EQ(trouble.texts[1], std::to_string(kMostSites));
  EXPECT_TRUE(trouble.texts[2].starts_with("s0, s1, ")) << trouble.texts[2];
  EXPECT_TRUE(trouble.texts[2].ends_with("s19, " + std::to_string(kMostSites + 1 - 20) + " more"))
      << trouble.texts[2];
}

TEST(Troubles, ManyProcessesOfFewSitesAreServed) {
  auto job = of_sites(kMostSites);
  for (const ProcessRecord& record : of_sites(kMostSites)) job.push_back(record);
  EXPECT_TRUE(can_serve(pointers(job)));
  EXPECT_TRUE(troubles_of(pointers(job)).empty());
}

TEST(Troubles, ProcessesWithoutCollWanAreNotServed) {
  const auto job = of_sites(2);
  auto members = pointers(job);
  members.push_back(nullptr);
  EXPECT_FALSE(can_serve(members));
  const Trouble trouble = only_trouble(members);
  EXPECT_STREQ(trouble.topic, "absent");
  EXPECT_EQ(trouble.texts[0], "2");
}

TEST(Troubles, BadInputIsNotServedAndHidesWhatFollowsFromIt) {
  auto job = of_sites(2);
  job[1].complaint = "line 3 is wrong";
  job[0].file_digest = "another file";
  EXPECT_FALSE(can_serve(pointers(job)));
  const Trouble trouble = only_trouble(pointers(job));
  EXPECT_STREQ(trouble.topic, "bad input");
  EXPECT_EQ(trouble.texts[0], "line 3 is wrong");
  EXPECT_EQ(trouble.texts[1], "h1");
}

TEST(Troubles, HostsThatNobodyNamesAreServedAndNamed) {
  auto job = of_sites(2);
  job[0].file_digest = job[1].file_digest = "the file";
  job[1].findings = {{Source::subnet, Weight::stated, {"10.1.0.0/16"}, 1, "addresses"}};
  EXPECT_TRUE(can_serve(pointers(job)));
  Trouble trouble = only_trouble(pointers(job));
  EXPECT_STREQ(trouble.topic, "unmatched hosts");
  EXPECT_EQ(trouble.texts[0], "10.1.0.0/16: h1");
  job[0].file_digest = job[1].file_digest = "";
  job[1].findings = {};
  trouble = only_trouble(pointers(job));
  EXPECT_STREQ(trouble.topic, "unnamed hosts");
  EXPECT_EQ(trouble.texts[0], "h1");
  job[0].findings = {};  // nobody says anything: one site
  EXPECT_TRUE(troubles_of(pointers(job)).empty());
}

TEST(Troubles, SitesThatTwoSourcesStateDifferentlyAreNamed) {
  auto job = of_sites(2);
  job[1].findings.push_back({Source::file, Weight::stated, {"s0"}, 1, "coll_wan_topology"});
  EXPECT_TRUE(can_serve(pointers(job)));
  const Trouble trouble = only_trouble(pointers(job));
  EXPECT_STREQ(trouble.topic, "contradictory sites");
  EXPECT_EQ(trouble.texts[0], "h1: label says s1, file says s0");
}

TEST(Troubles, FilesThatDifferFromTheFirstProcesssAreNamed) {
  auto job = of_sites(3);
  job[2].file_digest = "another file";
  EXPECT_TRUE(can_serve(pointers(job)));
  const Trouble trouble = only_trouble(pointers(job));
  EXPECT_STREQ(trouble.topic, "different files");
  EXPECT_EQ(trouble.texts[0], "h2");
}

}  // namespace
}  // namespace wan
