// SPDX-License-Identifier: BSD-3-Clause
// cost/network_view.h: the same links in either direction.
#include <gtest/gtest.h>

#include "cost/network_view.h"

namespace wan {
namespace {

TEST(NetworkView, BackwardExchangesTheDirections) {
  const Network network(2, {Link{}, Link{1, 2, 0}, Link{3, 4, 0}, Link{}}, {5, {}}, {{}, 6});
  const View view(network), back(network, Direction::backward);
  EXPECT_EQ(view.link(0, 1), network.link(0, 1));
  EXPECT_EQ(view.uplink(0), network.uplink(0));
  EXPECT_EQ(back.link(0, 1), network.link(1, 0));
  EXPECT_EQ(back.link(1, 0), network.link(0, 1));
  EXPECT_EQ(back.downlink(0), network.uplink(0));
  EXPECT_EQ(back.uplink(1), network.downlink(1));
  EXPECT_EQ(view.farthest(0), 1);
  EXPECT_EQ(back.farthest(0), 3);
}

}  // namespace
}  // namespace wan
