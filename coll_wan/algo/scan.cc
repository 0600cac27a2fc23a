// SPDX-License-Identifier: BSD-3-Clause
// Scan and exscan: an exchange of totals, not a chain. Up the tree of each site every rank turns the parts of each run
// (its own contribution, its children's totals) into running prefixes of that run and passes the run's total on. The
// coordinators exchange the totals of the runs, each site getting only those of runs before its last. Down the tree
// every part gets what lies before it: the run's prefix, joined with the running prefix of the parts before it.
//
//   ranks 0 1 2 | 3 4 | 5, totals A = 0-2, B = 3-4:   site of 3: before = A;  site of 5: before = A B
//   WAN: one latency, m bytes for each run that some rank of the receiving site lies behind (in any order: for each stretch
//   of runs between two ranks of the receiving site).
#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "algo/collectives.h"
#include "algo/partial.h"

namespace wan {

namespace {

/// A part of a run: this rank itself, or a run of a child's subtree. `value` is the running prefix up to its end.
struct Part {
  Partial partial;
  Rank owner;  ///< this rank or the child
};

/// One run of this rank's subtree, cut into parts in rank order.
using Parts = std::vector<Part>;

bool follows(const Part& part, const Parts& run) { return run.back().partial.run.last + 1 == part.partial.run.first; }

class SiteScan {
 public:
  SiteScan(Builder& b, const Position& position, const Call& call) : b_(b), position_(position), call_(call) {}

  void up() {
    collect();
    for (Parts& run : runs_)
      for (std::size_t i = 1; i < run.size(); ++i)
        if (i + 1 < run.size() || is_total_needed(run)) b_.reduce(run[i - 1].partial.value, run[i].partial.value);
    if (const auto parent = position_.parent()) b_.send(*parent, totals());
  }

  /// before: for each run of the subtree that does not begin at rank 0, in order, the product of all ranks before it.
  void down(std::span<const Range> before) {
    std::size_t next = 0;
    for (Parts& run : runs_)
      put_before(run, run.front().partial.run.first == 0 ? std::nullopt : std::optional(before[next++]));
    for (const Rank child : position_.children()) b_.send(child, for_child_[child]);
  }

  /// The totals of the runs, in order.
  std::vector<Range> totals() const {
    std::vector<Range> values;
    for (const Parts& run : runs_) values.push_back(run.back().partial.value);
    return values;
  }
  /// Places for what down() takes.
  std::vector<Range> new_before() {
    std::vector<Range> places;
    for (const Parts& run : runs_)
      if (run.front().partial.run.first > 0) places.push_back(b_.scratch(call_.block));
    return places;
  }

 private:
  /// Where the own contribution is turned into the own prefix: scan's result, or scratch where exscan's would be lost.
  Range own_value() {
    const Range value = call_.collective == Collective::scan ? b_.output() : b_.scratch(call_.block);
    b_.copy(contribution(b_, call_), value);
    return value;
  }

  void collect() {
    Parts parts{{{{b_.me(), b_.me()}, own_value()}, b_.me()}};
    for (const Rank child : position_.children()) {
      const auto below = new_partials(b_, runs_of(position_.tree().subtree_of(child), OperandOrder::rank), call_.block);
      b_.receive(child, values_of(below));
      for (const Partial& partial : below) parts.push_back({partial, child});
    }
    std::ranges::sort(parts, {}, [](const Part& part) { return part.partial.run.first; });
    for (const Part& part : parts) {
      if (runs_.empty() || !follows(part, runs_.back())) runs_.emplace_back();
      runs_.back().push_back(part);
    }
  }

  /// Joins the run's prefix into the running prefixes, so that each part's predecessor holds what lies before the part.
  void put_before(Parts& run, std::optional<Range> before) {
    for (std::size_t i = 0; i < run.size(); ++i) {
      const bool is_needed = i + 1 < run.size() || is_result(run[i]);
      if (i > 0) give(run[i], run[i - 1].partial.value);
      if (i == 0 && before) give(run[i], *before);
      if (before && is_needed) b_.reduce(*before, run[i].partial.value);
    }
  }

  /// By the parent, as this rank's result, or by a rank behind the run.
  bool is_total_needed(const Parts& run) const {
    return position_.parent() || is_result(run.back()) || run.back().partial.run.last + 1 < b_.size();
  }

  bool is_result(const Part& part) const { return part.owner == b_.me() && call_.collective == Collective::scan; }

  /// `value` is the product of all ranks before `part`.
  void give(const Part& part, Range value) {
    if (part.owner != b_.me())
      for_child_[part.owner].push_back(value);
    else if (call_.collective == Collective::exscan)
      b_.copy(value, b_.output());
  }

  Builder& b_;
  const Position& position_;
  const Call& call_;
  std::vector<Parts> runs_;
  std::map<Rank, std::vector<Range>> for_child_;
};

std::vector<Run> site_runs(const Position& position, SiteIndex site) {
  return runs_of(position.ranks_of(site), OperandOrder::rank);
}

/// What `to` needs of `from`: the totals of its runs before the last run of `to`; one total for several runs that no rank
/// of `to` lies between, unless a third site's ranks between them keep their order.
std::vector<Run> runs_needed(const Position& position, SiteIndex from, SiteIndex to, OperandOrder order) {
  const auto there = position.ranks_of(to);
  const Rank last = site_runs(position, to).back().first;
  const auto ranks_before = [&](Rank rank) { return std::ranges::lower_bound(there, rank) - there.begin(); };
  std::vector<Run> needed;
  for (const Run& run : site_runs(position, from)) {
    if (run.first > last) break;
    if (order == OperandOrder::any && !needed.empty() && ranks_before(needed.back().last) == ranks_before(run.first))
      needed.back().last = run.last;
    else
      needed.push_back(run);
  }
  return needed;
}

/// The product of the totals that lie inside `run`.
Range total_of(Builder& b, std::span<const Partial> totals, Run run) {
  std::vector<Partial> inside;
  std::ranges::copy_if(totals, std::back_inserter(inside), [&](const Partial& total) {
    return total.run.first >= run.first && total.run.last <= run.last;
  });
  return joined(b, std::move(inside), OperandOrder::any).front().value;
}

void send_totals(Builder& b, const Position& position, std::span<const Partial> own, OperandOrder order) {
  std::map<std::pair<Rank, Rank>, Range> made;
  for (const SiteIndex site : position.other_sites()) {
    std::vector<Range> totals;
    for (const Run& run : runs_needed(position, position.site(), site, order)) {
      const auto [total, is_new] = made.try_emplace({run.first, run.last});
      if (is_new) total->second = total_of(b, own, run);
      totals.push_back(total->second);
    }
    b.send(position.coordinator_of(site), totals);
  }
}

/// Copies of the totals, of all that somebody is behind: what is done to the originals need not wait for the wide area to
/// take them.
std::vector<Partial> own_totals(Builder& b, const Position& position, std::span<const Range> totals) {
  std::vector<Partial> own = new_partials(b, site_runs(position, position.site()), totals.front().length);
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i].run.last + 1 < b.size()) b.copy(totals[i], own[i].value);
    own[i].use = Partial::Use::read_only;
  }
  return own;
}

std::vector<Partial> receive_totals(Builder& b, const Position& position, const Call& call) {
  std::vector<Partial> received;
  for (const SiteIndex site : position.other_sites()) {
    const auto runs = runs_needed(position, site, position.site(), call.order);
    const auto theirs = new_partials(b, runs, call.block);
    b.receive(position.coordinator_of(site), values_of(theirs));
    received.insert(received.end(), theirs.begin(), theirs.end());
  }
  return received;
}

/// The product of all ranks before each own run (but one that begins at rank 0).
std::vector<Range> prefixes(Builder& b, const Position& position, std::span<const Partial> own,
                            std::span<const Partial> others, OperandOrder order) {
  std::vector<Partial> all(own.begin(), own.end());
  all.insert(all.end(), others.begin(), others.end());
  std::ranges::sort(all, {}, [](const Partial& partial) { return partial.run.first; });
  std::vector<Range> before;
  std::vector<Partial> running;  // nothing, or the one product of all so far
  for (const Partial& partial : all) {
    if (!running.empty() && position.layout().site_of(partial.run.first) == position.site())
      before.push_back(running.front().value);
    if (partial.run == own.back().run) break;
    running.push_back(partial);
    running = joined(b, std::move(running), order);
  }
  return before;
}

/// Exchanges totals with the other coordinators; what down() takes.
std::vector<Range> exchange(Builder& b, const Position& position, std::span<const Range> totals, const Call& call) {
  const std::vector<Partial> own = own_totals(b, position, totals);
  send_totals(b, position, own, call.order);
  return prefixes(b, position, own, receive_totals(b, position, call), call.order);
}

}  // namespace

Program plan_scan(const Position& position, const Call& call) {
  Builder b = builder_for(position, call);
  if (call.block == 0) return std::move(b).finish();
  SiteScan scan(b, position, call);
  scan.up();
  if (const auto parent = position.parent()) {
    const auto before = scan.new_before();
    b.receive(*parent, before);
    scan.down(before);
  } else {
    scan.down(exchange(b, position, scan.totals(), call));
  }
  return std::move(b).finish();
}

}  // namespace wan
