// SPDX-License-Identifier: BSD-3-Clause
// The component sees Open MPI's structures as the C compiler laid them out: with the stand-ins for headers
// that an installation leaves out or that are not C++, which are mca/shim.
#include "mca_layout.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "mca/ompi.h"

namespace {

#define TYPE(type) {#type, alignof(type), sizeof(type)},
#define MEMBER(type, member) {#type "." #member, offsetof(type, member), sizeof(((type*)nullptr)->member)},
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
const std::vector<wan_layout> layout_of_cxx = {
#include "mca_layout.def"
};
#pragma GCC diagnostic pop

std::string text(const wan_layout& layout) {
  return std::string(layout.name) + " at " + std::to_string(layout.place) + ", " +
         std::to_string(layout.size) + " bytes";
}

TEST(McaLayout, IsThatOfC) {
  ASSERT_EQ(layout_of_cxx.size(), wan_layouts_of_c);
  for (std::size_t i = 0; i < layout_of_cxx.size(); ++i)
    EXPECT_EQ(text(layout_of_cxx[i]), text(wan_layout_of_c[i]));
}

}  // namespace
