// SPDX-License-Identifier: BSD-3-Clause
// The matrix: axes, the values that make sense together, a case as one value per axis, filters and sampling.
// Invariants: enumeration and sampling depend on the options alone, so every process runs the same cases in
// the same order; a case's name is the option list that selects exactly it. Threads: one. Tested by:
// mpi_collectives --list, tests/mpi/run.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "forms.h"

namespace mpitest {

/// The axes, in the order in which later ones depend on earlier ones.
enum Axis : std::size_t {
  kCollective,
  kForm,
  kRoot,
  kInPlace,
  kOperator,
  kShape,
  kMix,
  kCount,
  kCommunicator,
  kAxes
};

/// What is known of each collective: the rows of plan/collectives.def and reduce_local.
enum class Collective {
#define WAN_COLLECTIVE(name, reduces, rooted, vector) name,
#include "plan/collectives.def"
#undef WAN_COLLECTIVE
  reduce_local,
};

/// Traits of a collective.
struct Traits {
  int reduces;
  int rooted;
  int vector;
};
Traits traits_of(Collective collective);

/// Which process is the root.
enum class Root { kFirst, kMiddle, kLast, kNone };

/// Which datatypes the processes use: all the same; receivers another one of the family; every rank another
/// one.
enum class Mix { kSame, kReceiversDiffer, kRanksDiffer };

/// How many units a block has.
enum class Amount { kZero, kOne, kSeven, kThousand, kLarge, kUneven, kUnevenLarge };

/// One value per axis, as an index into the axis' names.
struct Case {
  std::array<std::size_t, kAxes> value{};

  Collective collective() const { return static_cast<Collective>(value[kCollective]); }
  Form form() const { return static_cast<Form>(value[kForm]); }
  Root root() const { return static_cast<Root>(value[kRoot]); }
  bool in_place() const { return value[kInPlace] == 1; }
  Mix mix() const { return static_cast<Mix>(value[kMix]); }
  Amount amount() const { return static_cast<Amount>(value[kCount]); }

  /// The options that select this case alone.
  std::string name() const;
};

/// Option names of the axes, and the names of an axis' values.
const std::vector<std::string>& axis_names();
const std::vector<std::string>& value_names(Axis axis);

/// Which values of each axis are wanted; empty means all.
using Filter = std::array<std::vector<std::size_t>, kAxes>;

/// Adds the comma-separated `values` to the filter of axis `name`. Returns an error text, empty if fine.
std::string add_filter(Filter& filter, const std::string& name, const std::string& values);

/// All cases that pass the filter.
std::vector<Case> all_cases(const Filter& filter);

/// At most `most` of `cases`, the same share of each collective and form, chosen and ordered by `seed`.
std::vector<Case> sample(std::vector<Case> cases, std::size_t most, std::uint64_t seed);

}  // namespace mpitest
