// SPDX-License-Identifier: BSD-3-Clause
// Whole Schedules compared with files (tests/golden/schedules): one of each collective on 2 sites x 3 ranks
// with 2 hosts, and what is special: interleaved sites, in place, direct messages. Each file is also parsed
// and its Programs verified. WAN_GOLDEN_UPDATE=1 writes the files anew.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "algo/schedule.h"
#include "plan/text.h"
#include "tests/support/layouts.h"
#include "tests/support/promise.h"

namespace wan {
namespace {

struct Golden {
  std::string name, words;
  GlobalCall call;
  Tuning tuning = {};
};

const char* const kTwoHosts = "a1 a1 a2 b1 b2 b2";

GlobalCall usual_call(Collective collective) {
  GlobalCall call{collective, 6, traits(collective).rooted ? 4 : 0, OperandOrder::rank, 2, {}, {}};
  if (!traits(collective).vector) return call;
  call.counts.resize(has_count_matrix(collective) ? 36 : 6);
  for (std::size_t i = 0; i < call.counts.size(); ++i) call.counts[i] = static_cast<Count>(i % 3);
  return call;
}

std::vector<Golden> all() {
  std::vector<Golden> all;
  for (const CollectiveTraits& each : all_collectives())
    all.push_back({std::string(each.name), kTwoHosts, usual_call(each.collective)});
  for (const Collective collective :
       {Collective::allreduce, Collective::scan, Collective::reduce_scatter_block}) {
    GlobalCall call = usual_call(collective);
    all.push_back({std::string(traits(collective).name) + "-interleaved", "a b a c b a", call});
    call.order = OperandOrder::any;
    all.push_back({std::string(traits(collective).name) + "-interleaved-any", "a b a c b a", call});
  }
  for (const Collective collective : {Collective::gather, Collective::allreduce, Collective::alltoall}) {
    GlobalCall call = usual_call(collective);
    call.placements.assign(6, Placement::in_place);
    if (traits(collective).rooted)
      for (std::size_t rank = 0; rank < 6; ++rank)
        if (static_cast<Rank>(rank) != call.root) call.placements[rank] = Placement::separate;
    all.push_back({std::string(traits(collective).name) + "-in-place", kTwoHosts, call});
  }
  for (const Collective collective : {Collective::gather, Collective::alltoall})
    all.push_back({std::string(traits(collective).name) + "-direct",
                   kTwoHosts,
                   usual_call(collective),
                   {TreeShape::knomial, 8, 1, 1}});
  return all;
}

Schedule schedule_of(const Golden& golden) {
  return plan_all(topology_of(golden.words), golden.tuning, golden.call);
}

std::string text_of(const Golden& golden) {
  const GlobalCall& call = golden.call;
  std::string text = "# " + golden.name + " on " + golden.words;
  if (traits(call.collective).rooted) text += ", root " + std::to_string(call.root);
  if (traits(call.collective).reduces)
    text += call.order == OperandOrder::rank ? ", in rank order" : ", in any order";
  return text + "\n" + to_text(schedule_of(golden));
}

std::filesystem::path file_of(const Golden& golden) {
  const char* top = std::getenv("top_srcdir");
  return std::filesystem::path(top == nullptr ? "." : top) / "tests/golden/schedules" /
         (golden.name + ".golden");
}

class Schedules : public testing::TestWithParam<Golden> {};

TEST_P(Schedules, AreThoseOfTheFile) {
  const Golden& golden = GetParam();
  if (std::getenv("WAN_GOLDEN_UPDATE") != nullptr) std::ofstream(file_of(golden)) << text_of(golden);
  std::ifstream in(file_of(golden));
  const std::string expected{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(text_of(golden), expected) << file_of(golden);
  const auto parsed = parse_schedule(expected, file_of(golden).string());
  ASSERT_TRUE(parsed) << parsed.error().message();
  EXPECT_EQ(to_text(*parsed), to_text(schedule_of(golden)));
  EXPECT_EQ(broken_promises(*parsed, golden.call, topology_of(golden.words), golden.tuning),
            std::vector<std::string>{});
}

std::string test_name(const testing::TestParamInfo<Golden>& each) {
  std::string name = each.param.name;
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Golden, Schedules, testing::ValuesIn(all()), test_name);

}  // namespace
}  // namespace wan
