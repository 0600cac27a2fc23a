// SPDX-License-Identifier: BSD-3-Clause
// tools/tree_picture.h: what is in the picture, and that no two circles or boxes lie on each other. (Whether
// it is a good one is for people to see.) No threads.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <regex>

#include "algo/schedule.h"
#include "tests/support/layouts.h"
#include "tests/unit/tools_count.h"
#include "tools/site_trees.h"
#include "tools/tree_picture.h"

namespace wan::tools {
namespace {

std::string picture(const std::string& words, Collective collective, const Tuning& tuning = {}) {
  const Topology topology = wan::topology_of(words);
  GlobalCall call;
  call.collective = collective;
  call.size = topology.layout.size();
  call.block = 8;
  std::vector<Tree> trees;
  for (SiteIndex site = 0; site < topology.layout.sites(); ++site)
    trees.push_back(tree_of(topology, tuning, call, site));
  const std::vector<std::string> hosts(static_cast<std::size_t>(call.size), "h");
  return tree_svg(plan_all(topology, tuning, call), topology.layout, trees, hosts, "a & b");
}

struct Circle {
  double x, y;
};

std::vector<Circle> circles(const std::string& svg) {
  static const std::regex pattern("<circle cx='([0-9.]+)' cy='([0-9.]+)'");
  std::vector<Circle> all;
  for (std::sregex_iterator found(svg.begin(), svg.end(), pattern), end; found != end; ++found)
    all.push_back({std::stod((*found)[1]), std::stod((*found)[2])});
  return all;
}

TEST(TreePicture, HasRanksHostsSitesAndMessages) {
  const std::string svg = picture("a1 a1 a2 b1", Collective::bcast);
  EXPECT_EQ(circles(svg).size(), 4u);
  EXPECT_EQ(count(svg, "<title>host h"), 3u);
  EXPECT_EQ(count(svg, "class='wide'"), 1u);
  EXPECT_EQ(count(svg, "<title>0 to 3: 1 messages, 8 bytes</title>"), 1u);
  EXPECT_EQ(count(svg, "<title>0 to 1: 1 messages, 8 bytes</title>"), 1u);
  EXPECT_EQ(count(svg, ">a &amp; b<"), 1u);
  EXPECT_EQ(count(svg, "</svg>"), 1u);
}

TEST(TreePicture, HasBothDirections) {
  EXPECT_EQ(count(picture("a1 b1", Collective::allreduce), "class='wide'"), 2u);
}

RC_GTEST_PROP(TreePictureProperty, CirclesLieApart, ()) {
  std::string words;
  const int ranks = *rc::gen::inRange(1, 24);
  for (int rank = 0; rank < ranks; ++rank)
    words += std::string(1, *rc::gen::element('a', 'b', 'c', 'd')) + *rc::gen::element('1', '2', '3') + " ";
  Tuning tuning;
  tuning.tree =
      *rc::gen::element(TreeShape::automatic, TreeShape::flat, TreeShape::chain, TreeShape::knomial);
  tuning.radix = 2;
  const auto all =
      circles(picture(words, *rc::gen::element(Collective::bcast, Collective::alltoall), tuning));
  RC_ASSERT(std::ssize(all) == ranks);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) RC_ASSERT(std::hypot(all[i].x - all[j].x, all[i].y - all[j].y) > 23);
}

}  // namespace
}  // namespace wan::tools
