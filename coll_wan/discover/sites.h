// SPDX-License-Identifier: BSD-3-Clause
// Which site each process is at, decided from what the sources say of all processes: equal findings give
// equal sites, on every rank, without asking. The sources are asked in order. One that has stated the site of
// a process places it. Any other counts only where it says something of every process that is still to be
// placed, and, unless the user has named it, only by what proves something: nobody shall lose time because a
// hint made sites of the racks of one machine room. Pure functions; no threads. Tested by
// tests/unit/discover_sites.cc.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "discover/finding.h"

namespace wan {

/// The site of a process, and who says so; nobody: it is with all others of whom nobody says anything.
struct Located {
  std::string site;
  std::optional<Source> source;
  friend bool operator==(const Located&, const Located&) = default;
};

/// What became of a source.
enum class Outcome : std::uint8_t {
  stated,              ///< it places those whose site it states
  tells_apart,         ///< it places all that were left, at several sites
  one_site,            ///< it places all that were left, at one site
  of_different_kinds,  ///< it knows a zone of some and only a region of others, so that nothing can be
                       ///< compared
  incomplete,          ///< it knows some of those that were left only
  hints,               ///< what it says of them differs, but proves nothing
  proves_nothing       ///< it says the same of all, which proves nothing
};

struct Judgement {
  Source source;
  Outcome outcome;
  int places = 0;  ///< processes that it places, or could
  int left = 0;    ///< processes that were to be placed
  std::string evidence;
};

struct Sites {
  std::vector<Located> of;  ///< by process
  std::vector<Judgement>
      judgements;  ///< of the sources that said something, in the order in which they were asked
};

/// What the sources said of each process; nullptr: nothing can be known of it (it runs without coll_wan).
using Said = std::span<const std::vector<Finding>* const>;

/// A source counts by the uppermost of its names by which it tells processes apart: that name is the site's.
Sites decide(Said said, std::span<const Ask> asks);

/// How many sites there are.
std::size_t number_of(const Sites& sites);

/// "places 8 of 8 processes at different sites"
std::string text_of(const Judgement& judgement);

/// "kubernetes (KUBERNETES_ZONE) places 8 of 8 processes at different sites": what came of the sources, and
/// why.
std::string explain(const Sites& sites);

/// A process whose site two sources state differently.
struct Contradiction {
  std::size_t process;
  Source believed, other;
  std::string site, other_site;
};

std::vector<Contradiction> contradictions(Said said, std::span<const Ask> asks);

/// One line for each source that proves something else than was decided: sites that it knows to be several,
/// or to be one.
std::vector<std::string> doubts(Said said, std::span<const Ask> asks, const Sites& sites);

}  // namespace wan
