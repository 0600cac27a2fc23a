// SPDX-License-Identifier: BSD-3-Clause
// discover/collect.h and the sources that it asks: what each says of a process in surroundings that are a
// table.
#include <gtest/gtest.h>

#include <map>

#include "discover/collect.h"
#include "discover/kubernetes.h"
#include "discover/slurm.h"

namespace wan {
namespace {

using Table = std::map<std::string, std::string>;

Surroundings surroundings(Table variables, Table files = {}) {
  Surroundings here;
  here.variable = [variables = std::move(variables)](const std::string& name) {
    const auto found = variables.find(name);
    return found == variables.end() ? "" : found->second;
  };
  here.text_of = [files = std::move(files)](const std::string& path) {
    const auto found = files.find(path);
    return found == files.end() ? std::nullopt : std::optional(found->second);
  };
  here.host = "tux5";
  return here;
}

/// "slurm: c | s1 (SLURM_CLUSTER_NAME)", a line a finding, where what is behind the bar is a hint; or the
/// mistake.
std::string said(const Surroundings& here, const std::string& list = "") {
  const auto findings = collect(here, parse_sources(list, "coll_wan_discover").value());
  if (!findings) return findings.error().message();
  std::string text;
  for (const Finding& each : *findings) {
    text += (text.empty() ? "" : "; ") + std::string(name_of(each.source)) + ":";
    for (int i = 0; i < std::ssize(each.names); ++i)
      text += (i == each.proven ? " | " : " ") + each.names[static_cast<std::size_t>(i)];
    text += " (" + each.evidence + ")";
  }
  return text;
}

TEST(Collect, FindsNothingWhereThereIsNothing) {
  EXPECT_EQ(said(surroundings({})), "");
}

TEST(Collect, TakesTheLabel) {
  Surroundings here = surroundings({});
  here.label = "paris";
  EXPECT_EQ(said(here), "label: paris (coll_wan_site)");
  EXPECT_EQ(said(here, "file"), "");
}

TEST(Collect, LooksTheHostUpInTheFile) {
  const auto file =
      SiteFile::parse("[defaults]\nlatency = \"1 ms\"\nbandwidth = \"1 GB/s\"\n[site.a]\nhosts = [\"tux*\"]\n[site.b]\nhosts = [\"10.2.0.0/16\"]\n", "f");
  ASSERT_TRUE(file);
  Surroundings here = surroundings({});
  here.file = &*file;
  EXPECT_EQ(said(here), "file: a (coll_wan_topology)");
  here.host = "other";
  here.addresses = {"10.2.0.7"};
  EXPECT_EQ(said(here), "file: b (coll_wan_topology)");
  here.addresses = {};
  EXPECT_EQ(said(here), "subnet: other (the host's addresses)");
  here.subnet = "10.3.0.0/16";
  EXPECT_EQ(said(here), "subnet: 10.3.0.0/16 (the host's addresses)");
  here.file = nullptr;
  EXPECT_EQ(said(here), "subnet: | 10.0.0.0/8 10.3.0.0/16 (the host's addresses)");
}

TEST(Kubernetes, NamesRegionAndZone) {
  EXPECT_EQ(said(surroundings({{"KUBERNETES_REGION", "r"}, {"KUBERNETES_ZONE", "z"}})),
            "kubernetes: r z (KUBERNETES_REGION, KUBERNETES_ZONE)");
  EXPECT_EQ(said(surroundings({{"KUBERNETES_ZONE", "z"}})), "kubernetes: z (KUBERNETES_ZONE)");
  EXPECT_EQ(find_in_kubernetes(surroundings({{"KUBERNETES_ZONE", "z"}}))->weight, Weight::settled);
  EXPECT_EQ(find_in_kubernetes(surroundings({{"KUBERNETES_REGION", "r"}}))->weight, Weight::apart);
}

TEST(Kubernetes, ReadsOtherNamesInsideAPodOnly) {
  EXPECT_EQ(said(surroundings({{"NODE_ZONE", "z"}})), "");
  EXPECT_EQ(said(surroundings({{"KUBERNETES_SERVICE_HOST", "10.0.0.1"}, {"NODE_ZONE", "z"}})),
            "kubernetes: z (NODE_ZONE)");
  EXPECT_EQ(said(surroundings({{"KUBERNETES_SERVICE_HOST", "10.0.0.1"}, {"TOPOLOGY_REGION", "r"}})),
            "kubernetes: r (TOPOLOGY_REGION)");
}

TEST(Kubernetes, ReadsTheLabelsOfThePod) {
  const std::string labels =
      "app=\"x\"\ntopology.kubernetes.io/region=\"eu\"\ntopology.kubernetes.io/zone=\"eu-1a\"\n";
  EXPECT_EQ(said(surroundings({}, {{"/etc/podinfo/labels", labels}})),
            "kubernetes: eu eu-1a (/etc/podinfo/labels)");
  EXPECT_EQ(said(surroundings({{"KUBERNETES_ZONE", "z"}}, {{"/etc/podinfo/labels", labels}})),
            "kubernetes: z (KUBERNETES_ZONE)");
}

TEST(Kubernetes, SkipsWhatIsNoLabel) {
  EXPECT_EQ(label_in("a=\"1\"\nb=\"2\"", "b"), "2");
  for (const char* none : {"", "a", "a=", "a=\"", "a=1", "a=\"1", "aa=\"1\"", "a=\"\\\"\"", "a=\"\""})
    EXPECT_EQ(label_in(none, "a"), "") << none;
}

TEST(Slurm, NamesTheCluster) {
  EXPECT_EQ(said(surroundings({{"SLURM_CLUSTER_NAME", "c"}})), "slurm: c (SLURM_CLUSTER_NAME)");
}

TEST(Slurm, NamesTheSwitchesOfTheAddress) {
  EXPECT_EQ(said(surroundings({{"SLURM_CLUSTER_NAME", "c"},
                               {"SLURM_TOPOLOGY_ADDR", "root.s1.tux5"},
                               {"SLURM_TOPOLOGY_ADDR_PATTERN", "switch.switch.node"}})),
            "slurm: c | root s1 (SLURM_CLUSTER_NAME, SLURM_TOPOLOGY_ADDR)");
  EXPECT_EQ(switches_in("b1.tux5", "block.node"), Path{"b1"});
  for (const auto& [address, pattern] :
       {std::pair("tux5", "node"), std::pair("", ""), std::pair("a.b.c.tux5", "switch.node"),
        std::pair("tux5", "switch.node"), std::pair("a.b", "switch.switch")})
    EXPECT_EQ(switches_in(address, pattern), Path{}) << address << " " << pattern;
}

TEST(Slurm, NamesTheGroupOfTheHost) {
  const Table job{{"SLURM_HET_SIZE", "2"},
                  {"SLURM_JOB_NODELIST_HET_GROUP_0", "tux[1-4]"},
                  {"SLURM_JOB_NODELIST_HET_GROUP_1", "tux[5-8]"}};
  EXPECT_EQ(said(surroundings(job)), "slurm: | group 1 (SLURM_HET_SIZE)");
  for (const char* wrong : {"", "x", "-1", "0", "1"}) {
    Table other = job;
    other["SLURM_HET_SIZE"] = wrong;
    EXPECT_EQ(said(surroundings(other)), "") << wrong;
  }
}

TEST(Slurm, ReadsFilesOnlyWhenItIsNamed) {
  const Table files{{"/slurm/topology.conf", "SwitchName=s1 Nodes=tux5\n"}};
  const Table variables{{"SLURM_CONF", "/slurm/slurm.conf"}};
  EXPECT_EQ(said(surroundings(variables, files)), "");
  EXPECT_EQ(said(surroundings(variables, files), "slurm"), "slurm: | s1 (/slurm/topology.conf)");
  EXPECT_EQ(said(surroundings({}, {{"/etc/slurm/topology.conf", "BlockName=b Nodes=tux5\n"}}), "slurm"),
            "slurm: | b (/etc/slurm/topology.conf)");
  EXPECT_EQ(said(surroundings(variables, {{"/slurm/topology.conf", "SwitchName=s1 Nodes=tux5\n"},
                                          {"/slurm/topology.yaml", "- topology: t\n  flat: true\n"}}),
                 "slurm"),
            "");
  EXPECT_EQ(said(surroundings(variables, {{"/slurm/topology.conf", "oops\n"}}), "slurm")
                .find("/slurm/topology.conf:1: \"oops\": "),
            0u);
}

TEST(Topograph, ReadsTheFileThatTheUserNames) {
  Surroundings here =
      surroundings({}, {{"/t", "SwitchName=r Switches=s\nSwitchName=s Nodes=tux5\n"}, {"/u", "Nodes=a\n"}});
  here.topograph = "/t";
  EXPECT_EQ(said(here), "topograph: r s (/t)");
  here.host = "nobody";
  EXPECT_EQ(said(here), "");
  here.topograph = "/none";
  EXPECT_EQ(said(here),
            "coll_wan_topograph: \"/none\": cannot be read: name a file that every host of the job can read");
  here.topograph = "/u";
  EXPECT_EQ(said(here).find("/u:1: "), 0u);
  here.topograph = "";
  EXPECT_EQ(said(here, "topograph"),
            "coll_wan_discover: \"topograph\": needs the file that topograph has written: set "
            "coll_wan_topograph to its "
            "path");
}

TEST(Pmix, TellsClusterAndApplication) {
  Surroundings here = surroundings({});
  here.launcher.application = 1;
  EXPECT_EQ(said(here), "pmix: | application 1 (application number)");
  here.launcher.cluster = "c";
  EXPECT_EQ(said(here), "pmix: c | application 1 (cluster id, application number)");
  here.launcher.application.reset();
  EXPECT_EQ(said(here), "pmix: c (cluster id)");
}

}  // namespace
}  // namespace wan
