// SPDX-License-Identifier: BSD-3-Clause
// What coll_wan keeps for one communicator: where its ranks sit and what lies between them (shared with other
// communicators of the same processes, as its plans are), and what the application says of it. Equal on every
// rank of the communicator, except for one's own rank. Threads: const functions from any thread. Tested by:
// tests/mpi.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "algo/choice/aggregation.h"
#include "algo/collectives/neighbor.h"
#include "algo/services/contact.h"
#include "algo/services/survey.h"
#include "mca/channel.h"
#include "mca/edge_survey.h"
#include "mca/info_keys.h"
#include "mca/link_agreement.h"
#include "mca/ompi.h"
#include "plan/call.h"
#include "process/count_memory.h"
#include "process/plan_cache.h"
#include "process/receiver_loads.h"
#include "process/statistics.h"
#include "process/tags.h"
#include "process/topologies.h"
#include "run/pacer.h"
#include "topo/topology.h"

namespace wan {

/// The settings that hold for a communicator.
struct Settings {
  Tuning tuning;  ///< of calls that are planned from what the topology file states
  ContactExtent contact = ContactExtent::none;
  int priority = 0;
  int verbose = 0;
  int pacing = 0;                   ///< percent of the links' rates; 0: none
  bool explains = false;            ///< each new plan, on rank 0
  bool reproducible = false;        ///< reductions
  bool knows_links = false;         ///< from a topology file
  bool learns = false;              ///< what the links are, from what is sent
  bool decides_on_streams = false;  ///< coll_wan, by what is known of the links

  /// Of calls that are planned from this.
  Tuning tuning_by(const KnownTopology& known) const;
};

/// Which collectives of a communicator Open MPI calls here, and which it leaves to components of higher
/// priority; as MPI names them, without "MPI_".
struct Served {
  std::vector<std::string> ours, others;
};

class Communicator {
 public:
  /// What the members of `comm` published; nullptr if coll_wan must stay off there (can_serve() in
  /// process/troubles.h). The answer is the same on every member.
  static std::unique_ptr<Communicator> describe(ompi_communicator_t* comm);

  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  ~Communicator() { all_statistics().remove(comm_, statistics_); }

  /// Plans have, of an intercommunicator, the ranks of both groups: first those of the group whose first
  /// process comes first.
  Rank me() const { return me_; }
  Rank size() const { return topology().layout.size(); }
  bool is_inter() const { return split_ > 0; }
  /// As Call::split of what has no root.
  Rank split() const { return split_; }
  /// The ranks of the other group of an intercommunicator, as plans have them.
  RankInterval others() const { return partners_of(me_, split_, size()); }
  /// Does it lie in more than one site?
  bool spans_sites() const { return topology().layout.sites() > 1; }
  const Settings& settings() const { return settings_; }
  /// Do reductions have the same bits whatever the layout (OperandOrder::fixed)?
  bool is_reproducible() const { return info_.reproducible().value_or(settings_.reproducible); }
  ompi_communicator_t* ompi() const { return comm_; }
  /// As the application calls it, if it does.
  std::string name() const;
  /// What the application says of the communicator; followed from when its module is made.
  InfoKeys& info() { return info_; }
  const InfoKeys& info() const { return info_; }

  /// What the next call is planned from. Once for each call, in their order.
  std::shared_ptr<LinkAgreement::Belief> belief_for(const Call& call) { return agreement_.belief_for(call); }
  /// This rank's plan for a call on an intracommunicator, from what is believed for it.
  std::shared_ptr<const Plan> plan_for(const Call& call, const KnownTopology& known);
  /// This rank's plan for a call, from the topology file. On an intercommunicator, of a rooted call: the plan
  /// among call.root (as other plans have it) and the other group, who are ranks 0 and 1, 2, ... of it. This
  /// rank must be one of those.
  std::shared_ptr<const Plan> plan_for(const Call& call);
  /// The addresses of the ranks of that plan, with a tag for the next call.
  Channel channel_for(const Call& call);
  Channel channel_for_neighbors();
  /// For a round of its LinkAgreement.
  Channel channel_for_agreement();
  /// For a call without messages.
  Channel channel() { return channel_with(0); }
  Channel channel_with(int tag, Pacer* pacer = nullptr) {
    return {comm_,
            tag,
            pacer,
            {},
            peers_.empty() ? nullptr : &peers_,
            &statistics_,
            settings_.explains && me_ == 0};
  }
  /// Reserves the tags of its calls: once, when its module is enabled.
  void reserve_tags();
  TagStreams& tags() { return *tags_; }
  /// Must alltoallv and alltoallw be preceded by a survey? Equal on every rank.
  bool surveys(const Call& call) const { return needs_survey(topology(), settings_.tuning, call); }
  /// Begins that of a call, which is being made; its parts.
  std::shared_ptr<CountMemory::Survey> begin_survey(const Call& call);
  std::shared_ptr<const Program> notices();
  std::shared_ptr<const Program> entries(std::span<const Count> lengths) const;
  /// This rank's plan for a call whose survey is over.
  std::shared_ptr<const Plan> plan_for(const Call& call, const CountMemory::Known& known);
  /// What the ranks of an intracommunicator have to do after an alltoallv or alltoallw; and the neighbours
  /// after a neighbourhood collective.
  ReceiverLoads& loads() { return loads_; }
  ReceiverLoads& loads_of_neighbors() { return loads_of_neighbors_; }
  /// The ranks of other sites that this one meets when the communicator is made.
  std::vector<Rank> contacts() const {
    return contacts_of(topology(), settings_.tuning, settings_.contact, me_);
  }
  /// Opens streams to these, so many that as much leaves at once as the links hold: those that carry for
  /// their sites alone, the others all together.
  void open_streams_to(std::span<const Rank> ranks) const { open_streams_to(ranks, *known_); }
  void open_streams_to(std::span<const Rank> ranks, const KnownTopology& known) const;
  /// Do the long messages of calls that are planned from this go over streams? Equal on all ranks.
  bool uses_streams(const KnownTopology& known) const { return settings_.tuning_by(known).streams > 0; }
  /// What is known of the process topology.
  EdgeSurvey& edge_survey() { return edge_survey_; }
  /// This rank's plan for a neighbourhood collective, when the survey is over.
  std::shared_ptr<const Plan> plan_for_neighbors(const NeighborCall& call);
  /// Where ranks sit.
  const Layout& layout() const { return topology().layout; }
  /// What all ranks agree on: its messages are held to it, and streams are opened if they are used.
  void believe(const KnownTopology& known) const;
  /// The plan that does nothing.
  std::shared_ptr<const Plan> empty_plan() const;
  /// Has this rank to say, once Open MPI has chosen who serves the communicator, whether that is coll_wan?
  bool announces() const { return spans_sites() && speaks(1); }
  /// Says so, and which sites the communicator spans, and where its links come from.
  void announce(const Served& served) const;
  /// With coll_wan_verbose 2, prints on rank 0 how many processes it meets now.
  void announce_contacts(std::size_t contacts) const;

 private:
  Communicator(ompi_communicator_t* comm, std::shared_ptr<const KnownTopology> known, Rank me, Rank split,
               Settings settings)
      : comm_(comm),
        known_(std::move(known)),
        settings_(settings),
        me_(me),
        split_(split),
        pacer_(topology(), me_, settings.pacing, buckets(),
               settings.learns && spans_sites() ? &learnt_links() : nullptr,
               settings.knows_links ? Rates::stated : Rates::unknown),
        statistics_(topology().layout, me_) {
    all_statistics().add(comm_, statistics_);
  }
  bool has_rounds() const;

  const Topology& topology() const { return known_->topology; }
  /// Of an intercommunicator: is the root a group by itself?
  bool has_root_alone(const Call& call) const { return is_inter() && traits(call.collective).rooted; }
  std::shared_ptr<const Plan> plan_with_root(const Call& call);
  template <class View>
  std::shared_ptr<const Plan> kept_plan(const Epoch& epoch, const Call& call, View view,
                                        const KnownTopology* agreed = nullptr);
  std::shared_ptr<Reckoning> reckoning_of(const Call& call, const KnownTopology& known) const;
  Groups groups() const;
  Groups groups_with_root(Rank root) const;
  Plan make_plan(const Topology& topology, const Tuning& tuning, Rank me, const Call& call) const;
  std::shared_ptr<PlanRecord> record_of(const PlanFacts& facts, const std::string& title) const;
  void foresee(const Topology& topology, const Tuning& tuning, Rank me, const Call& call,
               PlanRecord& record) const;
  bool explains() const { return settings_.explains && me_ == 0; }
  bool speaks(int level) const { return me_ == 0 && settings_.verbose >= level; }

  ompi_communicator_t* comm_;
  std::shared_ptr<const KnownTopology> known_;
  Settings settings_;
  Rank me_, split_;
  StreamPeers peers_;
  InfoKeys info_;
  ReceiverLoads loads_, loads_of_neighbors_;
  Pacer pacer_;
  Statistics statistics_;
  std::optional<TagStreams> tags_;
  EdgeSurvey edge_survey_{topology(), settings_.tuning, me_};
  Epoch epoch_of_neighbors_;  ///< of plans that follow from edge_survey_
  std::once_flag survey_planned_;
  std::shared_ptr<const Program> notices_;
  std::unique_ptr<CountMemory> counts_;
  LinkAgreement agreement_{*this, known_, has_rounds()};
};

}  // namespace wan
