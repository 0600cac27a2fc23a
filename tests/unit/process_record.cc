// SPDX-License-Identifier: BSD-3-Clause
// Records of processes and jobs survive the modex, and what is not a record is recognised.
#include <gtest/gtest.h>

#include "process/record.h"

namespace wan {
namespace {

ProcessRecord sample_process() {
  return {{{Source::label, Weight::stated, {"paris"}, 1, "coll_wan_site"},
           {Source::slurm, Weight::apart, {"c", "s1"}, 1, "SLURM_CLUSTER_NAME, SLURM_TOPOLOGY_ADDR"}},
          {"par-01:2", "numa1"},
          digest("text"),
          ""};
}

TEST(Record, ProcessSurvives) {
  ProcessRecord sent = sample_process();
  sent.complaint = "sites.toml:3: defaults.bandwidth = \"fast\": expected a rate,\nsuch as 1 Gbit/s";
  auto received = decode_process(encode(sent));
  ASSERT_TRUE(received);
  EXPECT_EQ(received->findings, sent.findings);
  EXPECT_EQ(received->place, sent.place);
  EXPECT_EQ(received->file_digest, sent.file_digest);
  EXPECT_EQ(received->complaint, sent.complaint);
  EXPECT_EQ(received->send_overhead_ns, std::nullopt);
}

TEST(Record, OverheadsOfTheHostSurvive) {
  ProcessRecord sent = sample_process();
  sent.send_overhead_ns = 3'000'000'000;
  sent.receive_overhead_ns = 0;
  sent.addresses = {"10.0.0.1", "fd00::1"};
  sent.streams = "1234 key 10.0.0.1";
  sent.near_network = true;
  auto received = decode_process(encode(sent));
  ASSERT_TRUE(received);
  EXPECT_EQ(received->send_overhead_ns, 3'000'000'000);
  EXPECT_EQ(received->receive_overhead_ns, 0);
  EXPECT_EQ(received->place, sent.place);
  EXPECT_EQ(received->addresses, sent.addresses);
  EXPECT_EQ(received->streams, sent.streams);
  EXPECT_TRUE(received->near_network);
  std::string wrong = encode(sent);
  wrong.replace(wrong.find("3000000000"), 10, "3000000 ns");
  EXPECT_FALSE(decode_process(wrong));
}

TEST(Record, JobSurvives) {
  JobRecord sent{{}, std::string("[site.a]\n\0", 10), "# measured\n", "copy_ps_per_byte,77\n"};
  sent.limits = {{{65'408, 0, 0}, {8'191, 2'000, 5}, {1, 0, 1'024}, {kCautiousEagerLimit, 7, 0}}};
  sent.parameters.priority = 61;
  sent.parameters.radix = 9;
  sent.parameters.tree = "chain";
  sent.parameters.topology = "/etc/sites.toml";
  auto received = decode_job(encode(sent));
  ASSERT_TRUE(received);
  EXPECT_EQ(received->parameters.priority, 61);
  EXPECT_EQ(received->parameters.radix, 9);
  EXPECT_EQ(received->parameters.aggregate_limit, Parameters{}.aggregate_limit);
  EXPECT_EQ(received->parameters.tree, "chain");
  EXPECT_EQ(received->parameters.site, "");
  EXPECT_EQ(received->parameters.topology, "/etc/sites.toml");
  EXPECT_EQ(received->file_text, sent.file_text);
  EXPECT_EQ(received->cached, sent.cached);
  EXPECT_EQ(received->machine, sent.machine);
  EXPECT_EQ(received->limits, sent.limits);
}

TEST(Record, ImpossibleLimitsAreRefused) {
  for (const MessageLimits& wrong :
       {MessageLimits{0, 0, 0}, MessageLimits{-1, 0, 0}, MessageLimits{1, -1, 0}, MessageLimits{1, 0, -1}}) {
    JobRecord record;
    record.limits[2] = wrong;
    EXPECT_FALSE(decode_job(encode(record)));
  }
}

TEST(Record, EveryTruncationIsRefused) {
  std::string process = encode(sample_process()), job = encode(JobRecord{});
  for (std::size_t length = 0; length < job.size(); ++length)
    EXPECT_FALSE(decode_job(job.substr(0, length))) << length;
  // A shorter place is a valid record; cut anywhere else it is none.
  std::size_t place_begins = process.find("8:par-01:2");
  for (std::size_t length = 0; length < place_begins; ++length)
    EXPECT_FALSE(decode_process(process.substr(0, length))) << length;
}

TEST(Record, OtherTextIsRefused) {
  EXPECT_FALSE(decode_process("hello"));
  EXPECT_FALSE(decode_process(encode(JobRecord{})));
  EXPECT_FALSE(decode_job(encode(sample_process())));
  EXPECT_FALSE(decode_process("99999999999999999999999:a"));
  const auto changed = [](const std::string& from, const std::string& to) {
    std::string bytes = encode(sample_process());
    return bytes.replace(bytes.find(from), from.size(), to);
  };
  EXPECT_TRUE(decode_process(changed("5:label", "4:file")));
  EXPECT_FALSE(decode_process(changed("5:label", "5:fable")));
  EXPECT_FALSE(decode_process(changed("5:label1:2", "5:label1:3")));
  EXPECT_FALSE(decode_process(changed("5:label1:21:1", "5:label1:21:2")));
  EXPECT_FALSE(decode_process(changed("5:slurm", "5:slurm0:")));
}

TEST(Record, DigestTellsTextsApart) {
  EXPECT_EQ(digest(""), "cbf29ce484222325");  // the offset basis of FNV-1a
  EXPECT_EQ(digest("a"), "af63dc4c8601ec8c");
  EXPECT_NE(digest("ab"), digest("ba"));
}

}  // namespace
}  // namespace wan
