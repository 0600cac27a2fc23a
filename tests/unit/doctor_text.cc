// SPDX-License-Identifier: BSD-3-Clause
// What wanctl doctor reads and writes: tools/doctor/host_list.h, gather.h (ompi_info), interfaces.h, units.h,
// examine.h (what is tried), facts_json.h, report.h.
#include <gtest/gtest.h>

#include <map>

#include "tests/unit/doctor_facts.h"
#include "tools/doctor/examine.h"
#include "tools/doctor/facts_json.h"
#include "tools/doctor/gather.h"
#include "tools/doctor/host_list.h"
#include "tools/doctor/interfaces.h"
#include "tools/doctor/report.h"
#include "tools/doctor/units.h"
#include "topo/quantity.h"

namespace wan::tools::doctor {
namespace {

using Hosts = std::vector<std::string>;

Environment environment(std::map<std::string, std::string> variables) {
  return [variables](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::string() : found->second;
  };
}

TEST(DoctorHostList, TakesListsAsMpirunAndSlurmWriteThem) {
  EXPECT_EQ(hosts_of_list("a,b").value(), (Hosts{"a", "b"}));
  EXPECT_EQ(hosts_of_list("par-[1-2,4],tky1").value(), (Hosts{"par-1", "par-2", "par-4", "tky1"}));
  EXPECT_EQ(hosts_of_list("a:4,b:2,a").value(), (Hosts{"a", "b"}));
  EXPECT_EQ(hosts_of_list("10.1.0.1,10.2.0.1").value(), (Hosts{"10.1.0.1", "10.2.0.1"}));
  EXPECT_FALSE(hosts_of_list("a,b*").has_value());
  EXPECT_FALSE(hosts_of_list("a,10.0.0.0/8").has_value());
  EXPECT_FALSE(hosts_of_list("a,,b").has_value());
}

TEST(DoctorHostList, TakesHostFiles) {
  EXPECT_EQ(hosts_of_file("# all\na slots=4\n\n  b max_slots=2 # second\na\n"), (Hosts{"a", "b"}));
}

TEST(DoctorHostList, AsksTheBatchSystem) {
  EXPECT_EQ(hosts_in("", environment({{"SLURM_JOB_NODELIST", "n[1-2]"}})).value(), (Hosts{"n1", "n2"}));
  EXPECT_EQ(hosts_in("a,b", environment({{"SLURM_JOB_NODELIST", "n[1-2]"}})).value(), (Hosts{"a", "b"}));
  EXPECT_FALSE(hosts_in("", environment({})).has_value());
  EXPECT_FALSE(hosts_in("a,a", environment({})).has_value());
  EXPECT_FALSE(hosts_in("", environment({{"PBS_NODEFILE", "/nowhere/nodes"}})).has_value());
}

TEST(DoctorHostList, AsksTheMpirunThatStartsIt) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(
      hosts_option_of({"/usr/bin/mpirun.openmpi", "-N", "1", "--hostfile", "my hosts", "wanctl", "probe"}),
      "my hosts");
  EXPECT_EQ(hosts_option_of({"mpiexec", "-machinefile", "m", "wanctl"}), "m");
  EXPECT_EQ(hosts_option_of({"prterun", "-H", "a:1", "wanctl", "probe", ":", "--host", "b", "/x/wanctl"}),
            "a:1");
  EXPECT_EQ(hosts_option_of({"mpirun", "-H", "a:1", "--host", "b,c", "wanctl", "--hosts", "d"}), "a:1,b,c");
  EXPECT_EQ(hosts_option_of({"mpirun", "-n", "2", "/x/wanctl", "probe", "--host", "d"}), "");
  EXPECT_EQ(hosts_option_of({"mpirun", "--host"}), "");
  EXPECT_EQ(hosts_option_of({"bash", "-c", "--host", "a"}), "");
  EXPECT_EQ(hosts_option_of(Words{}), "");
}

TEST(DoctorHostList, LaunchesAsOpenMpiDoes) {
  EXPECT_EQ(launcher_in("srun -w", environment({{"OMPI_MCA_plm_rsh_agent", "rsh"}})), "srun -w");
  EXPECT_EQ(launcher_in("", environment({{"OMPI_MCA_plm_rsh_agent", "rsh"}})), "rsh");
  EXPECT_EQ(launcher_in("", environment({{"PRTE_MCA_plm_ssh_agent", "/x/agent"}})), "/x/agent");
  EXPECT_EQ(launcher_in("", environment({})).substr(0, 4), "ssh ");
}

constexpr const char* kInfo =
    "package:Debian OpenMPI\n"
    "ompi:version:full:4.1.4\n"
    "mca:coll:wan:version:\"mca:2.1.0\"\n"
    "mca:coll:wan:version:\"component:0.1.0\"\n"
    "mca:btl:tcp:param:btl_tcp_if_include:value:\n"
    "mca:btl:tcp:param:btl_tcp_if_exclude:value:127.0.0.1/8,sppp\n"
    "mca:btl:tcp:param:btl_tcp_port_min_v4:value:2000\n"
    "mca:coll:wan:param:coll_wan_topology:value:\"/x/my sites.toml\"\n";

TEST(DoctorGather, ReadsOmpiInfo) {
  const Software software = software_in(kInfo);
  EXPECT_EQ(software.open_mpi, "4.1.4");
  EXPECT_EQ(software.coll_wan, "0.1.0");
  EXPECT_EQ(software.if_include, "");
  EXPECT_EQ(software.if_exclude, "127.0.0.1/8,sppp");
  EXPECT_EQ(software.port_min, 2000);
  EXPECT_EQ(software.port_range, 64511);
  EXPECT_EQ(parameter_in(kInfo, "coll_wan_topology"), "/x/my sites.toml");
  EXPECT_EQ(software_in("").open_mpi, "");
  EXPECT_EQ(software_in("ompi:version:full:5.0.7\n").open_mpi, "5.0.7");
}

TEST(DoctorInterfaces, AreChosenByNameOrNetwork) {
  HostFacts host = sound_host("a1", "10.1.0.1");
  host.interfaces.push_back({"ib0", "192.168.7.1", 24, 2044, false});
  const auto used = [&](const char* include, const char* exclude) {
    host.software.if_include = include;
    host.software.if_exclude = exclude;
    std::string names;
    for (const Interface& each : message_interfaces(host)) names += each.name + " ";
    return names;
  };
  EXPECT_EQ(used("", "127.0.0.1/8,sppp"), "eth0 ib0 ");
  EXPECT_EQ(used("", "ib0"), "eth0 ");
  EXPECT_EQ(used("ib0", "ib0"), "ib0 ");
  EXPECT_EQ(used("eth1,192.168.0.0/16", ""), "ib0 ");
  EXPECT_EQ(used("eth", ""), "");
}

TEST(DoctorInterfaces, KnowNetworks) {
  EXPECT_TRUE(is_in_network("10.1.2.3", "10.1.0.9/16"));
  EXPECT_FALSE(is_in_network("10.2.2.3", "10.1.0.9/16"));
  EXPECT_TRUE(is_in_network("10.2.2.3", "0.0.0.0/0"));
  for (const char* text : {"10.2.2.3", "10.2.2.3/33", "10.2.2.3/x", "/8", "x/8"})
    EXPECT_FALSE(is_in_network("10.2.2.3", text)) << text;
  EXPECT_EQ(network_of({"eth0", "10.20.131.7", 17, 1500, true}), "10.20.128.0/17");
}

TEST(DoctorExamine, TriesAllPortsAtOneAddressAndOneAtTheOthers) {
  std::vector<HostFacts> hosts{sound_host("a1", "10.1.0.1"), sound_host("b1", "10.2.0.1")};
  hosts[1].interfaces.insert(hosts[1].interfaces.begin(), {"ib0", "192.168.7.1", 24, 2044, false});
  for (HostFacts& host : hosts) host.interfaces.push_back({"docker0", "172.17.0.1", 16, 1500, false});
  const auto ways = ways_to(hosts, 1);
  ASSERT_EQ(ways.size(), hosts[1].listeners.size() + 1);
  for (std::size_t i = 0; i + 1 < ways.size(); ++i) EXPECT_EQ(ways[i].address, "10.2.0.1");
  EXPECT_EQ(ways.back().address, "192.168.7.1");
  EXPECT_EQ(ways.back().listener.port, 1024);
  hosts[1].software.if_include = "eth7";
  EXPECT_EQ(ways_to(hosts, 1).size(), hosts[1].listeners.size());
}

TEST(DoctorExamine, KnowsWhatTheFileSaysOfALink) {
  const Facts facts = sound_facts();
  EXPECT_FALSE(stated_link(facts.hosts, 0, 1).has_value());
  const auto link = stated_link(facts.hosts, 0, 2);
  ASSERT_TRUE(link.has_value());
  EXPECT_EQ(link->round_trip_ns, 40'000'000);
  EXPECT_EQ(link->rate, 12'500'000);
}

TEST(DoctorUnits, AreThoseOfTheTopologyFile) {
  EXPECT_EQ(time_text(40'123'456), "40.1 ms");
  EXPECT_EQ(time_text(950), "950 ns");
  EXPECT_EQ(time_text(2'000'000'000), "2 s");
  EXPECT_EQ(rate_text(12'500'000), "12.5 MB/s");
  EXPECT_EQ(rate_text(1'250'000'000'000), "1250 GB/s");
  EXPECT_EQ(rate_text(0), "0 B/s");
  EXPECT_EQ(bytes_text(6291456), "6 MiB");
  EXPECT_EQ(parse_duration(time_text(40'123'456)).value(), 40'100'000);
  EXPECT_EQ(parse_rate(rate_text(1'234'567)).value(), 1'230'000);
}

TEST(DoctorFactsJson, GoesBothWays) {
  const HostFacts host = sound_host("a1", "10.1.0.1");
  const SortedJson json = host;
  EXPECT_EQ(SortedJson(json.get<HostFacts>()), json);
  const PairFacts pair = sound_facts().pairs[1];
  EXPECT_EQ(SortedJson(SortedJson(pair.reaches).get<std::vector<Reach>>()), SortedJson(pair.reaches));
  EXPECT_EQ(SortedJson(SortedJson(*pair.measured).get<Measurement>()), SortedJson(*pair.measured));
  EXPECT_THROW(SortedJson::parse("{}").get<HostFacts>(), SortedJson::exception);
}

TEST(DoctorReport, IsJsonForPrograms) {
  Facts facts = sound_facts();
  facts.hosts[2].own.addresses = {"127.0.1.1"};
  pair_of(facts, 0, 2).measured->path_mtu = 1500;
  const SortedJson json = SortedJson::parse(report_json(facts, judge(facts)));
  EXPECT_EQ(json["faults"], 1);
  ASSERT_EQ(json["findings"].size(), 2u);
  EXPECT_EQ(json["findings"][0]["name"], "own-name-loopback");
  EXPECT_EQ(json["findings"][1]["severity"], "note");
  EXPECT_EQ(json["pairs"][1]["from"], "a1");
  EXPECT_EQ(json["pairs"][1]["to"], "b1");
  EXPECT_FALSE(json["hosts"][0].contains("token"));
}

TEST(DoctorReport, IsATableForPeople) {
  Facts facts = sound_facts();
  std::string text = report_text(facts, judge(facts));
  EXPECT_NE(text.find("\nb1    10.2.0.1  eth0       9000     4.1.4     0.1.0  b\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("No fault was found.\n"), std::string::npos);
  facts.hosts[2].own.addresses = {"127.0.1.1"};
  pair_of(facts, 0, 2).measured.reset();
  text = report_text(facts, judge(facts));
  EXPECT_NE(text.find("FAULT: own-name-loopback (b1)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n      10.2.0.1 b1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n1 fault.\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace wan::tools::doctor
