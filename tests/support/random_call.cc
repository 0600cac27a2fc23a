// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/random_call.h"

#include <rapidcheck.h>

#include <algorithm>
#include <ostream>

#include "algo/schedule.h"
#include "base/index.h"
#include "tests/support/layouts.h"

namespace wan {
namespace {

/// Many small numbers from one draw (a shift register, xorshift32): a draw for each would take most of the
/// time.
class Draws {
 public:
  Draws() : state_(static_cast<std::uint32_t>(pick(1, 1 << 20))) {}
  /// 0..most
  int operator()(int most) {
    state_ ^= state_ << 13, state_ ^= state_ >> 17, state_ ^= state_ << 5;
    return static_cast<int>(state_ % static_cast<std::uint32_t>(most + 1));
  }

 private:
  std::uint32_t state_;
};

enum class Spread : std::uint8_t { contiguous, cyclic, random };

/// Site of each rank: `size` ranks over `sites` sites.
std::vector<int> sites_of(Rank size, int sites, Spread spread, Draws& draw) {
  std::vector<int> site(at(size));
  for (std::size_t i = 0; i < site.size(); ++i)
    site[i] = spread == Spread::cyclic ? static_cast<int>(i) % sites : draw(sites - 1);
  if (spread == Spread::contiguous) std::ranges::sort(site);
  return site;
}

std::vector<Path> random_paths(Rank size) {
  const auto spread = static_cast<Spread>(pick(0, 2));
  const int sites = pick(1, 6), hosts = pick(1, 3), domains = pick(0, 2);
  Draws draw;
  std::vector<Path> paths;
  for (const int site : sites_of(size, sites, spread, draw)) {
    Path path{"s" + std::to_string(site), "h" + std::to_string(draw(hosts - 1))};
    if (domains > 0) path.push_back("n" + std::to_string(draw(domains - 1)));
    paths.push_back(path);
  }
  return paths;
}

/// No detour is shorter than the direct way; but of one network in four, for what may take it.
std::vector<Link> random_links(SiteIndex sites, Collective collective) {
  Draws draw;
  const bool may_take_detours = algorithm_named(name_of(Algorithm::tree), collective).has_value();
  const int longest = may_take_detours && draw(3) == 0 ? 100 : 5;
  std::vector<Link> links(static_cast<std::size_t>(sites) * static_cast<std::size_t>(sites));
  for (Link& link : links) link = {(5 + draw(longest)) * 1'000'000, 12'500'000, 0};
  return links;
}

std::vector<Count> random_counts(Collective collective, Rank size) {
  if (!traits(collective).vector) return {};
  Draws draw;
  std::vector<Count> counts(at(size) * (has_count_matrix(collective) ? at(size) : 1));
  for (Count& count : counts) count = draw(3);
  return counts;
}

bool all_or_none_in_place(Collective collective) {
  return collective == Collective::alltoall || has_count_matrix(collective);
}

std::vector<Placement> random_placements(Collective collective, Rank size, Rank root) {
  std::vector<Placement> placements(at(size), Placement::separate);
  if (collective == Collective::barrier || collective == Collective::bcast) return placements;
  Draws draw;
  const auto random = [&] { return static_cast<Placement>(draw(1)); };
  if (traits(collective).rooted)
    placements[at(root)] = random();
  else if (all_or_none_in_place(collective))
    std::ranges::fill(placements, random());
  else
    std::ranges::generate(placements, random);
  return placements;
}

/// In place, what is sent has the size of what is received.
void make_symmetric(GlobalCall& call) {
  for (std::size_t a = 0; a < at(call.size); ++a)
    for (std::size_t b = 0; b < a; ++b)
      call.counts[a * at(call.size) + b] = call.counts[b * at(call.size) + a];
}

/// Small communicators are quick to verify and show most mistakes; large ones show the rest.
Rank random_size(Rank least, Rank most) {
  const Rank limit = *rc::gen::weightedElement<Rank>({{6, 5}, {6, 12}, {3, 24}, {2, 40}});
  return pick(least, std::clamp(limit, least, most));
}

void force_algorithm(Tuning& tuning, Collective collective) {
  const auto known = algorithms_of(collective);
  tuning.algorithms.force(collective,
                          known[static_cast<std::size_t>(pick(0, static_cast<int>(known.size()) - 1))]);
}

/// Short segments, so that the short messages of the tests are cut.
void cut_messages(Tuning& tuning) {
  tuning.segment = pick(1, 3);
  tuning.eager_window = pick(0, 8);
}

/// Both groups of a reduce_scatter get a vector of the same length.
void level_counts(GlobalCall& call) {
  Count first = 0, second = 0;
  for (Rank rank = 0; rank < call.size; ++rank) (rank < call.split ? first : second) += call.counts[at(rank)];
  (first < second ? call.counts.front() : call.counts.back()) += std::abs(first - second);
}

/// A call on an intercommunicator.
void split(GlobalCall& call) {
  const bool is_rooted = traits(call.collective).rooted;
  call.root = 0;
  call.split = is_rooted ? 1 : pick(1, call.size - 1);
  call.placements.clear();
  if (call.collective == Collective::allgather || call.collective == Collective::alltoall)
    call.back = pick(0, 2);
  if (call.collective == Collective::reduce_scatter) level_counts(call);
  if (call.collective == Collective::reduce_scatter_block)
    call.block *= call.split * (call.size - call.split);
}

/// Several, and enough for each.
void force_lanes(RandomCall& random) {
  random.tuning.lanes = pick(2, 9);
  if (has_algorithm(random.call.collective, Algorithm::spread)) random.call.block *= pick(1, 4);
}

}  // namespace

RandomCall random_call(Collective collective, Rank least_ranks, Rank most_ranks) {
  RandomCall random;
  GlobalCall& call = random.call;
  call.collective = collective;
  call.size = random_size(least_ranks, most_ranks);
  if (traits(collective).rooted) call.root = pick(0, call.size - 1);
  if (traits(collective).reduces) call.order = static_cast<OperandOrder>(pick(0, 2));
  if (!traits(collective).vector && collective != Collective::barrier) call.block = pick(0, 2);
  call.counts = random_counts(collective, call.size);
  call.placements = random_placements(collective, call.size, call.root);
  if (has_count_matrix(collective) && call.placements[0] == Placement::in_place) make_symmetric(call);
  if (call.size > 1 && is_split_by_groups(collective) && pick(0, 2) == 0) split(call);
  random.paths = random_paths(call.size);
  if (pick(0, 2) == 0)
    random.near_network = *rc::gen::container<std::vector<bool>>(static_cast<std::size_t>(call.size),
                                                                 rc::gen::arbitrary<bool>());
  random.links = random_links(Layout(random.paths).sites(), collective);
  random.tuning = {static_cast<TreeShape>(pick(0, 5)), pick(2, 5), *rc::gen::element<Bytes>(0, 1, 8192)};
  random.tuning.alltoall_aggregate_limit = random.tuning.aggregate_limit;
  if (pick(0, 3) == 0) cut_messages(random.tuning);
  if (pick(0, 7) == 0) force_algorithm(random.tuning, collective);
  if (pick(0, 3) == 0) force_lanes(random);
  if (pick(0, 3) == 0) random.tuning.flow_window = pick(1, 64);
  if (pick(0, 3) == 0) random.tuning.idle_window = pick(1, 64);
  if (pick(0, 3) == 0) random.tuning.streams = pick(1, 8);
  return random;
}

void make_long(RandomCall& random) {
  Draws draw;
  constexpr Nanoseconds kNoDetour =
      10'000'000;  // what is shared out over so slow links is told apart by a few units
  for (Link& link : random.links) link = {std::min(link.latency_ns, kNoDetour), 200 + 100 * draw(20), 0};
  if (unit_of(random.call.collective) == Unit::elements) random.call.unit_bytes = pick(1, 8);
  random.call.block *= pick(1, 12);
  random.tuning.segment = pick(1, 16);
}

Topology RandomCall::topology() const {
  const Layout layout(paths, near_network);
  return {layout, uncapped_network(layout.sites(), links)};
}

Schedule schedule_of(const RandomCall& random) {
  return plan_all(random.topology(), random.tuning, random.call);
}

std::ostream& operator<<(std::ostream& out, const RandomCall& random) {
  const GlobalCall& call = random.call;
  out << traits(call.collective).name << " size " << call.size << " root " << call.root << " block "
      << call.block
      << (call.order == OperandOrder::any    ? ""
          : call.order == OperandOrder::rank ? " in rank order"
                                             : " in fixed order")
      << " radix " << random.tuning.radix << " shape " << static_cast<int>(random.tuning.tree)
      << " algorithm " << name_of(random.tuning.algorithms.of(call.collective)) << " aggregate "
      << random.tuning.aggregate_limit << " segment " << random.tuning.segment << " window "
      << random.tuning.eager_window << " lanes " << random.tuning.lanes << " flow window "
      << random.tuning.flow_window << " idle window " << random.tuning.idle_window << " streams "
      << random.tuning.streams << " unit " << call.unit_bytes << " split " << call.split << " back "
      << call.back << "\n links:";
  for (const Link& link : random.links)
    out << ' ' << link.latency_ns / 1'000'000 << "ms," << link.bandwidth_bytes_per_s << "B/s";
  out << "\n paths:";
  for (const Path& path : random.paths) {
    out << ' ';
    for (const auto& label : path) out << '/' << label;
  }
  out << "\n near the network:";
  for (const bool near : random.near_network) out << ' ' << near;
  out << "\n counts:";
  for (const Count count : call.counts) out << ' ' << count;
  out << "\n in place:";
  for (const Placement placement : call.placements) out << ' ' << (placement == Placement::in_place);
  return out << '\n';
}

}  // namespace wan
