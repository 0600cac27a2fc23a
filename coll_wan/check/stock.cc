// SPDX-License-Identifier: BSD-3-Clause
#include "check/stock.h"

#include <bit>
#include <span>

#include "base/invariant.h"
#include "check/simulate.h"
#include "plan/builder.h"

namespace wan {
namespace {

using Kind = StockAlgorithm;

/// Of lengths below `below`; no algorithm: none that is here.
struct Rule {
  Bytes below;
  std::optional<Kind> algorithm;
};
/// Of fewer ranks than `ranks`.
struct Rules {
  Rank ranks;
  std::vector<Rule> by_length;
};
constexpr Bytes kAny = std::numeric_limits<Bytes>::max();
constexpr Rank kAll = 256;  ///< more ranks are not predicted (process/forecast.h)
constexpr Bytes K = 1024, M = 1024 * K;

const std::vector<Rules>& bcast_rules() {
  static const std::vector<Rules> rules{
      {4,
       {{32, Kind::pipeline},
        {256, Kind::binary},
        {512, Kind::pipeline},
        {K, Kind::knomial},
        {32 * K, Kind::linear},
        {128 * K, Kind::binary},
        {256 * K, Kind::pipeline},
        {512 * K, Kind::linear},
        {M, Kind::binomial},
        {kAny, Kind::binary}}},
      {8,
       {{64, Kind::binary},
        {128, Kind::binomial},
        {2 * K, Kind::binary},
        {8 * K, Kind::binomial},
        {M, Kind::linear},
        {kAny, Kind::pipeline}}},
      {16,
       {{8, Kind::knomial},
        {64, Kind::binary},
        {4 * K, Kind::knomial},
        {16 * K, Kind::binary},
        {32 * K, Kind::binomial},
        {kAny, Kind::linear}}},
      {32, {{4 * K, Kind::knomial}, {M, Kind::binomial}, {kAny, Kind::scatter_allgather}}},
      {64, {{2 * K, Kind::binomial}, {kAny, Kind::knomial}}},
      {128, {{kAny, Kind::knomial}}},
      {kAll,
       {{2, Kind::binomial},
        {16 * K, Kind::binary},
        {32 * K, Kind::linear},
        {64 * K, Kind::binary},
        {kAny, Kind::knomial}}}};
  return rules;
}

const std::vector<Rules>& reduce_rules() {
  static const std::vector<Rules> rules{{4,
                                         {{8, std::nullopt},
                                          {16, Kind::binary},
                                          {32, Kind::pipeline},
                                          {256 * K, Kind::linear},
                                          {kAny, Kind::pipeline}}},
                                        {8,
                                         {{4 * K, Kind::binary},
                                          {64 * K, Kind::pipeline},
                                          {256 * K, Kind::binomial},
                                          {512 * K, Kind::linear},
                                          {M, Kind::binomial},
                                          {kAny, Kind::linear}}},
                                        {16, {{8 * K, Kind::binary}, {kAny, Kind::binomial}}},
                                        {32, {{4 * K, Kind::binary}, {kAny, Kind::binomial}}},
                                        {kAll, {{kAny, Kind::binomial}}}};
  return rules;
}

const std::vector<Rules>& allreduce_rules() {
  static const std::vector<Rules> rules{
      {4,
       {{8, Kind::ring},
        {4 * K, Kind::recursive_doubling},
        {8 * K, Kind::ring},
        {16 * K, Kind::recursive_doubling},
        {256 * K, Kind::ring},
        {kAny, Kind::rabenseifner}}},
      {8, {{16, Kind::ring}, {8 * K, Kind::recursive_doubling}, {kAny, Kind::rabenseifner}}},
      {16, {{8 * K, Kind::recursive_doubling}, {kAny, Kind::rabenseifner}}},
      {32, {{64, Kind::ring}, {4 * K, Kind::recursive_doubling}, {kAny, Kind::rabenseifner}}},
      {64, {{128, Kind::ring}, {kAny, Kind::rabenseifner}}},
      {128, {{256 * K, Kind::recursive_doubling}, {kAny, Kind::rabenseifner}}},
      {kAll, {{128 * K, std::nullopt}, {256 * K, Kind::recursive_doubling}, {kAny, Kind::rabenseifner}}}};
  return rules;
}

const std::vector<Rules>& allgather_rules() {
  static const std::vector<Rules> rules{
      {32, {{kAny, Kind::recursive_doubling}}},
      {64, {{K, Kind::recursive_doubling}, {64 * K, std::nullopt}, {kAny, Kind::ring}}},
      {128, {{512, Kind::recursive_doubling}, {64 * K, std::nullopt}, {kAny, Kind::ring}}},
      {kAll,
       {{512, Kind::recursive_doubling},
        {128 * K, std::nullopt},
        {512 * K, Kind::ring},
        {M, std::nullopt},
        {kAny, Kind::ring}}}};
  return rules;
}

/// Where tuned sends linearly with few requests under way it is taken for linear.
const std::vector<Rules>& alltoall_rules() {
  static const std::vector<Rules> rules{
      {3, {{kAny, Kind::pairwise}}},
      {8, {{512 * K, Kind::linear}, {M, Kind::pairwise}, {kAny, Kind::linear}}},
      {16, {{kAny, Kind::linear}}},
      {32, {{4, Kind::linear}, {512, std::nullopt}, {kAny, Kind::linear}}},
      {64, {{512, std::nullopt}, {kAny, Kind::linear}}},
      {kAll, {{K, std::nullopt}, {256 * K, Kind::linear}, {kAny, Kind::pairwise}}}};
  return rules;
}

const std::vector<Rules>& gather_rules() {
  static const std::vector<Rules> rules{
      {4,
       {{4, Kind::linear},
        {32 * K, Kind::binomial},
        {64 * K, Kind::linear},
        {128 * K, Kind::binomial},
        {kAny, Kind::linear}}},
      {8, {{K, Kind::binomial}, {8 * K, Kind::linear}, {32 * K, Kind::binomial}, {kAny, Kind::linear}}},
      {kAll, {{kAny, Kind::binomial}}}};
  return rules;
}

const std::vector<Rules>& scatter_rules() {
  static const std::vector<Rules> rules{
      {4, {{kAny, Kind::linear}}},
      {8, {{2 * K, Kind::binomial}, {4 * K, Kind::linear}, {8 * K, Kind::binomial}, {kAny, Kind::linear}}},
      {32, {{16 * K, Kind::binomial}, {kAny, Kind::linear}}},
      {64, {{512, Kind::binomial}, {8 * K, Kind::linear}, {16 * K, Kind::binomial}, {kAny, Kind::linear}}},
      {kAll, {{512, Kind::binomial}, {kAny, Kind::linear}}}};
  return rules;
}

const std::vector<Rules>& barrier_rules() {
  static const std::vector<Rules> rules{{4, {{kAny, Kind::recursive_doubling}}},
                                        {8, {{kAny, Kind::linear}}},
                                        {64, {{kAny, Kind::recursive_doubling}}}};
  return rules;
}

const std::vector<Rules>* rules_of(Collective collective) {
  switch (collective) {
    case Collective::bcast:
      return &bcast_rules();
    case Collective::reduce:
      return &reduce_rules();
    case Collective::allreduce:
      return &allreduce_rules();
    case Collective::allgather:
      return &allgather_rules();
    case Collective::alltoall:
      return &alltoall_rules();
    case Collective::gather:
      return &gather_rules();
    case Collective::scatter:
      return &scatter_rules();
    case Collective::barrier:
      return &barrier_rules();
    default:
      return nullptr;
  }
}

/// The Program of one rank. Ranks are counted from the root.
class Planner {
 public:
  Planner(const GlobalCall& call, Rank me, Kind algorithm)
      : call_(call),
        algorithm_(algorithm),
        place_((me - call.root + call.size) % call.size),
        builder_(unit_of(call.collective), me, call.size, buffer_lengths(call.view(me), me, call.size), {}) {}

  Program plan() && {
    switch (call_.collective) {
      case Collective::bcast:
        algorithm_ == Kind::scatter_allgather ? scatter_then_allgather() : bcast();
        break;
      case Collective::reduce:
        reduce();
        break;
      case Collective::allreduce:
        allreduce();
        break;
      case Collective::allgather:
        allgather();
        break;
      case Collective::alltoall:
        alltoall();
        break;
      case Collective::gather:
        algorithm_ == Kind::linear ? gather_linear() : gather();
        break;
      case Collective::scatter:
        algorithm_ == Kind::linear ? scatter_linear() : scatter();
        break;
      case Collective::barrier:
        barrier();
        break;
      default:
        broken("a collective without stock algorithms");
    }
    return std::move(builder_).finish();
  }

 private:
  Rank p() const { return call_.size; }
  Rank rank_at(Rank place) const { return (place + call_.root) % p(); }
  Rank lowest_bit() const {
    return place_ == 0 ? static_cast<Rank>(std::bit_ceil(static_cast<unsigned>(p()))) : place_ & -place_;
  }

  /// The tree of the algorithm, by places; nobody's parent is -1.
  Rank parent() const {
    if (place_ == 0) return -1;
    switch (algorithm_) {
      case Kind::linear:
        return 0;
      case Kind::pipeline:
        return place_ - 1;
      case Kind::binary:
        return (place_ - 1) / 2;
      case Kind::knomial: {
        Rank span = 4;
        while (place_ % span == 0) span *= 4;
        return place_ / span * span;
      }
      default:
        return place_ - lowest_bit();
    }
  }
  std::vector<Rank> children() const {
    std::vector<Rank> all;
    const auto add = [&](Rank child) {
      if (child < p()) all.push_back(child);
    };
    switch (algorithm_) {
      case Kind::linear:
        for (Rank other = 1; other < p() && place_ == 0; ++other) add(other);
        break;
      case Kind::pipeline:
        add(place_ + 1);
        break;
      case Kind::binary:
        add(2 * place_ + 1);
        add(2 * place_ + 2);
        break;
      case Kind::knomial: {
        Rank span = 1;
        while (span < p() && place_ % (4 * span) == 0) span *= 4;
        for (; span > 0; span /= 4)
          if (place_ % (4 * span) == 0)
            for (Rank step = 1; step < 4; ++step) add(place_ + step * span);
        break;
      }
      default:
        for (Rank bit = lowest_bit() / 2; bit > 0; bit /= 2) add(place_ + bit);
    }
    return all;
  }

  void bcast() {
    if (const Rank from = parent(); from >= 0) builder_.receive(rank_at(from), builder_.output());
    for (const Rank child : children()) builder_.send(rank_at(child), builder_.output());
  }
  void reduce() {
    const Range sum = place_ == 0 ? builder_.output() : builder_.scratch(call_.block);
    if (builder_.input().length > 0) builder_.copy(builder_.input(), sum);
    for (const Rank child : children()) add_from(rank_at(child), sum);
    if (place_ > 0) builder_.send(rank_at(parent()), sum);
  }
  void add_from(Rank from, Range sum) {
    const Range heard = builder_.scratch(sum.length);
    builder_.receive(from, heard);
    builder_.reduce(heard, sum);
  }

  /// As equal parts of the output as possible, by place.
  Range part(Rank place) const {
    const Range all = builder_.output();
    const Count begin = all.length * place / p(), end = all.length * (place + 1) / p();
    return all.slice(begin, end - begin);
  }
  std::vector<Range> parts(Rank first, Rank end) const {
    std::vector<Range> all;
    for (Rank place = first; place < std::min(end, p()); ++place) all.push_back(part(place));
    return all;
  }
  /// Down a binomial tree, then each with another one that has as many parts; of a power of two.
  void scatter_then_allgather() {
    const Rank span = lowest_bit();
    if (place_ > 0) builder_.receive(rank_at(place_ - span), parts(place_, place_ + span));
    for (Rank bit = span / 2; bit > 0; bit /= 2)
      builder_.send(rank_at(place_ + bit), parts(place_ + bit, place_ + 2 * bit));
    for (Rank bit = 1; bit < p(); bit *= 2) {
      const Rank other = place_ ^ bit, mine = place_ & ~(bit - 1), theirs = other & ~(bit - 1);
      builder_.send(rank_at(other), parts(mine, mine + bit));
      builder_.receive(rank_at(other), parts(theirs, theirs + bit));
    }
  }
  /// Every rank passes on what it got last.
  void allgather_around_the_ring() {
    const Rank next = (place_ + 1) % p(), before = (place_ + p() - 1) % p();
    for (Rank step = 0; step + 1 < p(); ++step) {
      builder_.send(next, block((place_ - step + p()) % p()));
      builder_.receive(before, block((before - step + p()) % p()));
    }
  }

  void allreduce() {
    if (builder_.input().length > 0) builder_.copy(builder_.input(), builder_.output());
    if (algorithm_ == Kind::ring)
      reduce_around_the_ring();
    else
      exchange_by_twos();
  }
  void reduce_around_the_ring() {
    const Rank next = (place_ + 1) % p(), before = (place_ + p() - 1) % p();
    for (Rank step = 0; step + 1 < p(); ++step) {
      builder_.send(rank_at(next), part((place_ - step + p()) % p()));
      if (const Range into = part((before - step + p()) % p()); into.length > 0)
        add_from(rank_at(before), into);
    }
    for (Rank step = 0; step + 1 < p(); ++step) {
      builder_.send(rank_at(next), part((place_ + 1 - step + p()) % p()));
      builder_.receive(rank_at(before), part((place_ - step + p()) % p()));
    }
  }
  /// Ranks beyond a power of two give theirs to a neighbour first and get the result from it in the end.
  void exchange_by_twos() {
    const Rank most = static_cast<Rank>(std::bit_floor(static_cast<unsigned>(p()))), extra = p() - most;
    const Range all = builder_.output();
    if (place_ < 2 * extra && place_ % 2 == 0) {
      builder_.send(rank_at(place_ + 1), all);
      return builder_.receive(rank_at(place_ + 1), all);
    }
    const bool helps = place_ < 2 * extra;
    if (helps) add_from(rank_at(place_ - 1), all);
    const Rank mine = helps ? place_ / 2 : place_ - extra;
    const auto other = [&](Rank number) { return rank_at(number < extra ? 2 * number + 1 : number + extra); };
    if (algorithm_ == Kind::rabenseifner)
      halve_and_double(mine, most, other);
    else
      double_up(mine, most, other);
    if (helps) builder_.send(rank_at(place_ - 1), all);
  }
  /// The lower rank's operand comes first on both sides, so that all have the same bits.
  template <class Other>
  void double_up(Rank mine, Rank most, Other other) {
    Range sum = builder_.output();
    for (Rank bit = 1; bit < most; bit *= 2) {
      const Range heard = builder_.scratch(sum.length);
      builder_.send(other(mine ^ bit), sum);
      builder_.receive(other(mine ^ bit), heard);
      const bool comes_first = (mine & bit) == 0;
      builder_.reduce(comes_first ? sum : heard, comes_first ? heard : sum);
      if (comes_first) sum = heard;
    }
    builder_.copy(sum, builder_.output());
  }
  template <class Other>
  void halve_and_double(Rank mine, Rank most, Other other) {
    std::vector<std::pair<Range, Range>> kept_and_given;
    Range kept = builder_.output();
    for (Rank bit = most / 2; bit > 0; bit /= 2) {
      const Count half = kept.length / 2;
      Range low = kept.slice(0, half), high = kept.slice(half, kept.length - half);
      if ((mine & bit) != 0) std::swap(low, high);
      builder_.send(other(mine ^ bit), high);
      if (low.length > 0) add_from(other(mine ^ bit), low);
      kept_and_given.emplace_back(low, high);
      kept = low;
    }
    for (Rank bit = 1; bit < most; bit *= 2) {
      const auto [low, high] = kept_and_given.back();
      kept_and_given.pop_back();
      builder_.send(other(mine ^ bit), low);
      builder_.receive(other(mine ^ bit), high);
    }
  }

  /// Without a root, places are ranks.
  Range block(Rank rank) const { return builder_.output().slice(rank * call_.block, call_.block); }
  void allgather() {
    if (builder_.input().length > 0) builder_.copy(builder_.input(), block(place_));
    if (algorithm_ == Kind::ring) return allgather_around_the_ring();
    for (Rank bit = 1; bit < p(); bit *= 2) {
      const Rank other = place_ ^ bit, mine = place_ & ~(bit - 1), theirs = other & ~(bit - 1);
      builder_.send(other, builder_.output().slice(mine * call_.block, bit * call_.block));
      builder_.receive(other, builder_.output().slice(theirs * call_.block, bit * call_.block));
    }
  }
  void alltoall() {
    const auto sent = [&](Rank to) { return builder_.input().slice(to * call_.block, call_.block); };
    builder_.copy(sent(place_), block(place_));
    for (Rank step = 1; step < p(); ++step) {
      const Rank to = (place_ + step) % p(), from = (place_ - step + p()) % p();
      builder_.add(StepKind::send, to, one(sent(to)), {}, before_);
      builder_.add(StepKind::receive, from, {}, one(block(from)), before_);
      if (algorithm_ == Kind::pairwise) before_ = {last_ + 1, last_ + 2};
      last_ += 2;
    }
  }
  std::span<const Range> one(Range range) {
    one_ = range;
    return {&one_, 1};
  }

  Range root_block(Range all, Rank place) const {
    return all.slice(rank_at(place) * call_.block, call_.block);
  }
  void gather_linear() {
    if (place_ > 0) return builder_.send(call_.root, builder_.input());
    builder_.copy(builder_.input(), root_block(builder_.output(), 0));
    for (Rank other = 1; other < p(); ++other)
      builder_.receive(rank_at(other), root_block(builder_.output(), other));
  }
  void scatter_linear() {
    if (place_ > 0) return builder_.receive(call_.root, builder_.output());
    builder_.copy(root_block(builder_.input(), 0), builder_.output());
    for (Rank other = 1; other < p(); ++other)
      builder_.send(rank_at(other), root_block(builder_.input(), other));
  }
  /// Of the places from this one on that are below it, in `of`: at the root by rank, elsewhere one after
  /// another.
  std::vector<Range> subtree(Range of, Rank first, Rank end) const {
    std::vector<Range> all;
    for (Rank place = first; place < std::min(end, p()); ++place)
      all.push_back(place_ == 0 ? root_block(of, place)
                                : of.slice((place - place_) * call_.block, call_.block));
    return all;
  }
  Rank below() const { return std::min(place_ + lowest_bit(), p()) - place_; }
  void gather() {
    const Range held = place_ == 0 ? builder_.output() : builder_.scratch(below() * call_.block);
    builder_.copy(builder_.input(), subtree(held, place_, place_ + 1).front());
    for (Rank bit = 1; bit < lowest_bit() && place_ + bit < p(); bit *= 2)
      builder_.receive(rank_at(place_ + bit), subtree(held, place_ + bit, place_ + 2 * bit));
    if (place_ > 0) builder_.send(rank_at(place_ - lowest_bit()), held);
  }
  void scatter() {
    const Range held = place_ == 0 ? builder_.input() : builder_.scratch(below() * call_.block);
    if (place_ > 0) builder_.receive(rank_at(place_ - lowest_bit()), held);
    for (const Rank child : children())
      builder_.send(rank_at(child), subtree(held, child, child + (child & -child)));
    builder_.copy(subtree(held, place_, place_ + 1).front(), builder_.output());
  }

  void barrier() { algorithm_ == Kind::linear ? barrier_linear() : barrier_by_twos(); }
  void barrier_linear() {
    if (place_ > 0) {
      builder_.send_signal(0);
      builder_.receive_signal(0);
      return;
    }
    std::vector<StepIndex> heard;
    for (Rank other = 1; other < p(); ++other) heard.push_back(builder_.receive_signal(other));
    for (Rank other = 1; other < p(); ++other) builder_.send_signal(other, heard);
  }
  void barrier_by_twos() {
    const Rank most = static_cast<Rank>(std::bit_floor(static_cast<unsigned>(p()))), extra = p() - most;
    if (place_ >= most) {
      builder_.send_signal(place_ - most);
      builder_.receive_signal(place_ - most);
      return;
    }
    std::vector<StepIndex> heard;
    if (place_ < extra) heard = {builder_.receive_signal(place_ + most)};
    for (Rank bit = 1; bit < most; bit *= 2) {
      builder_.send_signal(place_ ^ bit, heard);
      heard.push_back(builder_.receive_signal(place_ ^ bit));
    }
    if (place_ < extra) builder_.send_signal(place_ + most, heard);
  }

  const GlobalCall& call_;
  Kind algorithm_;
  Rank place_;
  Builder builder_;
  Range one_;
  StepIndex last_ = 0;             ///< of an alltoall: the latest step
  std::vector<StepIndex> before_;  ///< of a pairwise one: what the next two messages wait for
};

/// By the rules, of the whole message or of one block.
std::optional<Kind> algorithm_by_rules(const GlobalCall& call) {
  const auto* rules = rules_of(call.collective);
  if (rules == nullptr) return std::nullopt;
  for (const Rules& each : *rules)
    if (call.size < each.ranks)
      for (const Rule& rule : each.by_length)
        if (call.block * call.unit_bytes < rule.below) return rule.algorithm;
  return std::nullopt;
}

/// What tuned's algorithms do themselves where they cannot be: an allreduce of fewer elements than ranks goes
/// otherwise, and doubling among other numbers than powers of two is Bruck's.
std::optional<Kind> in_place_of(Kind algorithm, const GlobalCall& call) {
  const bool is_power = std::has_single_bit(static_cast<unsigned>(call.size));
  if (call.collective == Collective::allreduce && call.block < call.size) {
    if (algorithm == Kind::ring) return Kind::recursive_doubling;
    if (algorithm == Kind::rabenseifner) return std::nullopt;
  }
  const bool needs_power =
      algorithm == Kind::scatter_allgather ||
      (call.collective == Collective::allgather && algorithm == Kind::recursive_doubling);
  return needs_power && !is_power ? std::nullopt : std::optional(algorithm);
}

}  // namespace

std::string_view name_of(StockAlgorithm algorithm) {
  constexpr std::string_view names[] = {
      "linear", "pipeline",     "binary",  "binomial", "knomial", "scatter_allgather", "recursive_doubling",
      "ring",   "rabenseifner", "pairwise"};
  return names[static_cast<std::size_t>(algorithm)];
}

std::optional<StockAlgorithm> stock_algorithm(const GlobalCall& call) {
  if (call.split > 0 || call.size < 2 || call.order == OperandOrder::rank) return std::nullopt;
  if (call.block == 0 && call.collective != Collective::barrier) return std::nullopt;
  const auto algorithm = algorithm_by_rules(call);
  return algorithm ? in_place_of(*algorithm, call) : std::nullopt;
}

Schedule stock_schedule(const GlobalCall& call, StockAlgorithm algorithm) {
  Schedule schedule;
  for (Rank rank = 0; rank < call.size; ++rank) schedule.push_back(Planner(call, rank, algorithm).plan());
  return schedule;
}

std::optional<StockForecast> forecast_stock(const Model& model, const GlobalCall& call) {
  const auto algorithm = stock_algorithm(call);
  if (!algorithm) return std::nullopt;
  GlobalCall plain = call;  // where the data are hardly matters
  plain.placements.clear();
  return StockForecast{*algorithm, simulate(stock_schedule(plain, *algorithm), model, plain.unit_bytes).end};
}

}  // namespace wan
