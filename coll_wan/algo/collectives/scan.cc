// SPDX-License-Identifier: BSD-3-Clause
// Scan and exscan: an exchange of totals, not a chain. Up the tree of each site every rank turns the sections
// of each run (its own contribution, its children's totals) into running prefixes of that run and passes the
// run's total on. The coordinators exchange the totals of the runs, each site getting only those of runs
// before its last. Down the tree every section gets what lies before it: the run's prefix, joined with the
// running prefix of the sections before it.
//
//   ranks 0 1 2 | 3 4 | 5, totals A = 0-2, B = 3-4:   site of 3: before = A;  site of 5: before = A B
//   WAN: one latency, m bytes for each run that some rank of the receiving site lies behind (in any order:
//   for each stretch
//   of runs between two ranks of the receiving site). Long vectors are shared by lanes
//   (algo/exchange/lanes.h).
#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "algo/collectives/collectives.h"
#include "algo/exchange/call_builder.h"
#include "algo/exchange/partial.h"
#include "algo/exchange/scan_exchange.h"

namespace wan {

namespace {

/// A section of a run: this rank itself, or a run of a child's subtree. `value` is the running prefix up to
/// its end.
struct Section {
  Partial partial;
  Rank owner;  ///< this rank or the child
};

/// One run of this rank's subtree, cut into sections in rank order.
using Sections = std::vector<Section>;

bool follows(const Section& section, const Sections& run) {
  return run.back().partial.run.last + 1 == section.partial.run.first;
}

class SiteScan {
 public:
  SiteScan(Builder& b, const Lane& lane, const Call& call)
      : b_(b), lane_(lane), position_(lane.position), call_(call) {}

  void up() {
    collect();
    for (Sections& run : runs_)
      for (std::size_t i = 1; i < run.size(); ++i)
        if (i + 1 < run.size() || is_total_needed(run))
          b_.reduce(run[i - 1].partial.value, run[i].partial.value);
    if (const auto parent = position_.parent()) b_.send(*parent, totals());
  }

  /// before: for each run of the subtree that does not begin at rank 0, in order, the product of all ranks
  /// before it.
  void down(std::span<const Range> before) {
    std::size_t next = 0;
    for (Sections& run : runs_)
      put_before(run, run.front().partial.run.first == 0 ? std::nullopt : std::optional(before[next++]));
    for (const Rank child : position_.children()) b_.send(child, for_child_[child]);
  }

  /// The totals of the runs, in order.
  std::vector<Range> totals() const {
    std::vector<Range> values;
    for (const Sections& run : runs_) values.push_back(run.back().partial.value);
    return values;
  }
  /// Places for what down() takes.
  std::vector<Range> new_before() {
    std::vector<Range> places;
    for (const Sections& run : runs_)
      if (run.front().partial.run.first > 0) places.push_back(b_.scratch(lane_.length));
    return places;
  }

 private:
  /// Where the own contribution is turned into the own prefix: scan's result, or scratch where exscan's would
  /// be lost.
  Range own_value() {
    const Range value =
        call_.collective == Collective::scan ? lane_.of(b_.output()) : b_.scratch(lane_.length);
    b_.copy(lane_.of(contribution(b_, call_)), value);
    return value;
  }

  void collect() {
    Sections sections{{{{b_.me(), b_.me()}, own_value()}, b_.me()}};
    for (const Rank child : position_.children()) {
      const auto below =
          new_partials(b_, runs_of(position_.tree().subtree_of(child), OperandOrder::rank), lane_.length);
      b_.receive(child, values_of(below));
      for (const Partial& partial : below) sections.push_back({partial, child});
    }
    std::ranges::sort(sections, {}, [](const Section& section) { return section.partial.run.first; });
    for (const Section& section : sections) {
      if (runs_.empty() || !follows(section, runs_.back())) runs_.emplace_back();
      runs_.back().push_back(section);
    }
  }

  /// Joins the run's prefix into the running prefixes, so that each section's predecessor holds what lies
  /// before the section.
  void put_before(Sections& run, std::optional<Range> before) {
    for (std::size_t i = 0; i < run.size(); ++i) {
      const bool is_needed = i + 1 < run.size() || is_result(run[i]);
      if (i > 0) give(run[i], run[i - 1].partial.value);
      if (i == 0 && before) give(run[i], *before);
      if (before && is_needed) b_.reduce(*before, run[i].partial.value);
    }
  }

  /// By the parent, as this rank's result, or by a rank behind the run.
  bool is_total_needed(const Sections& run) const {
    return position_.parent() || is_result(run.back()) || run.back().partial.run.last + 1 < b_.size();
  }

  bool is_result(const Section& section) const {
    return section.owner == b_.me() && call_.collective == Collective::scan;
  }

  /// `value` is the product of all ranks before `section`.
  void give(const Section& section, Range value) {
    if (section.owner != b_.me())
      for_child_[section.owner].push_back(value);
    else if (call_.collective == Collective::exscan)
      b_.copy(value, lane_.of(b_.output()));
  }

  Builder& b_;
  const Lane& lane_;
  const Position& position_;
  const Call& call_;
  std::vector<Sections> runs_;
  std::map<Rank, std::vector<Range>> for_child_;
};

/// For each run of the subtree what lies before it: from the parent, or from the other sites.
std::vector<Range> before(Builder& b, const Lane& lane, SiteScan& scan, const Call& call,
                          const Choice& choice) {
  const auto parent = lane.position.parent();
  if (!parent) return prefixes_of_sites(b, lane, scan.totals(), call, choice);
  std::vector<Range> places = scan.new_before();
  b.receive(*parent, places);
  return places;
}

}  // namespace

Program plan_scan(const Position& position, const Call& call, const Choice& choice) {
  if (call.order == OperandOrder::fixed) return plan_scan_in_fixed_order(position, call, choice);
  Builder b = builder_for(position, call, choice);
  if (call.block == 0) return std::move(b).finish();
  const Lanes lanes = lanes_of(position, call, choice);
  std::vector<SiteScan> scans;
  for (const Lane& lane : lanes) {
    scans.emplace_back(b, lane, call);
    scans.back().up();
  }
  for (std::size_t i = 0; i < lanes.size(); ++i) scans[i].down(before(b, lanes[i], scans[i], call, choice));
  return std::move(b).finish();
}

}  // namespace wan
