// SPDX-License-Identifier: BSD-3-Clause
// Wrong Schedules, made from right ones by one change, must be rejected (tests/support/promise.h). One that
// is accepted needs a reason, found without the checker, why the change makes no difference. Each case makes
// one mutant of each kind. The table at the end counts them.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>

#include "check/contract.h"
#include "plan/text.h"
#include "tests/support/machine.h"
#include "tests/support/program_editor.h"
#include "tests/support/promise.h"
#include "tests/support/property_main.h"
#include "tests/support/random_call.h"

namespace wan {

const int kCases = 1'000;

namespace {

std::size_t at(Rank rank) {
  return static_cast<std::size_t>(rank);
}

using Programs = std::vector<EditedProgram>;

struct Place {
  Rank rank = 0;
  StepIndex index = 0;
};

struct Mutant {
  Programs programs;
  Place changed;
  std::string equivalent = {};  ///< why the change makes no difference; empty: it makes one
  /// Would a wrong mutant show it whenever it is executed? (A missing dependency would not.)
  bool is_visible_in_results = true;
};

/// The valid Schedule that mutants are made of.
struct Original {
  const RandomCall& random;
  Layout layout;
  Programs programs;

  const EditedStep& step(Place place) const { return programs[at(place.rank)].steps[at(place.index)]; }
  const std::vector<EditedStep>& steps(Rank rank) const { return programs[at(rank)].steps; }
};

bool is_message(const EditedStep& step) {
  return step.kind == StepKind::send || step.kind == StepKind::receive;
}

/// One of the steps for which `is_wanted(place)`.
template <class Predicate>
std::optional<Place> choose(const Original& original, Predicate is_wanted) {
  std::vector<Place> places;
  for (Rank rank = 0; rank < original.random.call.size; ++rank)
    for (StepIndex i = 0; i < original.programs[at(rank)].size(); ++i)
      if (is_wanted(Place{rank, i})) places.push_back({rank, i});
  if (places.empty()) return std::nullopt;
  return places[static_cast<std::size_t>(pick(0, static_cast<int>(places.size()) - 1))];
}

std::optional<Place> choose_kind(const Original& original, StepKind kind) {
  return choose(original, [&](Place place) { return original.step(place).kind == kind; });
}

/// The receive that matches a send.
Place match(const Original& original, Place send) {
  const Rank peer = original.step(send).peer;
  int before = 0;
  for (StepIndex i = 0; i < send.index; ++i) {
    const EditedStep& step = original.steps(send.rank)[at(i)];
    before += step.kind == StepKind::send && step.peer == peer;
  }
  for (StepIndex i = 0;; ++i) {
    const EditedStep& step = original.steps(peer)[at(i)];
    if (step.kind == StepKind::receive && step.peer == send.rank && before-- == 0) return {peer, i};
  }
}

// ---- the kinds of mutant

std::optional<Mutant> drop_a_step(const Original& original) {
  const auto place = choose(original, [](Place) { return true; });
  if (!place) return std::nullopt;
  Mutant mutant{original.programs, *place};
  mutant.programs[at(place->rank)].drop(place->index);
  return mutant;
}

/// A copy of step `place` right behind it.
void repeat(Programs& programs, Place place) {
  EditedProgram& program = programs[at(place.rank)];
  EditedStep again = program.step(place.index);
  again.after.push_back(place.index);
  program.insert(place.index + 1, again);
}

std::optional<Mutant> send_twice(const Original& original) {
  const auto send = choose_kind(original, StepKind::send);
  if (!send) return std::nullopt;
  Mutant mutant{original.programs, *send};
  repeat(mutant.programs, *send);
  return mutant;
}

std::optional<Mutant> receive_twice(const Original& original) {
  const auto receive = choose_kind(original, StepKind::receive);
  if (!receive) return std::nullopt;
  Mutant mutant{original.programs, *receive};
  repeat(mutant.programs, *receive);
  return mutant;
}

std::optional<Mutant> duplicate_a_message(const Original& original) {
  const auto send = choose_kind(original, StepKind::send);
  if (!send) return std::nullopt;
  const Place receive = match(original, *send);
  Mutant mutant{original.programs, *send};
  repeat(mutant.programs, *send);
  repeat(mutant.programs, receive);
  if (original.random.call.collective == Collective::barrier)
    mutant.equivalent = "an empty message more inside a host";
  return mutant;
}

/// Two sends of a rank change places; the peers' receives stay.
std::optional<Mutant> swap_messages(const Original& original) {
  const auto first = choose_kind(original, StepKind::send);
  if (!first) return std::nullopt;
  const auto second = choose(original, [&](Place place) {
    const EditedStep& step = original.step(place);
    return step.kind == StepKind::send && place.rank == first->rank &&
           step.peer != original.step(*first).peer;
  });
  if (!second) return std::nullopt;
  Mutant mutant{original.programs, *first};
  EditedProgram& program = mutant.programs[at(first->rank)];
  std::swap(program.step(first->index).peer, program.step(second->index).peer);
  if (program.step(first->index).from == program.step(second->index).from &&
      program.step(first->index).after == program.step(second->index).after)
    mutant.equivalent = "both messages are the same";
  return mutant;
}

std::optional<Mutant> change_the_peer(const Original& original) {
  const Rank size = original.random.call.size;
  const auto place =
      choose(original, [&](Place each) { return size >= 3 && is_message(original.step(each)); });
  if (!place) return std::nullopt;
  std::vector<Rank> others;
  for (Rank rank = 0; rank < size; ++rank)
    if (rank != place->rank && rank != original.step(*place).peer) others.push_back(rank);
  Mutant mutant{original.programs, *place};
  mutant.programs[at(place->rank)].step(place->index).peer =
      others[static_cast<std::size_t>(pick(0, static_cast<int>(others.size()) - 1))];
  return mutant;
}

void shorten(std::vector<Range>& ranges) {
  if (--ranges.back().length == 0) ranges.pop_back();
}

/// One side of a message loses its last unit.
std::optional<Mutant> shorten_one_side(const Original& original) {
  const auto place = choose(original, [&](Place each) {
    const EditedStep& step = original.step(each);
    return is_message(step) && !(step.from.empty() && step.to.empty());
  });
  if (!place) return std::nullopt;
  Mutant mutant{original.programs, *place};
  EditedStep& step = mutant.programs[at(place->rank)].step(place->index);
  shorten(step.kind == StepKind::send ? step.from : step.to);
  return mutant;
}

/// Both sides of a message, or of a copy or reduction, lose their last unit.
std::optional<Mutant> shorten_both_sides(const Original& original) {
  const auto place = choose(original, [&](Place each) { return !original.step(each).from.empty(); });
  if (!place) return std::nullopt;
  Mutant mutant{original.programs, *place};
  const auto step_at = [&](Place each) -> EditedStep& {
    return mutant.programs[at(each.rank)].step(each.index);
  };
  shorten(step_at(*place).from);
  shorten(step_at(original.step(*place).kind == StepKind::send ? match(original, *place) : *place).to);
  return mutant;
}

/// One range moves by one unit.
std::optional<Mutant> shift_a_range(const Original& original) {
  const int by = pick(0, 1) * 2 - 1;
  const auto ranges_of = [](EditedStep& step, int side) -> std::vector<Range>& {
    return side == 0 ? step.from : step.to;
  };
  const int side = pick(0, 1);
  Mutant mutant{original.programs, {}};
  const auto can_move = [&](const Range& range, const BufferLengths& lengths) {
    return range.offset + by >= 0 && range.offset + by + range.length <= lengths.of(range.buffer);
  };
  const auto place = choose(original, [&](Place each) {
    EditedProgram& program = mutant.programs[at(each.rank)];
    const auto& ranges = ranges_of(program.step(each.index), side);
    return !ranges.empty() && can_move(ranges.front(), program.lengths);
  });
  if (!place) return std::nullopt;
  mutant.changed = *place;
  ranges_of(mutant.programs[at(place->rank)].step(place->index), side).front().offset += by;
  return mutant;
}

/// Does `step` of a rank wait for `earlier`, directly or through others?
bool waits_for(const EditedProgram& program, StepIndex step, StepIndex earlier) {
  const auto& after = program.steps[at(step)].after;
  return std::ranges::any_of(after, [&](StepIndex each) {
    return each == earlier || (each > earlier && waits_for(program, each, earlier));
  });
}

std::optional<Mutant> drop_a_dependency(const Original& original) {
  const auto place = choose(original, [&](Place each) { return !original.step(each).after.empty(); });
  if (!place) return std::nullopt;
  Mutant mutant{original.programs, *place};
  EditedProgram& program = mutant.programs[at(place->rank)];
  auto& after = program.step(place->index).after;
  const auto dropped = after.begin() + pick(0, static_cast<int>(after.size()) - 1);
  const StepIndex earlier = *dropped;
  after.erase(dropped);
  mutant.is_visible_in_results = false;
  if (waits_for(program, place->index, earlier))
    mutant.equivalent = "the step waits for it through others";
  else if (original.random.call.collective == Collective::barrier &&
           program.step(earlier).peer == program.step(place->index).peer)
    mutant.equivalent = "a barrier need not tell a rank that it has entered itself";
  return mutant;
}

/// to := to (op) from instead of from (op) to, through new scratch.
std::optional<Mutant> swap_operands(const Original& original) {
  if (original.random.call.order == OperandOrder::any) return std::nullopt;
  const auto place = choose_kind(original, StepKind::reduce);
  if (!place) return std::nullopt;
  Mutant mutant{original.programs, *place};
  EditedProgram& program = mutant.programs[at(place->rank)];
  const EditedStep reduce = program.step(place->index);
  const Range to = reduce.to.front(), kept{Buffer::scratch, program.lengths.scratch, to.length};
  program.lengths.scratch += to.length;
  const StepIndex i = place->index;
  program.insert(i, {StepKind::copy, -1, {to}, {kept}, reduce.after});
  program.insert(i + 1, {StepKind::copy, -1, reduce.from, {to}, {i}});
  program.step(i + 2).from = {kept};
  program.step(i + 2).after = {i + 1};
  return mutant;
}

/// A contribution is added once more.
std::optional<Mutant> reduce_twice(const Original& original) {
  const auto place = choose_kind(original, StepKind::reduce);
  if (!place) return std::nullopt;
  Mutant mutant{original.programs, *place};
  EditedProgram& program = mutant.programs[at(place->rank)];
  repeat(mutant.programs, *place);
  for (StepIndex later = place->index + 2; later < program.size(); ++later) {
    auto& after = program.step(later).after;
    if (std::ranges::count(after, place->index) > 0) after.push_back(place->index + 1);
  }
  return mutant;
}

/// A send to another site waits until something has come from one: a second latency, or a deadlock.
std::optional<Mutant> answer_instead_of_sending(const Original& original) {
  const auto crosses = [&](Place place) {
    const EditedStep& step = original.step(place);
    return is_message(step) && original.layout.site_of(place.rank) != original.layout.site_of(step.peer);
  };
  const auto send = choose(
      original, [&](Place place) { return original.step(place).kind == StepKind::send && crosses(place); });
  if (!send) return std::nullopt;
  const auto receive = choose(original, [&](Place place) {
    return place.rank == send->rank && original.step(place).kind == StepKind::receive && crosses(place);
  });
  if (!receive) return std::nullopt;
  Mutant mutant{original.programs, *send};
  EditedProgram& program = mutant.programs[at(send->rank)];
  EditedStep late = program.step(send->index);
  if (receive->index < send->index) {
    program.step(send->index).after.push_back(receive->index);
    return mutant;
  }
  program.drop(send->index);
  late.after.push_back(receive->index - 1);
  program.steps.push_back(late);
  return mutant;
}

struct Kind {
  const char* name;
  std::optional<Mutant> (*make)(const Original&);
};

constexpr Kind kKinds[] = {
    {"drop a step", drop_a_step},
    {"send twice", send_twice},
    {"receive twice", receive_twice},
    {"duplicate a message", duplicate_a_message},
    {"swap two messages", swap_messages},
    {"change the peer", change_the_peer},
    {"shorten one side", shorten_one_side},
    {"shorten both sides", shorten_both_sides},
    {"shift a range", shift_a_range},
    {"drop a dependency", drop_a_dependency},
    {"swap the operands", swap_operands},
    {"reduce twice", reduce_twice},
    {"answer instead of sending", answer_instead_of_sending},
};

/// What became of the mutants of each kind.
struct Tally {
  std::int64_t rejected = 0, none = 0;
  std::map<std::string, std::int64_t> equivalent;
};
std::map<std::string, Tally> tallies;

Schedule schedule_of(const Programs& programs) {
  Schedule schedule;
  for (const EditedProgram& program : programs) schedule.push_back(ProgramEditor::program(program));
  return schedule;
}

/// What each rank holds in the end, each unit as its contributions in the order that counts; empty: the
/// Programs do not end.
std::vector<Machine::Memory> results(const Original& original, const Programs& programs, std::uint32_t seed) {
  const GlobalCall& call = original.random.call;
  Machine machine;
  for (Rank rank = 0; rank < call.size; ++rank) {
    Expressions expressions;
    const Contents before = contents_before(call, rank, expressions);
    const auto text = [&](const std::vector<Value>& values) {
      Machine::Memory memory;
      for (const Value value : values) {
        const auto leaves = expressions.leaves(value);
        memory.push_back(leaves.empty()
                             ? "?"
                             : std::to_string(leaves[0].rank) + "." + std::to_string(leaves[0].index) + " ");
      }
      return memory;
    };
    machine.add(programs[at(rank)], text(before.input), text(before.output));
  }
  if (!machine.run(seed)) return {};
  std::vector<Machine::Memory> memories;
  for (Rank rank = 0; rank < call.size; ++rank) memories.push_back(machine.output(rank));
  return memories;
}

/// In any order, the contributions sorted; and only the units that have a result.
void normalize(const GlobalCall& call, std::vector<Machine::Memory>& memories) {
  for (Rank rank = 0; at(rank) < memories.size(); ++rank) {
    const auto wanted = wanted_output(call, rank);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      std::string& unit = memories[at(rank)][i];
      std::istringstream in(unit);
      std::vector<std::string> words{std::istream_iterator<std::string>(in), {}};
      if (call.order == OperandOrder::any) std::ranges::sort(words);
      unit.clear();
      for (const std::string& word : words) unit += wanted[i] ? word + " " : "";
    }
  }
}

/// Executed in several orders, do the mutant's Programs end with the results of the original?
bool gives_the_same_results(const Original& original, const Mutant& mutant) {
  auto right = results(original, original.programs, 0);
  normalize(original.random.call, right);
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    auto found = results(original, mutant.programs, seed);
    normalize(original.random.call, found);
    if (found != right) return false;
  }
  return true;
}

/// Why an accepted mutant is no wrong one; empty: it is wrong.
std::string excuse(const Original& original, const Mutant& mutant) {
  if (!mutant.equivalent.empty()) return mutant.equivalent;
  const bool has_results = original.random.call.collective != Collective::barrier;
  if (has_results && mutant.is_visible_in_results && gives_the_same_results(original, mutant))
    return "executed, it gives the same results";
  return {};
}

void judge(const Kind& kind, const Original& original) {
  Tally& tally = tallies[kind.name];
  const auto mutant = kind.make(original);
  if (!mutant) {
    ++tally.none;
    return;
  }
  const Schedule schedule = schedule_of(mutant->programs);
  const RandomCall& random = original.random;
  if (!broken_promises(schedule, random.call, random.topology(), random.tuning).empty()) {
    ++tally.rejected;
    return;
  }
  if (const std::string reason = excuse(original, *mutant); !reason.empty()) {
    ++tally.equivalent[reason];
    return;
  }
  std::ostringstream text;
  text << kind.name << ": rank " << mutant->changed.rank << " step " << mutant->changed.index
       << " is accepted\n"
       << random;
  text << to_text(wan::schedule_of(random)) << "mutant:\n" << to_text(schedule);
  RC_FAIL(text.str());
}

void are_rejected(Collective collective) {
  const RandomCall random = random_call(collective, 2, 14);
  Original original{random, Layout(random.paths), {}};
  for (const Program& program : wan::schedule_of(random))
    original.programs.push_back(ProgramEditor::edited(program));
  RC_PRE(
      broken_promises(schedule_of(original.programs), random.call, random.topology(), random.tuning).empty());
  for (const Kind& kind : kKinds) judge(kind, original);
}

class Mutants : public testing::TestWithParam<CollectiveTraits> {
 protected:
  static void TearDownTestSuite() {
    for (const auto& [kind, tally] : tallies) {
      std::printf("%s: %lld rejected, %lld cases without one\n", kind.c_str(),
                  static_cast<long long>(tally.rejected), static_cast<long long>(tally.none));
      for (const auto& [reason, number] : tally.equivalent)
        std::printf("  %lld accepted: %s\n", static_cast<long long>(number), reason.c_str());
    }
  }
};

TEST_P(Mutants, AreRejected) {
  EXPECT_TRUE(rc::check(std::string(GetParam().name), [] { are_rejected(GetParam().collective); }));
}

INSTANTIATE_TEST_SUITE_P(Every, Mutants,
                         testing::ValuesIn(all_collectives().begin(), all_collectives().end()),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace wan
