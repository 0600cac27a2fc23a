// SPDX-License-Identifier: BSD-3-Clause
#include "learn/testimony.h"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <limits>

#include "base/invariant.h"

namespace wan {
namespace {

constexpr std::size_t kWords = 6;
constexpr int kDigits = 6;  ///< behind the first one, which is 1
constexpr std::int32_t kUnknown = std::numeric_limits<std::int32_t>::min();

/// Rounded down; the order is kept.
std::int32_t coded(std::int64_t value) {
  const auto width = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(value)));
  const int cut = std::max(0, width - 1 - kDigits);
  return (cut << kDigits) + static_cast<std::int32_t>(value >> cut);
}

std::int64_t decoded(std::int32_t code) {
  const int cut = std::max(0, (code >> kDigits) - 1);
  return static_cast<std::int64_t>(code - (cut << kDigits)) << cut;
}

std::int32_t told_highest(std::int64_t value) {
  return value > 0 ? coded(value) : kUnknown;
}
std::int32_t told_least(std::int64_t value) {
  return value > 0 ? -coded(value) : kUnknown;
}
/// 0: nobody knows.
std::int64_t heard_highest(std::int32_t word) {
  return word == kUnknown ? 0 : decoded(word);
}
std::int64_t heard_least(std::int32_t word) {
  return word == kUnknown ? 0 : decoded(-word);
}

std::size_t place_of(SiteIndex sites, SiteIndex from, SiteIndex to) {
  return kWords *
         (static_cast<std::size_t>(from) * static_cast<std::size_t>(sites) + static_cast<std::size_t>(to));
}

/// Of numbers that have a few digits, exactly the same everywhere: between the two by bisection.
std::int64_t geometric_mean(std::int64_t least, std::int64_t highest) {
  const auto product = Wide{least} * highest;
  std::int64_t low = least, high = highest;
  while (low < high) {
    const std::int64_t middle = low + (high - low + 1) / 2;
    if (Wide{middle} * middle <= product)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

Findings heard(std::span<const std::int32_t> testimony, SiteIndex sites, SiteIndex from, SiteIndex to) {
  const auto words = testimony.subspan(place_of(sites, from, to), kWords);
  return {geometric_mean(heard_least(words[0]), heard_highest(words[1])), heard_highest(words[2]),
          heard_least(words[3]), heard_least(words[4]), heard_highest(words[5])};
}

bool is_near_rate(BytesPerSecond a, BytesPerSecond b) {
  return !is_clearly_less(a, b) && !is_clearly_less(b, a);
}

/// What was learnt while calls were in each other's way is not exact yet.
bool is_about(BytesPerSecond a, BytesPerSecond b) {
  const auto [less, more] = std::minmax(a, b);
  return more - less <= less / 8;
}

bool is_near_latency(Nanoseconds a, Nanoseconds b) {
  const auto [less, more] = std::minmax(a, b);
  return more - less <= less / 2;
}

struct Rate {
  BytesPerSecond stated, known;
  bool is_bound = false;                ///< more than what was stated, and not yet the most
  std::optional<BytesPerSecond> shown;  ///< no more than that shows that it is as stated, or otherwise

  /// In proportion to what was stated.
  bool is_less(const Rate& other) const { return Wide{known} * other.stated < Wide{other.known} * stated; }
  bool is_near(const Rate& more) const { return !Rate{stated, 2 * known, false, {}}.is_less(more); }
  BytesPerSecond in_proportion(BytesPerSecond of) const {
    return static_cast<BytesPerSecond>(Wide{of} * known / stated);
  }
};

/// What was demonstrated may be of a time when the link was quicker; it tells of a link that is quicker again
/// once it is more than twice what was got of the full one, of which nothing is known then. What was
/// demonstrated together is too much where processes were held up and did not send at the same time: it
/// counts where one of them alone has shown that the link is quicker than stated.
Rate known_rate(BytesPerSecond stated, const Findings& findings) {
  if (findings.full > 0 && !is_clearly_less(findings.full, findings.demonstrated))
    return {stated, findings.full, false, {}};
  const BytesPerSecond together = std::max(findings.demonstrated, findings.demonstrated_together);
  const bool is_quicker = findings.demonstrated > stated + stated / 2;
  const BytesPerSecond least = is_quicker ? together : findings.demonstrated;
  if (findings.full == 0 && is_clearly_less(together, stated)) return {stated, stated, false, together};
  return {stated, std::max(stated, least), is_clearly_less(stated, least), {}};
}

BytesPerSecond corrected_rate(BytesPerSecond stated, BytesPerSecond held, BytesPerSecond known) {
  if (is_near_rate(known, stated)) return is_near_rate(known, held) ? held : stated;
  return is_about(known, held) ? held : known;
}

/// Links that are off by about the same factor are so for one reason, such as a wrong unit, or what all of
/// them go through. They share it. Those that are known to be better than was stated, and no more, have as
/// high a factor as a quarter of all: what a plan does not send over a link that it takes for slow cannot
/// show how quick it is. So have those of which nothing is known, where all others are slower than stated.
void share_factors(std::vector<Rate>& rates) {
  std::vector<Rate*> order;
  for (Rate& rate : rates)
    if (rate.stated > 0 && !rate.shown) order.push_back(&rate);
  std::ranges::stable_sort(order, [](const Rate* a, const Rate* b) { return b->is_less(*a); });
  if (order.empty()) return;
  const Rate best = *order[order.size() / 4];
  for (Rate& rate : rates)
    if (rate.shown)
      rate.known = std::max(*rate.shown, std::min(rate.stated, best.in_proportion(rate.stated)));
  for (auto first = order.begin(); first != order.end();) {
    const auto first_far = [&](auto from, const Rate& of) {
      return std::find_if(from, order.end(), [&](const Rate* rate) { return !rate->is_near(of); });
    };
    const auto near_first = first_far(first, **first);
    const Rate middle = *first[(near_first - first - 1) / 2];
    const auto end = first_far(near_first, middle);
    for (; first != end; ++first)
      (*first)->known = ((*first)->is_bound ? best : middle).in_proportion((*first)->stated);
  }
}

/// By link; of a site to itself: nothing.
std::vector<Rate> rates_between(const Network& stated, std::span<const std::int32_t> testimony) {
  const SiteIndex sites = stated.sites();
  std::vector<Rate> rates;
  for (SiteIndex from = 0; from < sites; ++from)
    for (SiteIndex to = 0; to < sites; ++to) {
      const BytesPerSecond rate = from == to ? 0 : stated.link(from, to).bandwidth_bytes_per_s;
      rates.push_back(known_rate(rate, heard(testimony, sites, from, to)));
    }
  share_factors(rates);
  return rates;
}

Nanoseconds round_trip(std::span<const std::int32_t> testimony, SiteIndex sites, SiteIndex a, SiteIndex b) {
  return lesser(heard(testimony, sites, a, b).round_trip, heard(testimony, sites, b, a).round_trip);
}

Nanoseconds corrected_latency(const Link& stated, const Link& back, Nanoseconds held,
                              Nanoseconds round_trip) {
  const Nanoseconds stated_trip = stated.latency_ns + back.latency_ns;
  const Nanoseconds known = round_trip > 0 ? round_trip : stated_trip;
  const Nanoseconds latency =
      stated_trip == 0 ? known / 2 : static_cast<Nanoseconds>(Wide{known} * stated.latency_ns / stated_trip);
  return is_near_latency(latency, held) ? held : latency;
}

}  // namespace

Testimony testimony_of(SiteIndex here, std::span<const Findings> findings) {
  const auto sites = static_cast<SiteIndex>(findings.size());
  Testimony testimony(kWords * findings.size() * findings.size(), kUnknown);
  for (SiteIndex to = 0; to < sites; ++to) {
    const Findings& of = findings[static_cast<std::size_t>(to)];
    std::ranges::copy(
        std::array{told_least(of.full), told_highest(of.full), told_highest(of.demonstrated),
                   told_least(of.demonstrated_together), told_least(of.round_trip), told_highest(of.trial)},
        testimony.begin() + static_cast<std::ptrdiff_t>(place_of(sites, here, to)));
  }
  return testimony;
}

Testimony together(const Testimony& a, const Testimony& b) {
  Testimony both;
  std::ranges::transform(a, b, std::back_inserter(both), [](auto x, auto y) { return std::max(x, y); });
  return both;
}

namespace {

/// Its links and the access links that have a rate, as the two say; nullopt: all as before.
template <class LinkOf, class UplinkOf>
std::optional<Network> changed(const Network& network, LinkOf link_of, UplinkOf uplink_of) {
  const SiteIndex sites = network.sites();
  std::vector<Link> links;
  std::vector<std::optional<BytesPerSecond>> uplinks, downlinks;
  bool is_other = false;
  for (SiteIndex from = 0; from < sites; ++from) {
    for (SiteIndex to = 0; to < sites; ++to) {
      links.push_back(from == to ? network.link(from, to) : link_of(from, to));
      is_other |= links.back() != network.link(from, to);
    }
    uplinks.push_back(network.uplink(from));
    if (uplinks.back()) uplinks.back() = uplink_of(from);
    is_other |= uplinks.back() != network.uplink(from);
    downlinks.push_back(network.downlink(from));
  }
  if (!is_other) return std::nullopt;
  Network other(sites, std::move(links), std::move(uplinks), std::move(downlinks));
  other.set_estimated();
  return other;
}

/// What a link has that is held for as quick, in proportion to what was stated, as the quickest one; no more
/// than was stated.
class UsualRate {
 public:
  static UsualRate of_links(const Network& stated, const Network& held) {
    UsualRate usual;
    for (SiteIndex from = 0; from < stated.sites(); ++from)
      for (SiteIndex to = 0; to < stated.sites(); ++to)
        if (from != to)
          usual.see(stated.link(from, to).bandwidth_bytes_per_s, held.link(from, to).bandwidth_bytes_per_s);
    return usual;
  }
  static UsualRate of_uplinks(const Network& stated, const Network& held) {
    UsualRate usual;
    for (SiteIndex site = 0; site < stated.sites(); ++site)
      if (stated.uplink(site)) usual.see(*stated.uplink(site), *held.uplink(site));
    return usual;
  }
  BytesPerSecond of(BytesPerSecond stated) const {
    return best_ ? std::min(stated, best_->in_proportion(stated)) : stated;
  }

 private:
  void see(BytesPerSecond stated, BytesPerSecond held) {
    const Rate rate{stated, held, false, {}};
    if (!best_ || best_->is_less(rate)) best_ = rate;
  }

  std::optional<Rate> best_;
};

bool has_become(BytesPerSecond rate, BytesPerSecond held, BytesPerSecond from_now_on) {
  return is_clearly_less(held, rate) && !is_clearly_less(from_now_on, rate);
}

BytesPerSecond surely_better_rate(BytesPerSecond stated, BytesPerSecond usual, BytesPerSecond held,
                                  BytesPerSecond from_now_on) {
  if (has_become(stated, held, from_now_on)) return from_now_on;
  return has_become(usual, held, from_now_on) ? std::min(from_now_on, usual) : held;
}

}  // namespace

std::optional<Network> corrected(const Network& stated, const Network& held,
                                 std::span<const std::int32_t> testimony) {
  const SiteIndex sites = stated.sites();
  invariant(testimony.size() == place_of(sites, sites, 0), "a testimony of other sites");
  const std::vector<Rate> rates = rates_between(stated, testimony);
  return changed(
      held,
      [&](SiteIndex from, SiteIndex to) {
        Link link = held.link(from, to);
        const auto place = static_cast<std::size_t>(from * sites + to);
        link.bandwidth_bytes_per_s = corrected_rate(stated.link(from, to).bandwidth_bytes_per_s,
                                                    link.bandwidth_bytes_per_s, rates[place].known);
        link.latency_ns = corrected_latency(stated.link(from, to), stated.link(to, from), link.latency_ns,
                                            round_trip(testimony, sites, from, to));
        return link;
      },
      [&](SiteIndex site) {
        return corrected_rate(*stated.uplink(site), *held.uplink(site),
                              known_rate(*stated.uplink(site), heard(testimony, sites, site, site)).known);
      });
}

bool has_slow_link(const Network& stated, const Network& held) {
  for (SiteIndex from = 0; from < stated.sites(); ++from) {
    if (stated.uplink(from) && is_clearly_less(*held.uplink(from), *stated.uplink(from))) return true;
    for (SiteIndex to = 0; to < stated.sites(); ++to)
      if (from != to && is_clearly_less(held.link(from, to).bandwidth_bytes_per_s,
                                        stated.link(from, to).bandwidth_bytes_per_s))
        return true;
  }
  return false;
}

Slowdown slowdown_of(const Network& stated, const Network& held, SiteIndex from, SiteIndex to) {
  const bool is_uplink = from == to;
  const BytesPerSecond as_stated =
      is_uplink ? *stated.uplink(from) : stated.link(from, to).bandwidth_bytes_per_s;
  const BytesPerSecond now = is_uplink ? *held.uplink(from) : held.link(from, to).bandwidth_bytes_per_s;
  if (!is_clearly_less(now, as_stated)) return Slowdown::none;
  const auto usual = is_uplink ? UsualRate::of_uplinks(stated, held) : UsualRate::of_links(stated, held);
  return is_clearly_less(now, usual.of(as_stated)) ? Slowdown::more_than_some : Slowdown::of_all;
}

std::optional<Network> surely_better(const Network& stated, const Network& held, const Network& from_now_on) {
  const auto usual = UsualRate::of_links(stated, held);
  return changed(
      held,
      [&](SiteIndex from, SiteIndex to) {
        const Link& then = from_now_on.link(from, to);
        Link link = held.link(from, to);
        link.latency_ns = std::min(link.latency_ns, then.latency_ns);
        const BytesPerSecond rate = stated.link(from, to).bandwidth_bytes_per_s;
        link.bandwidth_bytes_per_s =
            surely_better_rate(rate, usual.of(rate), link.bandwidth_bytes_per_s, then.bandwidth_bytes_per_s);
        return link;
      },
      [&](SiteIndex site) {
        return surely_better_rate(*stated.uplink(site), *stated.uplink(site), *held.uplink(site),
                                  *from_now_on.uplink(site));
      });
}

std::vector<Trial> trials_of(SiteIndex sites, std::span<const std::int32_t> testimony) {
  std::vector<Trial> trials;
  for (SiteIndex from = 0; from < sites; ++from)
    for (SiteIndex to = 0; to < sites; ++to)
      if (const Bytes bytes = heard(testimony, sites, from, to).trial; bytes > 0)
        trials.push_back({from, to, bytes});
  return trials;
}

}  // namespace wan
