// SPDX-License-Identifier: BSD-3-Clause
// tools/doctor/judge.h: interfaces, ways, firewalls, packets, TCP, clocks, links.
#include <gtest/gtest.h>

#include "tests/unit/doctor_facts.h"

namespace wan::tools::doctor {
namespace {

bool mends(const Facts& facts, const std::string& text) {
  return mend_of(facts).find(text) != std::string::npos;
}

/// All attempts of the pair end so.
void answer_all(PairFacts& pair, Answer answer, const std::string& error = "") {
  for (Reach& reach : pair.reaches) {
    reach.answer = answer;
    reach.error = error;
  }
  pair.measured.reset();
}

void add_docker(HostFacts& host) {
  host.interfaces.push_back({"docker0", "172.17.0.1", 16, 1500, false});
}

TEST(DoctorJudge, NamesAnAddressOfSeveralHosts) {
  Facts facts = sound_facts();
  add_docker(facts.hosts[0]);
  EXPECT_EQ(judged(facts), "");
  add_docker(facts.hosts[2]);
  EXPECT_EQ(judged(facts), "address-on-several-hosts(a1,b1)");
  EXPECT_TRUE(mends(facts, "--mca btl_tcp_if_include eth0 --mca oob_tcp_if_include eth0"));
  for (HostFacts& host : facts.hosts) host.software.if_include = "eth0";
  EXPECT_EQ(judged(facts), "");
}

TEST(DoctorJudge, NamesAHostWithoutTheInterfaceOfTheJob) {
  Facts facts = sound_facts();
  facts.hosts[2].interfaces[0].name = "ens3";
  for (HostFacts& host : facts.hosts) host.software.if_include = "eth0";
  EXPECT_EQ(judged(facts), "interface-missing(b1)");
  EXPECT_TRUE(mends(facts, "btl_tcp_if_include 10.1.0.0/16,10.2.0.0/16 "));
}

TEST(DoctorJudge, NamesAnInterfaceThatOthersCannotReach) {
  Facts facts = sound_facts();
  facts.hosts[2].interfaces.push_back({"ib0", "192.168.7.1", 24, 9000, false});
  for (const int from : {0, 1})
    pair_of(facts, from, 2)
        .reaches.push_back({"192.168.7.1", 1024, Purpose::messages, Answer::silent, "", "", ""});
  EXPECT_EQ(judged(facts), "interface-unreachable(b1,a1,a2)");
}

TEST(DoctorJudge, TellsAFirewallOfOneDirection) {
  Facts facts = sound_facts();
  answer_all(pair_of(facts, 0, 2), Answer::silent);
  EXPECT_EQ(judged(facts), "firewall-one-way(a1,b1)");
  EXPECT_TRUE(mends(facts, "nft add rule inet filter input ip saddr 10.1.0.1 tcp dport 1024-65535 accept"));
  answer_all(pair_of(facts, 2, 0), Answer::refused);
  EXPECT_EQ(judged(facts), "firewall(a1,b1) firewall(b1,a1)");
}

TEST(DoctorJudge, KeepsOpenMpiToThePortsThatAreOpen) {
  Facts facts = sound_facts();
  for (Reach& reach : pair_of(facts, 0, 2).reaches)
    if (reach.port < 40000) reach.answer = Answer::silent;
  EXPECT_EQ(judged(facts), "firewall-one-way(a1,b1)");
  EXPECT_TRUE(mends(facts,
                    "btl_tcp_port_min_v4 40000 --mca btl_tcp_port_range_v4 5000 --mca "
                    "oob_tcp_dynamic_ipv4_ports 45000-50000"));
  facts.hosts[2].software.open_mpi = facts.hosts[1].software.open_mpi = facts.hosts[0].software.open_mpi =
      "5.0.7";
  EXPECT_TRUE(mends(facts, "--prtemca oob_tcp_dynamic_ipv4_ports"));
}

TEST(DoctorJudge, IsNotConcernedBySamplesThatAreClosed) {
  Facts facts = sound_facts();
  for (Reach& reach : pair_of(facts, 0, 2).reaches)
    if (reach.purpose == Purpose::sample) reach.answer = Answer::refused;
  EXPECT_EQ(judged(facts), "");
}

TEST(DoctorJudge, NamesAMissingRouteOnce) {
  Facts facts = sound_facts();
  answer_all(pair_of(facts, 2, 0), Answer::unreachable, "Network is unreachable");
  answer_all(pair_of(facts, 0, 2), Answer::silent);
  EXPECT_EQ(judged(facts), "no-route(b1,a1)");
  EXPECT_NE(judge(facts)[0].evidence.find("Network is unreachable"), std::string::npos);
}

TEST(DoctorJudge, NamesAnAddressWhereAnotherHostAnswers) {
  Facts facts = sound_facts();
  answer_all(pair_of(facts, 0, 2), Answer::another_host);
  EXPECT_EQ(judged(facts), "address-of-another-host(a1,b1)");
}

TEST(DoctorJudge, NamesATranslatedAddress) {
  Facts facts = sound_facts();
  for (Reach& reach : pair_of(facts, 0, 2).reaches) reach.seen = "203.0.113.7";
  EXPECT_EQ(judged(facts), "address-translated(a1,b1)");
  EXPECT_TRUE(mends(facts, "ip saddr 10.1.0.1 ip daddr 10.2.0.1 accept"));
}

TEST(DoctorJudge, NamesPacketsThatVanish) {
  Facts facts = sound_facts();
  pair_of(facts, 0, 2).measured->is_stalled = true;
  pair_of(facts, 0, 2).measured->rate = 0;
  EXPECT_EQ(judged(facts), "no-data(a1,b1)");
  pair_of(facts, 0, 2).measured->passing_segment = 1360;
  EXPECT_EQ(judged(facts), "mtu-black-hole(a1,b1)");
  EXPECT_TRUE(mends(facts, "ip link set dev eth0 mtu 1400\n"));
}

TEST(DoctorJudge, NotesAShortPathMtu) {
  Facts facts = sound_facts();
  pair_of(facts, 0, 2).measured->path_mtu = 1500;
  EXPECT_EQ(judged(facts), "path-mtu(a1,b1)");
  EXPECT_EQ(judge(facts)[0].severity, Severity::note);
}

TEST(DoctorJudge, NamesBuffersThatAreShorterThanTheLink) {
  Facts facts = sound_facts();  // the link holds 500 kB
  facts.hosts[2].tcp.receive_buffer = 1'000'000;
  EXPECT_EQ(judged(facts), "");
  facts.hosts[2].tcp.receive_buffer = 999'999;
  EXPECT_EQ(judged(facts), "tcp-receive-buffer(b1)");
  EXPECT_TRUE(mends(facts, "sysctl -w net.ipv4.tcp_rmem=\"4096 131072 16777216\"\n"));
  facts.hosts[2].tcp.receive_buffer = 1'000'000;
  facts.hosts[2].tcp.send_buffer = 999'999;
  EXPECT_EQ(judged(facts), "tcp-send-buffer(b1)");
}

TEST(DoctorJudge, SeesABufferThatLimitsWhatWasMeasured) {
  Facts facts = sound_facts();
  for (PairFacts& pair : facts.pairs) pair.stated.reset();
  facts.hosts[2].tcp.receive_buffer = 1 << 20;
  EXPECT_EQ(judged(facts), "tcp-receive-buffer(b1)");  // 12.3 MB/s: half a MiB a round trip
  pair_of(facts, 0, 2).measured->rate = pair_of(facts, 1, 2).measured->rate = 3'000'000;
  EXPECT_EQ(judged(facts), "");
}

TEST(DoctorJudge, LeavesShortWaysAlone) {
  Facts facts = sound_facts();
  std::erase_if(facts.pairs, [](const PairFacts& pair) { return pair.from == 2 || pair.to == 2; });
  for (HostFacts& host : facts.hosts) host.tcp = {65536, 65536, true, false};
  EXPECT_EQ(judged(facts), "");
}

TEST(DoctorJudge, NamesSettingsThatSlowLongWays) {
  Facts facts = sound_facts();
  facts.hosts[0].tcp.slow_start_after_idle = facts.hosts[2].tcp.slow_start_after_idle = true;
  EXPECT_EQ(judged(facts), "slow-start-after-idle(a1,b1)");
  facts = sound_facts();
  facts.hosts[2].tcp.window_scaling = false;
  EXPECT_EQ(judged(facts), "window-scaling(b1)");
  facts = sound_facts();
  pair_of(facts, 0, 1).measured->congestion_control = "reno";
  EXPECT_EQ(judged(facts), "");
  pair_of(facts, 0, 2).measured->congestion_control = "reno";
  EXPECT_EQ(judged(facts), "congestion-control(a1)");
}

TEST(DoctorJudge, NamesTheClockThatDiffersFromMost) {
  Facts facts = sound_facts();
  pair_of(facts, 0, 2).measured->clock_offset_ns = -600'000'000;
  EXPECT_EQ(judged(facts), "clock-offset(b1)");
  EXPECT_NE(judge(facts)[0].evidence.find("0.6 s behind"), std::string::npos);
  pair_of(facts, 0, 1).measured->clock_offset_ns = -600'000'000;
  EXPECT_EQ(judged(facts), "clock-offset(a1)");
  EXPECT_NE(judge(facts)[0].evidence.find("0.6 s ahead of"), std::string::npos);
}

TEST(DoctorJudge, BelievesTheHostThatAskedIfThereAreTwo) {
  for (const Nanoseconds offset : {-60'000'000'000, 60'000'000'000}) {
    Facts facts = sound_facts();
    std::erase_if(facts.pairs, [](const PairFacts& pair) { return pair.from == 1 || pair.to == 1; });
    pair_of(facts, 0, 2).measured->clock_offset_ns = offset;
    EXPECT_EQ(judged(facts), "clock-offset(b1)");
  }
}

TEST(DoctorJudge, ComparesLinksWithTheTopologyFile) {
  Facts facts = sound_facts();
  pair_of(facts, 0, 2).measured->round_trip_ns = 130'000'000;
  EXPECT_EQ(judged(facts), "link-latency(a1,b1)");
  EXPECT_TRUE(mends(facts, "latency = \"65 ms\"\n"));
  facts = sound_facts();
  pair_of(facts, 0, 2).measured->rate = 2'400'000;
  EXPECT_EQ(judged(facts), "link-rate(a1,b1)");
  EXPECT_TRUE(mends(facts, "bandwidth = \"2.4 MB/s\"\n"));
  pair_of(facts, 0, 2).measured->rate = 40'000'000;
  EXPECT_EQ(judged(facts), "link-rate(a1,b1)");
}

TEST(DoctorJudge, DoesNotBlameTheFileForAShortBuffer) {
  Facts facts = sound_facts();
  pair_of(facts, 0, 2).measured->rate = 1'000'000;
  facts.hosts[2].tcp.receive_buffer = 65536;
  EXPECT_EQ(judged(facts), "tcp-receive-buffer(b1)");
}

}  // namespace
}  // namespace wan::tools::doctor
