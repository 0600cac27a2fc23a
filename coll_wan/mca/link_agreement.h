// SPDX-License-Identifier: BSD-3-Clause
// How the ranks of an intracommunicator come to believe the same of its links, once these turn out to be
// others than the topology file states: in rounds (learn/rounds.h), each an MPI_MAX over what all processes
// have learnt (learn/testimony.h), in the background. A round begins at the same call on all ranks, and all
// plan by what has come of it from a later call on. A rank that gets there before the round is over defers
// that call, and those after it, until then; a nonblocking call returns all the same.
//
// MPI has all ranks make the same calls in the same order, but Open MPI makes some of its own
// (MPI_Comm_idup): those reduce one integer. So calls are told apart by what all ranks know of them:
//  - those in which everybody waits for everybody, and long ones, are counted;
//  - short ones with a root, in which a rank may run far ahead of the others, are planned by what is
//  believed,
//    and not counted;
//  - of an allreduce of four bytes or less, and of what is planned after a survey (alltoallv, alltoallw,
//    neighbourhoods), the plan is that of the topology file.
// A persistent call keeps the plan of the time when it was made. Open MPI cannot wait at a session's end: its
// communicators have no rounds, and neither have intercommunicators.
//
// What processes have learnt is noisy, so the ranks tell each other too what their calls take, and a belief
// by which they take longer is given up (learn/proving.h). A link that is believed to be slower than stated
// is tried now and then (learn/trials.h) after a round in which the first process of its site has told all of
// it, by a message in the background to the first process of the other site.
//
// Where packets get lost though the rate is right and no queue is long, one connection of two processes is
// not enough: the ranks tell each other that, too, and send over streams (streams/streams.h) if calls take
// long.
//
// If a round fails, so do the calls that come after it, as some ranks may know what others do not.
//
// Threads: any. Tested by: tests/lab/agreement_test.sh; without anything to learn, by all of tests/mpi.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "learn/proving.h"
#include "learn/rounds.h"
#include "learn/slowness.h"
#include "learn/testimony.h"
#include "mca/channel.h"
#include "plan/call.h"
#include "process/event.h"
#include "process/plan_record.h"
#include "process/topologies.h"

namespace wan {

class Communicator;

class LinkAgreement {
 public:
  using Known = std::shared_ptr<const KnownTopology>;
  /// What a call is planned from, when that is agreed.
  struct Belief {
    Event agreed;
    Known known = nullptr;  ///< once it is agreed, with success
  };

  /// The communicator outlives it. is_on: are there rounds?
  LinkAgreement(Communicator& communicator, Known stated, bool is_on);

  bool is_on() const { return is_on_; }
  /// For the next call, in the order of the calls. Once for each that is made.
  std::shared_ptr<Belief> belief_for(const Call& call);
  /// Is it one of those that are counted?
  static bool counts(const Call& call) { return counts(part_of(call)); }

 private:
  enum class Part : std::uint8_t { counts, counts_long, follows, none };
  static bool counts(Part part) { return part == Part::counts || part == Part::counts_long; }
  using Actions = std::vector<std::function<void()>>;
  struct Waiting {
    std::shared_ptr<Belief> belief;
    Part part;
  };
  static Part part_of(const Call& call);
  bool must_wait(Part part) const;
  void take_turn(Part part, Actions& actions);
  void advance(Actions& actions);
  void adopt();
  Slowness take_slowness();
  std::int32_t take_losses();
  template <class Action>
  void for_links_from_here(Action act) const;
  void begin(const Known& known, const Channel& channel, std::int32_t calls, Slowness slowness,
             std::int32_t losses);
  void end(int status, std::span<const std::int32_t> heard);
  void hear(std::span<const std::int32_t> heard, Actions& actions);
  Known decide(std::span<const std::int32_t> testimony, Slowness slowness, bool loses);
  void make(const Trial& trial, const Network& held, const Channel& channel) const;
  void plan_round(const Known& known, std::size_t words);
  Testimony testimony(const Network& held) const;
  const Topology& stated() const { return stated_->known->topology; }
  void explain(const KnownTopology& held, const Known& from_now_on) const;

  Communicator& communicator_;
  const std::shared_ptr<Belief> stated_;
  const bool is_on_;
  Known planned_for_;  ///< of the latest round, of which there is one at a time
  std::shared_ptr<const Plan> plan_;

  std::mutex mutex_;  // of what follows
  Rounds rounds_;
  bool is_over_ = false;  ///< the latest round
  Known outcome_;         ///< of it; nullptr: what is held
  std::int32_t calls_in_round_ = 0;
  std::int32_t losses_ = 0;  ///< of this process, when the latest round began
  Proving proving_;
  Known before_;   ///< what was held before the belief that is on trial
  Spent counted_;  ///< by calls of what is held, when the latest round began
  std::shared_ptr<Belief> held_;
  std::deque<Waiting> waiting_;
};

}  // namespace wan
