// SPDX-License-Identifier: BSD-3-Clause
// discover/source.h: which lists of sources there are, and what the mistake says of others.
#include <gtest/gtest.h>

#include "discover/source.h"

namespace wan {
namespace {

/// "file! label subnet", where what the user has named has a mark.
std::string read(const std::string& text) {
  const auto asks = parse_sources(text, "coll_wan_discover");
  if (!asks) return asks.error().message();
  std::string all;
  for (const Ask& ask : *asks)
    all += (all.empty() ? "" : " ") + std::string(name_of(ask.source)) +
           (ask.asked == Asked::by_name ? "!" : "");
  return all;
}

TEST(Sources, AreAllByDefault) {
  EXPECT_EQ(read(""), "label file kubernetes slurm topograph pmix subnet probe");
  EXPECT_EQ(read("auto"), read(""));
}

TEST(Sources, AreAskedInTheOrderOfTheList) {
  EXPECT_EQ(read("subnet,label"), "subnet! label!");
  EXPECT_EQ(read("pmix,auto,label"), "pmix! file kubernetes slurm topograph subnet probe label!");
}

TEST(Sources, ThatThereAreNotAreMistakes) {
  EXPECT_EQ(
      read("label,oracle"),
      "coll_wan_discover: \"oracle\": is no source of sites: expected some of auto, label, file, kubernetes, "
      "slurm, topograph, pmix, subnet, probe, separated by commas");
  for (const char* wrong : {",", "label,", " label", "Label", "label;file"})
    EXPECT_NE(read(wrong).find("is no source of sites"), std::string::npos) << wrong;
  EXPECT_EQ(read("label,file,label"), "coll_wan_discover: \"label\": is named twice: name each source once");
  EXPECT_EQ(read("auto,auto"), "coll_wan_discover: \"auto\": is named twice: name it once");
}

TEST(Sources, HaveNames) {
  EXPECT_EQ(source_named("subnet"), Source::subnet);
  EXPECT_EQ(source_named("sub"), std::nullopt);
  EXPECT_EQ(source_named(name_of(Source::kubernetes)), Source::kubernetes);
}

}  // namespace
}  // namespace wan
