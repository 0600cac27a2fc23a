// SPDX-License-Identifier: BSD-3-Clause
// tools/doctor/judge.h: names, software, topology files.
#include <gtest/gtest.h>

#include "tests/unit/doctor_facts.h"

namespace wan::tools::doctor {
namespace {

bool mends_by_line(const Facts& facts, const std::string& line) {
  return mend_of(facts).find(line + "\n") != std::string::npos;
}

TEST(DoctorJudge, FindsNothingInSoundHosts) {
  EXPECT_EQ(judged(sound_facts()), "");
}

TEST(DoctorJudge, NamesAHostThatCannotBeReachedAndNothingElseOfIt) {
  Facts facts = sound_facts();
  facts.hosts[2] = {};
  facts.hosts[2].name = "b1";
  facts.hosts[2].failure = "its agent has ended: Permission denied";
  std::erase_if(facts.pairs, [](const PairFacts& pair) { return pair.from == 2 || pair.to == 2; });
  EXPECT_EQ(judged(facts), "host-unreachable(b1)");
  EXPECT_NE(judge(facts)[0].evidence.find("Permission denied"), std::string::npos);
}

TEST(DoctorJudge, NamesWhatIsWrongWithAHostsOwnName) {
  for (const auto& [addresses, name] :
       std::vector<std::pair<std::vector<std::string>, std::string>>{{{}, "own-name-unresolved(b1)"},
                                                                     {{"127.0.1.1"}, "own-name-loopback(b1)"},
                                                                     {{"10.9.9.9"}, "own-name-foreign(b1)"},
                                                                     {{"127.0.1.1", "10.2.0.1"}, ""}}) {
    Facts facts = sound_facts();
    facts.hosts[2].own.addresses = addresses;
    EXPECT_EQ(judged(facts), name);
    if (!name.empty()) {
      EXPECT_TRUE(mends_by_line(facts, "10.2.0.1 b1"));
    }
  }
}

TEST(DoctorJudge, NamesWhatIsWrongWithAnothersName) {
  Facts facts = sound_facts();
  facts.hosts[0].peers[2].addresses = {"10.9.9.9"};
  EXPECT_EQ(judged(facts), "peer-name-wrong(a1,b1)");
  facts.hosts[0].peers[2].addresses = {};
  EXPECT_EQ(judged(facts), "peer-name-unresolved(a1,b1)");
  EXPECT_TRUE(mends_by_line(facts, "10.2.0.1 b1"));
}

TEST(DoctorJudge, DoesNotCareHowAHostNamesItselfAmongItsPeers) {
  Facts facts = sound_facts();
  facts.hosts[0].peers[0].addresses = {"127.0.1.1"};
  EXPECT_EQ(judged(facts), "");
}

TEST(DoctorJudge, NamesVersionsThatFewHave) {
  Facts facts = sound_facts();
  facts.hosts[0].software.open_mpi = "5.0.7";
  EXPECT_EQ(judged(facts), "openmpi-versions(a1)");
  EXPECT_TRUE(mends_by_line(facts, "# a1: install Open MPI 4.1.4"));
  facts.hosts[0].software.open_mpi = "4.1.4";
  facts.hosts[2].software.coll_wan = "0.2.0";
  EXPECT_EQ(judged(facts), "coll-wan-versions(b1)");
}

TEST(DoctorJudge, NamesSoftwareThatIsMissing) {
  Facts facts = sound_facts();
  facts.hosts[1].software.coll_wan = "";
  facts.hosts[2].software.coll_wan = "";
  EXPECT_EQ(judged(facts), "coll-wan-missing(a2,b1)");
  facts.hosts[1].software = {};
  facts.hosts[2].software.coll_wan = "0.1.0";
  EXPECT_EQ(judged(facts), "openmpi-missing(a2)");
}

TEST(DoctorJudge, ComparesTopologyFiles) {
  Facts facts = sound_facts();
  facts.hosts[1].topology.text += "# edited\n";
  EXPECT_EQ(judged(facts), "topology-differs(a2)");
  EXPECT_TRUE(mends_by_line(facts, "ssh a1 cat sites.toml | ssh a2 'cat > sites.toml'"));
  facts.hosts[1].topology = {"sites.toml", "No such file or directory", true, "", ""};
  EXPECT_EQ(judged(facts), "topology-missing(a2)");
  facts.hosts[1].topology = {"sites.toml", "sites.toml:3: ...", false, "[", ""};
  EXPECT_EQ(judged(facts), "topology-invalid(a2)");
  facts.hosts[1].topology = {"sites.toml", "", false, kSites, ""};
  EXPECT_EQ(judged(facts), "topology-unknown-host(a2)");
}

TEST(DoctorJudge, NeedsNoTopologyFile) {
  Facts facts = sound_facts();
  for (HostFacts& host : facts.hosts) host.topology = {};
  for (PairFacts& pair : facts.pairs) pair.stated.reset();
  EXPECT_EQ(judged(facts), "");
}

}  // namespace
}  // namespace wan::tools::doctor
