// SPDX-License-Identifier: BSD-3-Clause
// What plans hold. Of every rank the scratch, and the Program as the allocator counts it, are no more than
// tests/support/peak_memory.h states; and of each role the rank that has most has at least half of the stated
// scratch, and a twelfth of the stated Program.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <ostream>
#include <string>

#include "algo/choice/aggregation.h"
#include "algo/choice/choice.h"
#include "algo/exchange/position.h"
#include "algo/plan.h"
#include "algo/services/survey.h"
#include "plan/global_call.h"
#include "tests/support/counted_memory.h"
#include "tests/support/peak_memory.h"

namespace wan {
namespace {

enum class Order : std::uint8_t { contiguous, cyclic };

struct Shape {
  SiteIndex sites = 1;
  Rank ranks = 1;  ///< of each site
  Order order = Order::contiguous;

  Rank size() const { return sites * ranks; }
  SiteIndex site_of(Rank rank) const { return order == Order::cyclic ? rank % sites : rank / ranks; }
  Rank index_of(Rank rank) const { return order == Order::cyclic ? rank / sites : rank % ranks; }
};

std::string name_of(const Shape& shape) {
  return std::to_string(shape.sites) + "x" + std::to_string(shape.ranks) +
         (shape.order == Order::cyclic ? "cyclic" : "contiguous");
}

void PrintTo(const Shape& shape, std::ostream* out) {
  *out << name_of(shape);
}

/// Equal links, hosts of 8 ranks.
Topology topology_of(const Shape& shape) {
  constexpr Rank kRanksOfHost = 8;
  std::vector<Path> paths;
  for (Rank rank = 0; rank < shape.size(); ++rank)
    paths.push_back({"site" + std::to_string(shape.site_of(rank)),
                     "host" + std::to_string(shape.index_of(rank) / kRanksOfHost)});
  const Layout layout(paths);
  return {layout, Network(layout.sites(), Link{10'000'000, 12'500'000, 0})};
}

bool is_scan(Collective collective) {
  return collective == Collective::scan || collective == Collective::exscan;
}

/// One call of all ranks, and how it is carried out.
class Case {
 public:
  Case(const Topology& topology, const Shape& shape, GlobalCall call)
      : topology_(topology),
        shape_(shape),
        call_(std::move(call)),
        choice_(choose(topology, tuning_, call_.view(call_.root))) {
    if (!needs_survey(topology, tuning_, call_.view(0))) return;
    for (Rank rank = 0; rank < call_.size; ++rank)
      members_.push_back(
          std::make_shared<const MemberCounts>(member_of(rank, call_.size, survey_entry(call_.view(rank)))));
  }

  std::string_view collective() const { return traits(call_.collective).name; }
  Count block() const { return call_.block; }
  /// The shortest, in units.
  Count segment() const { return std::min(choice_.segmentation.segment, choice_.inside_sites.segment); }
  std::string_view algorithm() const { return name_of(choice_.algorithm()); }

  Call view(Rank rank) const {
    Call view = call_.view(rank);
    if (members_.empty()) return view;
    for (const Rank member : ranks_below(topology_, tuning_, rank))
      view.members.push_back(members_[static_cast<std::size_t>(member)]);
    return view;
  }
  Program program(Rank rank, const Call& view) const { return plan(topology_, tuning_, rank, view, choice_); }

  Standing standing(Rank rank) const {
    const bool is_rooted = traits(call_.collective).rooted;
    const Position position(
        topology_, tuning_, rank, is_rooted ? std::optional(call_.root) : std::nullopt,
        load_of(topology_, topology_.layout.site_of(rank), call_.view(rank), choice_.inside_sites));
    Standing at;
    at.role = is_rooted && rank == call_.root ? Role::root
              : position.is_coordinator()     ? Role::coordinator
                                              : Role::ordinary;
    at.ranks = shape_.size();
    at.site = shape_.ranks;
    at.sites = shape_.sites;
    at.below = std::ssize(position.tree().subtree_of(rank)) - 1;
    at.children = std::ssize(position.children());
    const Combining combining = is_scan(call_.collective) ? OperandOrder::rank : call_.order;
    at.runs = std::ssize(runs_of(position.ranks_of(position.site()), combining));
    for (const Rank child : position.children())
      at.runs_below += std::ssize(runs_of(position.tree().subtree_of(child), combining));
    at.is_scattered = shape_.order == Order::cyclic;
    at.keeps_order = call_.order != OperandOrder::any;
    at.is_spread = choice_.algorithm() == Algorithm::spread;
    at.in_place = call_.placement(rank) == Placement::in_place;
    at.passes_blocks = choice_.algorithm() == Algorithm::aggregate &&
                       call_.block <= aggregate_limit(topology_, call_.collective, tuning_);
    return at;
  }

 private:
  const Tuning tuning_ = {};
  const Topology& topology_;
  Shape shape_;
  GlobalCall call_;
  Choice choice_;
  std::vector<std::shared_ptr<const MemberCounts>> members_;
};

/// Each rank of a small site, some of a large one.
bool is_looked_at(const Shape& shape, Rank rank) {
  constexpr Rank kAll = 20, kEach = 32;
  return shape.index_of(rank) < kAll || shape.index_of(rank) % kEach == 0;
}

/// What the rank of a role has that has most, and what is stated for it.
struct Peak {
  std::int64_t measured = -1, stated = 0;
  void note(std::int64_t has, std::int64_t may_have) {
    if (has > measured) *this = {has, may_have};
  }
};
struct Peaks {
  Peak scratch, program;
};

/// By how much malloc may exceed what the vectors of a Program ask for: by pages where it is long.
std::int64_t rounding(std::int64_t bytes) {
  constexpr std::int64_t kVectors = 9, kLong = 128 << 10;
  return kVectors * (bytes < kLong ? 24 : 4096);
}

/// Plans for `rank`.
void look_at(const Case& each, Rank rank, std::map<Role, Peaks>& peaks) {
  const Standing at = each.standing(rank);
  const Call view = each.view(rank);
  const std::int64_t before = bytes_in_use();
  watch_memory();
  const Program program = each.program(rank, view);
  const std::int64_t held = bytes_in_use() - before, most = most_bytes_in_use() - before;
  const std::int64_t scratch = each.block() * most_scratch(each.collective(), at);
  const std::int64_t may_hold = most_program(each.collective(), at, each.block(), each.segment());
  EXPECT_LE(program.lengths().scratch, scratch) << "scratch of rank " << rank;
  EXPECT_LE(held, may_hold) << "Program of rank " << rank;
  EXPECT_LE(most, most_in_planning(each.collective(), at, held)) << "planning for rank " << rank;
  const auto told = static_cast<std::int64_t>(program.footprint() - sizeof(Program));
  EXPECT_LE(std::abs(held - told), rounding(told)) << "footprint() of rank " << rank;
  peaks[at.role].scratch.note(program.lengths().scratch, scratch);
  peaks[at.role].program.note(held, may_hold);
}

void look_at_all(const Case& each, const Shape& shape) {
  SCOPED_TRACE(std::string(each.collective()) + " of " + std::to_string(each.block()) + ", " +
               std::string(each.algorithm()));
  std::map<Role, Peaks> peaks;
  for (Rank rank = 0; rank < shape.size(); ++rank)
    if (is_looked_at(shape, rank)) look_at(each, rank, peaks);
  for (const auto& [role, peak] : peaks) {
    EXPECT_LE(peak.scratch.stated, 2 * peak.scratch.measured) << "role " << static_cast<int>(role);
    EXPECT_LE(peak.program.stated, 12 * peak.program.measured) << "role " << static_cast<int>(role);
  }
}

/// `bytes`: of the vector of bcast, reductions and scans, of all blocks together elsewhere.
GlobalCall call_of(const CollectiveTraits& each, const Shape& shape, Bytes bytes, OperandOrder order,
                   Placement placement) {
  constexpr Bytes kElement = 8;
  const auto size = static_cast<std::size_t>(shape.size());
  GlobalCall call;
  call.collective = each.collective;
  call.size = shape.size();
  call.order = order;
  call.unit_bytes = each.reduces ? kElement : 1;
  const bool has_vector = has_algorithm(each.collective, Algorithm::spread);
  if (each.collective != Collective::barrier)
    call.block = std::max<Count>(1, bytes / call.unit_bytes / (has_vector ? 1 : shape.size()));
  if (each.vector) call.counts.assign(has_count_matrix(each.collective) ? size * size : size, call.block);
  if (placement == Placement::in_place) {
    call.placements.assign(size, each.rooted ? Placement::separate : placement);
    call.placements.front() = placement;
  }
  return call;
}

class MemoryOfPlans : public testing::TestWithParam<Shape> {
 protected:
  void look(Bytes bytes, OperandOrder order = OperandOrder::any, Placement placement = Placement::separate) {
    const Topology topology = topology_of(GetParam());
    for (const CollectiveTraits& each : all_collectives()) {
      const bool takes_place = each.collective != Collective::bcast && each.collective != Collective::barrier;
      if (order != OperandOrder::any && !each.reduces) continue;
      if (placement == Placement::in_place && !takes_place) continue;
      look_at_all(Case(topology, GetParam(), call_of(each, GetParam(), bytes, order, placement)), GetParam());
    }
  }
};

constexpr Bytes kShort = 8, kMiddle = 64 << 10, kLong = 1 << 20;

TEST_P(MemoryOfPlans, OfShortDataIsWhatIsStated) {
  look(kShort);
}
TEST_P(MemoryOfPlans, OfLongDataIsWhatIsStated) {
  look(kLong);
}
TEST_P(MemoryOfPlans, InRankOrderIsWhatIsStated) {
  look(kShort, OperandOrder::rank);
  look(kMiddle, OperandOrder::rank);
}
TEST_P(MemoryOfPlans, InPlaceIsWhatIsStated) {
  look(kMiddle, OperandOrder::any, Placement::in_place);
}

INSTANTIATE_TEST_SUITE_P(Each, MemoryOfPlans,
                         testing::Values(Shape{4, 4, Order::contiguous}, Shape{4, 4, Order::cyclic},
                                         Shape{4, 20, Order::contiguous}, Shape{4, 20, Order::cyclic},
                                         Shape{4, 250, Order::contiguous}, Shape{4, 250, Order::cyclic}),
                         [](const auto& each) { return name_of(each.param); });

}  // namespace
}  // namespace wan
