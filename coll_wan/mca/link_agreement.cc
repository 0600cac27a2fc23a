// SPDX-License-Identifier: BSD-3-Clause
#include "mca/link_agreement.h"

#include <new>
#include <utility>

#include "algo/plan.h"
#include "algo/services/trial.h"
#include "mca/background.h"
#include "mca/communicator.h"
#include "mca/link_watch.h"
#include "process/explanation.h"
#include "process/parties.h"

namespace wan {
namespace {

/// A call of so many bytes takes its rank as long as the messages of a round, or longer.
constexpr Bytes kLong = 65536;
/// What Open MPI reduces for itself.
constexpr Bytes kInteger = 4;
/// Behind the testimony: how slow calls are (two), how many there have been, and how often packets got lost
/// meanwhile.
constexpr std::size_t kWordsOfCalls = 4;

/// Who makes and answers the trials of a site's links.
Rank first_at(const Layout& layout, SiteIndex site) {
  return layout.ranks_of(site).front();
}

/// Of a site to itself its access link; nullptr: nobody has asked for it.
LearntLink* learnt_link(const Layout& layout, SiteIndex from, SiteIndex to) {
  return learnt_links().find(layout.site_name(from), to == from ? std::string() : layout.site_name(to));
}

/// The sites that have the trial of a link; that of an access link goes to another site.
struct TrialEnds {
  SiteIndex from, to;
};
TrialEnds ends_of_trial(SiteIndex sites, SiteIndex from, SiteIndex to) {
  return {from, to == from ? (from + 1) % sites : to};
}

std::shared_ptr<LinkAgreement::Belief> agreed(LinkAgreement::Known known, int status = OMPI_SUCCESS) {
  auto belief = std::make_shared<LinkAgreement::Belief>();
  belief->known = std::move(known);
  belief->agreed.happen(status);
  return belief;
}

/// What a process does of a trial.
struct PartOfTrial {
  Channel channel;
  std::shared_ptr<const Plan> message;
  std::vector<std::byte> memory;
  LearntLink* link = nullptr;  ///< of the sender; nullptr: the process is the receiver
  Nanoseconds round_trip;
  int left = kMessagesOfTrial;
};

void pass_message(const std::shared_ptr<PartOfTrial>& part) {
  Task task;
  task.channel = part->channel;
  task.program = part->message;
  if (part->link != nullptr)
    task.add_input(part->memory.data(), part->memory.size(), &ompi_mpi_byte.dt);
  else
    task.add_output(part->memory.data(), part->memory.size(), &ompi_mpi_byte.dt);
  run_in_background(std::move(task), [part, begun = Progress::now()](int status) {
    if (status != OMPI_SUCCESS) return;
    if (part->link != nullptr)
      part->link->tried(static_cast<Bytes>(part->memory.size()), Progress::now() - begun, part->round_trip);
    if (--part->left > 0) pass_message(part);
  });
}

}  // namespace

LinkAgreement::LinkAgreement(Communicator& communicator, Known stated, bool is_on)
    : communicator_(communicator), stated_(agreed(std::move(stated))), is_on_(is_on), held_(stated_) {}

LinkAgreement::Part LinkAgreement::part_of(const Call& call) {
  const Bytes bytes = call.block * call.unit_bytes;
  switch (call.collective) {
    case Collective::allreduce:
      if (bytes <= kInteger) return Part::none;
      break;
    case Collective::allgather:
    case Collective::allgatherv:
    case Collective::alltoall:
    case Collective::barrier:
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      break;
    case Collective::alltoallv:
    case Collective::alltoallw:
      return Part::none;
    default:
      return bytes >= kLong ? Part::counts_long : Part::follows;
  }
  return bytes >= kLong ? Part::counts_long : Part::counts;
}

std::shared_ptr<LinkAgreement::Belief> LinkAgreement::belief_for(const Call& call) {
  const Part part = is_on_ ? part_of(call) : Part::none;
  if (part == Part::none) return stated_;
  Actions actions;
  std::shared_ptr<Belief> belief;
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.empty() && !must_wait(part)) {
      take_turn(part, actions);
      belief = held_;
    } else {
      belief = waiting_.emplace_back(std::make_shared<Belief>(), part).belief;
    }
  }
  for (const auto& act : actions) act();
  return belief;
}

bool LinkAgreement::must_wait(Part part) const {
  return counts(part) && rounds_.is_due() && !is_over_;
}

void LinkAgreement::take_turn(Part part, Actions& actions) {
  if (!counts(part)) return;
  switch (rounds_.next(part == Part::counts_long)) {
    case Rounds::Turn::begin:
      is_over_ = false;
      actions.push_back([this, known = held_->known, channel = communicator_.channel_for_agreement(),
                         calls = calls_in_round_, slowness = take_slowness(),
                         losses = take_losses()] { begin(known, channel, calls, slowness, losses); });
      break;
    case Rounds::Turn::adopt:
      if (outcome_) adopt();
      break;
    case Rounds::Turn::none:
      break;
  }
}

/// Calls that wait, as far as they need wait no longer.
void LinkAgreement::advance(Actions& actions) {
  while (!waiting_.empty() && !must_wait(waiting_.front().part)) {
    take_turn(waiting_.front().part, actions);
    const std::shared_ptr<Belief> belief = std::move(waiting_.front().belief);
    waiting_.pop_front();
    belief->known = held_->known;
    actions.push_back(
        [belief, status = held_->agreed.status().value_or(OMPI_SUCCESS)] { belief->agreed.happen(status); });
  }
}

template <class Action>
void LinkAgreement::for_links_from_here(Action act) const {
  const Layout& layout = stated().layout;
  const SiteIndex here = layout.site_of(communicator_.me());
  for (SiteIndex site = 0; site < layout.sites(); ++site)
    if (LearntLink* const link = learnt_link(layout, here, site)) act(*link);
}

void LinkAgreement::adopt() {
  explain(*held_->known, outcome_);
  communicator_.believe(*outcome_);
  if (outcome_->loses) for_links_from_here([](LearntLink& link) { link.agree_on_losses(Progress::now()); });
  held_ = agreed(std::move(outcome_));
  outcome_ = nullptr;
  counted_ = held_->known->spent->sum();
}

/// Of the calls since it was last asked for, or since another belief was adopted.
Slowness LinkAgreement::take_slowness() {
  const Spent sum = held_->known->spent->sum();
  return Slowness::of(sum.since(std::exchange(counted_, sum)));
}

/// Of this process, since it was last asked for.
std::int32_t LinkAgreement::take_losses() {
  std::int32_t sum = 0;
  for_links_from_here([&](const LearntLink& link) { sum += link.findings().losses; });
  return sum - std::exchange(losses_, sum);
}

void LinkAgreement::plan_round(const Known& known, std::size_t words) {
  if (planned_for_ == known) return;
  const Parties parties(Collective::allreduce, communicator_.me(), 0, communicator_.size());
  Call call = parties.call(Placement::separate);
  call.block = static_cast<Count>(words);
  call.unit_bytes = sizeof(std::int32_t);
  plan_ = std::make_shared<const Plan>(
      plan(known->topology, communicator_.settings().tuning, communicator_.me(), call));
  planned_for_ = known;
}

Testimony LinkAgreement::testimony(const Network& held) const {
  const Layout& layout = stated().layout;
  const Network& stated_links = stated().network;
  const SiteIndex here = layout.site_of(communicator_.me());
  const bool makes_trials = first_at(layout, here) == communicator_.me();
  const Nanoseconds now = Progress::now();
  std::vector<Findings> findings;
  for (SiteIndex site = 0; site < layout.sites(); ++site) {
    Findings& of_link = findings.emplace_back();
    LearntLink* const link = learnt_link(layout, here, site);
    if (link == nullptr) continue;
    of_link = link->findings();
    if (!makes_trials) continue;
    // As all ranks believe: a process alone may take a queue for a part of it.
    const TrialEnds ends = ends_of_trial(layout.sites(), here, site);
    const Nanoseconds round_trip = held.round_trip_ns(ends.from, ends.to);
    if (site == here && !held.uplink(here)) continue;
    const BytesPerSecond rate =
        site == here ? *held.uplink(here) : held.link(here, site).bandwidth_bytes_per_s;
    of_link.trial = link->due_trial(now, slowdown_of(stated_links, held, here, site), rate, round_trip);
  }
  return testimony_of(here, findings);
}

void LinkAgreement::begin(const Known& known, const Channel& channel, std::int32_t calls, Slowness slowness,
                          std::int32_t losses) {
  link_watch().stir(Progress::now());  // round trips also of links that carry nothing but this
  struct Round {
    std::vector<std::int32_t> told, heard;
  };
  const auto round = std::make_shared<Round>();
  round->told = testimony(known->topology.network);
  round->told.insert(round->told.end(), {slowness.as_stated, slowness.as_believed, calls, losses});
  round->heard.resize(round->told.size());
  Task task;
  task.channel = channel;
  plan_round(known, round->told.size());
  task.program = plan_;
  task.set_operator(&ompi_mpi_op_max.op, &ompi_mpi_int.dt);
  task.add_input(round->told.data(), round->told.size(), &ompi_mpi_int.dt);
  task.add_output(round->heard.data(), round->heard.size(), &ompi_mpi_int.dt);
  run_in_background(std::move(task), [this, round](int status) { end(status, round->heard); });
}

void LinkAgreement::end(int status, std::span<const std::int32_t> heard) {
  Actions actions;
  try {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
    calls_in_round_ = rounds_.since_begun();
    if (status == OMPI_SUCCESS)
      hear(heard, actions);
    else
      held_ = agreed(held_->known, status);
    advance(actions);
  } catch (const std::bad_alloc&) {  // in Open MPI's progress, which no exception may leave
  }
  for (const auto& act : actions) act();
}

void LinkAgreement::hear(std::span<const std::int32_t> heard, Actions& actions) {
  const auto testimony = heard.first(heard.size() - kWordsOfCalls), of_calls = heard.last(kWordsOfCalls);
  const Topology& held = held_->known->topology;
  const std::vector<Trial> trials = trials_of(held.layout.sites(), testimony);
  const Slowness slowness{of_calls[0], of_calls[1]};
  outcome_ = decide(testimony, slowness, of_calls[3] > 0);
  if (outcome_ || proving_.is_under_way() || !trials.empty())
    rounds_.heard(of_calls[2], Rounds::kSoon);
  else if (!Proving::is_right(slowness) || has_slow_link(stated().network, held.network))
    rounds_.heard(of_calls[2], Rounds::kOften);
  else
    rounds_.heard(of_calls[2], Rounds::kRarest);
  for (const Trial& trial : trials)  // all ranks draw a tag
    actions.push_back([this, trial, known = held_->known, channel = communicator_.channel_for_agreement()] {
      make(trial, known->topology.network, channel);
    });
}

/// What is held from now on; nullptr: what is held now.
LinkAgreement::Known LinkAgreement::decide(std::span<const std::int32_t> testimony, Slowness slowness,
                                           bool loses) {
  const Topology& held = held_->known->topology;
  auto network = corrected(stated().network, held.network, testimony);
  auto proposal = network ? Proving::Proposal::plausible : Proving::Proposal::none;
  if (network && Proving::is_right(slowness)) {
    network = surely_better(stated().network, held.network, *network);
    proposal = network ? Proving::Proposal::proved : Proving::Proposal::none;
  }
  // That comes first: what one connection gets of a link that loses what it sends says nothing of the link.
  loses = loses && communicator_.settings().decides_on_streams && !communicator_.uses_streams(*held_->known);
  if (loses) {
    network.reset();
    proposal = Proving::Proposal::seen;
  }
  switch (proving_.decide(slowness, proposal)) {
    case Proving::Decision::keep:
      return nullptr;
    case Proving::Decision::revert:
      return before_;
    case Proving::Decision::adopt:
      break;
  }
  before_ = held_->known;
  return std::make_shared<const KnownTopology>(
      KnownTopology{{held.layout, network ? *std::move(network) : held.network, held.overheads, held.machine},
                    before_->loses || loses});
}

/// This rank's part of it, if it has one.
void LinkAgreement::make(const Trial& trial, const Network& held, const Channel& channel) const {
  const Layout& layout = stated().layout;
  const TrialEnds ends = ends_of_trial(layout.sites(), trial.from, trial.to);
  const Rank me = communicator_.me(), from = first_at(layout, ends.from), to = first_at(layout, ends.to);
  if (me != from && me != to) return;
  const auto part = std::make_shared<PartOfTrial>();
  part->channel = channel;
  part->channel.lead = Lead::unlimited;
  Plan message(plan_trial(stated(), communicator_.settings().tuning, me, {from, to, trial.bytes}));
  message.uses_streams = communicator_.uses_streams(*stated_->known);
  part->message = std::make_shared<const Plan>(std::move(message));
  part->memory.resize(static_cast<std::size_t>(trial.bytes));
  part->round_trip = held.round_trip_ns(ends.from, ends.to);
  if (me == from) part->link = learnt_link(layout, trial.from, trial.to);
  pass_message(part);
}

void LinkAgreement::explain(const KnownTopology& held, const Known& from_now_on) const {
  if (!communicator_.settings().explains || communicator_.me() != 0) return;
  if (from_now_on == before_)
    opal_output(0, "coll_wan: on %s: calls take longer by that, so it is believed no more",
                communicator_.name().c_str());
  else if (from_now_on->loses && !held.loses)
    opal_output(0,
                "coll_wan: on %s: packets get lost though no queue is long, so long messages go over several "
                "connections",
                communicator_.name().c_str());
  else
    opal_output(0, "coll_wan: on %s: %s", communicator_.name().c_str(),
                correction_text(communicator_.layout(), held.topology.network, from_now_on->topology.network)
                    .c_str());
}

}  // namespace wan
