// SPDX-License-Identifier: BSD-3-Clause
#include "algo/algorithm.h"

#include <algorithm>
#include <vector>

#include "base/invariant.h"
#include "base/nearest.h"

namespace wan {

namespace {

constexpr std::string_view kNames[] = {
    "auto",
#define WAN_WAY(algorithm, latencies, time, fallback, help) #algorithm,
#include "algo/algorithms.def"
};
constexpr std::string_view kNeighbors = "neighbor";

constexpr MostLatencies kLatencies[] = {
    MostLatencies::one,
#define WAN_WAY(algorithm, latencies, time, fallback, help) MostLatencies::latencies,
#include "algo/algorithms.def"
};

enum class Fallback : bool { no, yes };
constexpr Fallback kFallbacks[] = {
    Fallback::no,
#define WAN_WAY(algorithm, latencies, time, fallback, help) Fallback::fallback,
#include "algo/algorithms.def"
};

constexpr AlgorithmTraits kRows[] = {
#define WAN_ALGORITHM(collective, algorithm, planner, proposer, lanes, traffic) \
  {Collective::collective, Algorithm::algorithm, LaneUse::lanes},
#include "algo/algorithms.def"
};

static_assert(std::ranges::is_sorted(kRows, {}, &AlgorithmTraits::collective));

constexpr Algorithm kOfNeighbors[] = {
    Algorithm::automatic,
#define WAN_NEIGHBOR_ALGORITHM(algorithm) Algorithm::algorithm,
#include "algo/algorithms.def"
};

/// What can be chosen for each collective.
using Choosable = std::array<std::vector<Algorithm>, kCollectives>;

const Choosable& choosable() {
  static const Choosable all = [] {
    Choosable made;
    for (const CollectiveTraits& each : all_collectives()) {
      auto& known = made[static_cast<std::size_t>(each.collective)];
      known.push_back(Algorithm::automatic);
      const auto rows = rows_of(each.collective);
      if (rows.size() > 1)
        for (const AlgorithmTraits& row : rows) known.push_back(row.algorithm);
    }
    return made;
  }();
  return all;
}

bool allows(LaneUse lanes, const Call& call) {
  switch (lanes) {
    case LaneUse::never:
      return false;
    case LaneUse::always:
      return true;
    case LaneUse::on_intracommunicators:
      return !call.is_inter();
    case LaneUse::in_any_order:
      return call.order == OperandOrder::any;
  }
  return false;
}

std::string joined(std::span<const Algorithm> algorithms, std::string_view separator) {
  std::string text;
  for (const Algorithm algorithm : algorithms)
    text += (text.empty() ? "" : std::string(separator)) + std::string(name_of(algorithm));
  return text;
}

/// What has algorithms to choose from, with them, in the order of collectives.def.
struct Chooser {
  std::string_view name;
  std::span<const Algorithm> algorithms;
};
std::vector<Chooser> choosers() {
  std::vector<Chooser> all;
  for (const CollectiveTraits& each : all_collectives())
    if (algorithms_of(each.collective).size() > 1) all.push_back({each.name, algorithms_of(each.collective)});
  all.push_back({kNeighbors, algorithms_of_neighbors()});
  return all;
}

std::optional<Algorithm> named(std::string_view name, std::span<const Algorithm> known) {
  const auto found = std::ranges::find(known, name, name_of);
  return found == known.end() ? std::nullopt : std::optional(*found);
}

std::string remedy_for_name(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Chooser& each : choosers()) names.push_back(each.name);
  const auto near = nearest(name, names);
  return near ? "did you mean " + std::string(*near) + "?" : "expected some of " + known_algorithms();
}

void force(AlgorithmChoice& choice, std::string_view name, Algorithm algorithm) {
  if (name == kNeighbors) return choice.force_neighbors(algorithm);
  choice.force(std::ranges::find(all_collectives(), name, &CollectiveTraits::name)->collective, algorithm);
}

/// Takes one entry; the remedy if it is wrong.
std::optional<std::string> take(AlgorithmChoice& choice, std::string_view entry) {
  const auto colon = entry.find(':');
  if (colon == entry.npos) return "expected COLLECTIVE:ALGORITHM, as in bcast:tree";
  const std::string_view name = entry.substr(0, colon);
  const auto all = choosers();
  const auto chooser = std::ranges::find(all, name, &Chooser::name);
  if (chooser == all.end()) return remedy_for_name(name);
  const auto algorithm = named(entry.substr(colon + 1), chooser->algorithms);
  if (!algorithm) return std::string(name) + " takes one of " + joined(chooser->algorithms, ", ");
  force(choice, name, *algorithm);
  return std::nullopt;
}

}  // namespace

std::string_view name_of(Algorithm algorithm) {
  return kNames[static_cast<std::size_t>(algorithm)];
}

MostLatencies latencies_of(Algorithm algorithm) {
  return kLatencies[static_cast<std::size_t>(algorithm)];
}

bool is_fallback(Algorithm algorithm) {
  return kFallbacks[static_cast<std::size_t>(algorithm)] == Fallback::yes;
}

std::span<const AlgorithmTraits> rows_of(Collective collective) {
  const auto rows = std::ranges::equal_range(kRows, collective, {}, &AlgorithmTraits::collective);
  return {rows.begin(), rows.end()};
}

std::span<const Algorithm> algorithms_of(Collective collective) {
  return choosable()[static_cast<std::size_t>(collective)];
}

std::span<const Algorithm> algorithms_of_neighbors() {
  return kOfNeighbors;
}

bool has_algorithm(Collective collective, Algorithm algorithm) {
  return std::ranges::find(algorithms_of(collective), algorithm) != algorithms_of(collective).end();
}

bool can_have_lanes(const Call& call, Algorithm algorithm) {
  return std::ranges::any_of(rows_of(call.collective), [&](const AlgorithmTraits& row) {
    return row.algorithm == algorithm && allows(row.lanes, call);
  });
}

bool can_have_lanes(const Call& call) {
  return std::ranges::any_of(rows_of(call.collective),
                             [&](const AlgorithmTraits& row) { return allows(row.lanes, call); });
}

std::optional<Algorithm> algorithm_named(std::string_view name, Collective collective) {
  return named(name, algorithms_of(collective));
}

void AlgorithmChoice::force(Collective collective, Algorithm algorithm) {
  invariant(has_algorithm(collective, algorithm), "an algorithm that the collective has not");
  chosen_[static_cast<std::size_t>(collective)] = algorithm;
}

void AlgorithmChoice::force_neighbors(Algorithm algorithm) {
  invariant(std::ranges::find(kOfNeighbors, algorithm) != std::ranges::end(kOfNeighbors),
            "an algorithm that neighbourhood collectives have not");
  of_neighbors_ = algorithm;
}

Result<AlgorithmChoice> parse_algorithms(std::string_view text, const std::string& parameter) {
  AlgorithmChoice choice;
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    const std::string_view entry = text.substr(0, comma);
    if (const auto remedy = take(choice, entry))
      return tl::unexpected(InputError{parameter, 0, "", std::string(entry), *remedy});
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return choice;
}

std::string known_algorithms() {
  std::string text;
  for (const Chooser& each : choosers())
    text += (text.empty() ? "" : ", ") + std::string(each.name) + ":" + joined(each.algorithms, "|");
  return text;
}

}  // namespace wan
