// SPDX-License-Identifier: BSD-3-Clause
#include "algo/exchange/scan_exchange.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "algo/choice/shards.h"
#include "algo/exchange/partial.h"

namespace wan {

namespace {

std::vector<Run> site_runs(const Position& position, SiteIndex site) {
  return runs_of(position.ranks_of(site), OperandOrder::rank);
}

/// What `to` needs of `from`: the totals of its runs before the last run of `to`; one total for several runs
/// that no rank of `to` lies between, unless a third site's ranks between them keep their order.
std::vector<Run> runs_needed(const Position& position, SiteIndex from, SiteIndex to, OperandOrder order) {
  const auto there = position.ranks_of(to);
  const Rank last = site_runs(position, to).back().first;
  const auto ranks_before = [&](Rank rank) { return std::ranges::lower_bound(there, rank) - there.begin(); };
  std::vector<Run> needed;
  for (const Run& run : site_runs(position, from)) {
    if (run.first > last) break;
    if (order == OperandOrder::any && !needed.empty() &&
        ranks_before(needed.back().last) == ranks_before(run.first))
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

/// Copies of the totals, of all that somebody is behind: what is done to the originals need not wait for the
/// wide area to take them.
std::vector<Partial> own_totals(Builder& b, const Position& position, std::span<const Range> totals) {
  std::vector<Partial> own = new_partials(b, site_runs(position, position.site()), totals.front().length);
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i].run.last + 1 < b.size()) b.copy(totals[i], own[i].value);
    own[i].use = Partial::Use::read_only;
  }
  return own;
}

std::vector<Partial> receive_totals(Builder& b, const Lane& lane, OperandOrder order) {
  const Position& position = lane.position;
  std::vector<Partial> received;
  for (const SiteIndex site : position.other_sites()) {
    const auto runs = runs_needed(position, site, position.site(), order);
    const auto theirs = new_partials(b, runs, lane.length);
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

/// Long vectors: totals to the owners of their shards, prefixes back. Each site is one run, and their numbers
/// follow the ranks.
class SpreadExchange {
 public:
  SpreadExchange(Builder& b, const Position& position, const Shards& shards)
      : b_(b), position_(position), shards_(shards) {}

  /// total: of the own site, not written by anybody else. What lies before the own site; nothing before the
  /// first.
  std::vector<Range> run(Range total) {
    send_totals(total);
    const Range before = b_.scratch(total.length);
    for (const Shard& shard : shards_)
      if (shard.owner == position_.site()) answer(shard, total, before);
    for (const Shard& shard : shards_)
      if (shard.owner != position_.site() && !is_first(position_.site()))
        b_.receive(position_.coordinator_of(*shard.owner), shard.of(before));
    return is_first(position_.site()) ? std::vector<Range>{} : std::vector{before};
  }

 private:
  bool is_first(SiteIndex site) const { return site == 0; }
  bool is_last(SiteIndex site) const { return site + 1 == position_.layout().sites(); }

  void send_totals(Range total) {
    std::vector<Builder::Outgoing> outgoing;
    for (const SiteIndex site : position_.other_sites())
      for (const Shard& shard : shards_)
        if (shard.owner == site && !is_last(position_.site()))
          outgoing.push_back({position_.coordinator_of(site), {shard.of(total)}});
    b_.send_in_turn(outgoing);
  }
  /// As the shard's owner: tells every site the product of those before it.
  void answer(const Shard& shard, Range own_total, Range own_before) {
    std::optional<Partial> before;
    for (SiteIndex site = 0; site < position_.layout().sites(); ++site) {
      if (before) tell(site, before->value, shard.of(own_before));
      if (is_last(site)) return;
      const Partial total = total_of(site, shard, own_total);
      before = before ? joined(b_, {*before, total}, OperandOrder::rank).front() : total;
    }
  }
  Partial total_of(SiteIndex site, const Shard& shard, Range own_total) {
    const auto ranks = position_.ranks_of(site);
    const Run run{ranks.front(), ranks.back()};
    if (site == position_.site()) return {run, shard.of(own_total)};
    const Partial total{run, b_.scratch(shard.length)};
    b_.receive(position_.coordinator_of(site), total.value);
    return total;
  }
  void tell(SiteIndex site, Range before, Range own_before) {
    if (site == position_.site())
      b_.copy(before, own_before);
    else
      b_.send(position_.coordinator_of(site), before);
  }

  Builder& b_;
  const Position& position_;
  const Shards& shards_;
};

}  // namespace

std::vector<Range> prefixes_of_sites(Builder& b, const Lane& lane, std::span<const Range> totals,
                                     const Call& call, const Choice& choice) {
  const Position& position = lane.position;
  const std::vector<Partial> own = own_totals(b, position, totals);
  if (std::holds_alternative<SpreadWay>(choice.way))
    return SpreadExchange(b, position, lane.shards).run(own.front().value);
  if (const auto* relayed = std::get_if<RelayedWay>(&choice.way)) {
    auto others = partials_of_sites_relayed(b, position, own.front(), relayed->routes, OperandOrder::rank);
    std::erase_if(others, [&](const Partial& partial) { return partial.run == own.front().run; });
    return prefixes(b, position, own, others, call.order);
  }
  send_totals(b, position, own, call.order);
  return prefixes(b, position, own, receive_totals(b, lane, call.order), call.order);
}

}  // namespace wan
