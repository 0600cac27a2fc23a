// SPDX-License-Identifier: BSD-3-Clause
#include "mca/communicator.h"

#include <algorithm>

#include "algo/choice/choice.h"
#include "algo/choice/halves.h"
#include "algo/choice/lane_choice.h"
#include "algo/plan.h"
#include "base/rate.h"
#include "cost/machine.h"
#include "mca/directory.h"
#include "mca/job_report.h"
#include "mca/link_watch.h"
#include "mca/parameters.h"
#include "mca/performance_variables.h"
#include "mca/progress.h"
#include "mca/stream_peers.h"
#include "mca/tag.h"
#include "plan/builder.h"
#include "process/explanation.h"
#include "process/troubles.h"

namespace wan {
namespace {

/// The groups' members.
Topologies::Groups processes_of(std::span<ompi_group_t* const> groups) {
  Topologies::Groups processes;
  for (ompi_group_t* group : groups) {
    processes.emplace_back();
    for (int rank = 0; rank < ompi_group_size(group); ++rank) {
      const opal_process_name_t name = ompi::process_name(group, rank);
      processes.back().emplace_back(name.jobid, name.vpid);
    }
  }
  return processes;
}

/// The records of the groups' members.
std::vector<const ProcessRecord*> records_of(std::span<ompi_group_t* const> groups, Belief belief) {
  std::vector<const ProcessRecord*> records;
  for (ompi_group_t* group : groups) {
    const auto members = directory().processes(group, belief);
    records.insert(records.end(), members.begin(), members.end());
  }
  return records;
}

/// What was measured between the hosts of one job counts among its processes.
Belief belief_among(const Topologies::Groups& groups) {
  for (const auto& group : groups)
    for (const auto& [job, rank] : group)
      if (job != groups.front().front().first) return Belief::published;
  return Belief::probed;
}

/// The group, or both, in an order that is the same on both sides: that of their first processes.
std::vector<ompi_group_t*> groups_of(const ompi_communicator_t* comm) {
  if (!OMPI_COMM_IS_INTER(comm)) return {comm->c_local_group};
  std::vector<ompi_group_t*> groups{comm->c_local_group, comm->c_remote_group};
  std::ranges::sort(groups, {}, [](ompi_group_t* group) {
    const opal_process_name_t first = ompi::process_name(group, 0);
    return std::pair(first.jobid, first.vpid);
  });
  return groups;
}

Topology topology_of(const std::vector<const ProcessRecord*>& records, const Sites& sites, const Job& job) {
  std::vector<Path> paths;
  std::vector<Overheads> overheads;
  std::vector<bool> near_network;
  for (std::size_t rank = 0; rank < records.size(); ++rank) {
    const ProcessRecord& record = *records[rank];
    paths.push_back({sites.of[rank].site});
    paths.back().insert(paths.back().end(), record.place.begin(), record.place.end());
    near_network.push_back(record.near_network);
    overheads.push_back(
        overheads_of({{}, record.send_overhead_ns, record.receive_overhead_ns, {}}, job.machine));
  }
  Layout layout(paths, std::move(near_network));
  Network network = job.file ? network_of(layout, *job.file) : Network(layout.sites(), kUnknownLink);
  return {std::move(layout), std::move(network), std::move(overheads), job.machine};
}

ContactExtent extent_of(const std::string& name) {
  return name == "none"           ? ContactExtent::none
         : name == "all"          ? ContactExtent::all
         : name == "coordinators" ? ContactExtent::coordinators
                                  : ContactExtent::automatic;
}

Settings settings_of(const Parameters& parameters, const MessageLimits& limits) {
  Settings settings{{}, extent_of(parameters.preconnect), parameters.priority,         parameters.verbose,
                    0,  parameters.explain != 0,          parameters.reproducible != 0};
  settings.pacing = parameters.pacing;
  settings.tuning.tree = tree_shape_named(parameters.tree).value_or(TreeShape::automatic);
  settings.tuning.radix = parameters.radix;
  settings.tuning.aggregate_limit = parameters.aggregate_limit;
  settings.tuning.alltoall_aggregate_limit = parameters.alltoall_aggregate_limit;
  settings.tuning.segment = std::min(parameters.segment, limits.eager);
  settings.tuning.eager_window = parameters.eager_window;
  settings.tuning.lanes = parameters.lanes;
  settings.tuning.streams = std::max(parameters.streams, 0);
  settings.decides_on_streams = parameters.streams < 0;
  settings.tuning.flow_window = parameters.flow_window > 0 ? parameters.flow_window : limits.flow_window;
  settings.tuning.idle_window = parameters.idle_window > 0 ? parameters.idle_window : limits.idle_window;
  // Checked when it was read.
  settings.tuning.algorithms = parse_algorithms(parameters.algorithms, "").value_or(AlgorithmChoice{});
  return settings;
}

}  // namespace

Tuning Settings::tuning_by(const KnownTopology& known) const {
  Tuning by = tuning;
  if (decides_on_streams)
    by.streams = known.loses || leave_links_empty(known.topology, by) ? Streams::Settings{}.most : 0;
  return by;
}

namespace {

struct Traffic {
  int messages = 0;
  Count units = 0;
};

/// What a plan sends to other sites.
Traffic wide_area_traffic(const Program& plan, const Layout& layout, Rank me) {
  Traffic traffic;
  for (StepIndex i = 0; i < plan.size(); ++i) {
    Step step = plan.step(i);
    if (step.kind != StepKind::send || layout.site_of(step.peer) == layout.site_of(me)) continue;
    ++traffic.messages;
    traffic.units += step.length();
  }
  return traffic;
}

}  // namespace

std::unique_ptr<Communicator> Communicator::describe(ompi_communicator_t* comm) {
  const std::vector<ompi_group_t*> groups = groups_of(comm);
  const Topologies::Groups processes = processes_of(groups);
  const Belief belief = belief_among(processes);
  const auto records = records_of(groups, belief);
  const Job* job = directory().job(ompi::process_name(groups.front(), 0), belief);
  if (job == nullptr) return nullptr;
  const Sites sites = sites_of(records, job->asks);
  if (!can_serve(records, sites) || tags_in_stream() == 0) return nullptr;
  const Parameters parameters = with_changes(job->record.parameters);
  plan_cache().set_capacity(static_cast<std::size_t>(parameters.plan_memory));
  progress().set_most(job->limits.under_way);
  Settings settings = settings_of(parameters, job->limits);
  settings.knows_links = job->file.has_value();
  settings.learns = job->record.parameters.learn != 0;
  const Rank split = groups.size() == 1 ? 0 : ompi_group_size(groups.front());
  const Rank begin = groups.front() == comm->c_local_group ? 0 : split;
  const Rank me = begin + ompi_comm_rank(comm);
  if (settings.learns) link_watch().know(records, sites, me);
  auto known = topologies().get(processes, [&] { return topology_of(records, sites, *job); });
  settings.tuning = settings.tuning_by(*known);
  std::unique_ptr<Communicator> communicator(new Communicator(comm, std::move(known), me, split, settings));
  communicator->peers_ = stream_peers(processes, records, communicator->layout(), me);
  return communicator;
}

/// The kept plan or a new one. view(use) calls use(topology, tuning, me, call) with what the plan is made
/// from. agreed: all ranks have agreed on that, and reckon what its calls take.
template <class View>
std::shared_ptr<const Plan> Communicator::kept_plan(const Epoch& epoch, const Call& call, View view,
                                                    const KnownTopology* agreed) {
  bool is_new = false;
  auto plan = plan_cache().get(epoch, call, [&] {
    is_new = true;
    Plan made = view([&](const Topology& topology, const Tuning& tuning, Rank me, const Call& seen) {
      return make_plan(topology, tuning, me, seen);
    });
    if (agreed != nullptr) made.reckoning = reckoning_of(call, *agreed);
    return made;
  });
  statistics_.count_plan(is_new ? Statistics::Found::made : Statistics::Found::kept);
  PlanRecord& record = *plan->record;
  const bool is_foreseen = explains() || reports() || someone_reads_predictions();
  if (is_foreseen && !record.was_predicted())
    view([&](const Topology& topology, const Tuning& tuning, Rank me, const Call& seen) {
      foresee(topology, tuning, me, seen, record);
    });
  if (is_new && explains())
    view([&](const Topology& topology, const Tuning& tuning, Rank me, const Call& seen) {
      const Forecast* const made = record.forecast();
      const auto text = explain(topology, tuning, me, seen, made ? std::optional(*made) : std::nullopt);
      opal_output(0, "coll_wan: on %s: %s", name().c_str(), text.c_str());
    });
  return plan;
}

void Communicator::foresee(const Topology& topology, const Tuning& tuning, Rank me, const Call& call,
                           PlanRecord& record) const {
  record.set_forecast(
      forecast(topology, tuning, me, call, reports() ? Extent::with_stock : Extent::own_plan));
}

std::shared_ptr<const Plan> Communicator::plan_for(const Call& call) {
  return has_root_alone(call) ? plan_with_root(call) : plan_for(call, *known_);
}

std::shared_ptr<const Plan> Communicator::plan_for(const Call& call, const KnownTopology& known) {
  return kept_plan(
      known.epoch, call, [&](auto use) { return use(known.topology, settings_.tuning_by(known), me_, call); },
      agreement_.is_on() ? &known : nullptr);
}

std::shared_ptr<const Plan> Communicator::plan_with_root(const Call& call) {
  return kept_plan(known_->epoch_with_root, call, [&](auto use) {
    Call among_them = call;
    among_them.root = 0;
    const RankInterval others = partners_of(call.root, split_, size());
    return use(with_root(topology(), call.root, others), settings_.tuning,
               me_ == call.root ? 0 : me_ - others.first + 1, among_them);
  });
}

Groups Communicator::groups() const {
  return {split_, me_ < split_, 0, {0, split_}, comm_->c_local_comm};
}

Groups Communicator::groups_with_root(Rank root) const {
  const Rank of_root = group_of(root, split_, size()).first,
             of_others = partners_of(root, split_, size()).first;
  return {1, me_ == root, root - of_root, {of_root, of_others}, comm_->c_local_comm};
}

Channel Communicator::channel_for(const Call& call) {
  const bool root_alone = has_root_alone(call);
  const Tags tags = root_alone ? tags_->with_root(call.collective, call.root, call.root < split_)
                               : tags_->of_all(call.collective);
  Channel channel = channel_with(tags.across, &pacer_);
  if (!is_inter()) return channel;
  channel.groups = root_alone ? groups_with_root(call.root) : groups();
  channel.groups->tag_inside = tags.inside;
  return channel;
}

void Communicator::believe(const KnownTopology& known) const {
  const Network& network = known.topology.network;
  pacer_.believe(network, network.is_estimated() || known.loses ? Pacer::By::ranks : Pacer::By::statement);
  open_streams_to(contacts(), known);
}

void Communicator::open_streams_to(std::span<const Rank> ranks, const KnownTopology& known) const {
  if (peers_.empty() || !uses_streams(known)) return;
  const Network& network = known.topology.network;
  const SiteIndex here = layout().site_of(me_);
  const auto carries_to =
      contacts_of(known.topology, settings_.tuning_by(known), ContactExtent::coordinators, me_);
  for (const Rank rank : ranks) {
    const StreamPeer& peer = peers_[static_cast<std::size_t>(rank)];
    if (!peer.endpoint) continue;
    const SiteIndex there = layout().site_of(rank);
    const Bytes held =
        passed(network.link(here, there).bandwidth_bytes_per_s, network.round_trip_ns(here, there));
    const auto pairs = static_cast<Bytes>(layout().ranks_of(here).size() * layout().ranks_of(there).size());
    const bool carries = std::ranges::find(carries_to, rank) != carries_to.end();
    own_streams()->lead_to(peer.name, *peer.endpoint, carries ? held : held / pairs);
  }
}

std::string Communicator::name() const {
  const char* name = comm_->c_name;
  return name == nullptr || *name == '\0' ? "a new communicator" : name;
}

/// Equal on all ranks.
bool Communicator::has_rounds() const {
  return settings_.learns && !is_inter() && spans_sites() && layout().sites() <= kMostSitesInTestimony &&
         ompi::stems_from_world(comm_);
}

Channel Communicator::channel_for_agreement() {
  return channel_with(tags_->of_service(Service::agreement).across, &pacer_);
}

Channel Communicator::channel_for_neighbors() {
  return channel_with(tags_->of_neighbors().across, &pacer_);
}

void Communicator::reserve_tags() {
  const int across = wan::reserve_tags(comm_);
  tags_.emplace(tags_in_stream(), across, is_inter() ? wan::reserve_tags(comm_->c_local_comm) : 0);
}

std::shared_ptr<CountMemory::Survey> Communicator::begin_survey(const Call& call) {
  std::call_once(survey_planned_, [&] {
    const Tuning& tuning = settings_.tuning;
    Survey survey = plan_notices(topology(), tuning, me_, CountMemory::kNotice * sizeof(Count));
    notices_ = std::make_shared<const Program>(std::move(survey.program));
    counts_ = std::make_unique<CountMemory>(std::move(survey.ranks), ranks_below(topology(), tuning, me_),
                                            me_, size());
  });
  return std::make_shared<CountMemory::Survey>(*counts_, survey_entry(call));
}

std::shared_ptr<const Program> Communicator::notices() {
  return notices_;
}

std::shared_ptr<const Program> Communicator::entries(std::span<const Count> lengths) const {
  if (std::ranges::all_of(lengths, [](Count length) { return length == 0; })) return empty_plan();
  std::vector<Count> bytes;
  for (const Count length : lengths) bytes.push_back(length * static_cast<Count>(sizeof(Count)));
  return std::make_shared<const Program>(plan_entries(topology(), settings_.tuning, me_, bytes).program);
}

std::shared_ptr<const Plan> Communicator::plan_for(const Call& call, const CountMemory::Known& known) {
  return kept_plan(known.epoch, call, [&](auto use) {
    Call surveyed = call;
    surveyed.members = known.members;
    return use(topology(), settings_.tuning, me_, surveyed);
  });
}

std::shared_ptr<const Plan> Communicator::plan_for_neighbors(const NeighborCall& call) {
  bool is_new = false;
  auto plan = plan_cache().get(epoch_of_neighbors_, call, [&] {
    is_new = true;
    const Bundles& bundles = edge_survey_.bundles();
    Program made = plan_neighbors(topology(), settings_.tuning, me_, call, bundles);
    if (speaks(2)) {
      const Traffic wide = wide_area_traffic(made, topology().layout, me_);
      opal_output(0,
                  "coll_wan: neighbours on %s: rank 0 runs %d steps and sends %d messages with %lld bytes to "
                  "other sites",
                  name().c_str(), made.size(), wide.messages, static_cast<long long>(wide.units));
    }
    const bool together =
        std::ranges::any_of(bundles, [&](const Bundle& bundle) { return bundle.serves(call.traits); });
    const PlanFacts facts{kind_of_neighbors(call.traits.gathers, call.traits.vector),
                          together ? Algorithm::aggregate : Algorithm::direct, 1,
                          call.lengths.input + call.lengths.output};
    Plan whole(std::move(made), record_of(facts, std::string(name_of(facts.kind))));
    whole.uses_streams = settings_.tuning.streams > 0;
    return whole;
  });
  statistics_.count_plan(is_new ? Statistics::Found::made : Statistics::Found::kept);
  return plan;
}

std::shared_ptr<const Plan> Communicator::empty_plan() const {
  return std::make_shared<const Plan>(Builder(Unit::bytes, me_, size(), {}).finish());
}

/// `title`: of its calls. Composed and kept only where somebody reads it.
std::shared_ptr<PlanRecord> Communicator::record_of(const PlanFacts& facts, const std::string& title) const {
  if (!explains() && !reports()) return std::make_shared<PlanRecord>(facts);
  const std::string whole = "on " + name() + ": " + title;
  if (!reports()) return std::make_shared<PlanRecord>(facts, whole);
  return ledger().record(whole + " (" + std::to_string(size()) + " ranks, " +
                             std::to_string(layout().sites()) +
                             (layout().sites() == 1 ? " site)" : " sites)"),
                         facts);
}

std::shared_ptr<Reckoning> Communicator::reckoning_of(const Call& call, const KnownTopology& known) const {
  const auto whole = known_call(call, me_, size());
  if (!LinkAgreement::counts(call) || !whole) return nullptr;
  return std::make_shared<Reckoning>(bound_of(topology(), *whole), bound_of(known.topology, *whole),
                                     known.spent);
}

Plan Communicator::make_plan(const Topology& topology, const Tuning& tuning, Rank me,
                             const Call& call) const {
  const Choice choice = choose(topology, tuning, call);
  Program made = plan(topology, tuning, me, call, choice);
  if (speaks(2)) {
    Traffic wide = wide_area_traffic(made, topology.layout, me);
    opal_output(
        0,
        "coll_wan: %s of %lld %s on %s: %s; rank 0 runs %d steps and sends %d messages with %lld %s to "
        "other sites",
        std::string(traits(call.collective).name).c_str(), static_cast<long long>(call.block),
        made.unit() == Unit::bytes ? "bytes" : "elements", name().c_str(),
        std::string(name_of(choice.algorithm())).c_str(), made.size(), wide.messages,
        static_cast<long long>(wide.units), made.unit() == Unit::bytes ? "bytes" : "elements");
  }
  const BufferLengths lengths = made.lengths();
  const PlanFacts facts{kind_of(call.collective), choice.algorithm(), choice.lanes,
                        (lengths.input + lengths.output) * call.unit_bytes};
  Plan whole(std::move(made), record_of(facts, title_of(call)));
  whole.uses_streams = tuning.streams > 0;
  return whole;
}

void Communicator::announce(const Served& served) const {
  if (served.ours.empty()) {
    opal_output(0, "coll_wan: leaves %s to components of higher priority", name().c_str());
    return;
  }
  std::string sites;
  const Layout& layout = topology().layout;
  for (SiteIndex site = 0; site < layout.sites(); ++site)
    sites += " " + layout.site_name(site) + " (" + std::to_string(layout.ranks_of(site).size()) + ")";
  std::string others;
  for (const std::string& name : served.others) others += (others.empty() ? "" : ", ") + name;
  if (!others.empty()) others = "; components of higher priority serve " + others;
  opal_output(0, "coll_wan: serves %s; sites (ranks):%s%s%s", name().c_str(), sites.c_str(),
              settings_.knows_links
                  ? ""
                  : "; without a topology file every link is assumed to have 10 ms and 125 MB/s",
              others.c_str());
}

void Communicator::announce_contacts(std::size_t contacts) const {
  if (!speaks(2)) return;
  std::string carriers;
  const Layout& layout = topology().layout;
  for (SiteIndex site = 0; site < layout.sites(); ++site)
    carriers += " " + std::to_string(layout.carriers_of(site).front());
  opal_output(
      0,
      "coll_wan: on %s, the first to carry between sites are ranks%s; rank 0 connects in advance to %zu "
      "processes of other sites and hosts",
      name().c_str(), carriers.c_str(), contacts);
}

}  // namespace wan
