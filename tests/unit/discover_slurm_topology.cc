// SPDX-License-Identifier: BSD-3-Clause
// discover/slurm_topology.h and host_list.h: what Slurm's files say of a host, and where a mistake stands.
// The texts are of the forms that topology.conf(5), topology.yaml(5) and topograph's tests show.
#include <gtest/gtest.h>

#include "discover/slurm_topology.h"

namespace wan {
namespace {

/// "root/s1" above a host, "-" if the file does not know it, or the mistake.
std::string above(const std::string& text, const std::string& host) {
  const auto topology = SlurmTopology::parse(text, "t");
  if (!topology) return topology.error().message();
  const auto path = topology->above(host);
  if (!path) return path.error().message();
  if (!*path) return "-";
  std::string joined;
  for (const std::string& name : **path) joined += (joined.empty() ? "" : "/") + name;
  return joined;
}

TEST(HostList, HasWhatItLists) {
  const auto list = HostList::parse("tux[0-3,12,018-020],dev5,a[1-2]b[3-4]");
  ASSERT_TRUE(list);
  for (const char* host : {"tux0", "tux12", "tux019", "dev5", "a2b3", "DEV5"})
    EXPECT_TRUE(list->has(host)) << host;
  for (const char* host : {"tux4", "tux19", "dev", "dev55", "a2b5", ""})
    EXPECT_FALSE(list->has(host)) << host;
  EXPECT_TRUE(list->has_host("dev5.example.org"));
  EXPECT_FALSE(list->has("dev5.example.org"));
}

TEST(HostList, OfAnotherFormIsAMistake) {
  for (const char* wrong : {"", ",", "a,", "a[1-", "a[3-1]", "a*", "a b", "a[1,]"})
    EXPECT_FALSE(HostList::parse(wrong)) << wrong;
}

constexpr const char* kConf =
    "# comment\n"
    "SwitchName=s0 Nodes=dev[0-5]  # comment\n"
    "switchname=s1 NODES=dev[6-11] LinkSpeed=10\n"
    "SwitchName=s3 \\\n"
    "  Switches=s[0-1]\n"
    "SwitchName=top Switches=s3,s4\n";

TEST(SlurmTopology, OfConfHasTheSwitchesAboveAHost) {
  EXPECT_EQ(above(kConf, "dev7"), "top/s3/s1");
  EXPECT_EQ(above(kConf, "dev0.example.org"), "top/s3/s0");
  EXPECT_EQ(above(kConf, "dev12"), "-");
  EXPECT_EQ(above("", "dev1"), "-");
}

TEST(SlurmTopology, OfConfHasBlocks) {
  const std::string text =
      "BlockName=b1 Nodes=node[1-32]\nBlockName=b2 Nodes=Node[201-202],Node205\nBlockSizes=30,120\n";
  EXPECT_EQ(above(text, "node32"), "b1");
  EXPECT_EQ(above(text, "Node205"), "b2");
}

TEST(SlurmTopology, HasSwitchesWithDots) {
  const std::string text =
      "# switch.3.1=hpcislandid-1\nSwitchName=switch.3.1 Switches=switch.2.[1-2]\n"
      "SwitchName=switch.2.2 Switches=switch.1.2\nSwitchName=switch.1.2 Nodes=node-2\n";
  EXPECT_EQ(above(text, "node-2"), "switch.3.1/switch.2.2/switch.1.2");
}

TEST(SlurmTopology, OfConfNamesTheLineOfAMistake) {
  EXPECT_EQ(
      above("\nSwitchName=s0 Nods=a\n", "a"),
      "t:2: Nods = \"a\": expected SwitchName=, Switches=, Nodes=, LinkSpeed=, BlockName= or BlockSizes=");
  EXPECT_EQ(above("SwitchName=s0 Nodes=a[1-\n", "a"),
            "t:1: Nodes = \"a[1-\": expected Slurm's list of names, such as \"tux[0-3,12,18-20],dev5\"");
  EXPECT_EQ(above("Nodes=a\n", "a").find("t:1: \"Nodes=a\": names no switch"), 0u);
  EXPECT_EQ(above("[site.a]\n", "a").find("t:1: \"[site.a]\": expected SwitchName="), 0u);
}

TEST(SlurmTopology, ThatIsNoTreeIsAMistake) {
  EXPECT_EQ(above("SwitchName=a Switches=b\nSwitchName=b Switches=a Nodes=n\n", "n"),
            "t:2: \"b\": is a switch that lies below itself: expected a tree");
  EXPECT_EQ(above("SwitchName=a Switches=a Nodes=n\n", "n"),
            "t:1: \"a\": is a switch that lies below itself: expected a tree");
}

constexpr const char* kYaml =
    "---\n"
    "- topology: topo1\n"
    "  cluster_default: False\n"
    "  block:\n"
    "    block_sizes:\n"
    "      - 4\n"
    "      - 16\n"
    "    blocks:\n"
    "    - block: b1\n"
    "      nodes: node[01-04]\n"
    "- topology: topo2   # this one\n"
    "  cluster_default: True\n"
    "  tree:\n"
    "    switches:\n"
    "        - switch: \"root\"\n"
    "          children: s[1-2]\n"
    "        - switch: s1\n"
    "          nodes: node[01-04]\n"
    "        - switch: s2\n"
    "          nodes: node[05-08]\n"
    "- topology: topo3\n"
    "  flat: True\n";

TEST(SlurmTopology, OfYamlIsTheOneThatIsTheDefault) {
  EXPECT_EQ(above(kYaml, "node03"), "root/s1");
  EXPECT_EQ(above(kYaml, "node08"), "root/s2");
  EXPECT_EQ(above(kYaml, "node09"), "-");
}

TEST(SlurmTopology, OfYamlIsTheFirstWhereNoneIsTheDefault) {
  EXPECT_EQ(above("- topology: t1\n  clusterDefault: false\n  block:\n    blockSizes: [2, 4]\n    blocks:\n"
                  "        - block: block1\n          nodes: Node[104-105]\n- topology: t2\n  flat: true\n",
                  "Node104"),
            "block1");
  EXPECT_EQ(above("- topology: t1\n  flat: true\n", "a"), "-");
}

TEST(SlurmTopology, OfYamlNamesTheLineOfAMistake) {
  EXPECT_EQ(above("- topology: t\n  ring:\n    rings:\n", "a")
                .find("t:2: ring: is a key that coll_wan does not know"),
            0u)
      << above("- topology: t\n  ring:\n    rings:\n", "a");
  EXPECT_EQ(above("- topology: t\n  tree:\n    switches:\n    - nodes: a\n", "a"),
            "t:4: switch: is missing: expected a name");
  EXPECT_EQ(above("- topology: t\n  tree:\n    switches:\n    - switch: s\n      nodes: a[\n", "a"),
            "t:5: nodes = \"a[\": expected Slurm's list of names, such as \"tux[0-3,12,18-20],dev5\"");
  EXPECT_EQ(above("- topology: t\n  tree: &anchor\n", "a").find("t:2: \"tree: &anchor\": expected"), 0u);
  EXPECT_EQ(above("- topology: t\n   tree:\n", "a").find("t:2: \"tree:\": expected"), 0u);
  EXPECT_EQ(above("- topology: t\n\ttree:\n", "a").find("t:2: "), 0u);
  EXPECT_EQ(above("- tree:\n    switches:\n", "a").find("t:1: expected \"- topology: NAME\""), 0u);
  EXPECT_EQ(above("- topology: t\n  topology: u\n", "a").find("t:2: "), 0u);
}

}  // namespace
}  // namespace wan
