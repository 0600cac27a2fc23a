// SPDX-License-Identifier: BSD-3-Clause
// process/probing.h: when the hosts of a job measure, and what follows.
#include "process/probing.h"

#include <gtest/gtest.h>

namespace wan {
namespace {

constexpr Nanoseconds ms = 1'000'000;

ProcessRecord on(const std::string& host, const std::string& label = "", bool has_agent = true) {
  ProcessRecord record;
  record.place = {host};
  if (!label.empty()) record.findings = {{Source::label, Weight::stated, {label}, 1, "coll_wan_site"}};
  if (has_agent) record.endpoint = "4711 key 10.0.0." + std::to_string(host.back() - '0');
  return record;
}

struct TestJob {
  std::vector<ProcessRecord> records;
  JobRecord settings = {};
  std::vector<Ask> asks = parse_sources("", "").value();

  std::vector<const ProcessRecord*> all() const {
    std::vector<const ProcessRecord*> pointers;
    for (const ProcessRecord& record : records) pointers.push_back(&record);
    return pointers;
  }
  std::optional<ProbeTask> task() const { return probe_task(all(), asks, settings); }
};

TEST(Probing, IsForHostsOfWhomNobodyKnowsAnything) {
  const TestJob job{{on("h1"), on("h1", "", false), on("h2")}};
  const auto task = job.task();
  ASSERT_TRUE(task);
  ASSERT_EQ(task->hosts.size(), 2u);
  EXPECT_FALSE(task->knows_sites);
  EXPECT_EQ(task->hosts[0].ranks, (std::vector<Rank>{0, 1}));
  EXPECT_EQ(task->hosts[0].agent, 0);
  EXPECT_EQ(task->hosts[1].endpoint.addresses, std::vector<std::string>{"10.0.0.2"});
}

TEST(Probing, IsForSitesWithoutLinks) {
  const auto task = TestJob{{on("h1", "x"), on("h2", "y"), on("h3", "x")}}.task();
  ASSERT_TRUE(task);
  EXPECT_EQ(task->known_labels(), (std::vector<int>{0, 1, 0}));
}

TEST(Probing, IsNotWhereNothingIsToBeFound) {
  EXPECT_FALSE((TestJob{{on("h1"), on("h1")}}.task())) << "one host";
  EXPECT_FALSE((TestJob{{on("h1", "x"), on("h2", "x")}}.task())) << "one site";
  TestJob job{{on("h1"), on("h2")}};
  job.settings.parameters.topology = "sites.toml";
  EXPECT_FALSE(job.task()) << "a topology file";
  job = {{on("h1"), on("h2")}};
  job.settings.parameters.probe = "off";
  EXPECT_FALSE(job.task()) << "off";
  job = {{on("h1"), on("h2")}};
  job.asks = parse_sources("label", "").value();
  EXPECT_FALSE(job.task()) << "no source of sites";
  job = {{on("h1", "", false), on("h2")}};
  EXPECT_FALSE(job.task()) << "nobody to lead";
  job = {{on("h1"), on("h2")}};
  job.records[1].complaint = "wrong";
  EXPECT_FALSE(job.task()) << "coll_wan is off";
  auto records = job.all();
  records[1] = nullptr;
  EXPECT_FALSE(probe_task(records, job.asks, job.settings)) << "one without coll_wan";
}

TEST(Probing, CountsAHostWithoutAnAgentAsOneThatCannotBeCalled) {
  const auto task = TestJob{{on("h1"), on("h2", "", false)}}.task();
  ASSERT_TRUE(task);
  EXPECT_FALSE(task->hosts[1].agent);
  EXPECT_TRUE(task->endpoints()[1].addresses.empty());
}

probe::Exploration two_sites() {
  probe::Exploration found;
  found.sites = probe::partition_by(std::vector<int>{0, 0, 1});
  found.findings = {{1, 0, {ms / 10}, {}, {}}, {2, 0, {20 * ms}, {{40'000, 4 * ms}}, {{40'000, 4 * ms}}}};
  found.links = probe::links_between(found.sites, found.findings);
  return found;
}

TEST(Probing, MakesASourceOfSites) {
  TestJob job{{on("a1"), on("a2"), on("b3")}};
  const auto file = SiteFile::parse(topology_found(*job.task(), two_sites()), "probe");
  ASSERT_TRUE(file) << file.error().message();
  for (ProcessRecord& record : job.records) record = with_probed_site(record, *file);
  const Sites sites = sites_of(job.all(), job.asks);
  EXPECT_EQ(sites.of[1], (Located{"a", Source::probe}));
  EXPECT_EQ(sites.of[2], (Located{"b", Source::probe}));
  EXPECT_EQ(file->link(0, 1).bandwidth_bytes_per_s, 10'000'000);
}

TEST(Probing, TakesAHostThatWasNotReachedForNoSite) {
  TestJob job{{on("a1"), on("a2"), on("b3")}};
  probe::Exploration found = two_sites();
  found.unreached = {2};
  EXPECT_EQ(topology_found(*job.task(), found), "");
  TestJob labelled{{on("a1", "x"), on("a2", "x"), on("b3", "y")}};
  EXPECT_TRUE(SiteFile::parse(topology_found(*labelled.task(), found), "probe")) << "only links are sought";
}

TEST(Probing, LeavesHostsWhereOthersPlaceThem) {
  TestJob job{{on("a1", "Paris"), on("a2"), on("b3")}};
  const auto file = SiteFile::parse(topology_found(*job.task(), two_sites()), "probe");
  ASSERT_TRUE(file) << file.error().message();
  for (ProcessRecord& record : job.records) record = with_probed_site(record, *file);
  const Sites sites = sites_of(job.all(), job.asks);
  EXPECT_EQ(sites.of[0], (Located{"Paris", Source::label}));
  EXPECT_EQ(sites.of[1], (Located{"a", Source::probe}));
  ASSERT_TRUE(file->site_named("Paris"));
}

TEST(Probing, UsesWhatAnEarlierJobMeasured) {
  TestJob job{{on("a1"), on("a2"), on("b3")}};
  const auto task = *job.task();
  const std::string text = topology_found(task, two_sites());
  job.settings.cached = encode(probe::CachedNetwork{probe::Naming::found, 1, task.cached_hosts(), text});
  EXPECT_EQ(cached_topology(task, job.settings), text);
  const TestJob fewer{{on("a1"), on("b3")}};
  EXPECT_EQ(cached_topology(*fewer.task(), job.settings), text) << "the others are not needed";
  const TestJob more{{on("a1"), on("b3"), on("c4")}};
  EXPECT_EQ(cached_topology(*more.task(), job.settings), std::nullopt);
  const TestJob labelled{{on("a1", "x"), on("b3", "y")}};
  EXPECT_EQ(cached_topology(*labelled.task(), job.settings), std::nullopt);
  job.settings.parameters.probe = "on";
  EXPECT_EQ(cached_topology(task, job.settings), std::nullopt) << "measure again";
}

TEST(Probing, UsesLinksOfAnEarlierJobWhereTheNamesOfSitesAreEqual) {
  TestJob job{{on("a1", "x"), on("a2", "x"), on("b3", "y")}};
  const auto task = *job.task();
  const std::string text = topology_found(task, two_sites());
  job.settings.cached = encode(probe::CachedNetwork{probe::Naming::given, 1, task.cached_hosts(), text});
  EXPECT_EQ(cached_topology(task, job.settings), text);
  const TestJob other{{on("a1", "y"), on("b3", "x")}};
  EXPECT_EQ(cached_topology(*other.task(), job.settings), std::nullopt);
}

TEST(Probing, CallsAddressesThatOpenMpiUses) {
  const std::vector<InterfaceAddress> addresses{{"docker0", "172.17.0.1", 16},
                                                {"eth0", "10.0.0.1", 24},
                                                {"eth0", "fe80::1", 64},
                                                {"ib0", "10.1.0.1", 24}};
  using Texts = std::vector<std::string>;
  EXPECT_EQ(addresses_to_call(addresses, "", ""), (Texts{"172.17.0.1", "10.0.0.1", "10.1.0.1"}));
  EXPECT_EQ(addresses_to_call(addresses, "eth0", "x"), Texts{"10.0.0.1"});
  EXPECT_EQ(addresses_to_call(addresses, "10.1.0.0/16", ""), Texts{"10.1.0.1"});
  EXPECT_EQ(addresses_to_call(addresses, "", "127.0.0.1/8,docker0,ib0"), Texts{"10.0.0.1"});
}

}  // namespace
}  // namespace wan
