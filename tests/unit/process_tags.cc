// SPDX-License-Identifier: BSD-3-Clause
// The tags of calls, for random sequences of calls on an intracommunicator and on an intercommunicator: all
// who exchange messages have the same tag, and no two calls share one between the same two processes. Open
// MPI's own calls come at other moments on other processes. Seeded by RapidCheck.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <limits>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "process/tags.h"

namespace wan {
namespace {

constexpr int kTagsInStream = 1 << 16;
constexpr int kFirst = -91;
constexpr int kFirstInside = -1'000'000'000;

/// One call of an application. Without a root on an intercommunicator all of both groups take part.
struct UserCall {
  Collective collective = Collective::barrier;
  Rank root = 0;
};

/// The processes of a communicator; those below `split` are the first group, 0: there is one group.
struct Processes {
  Rank size = 0, split = 0;
  std::vector<std::unique_ptr<TagStreams>> streams;

  Processes(Rank ranks, Rank first_group) : size(ranks), split(first_group) {
    for (Rank rank = 0; rank < size; ++rank)
      streams.push_back(std::make_unique<TagStreams>(kTagsInStream, kFirst, kFirstInside));
  }
  bool is_first(Rank rank) const { return rank < split; }
  bool is_rooted(const UserCall& call) const { return split > 0 && traits(call.collective).rooted; }
  bool takes_part(const UserCall& call, Rank rank) const {
    return !is_rooted(call) || rank == call.root || is_first(rank) != is_first(call.root);
  }
  Tags draw(const UserCall& call, Rank rank) {
    TagStreams& own = *streams[static_cast<std::size_t>(rank)];
    return is_rooted(call) ? own.with_root(call.collective, call.root, is_first(call.root))
                           : own.of_all(call.collective);
  }
};

rc::Gen<std::vector<UserCall>> calls_on(Rank size) {
  const auto collective = rc::gen::map(rc::gen::inRange(0, kCollectives),
                                       [](int number) { return static_cast<Collective>(number); });
  return rc::gen::container<std::vector<UserCall>>(
      rc::gen::construct<UserCall>(collective, rc::gen::inRange<Rank>(0, size)));
}

/// The context and tag that two processes use for a call.
std::pair<bool, int> between(const Processes& all, Rank a, const Tags& of_a, Rank b) {
  const bool is_across = all.split == 0 || all.is_first(a) != all.is_first(b);
  return {is_across, is_across ? of_a.across : of_a.inside};
}

/// Draws the tags of the calls, a process after the other; tags[rank][call], empty where it takes no part.
std::vector<std::vector<std::optional<Tags>>> draw_all(Processes& all, const std::vector<UserCall>& calls) {
  std::vector<std::vector<std::optional<Tags>>> tags(static_cast<std::size_t>(all.size));
  for (Rank rank = 0; rank < all.size; ++rank)
    for (const UserCall& call : calls)
      tags[static_cast<std::size_t>(rank)].push_back(
          all.takes_part(call, rank) ? std::optional(all.draw(call, rank)) : std::nullopt);
  return tags;
}

/// Both sides of each pair agree, and no tag serves two calls.
void check(Processes& all, const std::vector<UserCall>& calls) {
  const auto tags = draw_all(all, calls);
  std::map<std::pair<Rank, Rank>, std::set<std::pair<bool, int>>> used;
  for (std::size_t call = 0; call < calls.size(); ++call)
    for (Rank a = 0; a < all.size; ++a)
      for (Rank b = 0; b < a; ++b) {
        const auto& of_a = tags[static_cast<std::size_t>(a)][call];
        const auto& of_b = tags[static_cast<std::size_t>(b)][call];
        if (!of_a || !of_b) continue;
        const auto tag = between(all, a, *of_a, b);
        RC_ASSERT(tag == between(all, b, *of_b, a));
        RC_ASSERT((used[{a, b}].insert(tag).second));
      }
}

TEST(Tags, AgreeAndDifferOnIntracommunicators) {
  EXPECT_TRUE(rc::check([] {
    const Rank size = *rc::gen::inRange<Rank>(2, 7);
    Processes all(size, 0);
    check(all, *calls_on(size));
  }));
}

TEST(Tags, AgreeAndDifferOnIntercommunicators) {
  EXPECT_TRUE(rc::check([] {
    const Rank size = *rc::gen::inRange<Rank>(2, 7), split = *rc::gen::inRange<Rank>(1, size);
    Processes all(size, split);
    check(all, *calls_on(size));
  }));
}

// MPI_Comm_idup calls iallreduce from Open MPI's progress engine, before or after the application's next
// calls.
TEST(Tags, OfOtherCollectivesAgreeWhateverOpenMpiCallsInBetween) {
  EXPECT_TRUE(rc::check([] {
    const Rank size = *rc::gen::inRange<Rank>(2, 7);
    std::vector<UserCall> calls = *calls_on(size);
    std::erase_if(calls, [](const UserCall& call) { return call.collective == Collective::allreduce; });
    Processes all(size, 0);
    std::vector<std::vector<int>> tags;
    for (Rank rank = 0; rank < size; ++rank) {
      std::vector<int>& own = tags.emplace_back();
      for (const UserCall& call : calls) {
        if (*rc::gen::arbitrary<bool>()) all.draw({Collective::allreduce, 0}, rank);
        own.push_back(all.draw(call, rank).across);
      }
      RC_ASSERT(own == tags.front());
    }
  }));
}

TEST(Tags, OfRootsInBothGroupsDiffer) {
  TagStreams root(kTagsInStream, kFirst, kFirstInside);
  const Tags of_first = root.with_root(Collective::gather, 0, true);
  const Tags of_second = root.with_root(Collective::gather, 1, false);
  EXPECT_NE(of_first.across, of_second.across);
}

TEST(Tags, StayInWhatWasReserved) {
  TagStreams streams(kTagsInStream, kFirst, kFirstInside);
  const int lowest = kFirst - TagStreams::tags(kTagsInStream) + 1;
  for (int i = 0; i < kTagsInStream + 3; ++i) {
    const int tag = streams.of_service(Service::edge_survey).across;
    ASSERT_LE(tag, kFirst);
    ASSERT_GE(tag, lowest);
  }
}

TEST(Tags, ComeAgainOnlyAfterAllOfTheStream) {
  TagStreams streams(kTagsInStream, kFirst);
  std::set<int> seen;
  for (int i = 0; i < kTagsInStream; ++i)
    ASSERT_TRUE(seen.insert(streams.of_all(Collective::barrier).across).second);
  EXPECT_EQ(streams.of_all(Collective::barrier).across, *seen.rbegin());
}

// An intercommunicator's own group has two blocks.
TEST(Tags, AreNoMoreThanCanBeToldApart) {
  constexpr int kLeftOut = 64;
  const auto lowest = [](int in_stream) { return -27 - 2 * (kLeftOut + TagStreams::tags(in_stream)); };
  // ob1, ucx (24 bits), libfabric with few bits (20), and the least that MPI allows.
  for (const auto& [max_tag, tags] : std::map<int, int>{{std::numeric_limits<int>::max(), 1 << 16},
                                                        {(1 << 23) - 1, 1 << 16},
                                                        {(1 << 19) - 1, 1 << 12},
                                                        {32'767, 1 << 8}}) {
    EXPECT_EQ(TagStreams::tags_in_stream(max_tag, kLeftOut), tags) << max_tag;
    EXPECT_GT(lowest(tags), -(max_tag - max_tag / 4)) << max_tag;
  }
  EXPECT_EQ(TagStreams::tags_in_stream(5'000, kLeftOut), 0);
  EXPECT_EQ(TagStreams::tags_in_stream(0, kLeftOut), 0);
}

TEST(Tags, OfFewBitsStayInWhatWasReservedToo) {
  constexpr int kFew = 256;
  TagStreams streams(kFew, kFirst);
  const int lowest = kFirst - TagStreams::tags(kFew) + 1;
  std::set<int> seen;
  for (int i = 0; i < kFew; ++i) {
    const int tag = streams.of_service(Service::agreement).across;
    EXPECT_GE(tag, lowest);
    EXPECT_TRUE(seen.insert(tag).second);
  }
  EXPECT_EQ(*seen.begin(), lowest) << "the last stream ends with what was reserved";
}

}  // namespace
}  // namespace wan
