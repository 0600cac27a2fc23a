// SPDX-License-Identifier: BSD-3-Clause
// Scan and exscan in fixed order (cost/combining.h): up the tree of each site go its aligned blocks; the
// coordinators exchange them, each site getting those before its last rank; down the tree every rank gets the
// blocks of all ranks before it. Of the blocks before a subtree the first ones, which no rank of it completes
// to a larger block, go as one: their product is a prefix of every result there.
//
//   rank 5 gets 0-3, 4;   6: 0-5;   7: 0-3, 4-5, 6;   13: 0-7, 8-11, 12 as 0-11, 12
//   WAN: one latency, m bytes for each block of the sending site.
#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "algo/collectives/collectives.h"
#include "algo/exchange/call_builder.h"
#include "algo/exchange/lanes.h"
#include "algo/exchange/partial.h"

namespace wan {

namespace {

constexpr OperandOrder kFixed = OperandOrder::fixed;

/// By which values those of `run` know the ranks before them.
std::vector<Run> blocks_before(Run run) {
  std::vector<Run> blocks = aligned_blocks({0, run.first - 1});
  const auto completed =
      std::ranges::find_if(blocks, [&](Run block) { return block.last + block.size() <= run.last; });
  if (completed - blocks.begin() < 2) return blocks;
  blocks.erase(std::next(blocks.begin()), completed);
  blocks.front().last = (blocks.size() > 1 ? blocks[1].first : run.first) - 1;
  return blocks;
}

std::vector<Partial> read_only(std::vector<Partial> partials) {
  for (Partial& partial : partials) partial.use = Partial::Use::read_only;
  return partials;
}

/// Somebody who is given what lies before `run`: this rank, or a child, for a run of its subtree.
struct Listener {
  Run run;
  Rank rank;
};

class FixedScan {
 public:
  /// own: this rank's contribution, which is only read.
  FixedScan(Builder& b, const Lane& lane, const Call& call, Range own) : b_(b), lane_(lane), call_(call) {
    below_.push_back({{b.me(), b.me()}, lane.of(own), Partial::Use::read_only});
  }

  void up() {
    const Position& position = lane_.position;
    for (const Rank child : position.children())
      receive(child, runs_of(position.tree().subtree_of(child), kFixed), below_);
    totals_ = read_only(joined(b_, below_, kFixed));
    if (const auto parent = position.parent()) b_.send(*parent, values_of(totals_));
  }

  void down() {
    const Position& position = lane_.position;
    if (position.parent())
      tell_runs();
    else
      tell_site();
    for (const Rank child : position.children()) b_.send(child, for_child_[child]);
    if (result_) b_.copy(*result_, lane_.of(b_.output()));  // where the contribution may stand
  }

 private:
  /// The next message, to the end of `partials`.
  void receive(Rank from, std::span<const Run> runs, std::vector<Partial>& partials) {
    const auto received = read_only(new_partials(b_, runs, lane_.length));
    b_.receive(from, values_of(received));
    partials.insert(partials.end(), received.begin(), received.end());
  }

  /// At a coordinator, who hears of all ranks.
  void tell_site() {
    const Position& position = lane_.position;
    const auto last_of = [&](SiteIndex site) { return position.ranks_of(site).back(); };
    for (const SiteIndex site : position.other_sites()) {
      std::vector<Partial> before = totals_;
      std::erase_if(before, [&](const Partial& partial) { return partial.run.first > last_of(site); });
      b_.send(position.coordinator_of(site), values_of(before));
    }
    std::vector<Partial> all = below_;
    for (const SiteIndex site : position.other_sites()) {
      std::vector<Run> runs = runs_of(position.ranks_of(site), kFixed);
      std::erase_if(runs, [&](Run run) { return run.first > last_of(position.site()); });
      receive(position.coordinator_of(site), runs, all);
    }
    tell({}, std::move(all), {0, b_.size() - 1});
  }

  /// Elsewhere: the parent tells what lies before each run of the subtree.
  void tell_runs() {
    const auto runs = runs_of(lane_.position.tree().subtree_of(b_.me()), OperandOrder::rank);
    std::vector<Run> expected;
    for (const Run& run : runs) std::ranges::copy(blocks_before(run), std::back_inserter(expected));
    std::vector<Partial> told;
    receive(*lane_.position.parent(), expected, told);
    for (auto next = told.begin(); const Run& run : runs) {
      const auto end = next + std::ssize(blocks_before(run));
      tell({next, end}, below_, run);
      next = end;
    }
  }

  /// The listeners in `run` what lies before them: `before` and, of `partials`, those in `run`.
  void tell(std::vector<Partial> before, std::vector<Partial> partials, Run run) {
    std::ranges::sort(partials, {}, [](const Partial& partial) { return partial.run.first; });
    auto next = std::ranges::find_if(partials,
                                     [&](const Partial& partial) { return partial.run.first >= run.first; });
    for (const Listener& listener : listeners_in(run)) {
      for (; next->run.first < listener.run.first; ++next) {
        before.push_back(*next);
        before = read_only(joined(b_, std::move(before), kFixed));
      }
      if (listener.rank == b_.me())
        find_result(before);
      else
        std::ranges::copy(values_of(shortened(before, listener.run)),
                          std::back_inserter(for_child_[listener.rank]));
    }
  }

  /// In the order of the ranks.
  std::vector<Listener> listeners_in(Run run) const {
    std::vector<Listener> listeners{{{b_.me(), b_.me()}, b_.me()}};
    for (const Rank child : lane_.position.children())
      for (const Run& of_child : runs_of(lane_.position.tree().subtree_of(child), OperandOrder::rank))
        listeners.push_back({of_child, child});
    std::erase_if(listeners, [&](const Listener& listener) {
      return listener.run.first < run.first || listener.run.first > run.last;
    });
    std::ranges::sort(listeners, {}, [](const Listener& listener) { return listener.run.first; });
    return listeners;
  }

  /// As blocks_before() has them.
  std::vector<Partial> shortened(const std::vector<Partial>& before, Run run) {
    const auto blocks = blocks_before(run);
    std::vector<Partial> told;
    for (auto next = before.begin(); const Run& block : blocks) {
      const auto end = std::find_if(next, before.end(),
                                    [&](const Partial& partial) { return partial.run.first > block.last; });
      told.push_back(product(b_, {next, end}, kFixed));
      next = end;
    }
    return told;
  }

  void find_result(std::vector<Partial> before) {
    if (call_.collective == Collective::scan) before.push_back(below_.front());
    if (!before.empty()) result_ = product(b_, std::move(before), kFixed).value;
  }

  Builder& b_;
  const Lane& lane_;
  const Call& call_;
  std::vector<Partial>
      below_;  ///< this rank's contribution, first, and the blocks of the children's subtrees
  std::vector<Partial> totals_;  ///< the blocks of the own subtree
  std::map<Rank, std::vector<Range>> for_child_;
  std::optional<Range> result_;
};

}  // namespace

Program plan_scan_in_fixed_order(const Position& position, const Call& call, const Choice& choice) {
  Builder b = builder_for(position, call, choice);
  if (call.block == 0) return std::move(b).finish();
  const Lanes lanes = lanes_of(position, call, choice);
  const Range own = own_of(b, lanes, call);
  std::vector<FixedScan> scans;
  for (const Lane& lane : lanes) {
    scans.emplace_back(b, lane, call, own);
    scans.back().up();
  }
  for (FixedScan& scan : scans) scan.down();
  return std::move(b).finish();
}

}  // namespace wan
