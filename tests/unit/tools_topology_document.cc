// SPDX-License-Identifier: BSD-3-Clause
// tools/topology_document.h and tools/text_table.h: what is written is read back as the same. No threads.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tools/text_table.h"
#include "tools/topology_document.h"
#include "topo/quantity.h"

namespace wan::tools {
namespace {

using Link = TopologyDocument::Link;

SiteFile parsed(const std::string& toml) {
  auto file = SiteFile::parse(toml, "test");
  if (!file) ADD_FAILURE() << file.error().message() << "\n" << toml;
  return std::move(file).value();
}

std::string message_of_json(const std::string& json) {
  const auto document = document_of_json(json, "a.json");
  if (!document) return document.error().message();
  const auto file = site_file_of(*document, "a.json");
  return file ? "" : file.error().message();
}

/// Two sites and `more`.
std::string with(const std::string& more) {
  return R"({"defaults": {"latency_ns": 1, "bandwidth_bytes_per_s": 1}, "sites": [{"name": "a", "hosts": ["a1"]},
{"name": "b", "hosts": ["b1"]}], )" +
         more + "}";
}

TEST(TopologyDocument, WritesQuantitiesAsPeopleDo) {
  EXPECT_EQ(duration_text(38'500'000), "38.5 ms");
  EXPECT_EQ(duration_text(0), "0 ns");
  EXPECT_EQ(duration_text(2'000'000'000), "2 s");
  EXPECT_EQ(rate_text(12'500'000), "100 Mbit/s");
  EXPECT_EQ(rate_text(1), "8 bit/s");
  EXPECT_EQ(percent_text(1'000), "0.1 %");
  EXPECT_EQ(percent_text(1'000'000), "100 %");
}

RC_GTEST_PROP(TopologyDocumentProperty, QuantitiesAreReadBack, ()) {
  const auto ns = *rc::gen::inRange<std::int64_t>(0, 3'600'000'000'000);
  const auto rate = *rc::gen::inRange<std::int64_t>(1, 1'000'000'000'000'000);
  const auto ppm = *rc::gen::inRange<std::int64_t>(0, 1'000'001);
  RC_ASSERT(parse_duration(duration_text(ns)).value() == ns);
  RC_ASSERT(parse_rate(rate_text(rate)).value() == rate);
  RC_ASSERT(parse_percent_ppm(percent_text(ppm)).value() == ppm);
}

/// Few values, so that some links are equal to each other and to the default.
TopologyDocument random_document() {
  const auto values = [] {
    return TopologyDocument::Values{*rc::gen::element<std::int64_t>(1'000, 5'000'000),
                                    *rc::gen::element<std::int64_t>(1'000, 5'000'000),
                                    *rc::gen::inRange(0, 2)};
  };
  TopologyDocument document;
  document.defaults = values();
  const int sites = *rc::gen::inRange(1, 6);
  for (int site = 0; site < sites; ++site)
    document.sites.push_back(
        {"s." + std::to_string(9 - site), {"h" + std::to_string(site) + "-[1-3]"}, {}, {}});
  for (int from = 0; from < sites; ++from)
    for (int to = 0; to < sites; ++to)
      if (from != to)
        document.links.push_back({document.sites[static_cast<std::size_t>(from)].name,
                                  document.sites[static_cast<std::size_t>(to)].name, values()});
  document.sites[0].downlink_bytes_per_s = 7;
  document.nodes.push_back({{"h0-1"}, 5, {}, *rc::gen::inRange(1, 9)});
  return document;
}

RC_GTEST_PROP(TopologyDocumentProperty, IsReadBackFromTomlAndJsonShortOrLong, ()) {
  const TopologyDocument document = random_document();
  const std::string json = json_of(document).dump();
  RC_ASSERT(json_of(document_of(site_file_of(document, "test").value())).dump() == json);
  RC_ASSERT(json_of(document_of(parsed(toml_of(shortened(document))))).dump() == json);
  const auto again = document_of_json(json_of(shortened(document)).dump(), "test");
  RC_ASSERT(json_of(document_of(site_file_of(*again, "test").value())).dump() == json);
}

TEST(TopologyDocument, ShortensEqualLinks) {
  const TopologyDocument long_one = document_of(
      parsed("[defaults]\nlatency = '1 ms'\nbandwidth = '1 MB/s'\n[site.a]\nhosts = ['a']\n[site.b]\n"
             "hosts = ['b']\n[site.c]\nhosts = ['c']\n[[link]]\nfrom = 'a'\nto = 'b'\nboth = true\n"
             "latency = '2 ms'\n[[link]]\nfrom = 'a'\nto = 'c'\nlatency = '3 ms'\n"));
  EXPECT_EQ(long_one.links.size(), 6u);
  const auto links = shortened(long_one).links;
  ASSERT_EQ(links.size(), 2u);
  EXPECT_EQ(links[0].directions, TopologyDocument::Directions::both);
  EXPECT_EQ(links[1].to, "c");
  EXPECT_EQ(links[1].directions, TopologyDocument::Directions::one);
}

TEST(TopologyDocument, QuotesWhatNeedsIt) {
  TopologyDocument document;
  document.sites.push_back({"a.b", {"x[1-2]"}, {}, {}});
  EXPECT_NE(toml_of(document).find("[site.\"a.b\"]"), std::string::npos);
  document.sites.front().hosts = {"a\"b\n"};
  const auto file = site_file_of(document, "test");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().key, "/sites/0/hosts");
}

struct Mistake {
  const char* json;
  const char* message;  ///< its beginning
};

TEST(TopologyDocument, SaysWhereTheJsonIsWrong) {
  const Mistake mistakes[] = {
      {R"({"sites": 3})", "a.json: /sites = \"3\": expected a list"},
      {R"([])", "a.json: / = \"[...]\": expected an object"},
      {R"({"sites": [7]})", "a.json: /sites/0 = \"7\": expected an object"},
      {R"({"sites": [{"hosts": ["a"]}]})", "a.json: /sites/0 = \"{...}\": the key \"name\" is missing"},
      {R"({"sites": [{"name": 1, "hosts": ["a"]}]})", "a.json: /sites/0/name = \"1\": expected a text"},
      {R"({"sites": [{"name": "a", "hosts": "a"}]})",
       "a.json: /sites/0/hosts = \"\"a\"\": expected a list of texts"},
      {R"({"sites": [{"name": "a", "hosts": [1]}]})",
       "a.json: /sites/0/hosts = \"[...]\": expected a list of texts"},
      {R"({"sites": [{"name": "a", "hosts": ["a"]}, {"name": "a", "hosts": ["b"]}]})",
       "a.json: /sites/1/name = \"\"a\"\": another site has this name"},
      {R"({"sites": []})", "a.json: /: expected one table for each site"},
      {"{\n\"sites\": [}", "a.json:2: not valid JSON"}};
  for (const Mistake& mistake : mistakes)
    EXPECT_EQ(message_of_json(mistake.json).substr(0, std::string(mistake.message).size()), mistake.message);
}

TEST(TopologyDocument, SaysWhichLinkOrNodeIsWrong) {
  const Mistake mistakes[] = {
      {R"("links": [{"from": "a", "to": "c"}])", "a.json: /links/0/to = \"c\": no such site"},
      {R"("links": [{"from": "a", "to": "a"}])", "a.json: /links/0/to = \"a\": expected a site other"},
      {R"("links": [{"from": "a", "to": "b", "latency_ns": 1.5}])",
       "a.json: /links/0/latency_ns = \"1.5\": expected a whole"},
      {R"("links": [{"from": "a", "to": "b", "bandwidth_bytes_per_s": 0}])",
       "a.json: /links/0/bandwidth_bytes_per_s = \"0 bit/s\": expected a rate"},
      {R"("links": [{"from": "a", "to": "b", "both": 1}])",
       "a.json: /links/0/both = \"1\": expected true or false"},
      {R"("links": [{"from": "a", "to": "b"}, {"from": "a", "to": "b"}])", "a.json: /links/1 = \"a -> b\""},
      {R"("nodes": [{"hosts": ["a1"], "slots": 0}])", "a.json: /nodes/0/slots = \"0\""},
      {R"("nodes": [{"hosts": ["a1"], "slot": 1}])",
       "a.json: /nodes/0/slot = \"1\": no such key: did you mean \"slots\""},
      {R"("links": [{"from": "a", "to": "b", "latency_ns": 18446744073709551615}])",
       "a.json: /links/0/latency_ns = \"18446744073709551615\": expected a whole"}};
  for (const Mistake& mistake : mistakes)
    EXPECT_EQ(message_of_json(with(mistake.json)).substr(0, std::string(mistake.message).size()),
              mistake.message);
  EXPECT_EQ(message_of_json(with(R"("links": [{"from": "a", "to": "b", "both": true}])")), "");
}

TEST(TextTable, AlignsNumbersRight) {
  EXPECT_EQ(text_table({{"name", "n", "note"}, {"ab", "7", ""}, {"c", "123", "x"}}),
            "name    n  note\nab      7\nc     123  x\n");
}

}  // namespace
}  // namespace wan::tools
