// SPDX-License-Identifier: BSD-3-Clause
// Wrong Schedules, made from right ones by one change, must be rejected (tests/support/promise.h). One that
// is accepted needs an excuse, found without the checker: why the change makes no difference. That it gives
// the same results is one only where there are the same messages between sites. Mutants of the last kinds
// give right results and break what is promised of messages; they must be rejected by the name of what they
// break, and have no excuse. Each case makes one mutant of each kind. The table at the end counts them.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include "algo/choice/choice.h"
#include "base/index.h"
#include "check/contract.h"
#include "check/verify.h"
#include "plan/builder.h"
#include "plan/text.h"
#include "tests/support/interpreter.h"
#include "tests/support/program_editor.h"
#include "tests/support/promise.h"
#include "tests/support/property_main.h"
#include "tests/support/random_call.h"
#include "tests/support/stated_traffic.h"

namespace wan {

const int kCases = 1'000;

namespace {

using Programs = std::vector<EditedProgram>;

struct Place {
  Rank rank = 0;
  StepIndex index = 0;
};

struct Mutant {
  Programs programs;
  Place changed;
  std::string equivalent = {};  ///< why the change makes no difference; empty: it makes one
  std::string breaks = {};  ///< what promise, as tests/support/promise.cc names it; empty: results or order
  /// Would a wrong mutant show it whenever it is executed? (A missing dependency would not.)
  bool is_visible_in_results = true;
  /// Are there the same messages as before, between the same ranks and of the same lengths?
  bool keeps_messages = false;
};

/// The valid Schedule that mutants are made of.
struct Original {
  explicit Original(const RandomCall& of)
      : random(of),
        choice(choose(of.topology(), of.tuning, of.call.view(0))),
        layout(planned_layout(of.topology(), choice)) {
    for (const Program& program : wan::schedule_of(of)) programs.push_back(ProgramEditor::edited(program));
  }

  const RandomCall& random;
  Choice choice;
  Layout layout;  ///< whose sites it is planned for
  Programs programs;

  const EditedStep& step(Place place) const { return programs[at(place.rank)].steps[at(place.index)]; }
  const std::vector<EditedStep>& steps(Rank rank) const { return programs[at(rank)].steps; }
};

bool is_message(const EditedStep& step) {
  return step.kind == StepKind::send || step.kind == StepKind::receive;
}

bool crosses_sites(const Original& original, Place place) {
  const EditedStep& step = original.step(place);
  return is_message(step) && original.layout.site_of(place.rank) != original.layout.site_of(step.peer);
}

bool crosses_hosts(const Original& original, Place place) {
  const EditedStep& step = original.step(place);
  return is_message(step) && !crosses_sites(original, place) && original.layout.levels() > 0 &&
         original.layout.group_of(0, place.rank) != original.layout.group_of(0, step.peer);
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
  if (original.random.call.collective == Collective::barrier && !crosses_hosts(original, *send) &&
      !crosses_sites(original, *send))
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
  Mutant mutant{original.programs, crosses_sites(original, *second) ? *second : *first};
  EditedProgram& program = mutant.programs[at(first->rank)];
  std::swap(program.step(first->index).peer, program.step(second->index).peer);
  if (program.step(first->index).from == program.step(second->index).from &&
      program.step(first->index).after == program.step(second->index).after)
    mutant.equivalent = "both messages are the same";
  mutant.keeps_messages =
      total_length(program.step(first->index).from) == total_length(program.step(second->index).from);
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
  mutant.keeps_messages = true;
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

// ---- kinds that break what is promised of messages

/// Inter-site messages on the longest path, found along the dependencies. Less than the verifier's where a
/// step waits for the far side of a send.
class LongestPath {
 public:
  LongestPath(const Programs& programs, const Layout& layout) : programs_(programs), layout_(layout) {
    for (Rank rank = 0; at(rank) < programs.size(); ++rank) {
      steps_.emplace_back(programs[at(rank)].steps.size());
      for (StepIndex i = 0; at(i) < programs[at(rank)].steps.size(); ++i) {
        const EditedStep& step = programs[at(rank)].steps[at(i)];
        if (step.kind == StepKind::send) channels_[{rank, step.peer}].first.push_back({rank, i});
        if (step.kind == StepKind::receive) channels_[{step.peer, rank}].second.push_back({rank, i});
      }
    }
    for (const auto& [ranks, sides] : channels_)
      for (std::size_t k = 0; k < sides.first.size(); ++k) {
        of(sides.first[k]).partner = sides.second[k];
        of(sides.second[k]).partner = sides.first[k];
        if (k > 0) of(sides.first[k]).previous = sides.first[k - 1];
      }
  }

  /// nullopt: steps wait for each other.
  std::optional<int> length() {
    int longest = 0;
    for (Rank rank = 0; at(rank) < programs_.size(); ++rank)
      for (StepIndex i = 0; at(i) < programs_[at(rank)].steps.size(); ++i)
        longest = std::max(longest, to_end_of({rank, i}));
    return is_circle_ ? std::nullopt : std::optional(longest);
  }

 private:
  struct State {
    std::optional<Place> partner, previous;  ///< of a send: the message before it to the same rank
    std::optional<int> hops;
    bool is_entered = false;
  };
  State& of(Place place) { return steps_[at(place.rank)][at(place.index)]; }

  int to_end_of(Place place) {
    const EditedStep& step = programs_[at(place.rank)].steps[at(place.index)];
    if (step.kind == StepKind::receive) place = *of(place).partner;
    State& state = of(place);
    if (state.hops) return *state.hops;
    if (std::exchange(state.is_entered, true)) return is_circle_ = true, 0;
    if (state.previous) to_end_of(*state.previous);
    int hops = after(place);
    if (state.partner) {
      hops = std::max(hops, after(*state.partner));
      hops += layout_.site_of(place.rank) != layout_.site_of(state.partner->rank) ? 1 : 0;
    }
    state.hops = hops;
    return hops;
  }
  int after(Place place) {
    int hops = 0;
    for (const StepIndex earlier : programs_[at(place.rank)].steps[at(place.index)].after)
      hops = std::max(hops, to_end_of({place.rank, earlier}));
    return hops;
  }

  const Programs& programs_;
  const Layout& layout_;
  std::vector<std::vector<State>> steps_;
  std::map<std::pair<Rank, Rank>, std::pair<std::vector<Place>, std::vector<Place>>> channels_;
  bool is_circle_ = false;
};

constexpr const char* kLatencies = "inter-site latencies";
constexpr const char* kBetweenSites = "between sites";
constexpr const char* kTwice = "a datum enters a site twice";
constexpr const char* kBetweenHosts = "between hosts";

/// Has it more latencies than the algorithm may have?
bool takes_longer(const Original& original, const Mutant& mutant) {
  const auto length = LongestPath(mutant.programs, original.layout).length();
  return length && *length > stated_latencies(original.choice, original.layout);
}

std::optional<Place> choose_between_sites(const Original& original, StepKind kind) {
  return choose(original, [&](Place place) {
    return original.step(place).kind == kind && crosses_sites(original, place);
  });
}

/// The send waits for the receive, which may stand behind it.
void wait_for(EditedProgram& program, StepIndex send, StepIndex receive) {
  if (receive < send) return program.step(send).after.push_back(receive);
  EditedStep late = program.step(send);
  program.drop(send);
  late.after.push_back(receive - 1);
  program.steps.push_back(late);
}

/// Does nothing come behind it that the rank sends to the same peer, or that waits for it?
bool is_last_of_its_channel(const Original& original, Place send) {
  const auto& steps = original.steps(send.rank);
  return std::none_of(steps.begin() + send.index + 1, steps.end(), [&](const EditedStep& step) {
    return (step.kind == StepKind::send && step.peer == original.step(send).peer) ||
           std::ranges::count(step.after, send.index) > 0;
  });
}

/// A send to another site waits until something has come from one.
std::optional<Mutant> answer_instead_of_sending(const Original& original) {
  const auto receive = choose_between_sites(original, StepKind::receive);
  if (!receive) return std::nullopt;
  const auto send = choose(original, [&](Place place) {
    return place.rank == receive->rank && original.step(place).kind == StepKind::send &&
           crosses_sites(original, place) &&
           (receive->index < place.index || is_last_of_its_channel(original, place));
  });
  if (!send) return std::nullopt;
  Mutant mutant{original.programs, *send};
  mutant.breaks = kLatencies;
  wait_for(mutant.programs[at(send->rank)], send->index, receive->index);
  return takes_longer(original, mutant) ? std::optional(mutant) : std::nullopt;
}

bool sends(const Original& original, Rank from, Rank to) {
  return std::ranges::any_of(original.steps(from), [&](const EditedStep& step) {
    return step.kind == StepKind::send && step.peer == to;
  });
}

/// Somebody in a third site to whom `from` sends nothing, and who sends `to` nothing.
std::optional<Rank> choose_detour(const Original& original, Rank from, Rank to) {
  std::vector<Rank> ranks;
  for (Rank rank = 0; rank < original.random.call.size; ++rank) {
    const SiteIndex site = original.layout.site_of(rank);
    if (site != original.layout.site_of(from) && site != original.layout.site_of(to) &&
        !sends(original, from, rank) && !sends(original, rank, to))
      ranks.push_back(rank);
  }
  if (ranks.empty()) return std::nullopt;
  return ranks[static_cast<std::size_t>(pick(0, static_cast<int>(ranks.size()) - 1))];
}

std::vector<Range> new_scratch(EditedProgram& program, const std::vector<Range>& like) {
  const Count length = total_length(like), offset = program.lengths.scratch;
  program.lengths.scratch += length;
  return length > 0 ? std::vector<Range>{{Buffer::scratch, offset, length}} : std::vector<Range>{};
}

/// A message between two sites goes through a third.
std::optional<Mutant> go_by_another_site(const Original& original) {
  const auto send = choose_between_sites(original, StepKind::send);
  if (!send) return std::nullopt;
  const Place receive = match(original, *send);
  const auto detour = choose_detour(original, send->rank, receive.rank);
  if (!detour) return std::nullopt;
  Mutant mutant{original.programs, *send};
  mutant.programs[at(send->rank)].step(send->index).peer = *detour;
  mutant.programs[at(receive.rank)].step(receive.index).peer = *detour;
  EditedProgram& program = mutant.programs[at(*detour)];
  const auto place = new_scratch(program, original.step(*send).from);
  program.steps.push_back({StepKind::receive, send->rank, {}, place, {}});
  program.steps.push_back({StepKind::send, receive.rank, place, {}, {program.size() - 1}});
  mutant.breaks = takes_longer(original, mutant) ? kLatencies : kBetweenSites;
  return mutant;
}

/// Behind message `send` another one between the same ranks, of `from`, which nobody reads.
void send_more(const Original& original, Mutant& mutant, Place send, const std::vector<Range>& from) {
  const Place receive = match(original, send);
  EditedProgram &sender = mutant.programs[at(send.rank)], &receiver = mutant.programs[at(receive.rank)];
  sender.insert(send.index + 1, {StepKind::send, receive.rank, from, {}, original.step(send).after});
  receiver.insert(receive.index + 1, {StepKind::receive, send.rank, {}, new_scratch(receiver, from), {}});
}

std::optional<Mutant> bring_a_datum_twice(const Original& original) {
  const auto send = choose(original, [&](Place place) {
    const EditedStep& step = original.step(place);
    return step.kind == StepKind::send && crosses_sites(original, place) && !step.from.empty();
  });
  if (!send) return std::nullopt;
  Mutant mutant{original.programs, *send};
  mutant.breaks = kTwice;
  send_more(original, mutant, *send, original.step(*send).from);
  return mutant;
}

std::optional<Mutant> send_an_empty_message(const Original& original) {
  const auto send = choose_between_sites(original, StepKind::send);
  if (!send) return std::nullopt;
  Mutant mutant{original.programs, *send};
  mutant.breaks = kBetweenSites;
  send_more(original, mutant, *send, {});
  return mutant;
}

/// Cuts one side of a message behind its first `length` units; what waits for it waits for both pieces.
void cut(EditedProgram& program, StepIndex index, Count length) {
  EditedStep second = program.step(index);
  for (const auto side : {&EditedStep::from, &EditedStep::to}) {
    const std::vector<Range> whole = program.step(index).*side;
    if (whole.empty()) continue;
    RangeCutter cutter(whole);
    program.step(index).*side = cutter.take(length);
    second.*side = cutter.take(total_length(whole) - length);
  }
  program.insert(index + 1, second);
  for (StepIndex later = index + 2; later < program.size(); ++later) {
    auto& after = program.step(later).after;
    if (std::ranges::count(after, index) > 0) after.push_back(index + 1);
  }
}

std::optional<Mutant> cut_a_message(const Original& original) {
  const auto send = choose(original, [&](Place place) {
    const EditedStep& step = original.step(place);
    return step.kind == StepKind::send && crosses_sites(original, place) && total_length(step.from) > 1;
  });
  if (!send) return std::nullopt;
  const Place receive = match(original, *send);
  Mutant mutant{original.programs, *send};
  mutant.breaks = kBetweenSites;
  const Count length = total_length(original.step(*send).from) / 2;
  cut(mutant.programs[at(send->rank)], send->index, length);
  cut(mutant.programs[at(receive.rank)], receive.index, length);
  return mutant;
}

std::optional<Mutant> send_an_empty_message_between_hosts(const Original& original) {
  const RandomCall& random = original.random;
  if (!follows_hosts(random.call, random.topology(), random.tuning)) return std::nullopt;
  const auto send = choose(original, [&](Place place) {
    return original.step(place).kind == StepKind::send && crosses_hosts(original, place);
  });
  if (!send) return std::nullopt;
  Mutant mutant{original.programs, *send};
  mutant.breaks = kBetweenHosts;
  send_more(original, mutant, *send, {});
  return mutant;
}

enum class Breaks : std::uint8_t { results, promise };

struct Kind {
  const char* name;
  Breaks breaks;
  std::optional<Mutant> (*make)(const Original&);
};

constexpr Kind kKinds[] = {
    {"drop a step", Breaks::results, drop_a_step},
    {"send twice", Breaks::results, send_twice},
    {"receive twice", Breaks::results, receive_twice},
    {"duplicate a message", Breaks::results, duplicate_a_message},
    {"swap two messages", Breaks::results, swap_messages},
    {"change the peer", Breaks::results, change_the_peer},
    {"shorten one side", Breaks::results, shorten_one_side},
    {"shorten both sides", Breaks::results, shorten_both_sides},
    {"shift a range", Breaks::results, shift_a_range},
    {"drop a dependency", Breaks::results, drop_a_dependency},
    {"swap the operands", Breaks::results, swap_operands},
    {"reduce twice", Breaks::results, reduce_twice},
    {"answer instead of sending", Breaks::promise, answer_instead_of_sending},
    {"go by another site", Breaks::promise, go_by_another_site},
    {"bring a datum twice", Breaks::promise, bring_a_datum_twice},
    {"send an empty message", Breaks::promise, send_an_empty_message},
    {"cut a message", Breaks::promise, cut_a_message},
    {"an empty message between hosts", Breaks::promise, send_an_empty_message_between_hosts},
};

/// What became of the mutants of each kind.
struct Tally {
  std::int64_t made = 0, rejected = 0;
  std::map<std::string, std::int64_t> excused;  ///< by reason
  std::map<std::string, std::int64_t> of_ways;  ///< by algorithm, those that were made
};
std::map<std::string, Tally> tallies;

Schedule schedule_of(const Programs& programs) {
  Schedule schedule;
  for (const EditedProgram& program : programs) schedule.push_back(ProgramEditor::program(program));
  return schedule;
}

/// What each rank holds in the end, each unit as its contributions in the order that counts; empty: the
/// Programs do not end.
std::vector<Interpreter::Memory> results(const Original& original, const Programs& programs,
                                         std::uint32_t seed) {
  const GlobalCall& call = original.random.call;
  Interpreter interpreter;
  for (Rank rank = 0; rank < call.size; ++rank) {
    Expressions expressions;
    const Contents before = contents_before(call, rank, expressions);
    const auto text = [&](const std::vector<Value>& values) {
      Interpreter::Memory memory;
      for (const Value value : values) {
        const auto leaves = expressions.leaves(value);
        memory.push_back(leaves.empty()
                             ? "?"
                             : std::to_string(leaves[0].rank) + "." + std::to_string(leaves[0].index) + " ");
      }
      return memory;
    };
    interpreter.add(programs[at(rank)], text(before.input), text(before.output));
  }
  if (!interpreter.run(seed)) return {};
  std::vector<Interpreter::Memory> memories;
  for (Rank rank = 0; rank < call.size; ++rank) memories.push_back(interpreter.output(rank));
  return memories;
}

/// In any order, the contributions sorted; and only the units that have a result.
void normalize(const GlobalCall& call, std::vector<Interpreter::Memory>& memories) {
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
std::string excuse(const Kind& kind, const Original& original, const Mutant& mutant) {
  if (kind.breaks == Breaks::promise) return {};
  if (!mutant.equivalent.empty()) return mutant.equivalent;
  const bool has_results = original.random.call.collective != Collective::barrier;
  if (has_results && mutant.is_visible_in_results &&
      (mutant.keeps_messages || !crosses_sites(original, mutant.changed)) &&
      gives_the_same_results(original, mutant))
    return "executed, it gives the same results";
  return {};
}

/// Are the mutant's results right, and is the promise that it breaks among these?
bool is_named(const Mutant& mutant, const std::vector<std::string>& broken, const Verdict& verdict) {
  return verdict.is_correct() && std::ranges::any_of(broken, [&](const std::string& promise) {
           return promise.find(mutant.breaks) != promise.npos;
         });
}

bool is_rejected(const Kind& kind, const Original& original, const Mutant& mutant, const Schedule& schedule) {
  const RandomCall& random = original.random;
  const auto broken = broken_promises(schedule, random.call, random.topology(), random.tuning);
  if (kind.breaks == Breaks::results) return !broken.empty();
  return is_named(mutant, broken, verify(schedule, random.call, original.layout));
}

void judge(const Kind& kind, const Original& original) {
  Tally& tally = tallies[kind.name];
  const auto mutant = kind.make(original);
  if (!mutant) return;
  ++tally.made;
  ++tally.of_ways[std::string(name_of(original.choice.algorithm()))];
  const Schedule schedule = schedule_of(mutant->programs);
  if (is_rejected(kind, original, *mutant, schedule)) {
    ++tally.rejected;
    return;
  }
  if (const std::string reason = excuse(kind, original, *mutant); !reason.empty()) {
    ++tally.excused[reason];
    return;
  }
  std::ostringstream text;
  text << kind.name << ": rank " << mutant->changed.rank << " step " << mutant->changed.index
       << " is accepted, or not for " << (mutant->breaks.empty() ? "anything" : mutant->breaks) << '\n'
       << original.random;
  text << to_text(wan::schedule_of(original.random)) << "mutant:\n" << to_text(schedule);
  RC_FAIL(text.str());
}

void are_rejected(Collective collective) {
  RandomCall random = random_call(collective, 2, 14);
  if (pick(0, 3) == 0) make_long(random);
  const Original original(random);
  RC_ASSERT(
      broken_promises(schedule_of(original.programs), random.call, random.topology(), random.tuning).empty());
  for (const Kind& kind : kKinds) judge(kind, original);
}

void print_numbers(const std::map<std::string, std::int64_t>& numbers) {
  for (const auto& [name, number] : numbers)
    std::printf("  %lld: %s", static_cast<long long>(number), name.c_str());
  std::printf("\n");
}

void print_tallies() {
  std::printf("%-32s %8s %8s  excused\n", "kind", "made", "rejected");
  for (const Kind& kind : kKinds) {
    const Tally& tally = tallies[kind.name];
    std::printf("%-32s %8lld %8lld", kind.name, static_cast<long long>(tally.made),
                static_cast<long long>(tally.rejected));
    print_numbers(tally.excused);
  }
  std::printf("of plans that go\n");
  for (const Kind& kind : kKinds) {
    std::printf("%-32s", kind.name);
    print_numbers(tallies[kind.name].of_ways);
  }
}

class Mutants : public testing::TestWithParam<CollectiveTraits> {
 protected:
  static void TearDownTestSuite() { print_tallies(); }
};

TEST_P(Mutants, AreRejected) {
  EXPECT_TRUE(rc::check(std::string(GetParam().name), [] { are_rejected(GetParam().collective); }));
}

INSTANTIATE_TEST_SUITE_P(Every, Mutants,
                         testing::ValuesIn(all_collectives().begin(), all_collectives().end()),
                         [](const auto& each) { return std::string(each.param.name); });

/// Behind all Mutants, of which there must have been some of each kind.
class MutantKinds : public testing::TestWithParam<Kind> {};

TEST_P(MutantKinds, AreMade) {
  EXPECT_GT(tallies[GetParam().name].made, 0) << GetParam().name;
}

INSTANTIATE_TEST_SUITE_P(Every, MutantKinds, testing::ValuesIn(kKinds), [](const auto& each) {
  std::string name = each.param.name;
  std::ranges::replace(name, ' ', '_');
  return name;
});

}  // namespace
}  // namespace wan
