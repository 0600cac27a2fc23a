// SPDX-License-Identifier: BSD-3-Clause
#include "cost/spread.h"

#include <utility>

#include "cost/direct.h"
#include "cost/shares.h"

namespace wan {
namespace {

/// The least time up to `above` at which there are shares, to one part in a thousand, and they; nullopt if
/// there are none below `below`.
template <class Search>
std::optional<Spread> quickest(const Search& search, Nanoseconds above, Nanoseconds below) {
  if (below < above && !search.at(below)) return std::nullopt;
  auto latest = search.at(above);
  if (!latest) return std::nullopt;
  Spread best{above, std::move(*latest)};
  for (Nanoseconds under = 0; above - under > above / 1024 + 1;) {
    const Nanoseconds middle = under + (above - under) / 2;
    if (auto shares = search.at(middle))
      best = {above = middle, std::move(*shares)};
    else
      under = middle;
  }
  return best;
}

/// Relays need a third site, and something to relay.
bool has_relays(const Network& network, Bytes bytes) {
  return network.sites() > 2 && bytes > 0;
}

std::optional<Spread> spread_from(const View& view, SiteIndex root, Bytes bytes, Bytes piece,
                                  Nanoseconds direct, Nanoseconds below) {
  const SharesFromOne search(view, root, bytes, piece);
  if (below <= search.first_relay()) return std::nullopt;
  auto found = quickest(search, direct, below);
  if (!found || found->time_ns >= direct || found->shares[static_cast<std::size_t>(root)] == bytes)
    return std::nullopt;
  return found;
}

}  // namespace

std::optional<Spread> spread_from_one(const Network& network, SiteIndex root, Bytes bytes, Bytes piece,
                                      Nanoseconds below_ns) {
  if (!has_relays(network, bytes)) return std::nullopt;
  return spread_from(View(network), root, bytes, piece, direct_from_one_ns(network, root, bytes), below_ns);
}

std::optional<Spread> spread_to_one(const Network& network, SiteIndex root, Bytes bytes, Bytes piece,
                                    Nanoseconds below_ns) {
  if (!has_relays(network, bytes)) return std::nullopt;
  return spread_from(View(network, Direction::backward), root, bytes, piece,
                     direct_to_one_ns(network, root, bytes), below_ns);
}

std::optional<Spread> spread_among_all(const Network& network, Bytes bytes, Bytes piece,
                                       Nanoseconds below_ns) {
  if (!has_relays(network, bytes) || below_ns <= SharesAmongAll::first_relay(network)) return std::nullopt;
  const Nanoseconds direct = direct_among_all_ns(network, bytes);
  return quickest(SharesAmongAll(network, bytes, piece, direct), direct, below_ns);
}

}  // namespace wan
