// SPDX-License-Identifier: BSD-3-Clause
// The matrix of cases. Threads: one. Tested by: mpi_collectives --list, tests/mpi/run.
#include "case.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "communicators.h"
#include "operators.h"
#include "shape.h"
#include "value.h"

namespace mpitest {
namespace {

constexpr std::size_t kNoOperator = 0;  // the operator axis has "none" first

template <class Recipes>
std::vector<std::string> names_of(const Recipes& recipes) {
  std::vector<std::string> names;
  for (const auto& r : recipes) names.push_back(r.name);
  return names;
}

std::vector<std::string> operator_names() {
  std::vector<std::string> names = names_of(operator_recipes());
  names.insert(names.begin(), "none");
  return names;
}

std::vector<std::vector<std::string>> make_value_names() {
  std::vector<std::vector<std::string>> all(kAxes);
#define WAN_COLLECTIVE(name, reduces, rooted, vector) all[kCollective].push_back(#name);
#include "plan/collectives.def"
#undef WAN_COLLECTIVE
  all[kCollective].push_back("reduce_local");
  all[kForm] = {"blocking", "nonblocking", "persistent"};
  all[kRoot] = {"first", "middle", "last", "none"};
  all[kInPlace] = {"no", "yes"};
  all[kOperator] = operator_names();
  all[kShape] = names_of(recipes());
  all[kMix] = {"same", "receivers", "ranks"};
  all[kCount] = {"zero", "one", "seven", "thousand", "large", "uneven", "uneven_large"};
  all[kCommunicator] = communicator_names();
  return all;
}

std::vector<std::size_t> up_to(std::size_t end) {
  std::vector<std::size_t> all(end);
  for (std::size_t i = 0; i < end; ++i) all[i] = i;
  return all;
}

std::vector<std::size_t> roots(const Case& c) {
  if (!traits_of(c.collective()).rooted) return {3};
  return {0, 1, 2};
}

std::vector<std::size_t> places(const Case& c) {
  const Collective what = c.collective();
  const bool never =
      what == Collective::barrier || what == Collective::bcast || what == Collective::reduce_local;
  return never ? up_to(1) : up_to(2);
}

std::vector<std::size_t> operators(const Case& c) {
  if (!traits_of(c.collective()).reduces) return {kNoOperator};
  std::vector<std::size_t> all = up_to(operator_recipes().size() + 1);
  all.erase(all.begin());
  return all;
}

/// Shapes that carry no operator: the families that exist only for predefined pair types are left to
/// reductions.
std::vector<std::size_t> shapes_to_move() {
  return up_to(recipe_index("char") + 1);
}

std::vector<std::size_t> shapes(const Case& c) {
  if (c.collective() == Collective::barrier) return {0};
  if (c.value[kOperator] == kNoOperator) return shapes_to_move();
  std::vector<std::size_t> allowed;
  for (const char* name : operator_recipes()[c.value[kOperator] - 1].shapes)
    allowed.push_back(recipe_index(name));
  return allowed;
}

/// Reductions need elements of the same type on every rank, so only data movement mixes.
std::vector<std::size_t> mixes(const Case& c) {
  const auto& all = recipes();
  const std::string family = all[c.value[kShape]].family;
  const auto members =
      std::count_if(all.begin(), all.end(), [&](const Recipe& r) { return family == r.family; });
  const bool mixable =
      c.value[kOperator] == kNoOperator && c.collective() != Collective::barrier && members > 1;
  return mixable ? up_to(3) : up_to(1);
}

std::vector<std::size_t> counts(const Case& c) {
  if (c.collective() == Collective::barrier) return {0};
  return traits_of(c.collective()).vector ? up_to(7) : up_to(5);
}

std::vector<std::size_t> communicators(const Case& c) {
  if (c.collective() == Collective::reduce_local) return {0};
  return up_to(communicator_names().size());
}

std::vector<std::size_t> forms(const Case& c) {
  return c.collective() == Collective::reduce_local ? up_to(1) : up_to(3);
}

/// Values of `axis` that make sense with the values already chosen for the axes before it.
std::vector<std::size_t> choices(Axis axis, const Case& c) {
  switch (axis) {
    case kForm:
      return forms(c);
    case kRoot:
      return roots(c);
    case kInPlace:
      return places(c);
    case kOperator:
      return operators(c);
    case kShape:
      return shapes(c);
    case kMix:
      return mixes(c);
    case kCount:
      return counts(c);
    case kCommunicator:
      return communicators(c);
    default:
      return up_to(value_names(kCollective).size());
  }
}

bool wanted(const std::vector<std::size_t>& filter, std::size_t value) {
  return filter.empty() || std::find(filter.begin(), filter.end(), value) != filter.end();
}

void extend(Case& c, std::size_t axis, const Filter& filter, std::vector<Case>& out) {
  if (axis == kAxes) return out.push_back(c);
  for (std::size_t value : choices(static_cast<Axis>(axis), c)) {
    if (!wanted(filter[axis], value)) continue;
    c.value[axis] = value;
    extend(c, axis + 1, filter, out);
  }
}

void shuffle(std::vector<Case>& cases, std::uint64_t seed) {
  for (std::size_t i = cases.size(); i > 1; --i) std::swap(cases[i - 1], cases[hash_of(seed, i) % i]);
}

}  // namespace

Traits traits_of(Collective collective) {
  switch (collective) {
#define WAN_COLLECTIVE(name, reduces, rooted, vector) \
  case Collective::name:                              \
    return {reduces, rooted, vector};
#include "plan/collectives.def"
#undef WAN_COLLECTIVE
    case Collective::reduce_local:
      return {1, 0, 0};
  }
  return {};
}

const std::vector<std::string>& axis_names() {
  static const std::vector<std::string> names = {"collective", "form", "root",  "in-place",    "operator",
                                                 "shape",      "mix",  "count", "communicator"};
  return names;
}

const std::vector<std::string>& value_names(Axis axis) {
  static const std::vector<std::vector<std::string>> all = make_value_names();
  return all[axis];
}

std::string Case::name() const {
  std::string text;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    text +=
        (axis ? " --" : "--") + axis_names()[axis] + " " + value_names(static_cast<Axis>(axis))[value[axis]];
  return text;
}

std::string add_filter(Filter& filter, const std::string& name, const std::string& values) {
  const auto axis = std::find(axis_names().begin(), axis_names().end(), name);
  if (axis == axis_names().end()) return "no option --" + name;
  const auto index = static_cast<std::size_t>(axis - axis_names().begin());
  const auto& known = value_names(static_cast<Axis>(index));
  std::istringstream list(values);
  for (std::string value; std::getline(list, value, ',');) {
    const auto found = std::find(known.begin(), known.end(), value);
    if (found == known.end()) return "--" + name + " has no value " + value;
    filter[index].push_back(static_cast<std::size_t>(found - known.begin()));
  }
  return {};
}

std::vector<Case> all_cases(const Filter& filter) {
  std::vector<Case> out;
  Case c;
  extend(c, 0, filter, out);
  return out;
}

std::vector<Case> sample(std::vector<Case> cases, std::size_t most, std::uint64_t seed) {
  if (cases.size() <= most) return cases;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Case>> groups;
  for (const Case& c : cases) groups[{c.value[kCollective], c.value[kForm]}].push_back(c);
  const std::size_t share = std::max<std::size_t>(1, most / groups.size());
  std::vector<Case> chosen;
  for (auto& [key, group] : groups) {
    shuffle(group, hash_of(seed, key.first, key.second));
    chosen.insert(chosen.end(), group.begin(),
                  group.begin() + static_cast<std::ptrdiff_t>(std::min(share, group.size())));
  }
  shuffle(chosen, seed);
  return chosen;
}

}  // namespace mpitest
