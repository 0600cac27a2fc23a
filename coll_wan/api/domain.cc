// SPDX-License-Identifier: BSD-3-Clause
#include "api/domain.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "api/mpi_versions.h"

namespace wan::multicast {
namespace {

/// Sites have a column each.
constexpr int kMostSites = 256;
constexpr Bytes kLeastWindow = 128 << 10;
#ifdef OPEN_MPI
constexpr bool kMpiYields = true;
#else
constexpr bool kMpiYields = false;
#endif

std::vector<RoutingTable> tables_of(const Plan& plan, Position self) {
  std::vector<RoutingTable> tables;
  for (const int columns : kColumns)
    tables.emplace_back(plan.places, self, std::vector{kMostSites, columns, kHostColumns});
  return tables;
}

/// Processes of this one's host.
Position host_of(const Places& places, Position self) {
  return RoutingTable(places, self, std::vector{2}).host().size();
}

/// host: processes of one; as many are on each.
Reach reach_of(const Destinations& destinations, std::span<const Range> sites, Position host) {
  Reach most;
  for (const Range& site : sites) {
    const Position hosts = (site.size() + host - 1) / host, all = destinations.within(site).size();
    if (all == 0) continue;
    most.hosts = std::max(most.hosts, std::min(all, hosts - 1));
    most.processes = std::max(most.processes, std::min(host - 1, (all + hosts - 1) / hosts));
  }
  return most;
}

Settings settings_of(const Plan& plan, Position host) {
  Settings settings;
  settings.window = plan.window;
  settings.least_window = kLeastWindow;
  settings.shape = [ground = plan.ground, sites = plan.sites, host, fixed = plan.segment.value_or(0)](
                       Bytes bytes, const Destinations& destinations) {
    return quickest_shape(bytes, reach_of(destinations, sites, host), ground, fixed);
  };
  settings.forwarder = [](Bytes) { return Forwarder::destination; };
  settings.inbox = plan.inbox;
  return settings;
}

/// Other threads wait for the mutex, or MPI never gives the processor away.
bool must_yield(bool has_thread) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Query_thread(&provided);
  return !kMpiYields || has_thread || provided >= MPI_THREAD_MULTIPLE;
}

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

}  // namespace

Domain::Domain(MPI_Comm comm, const Plan& plan, bool has_thread)
    : comm_(comm),
      own_rank_(rank_in(comm)),
      ranks_(plan.places.ranks()),
      positions_(plan.places.positions()),
      carrier_(comm, ranks_, positions_),
      engine_(tables_of(plan, positions_.at(own_rank_)),
              settings_of(plan, host_of(plan.places, positions_.at(own_rank_))), carrier_),
      lost_processes_(comm),
      yields_(must_yield(has_thread)) {
  if (has_thread) thread_ = std::thread([this] { run(); });
}

Domain::~Domain() {
  ends_ = true;
  if (thread_.joinable()) thread_.join();
  carrier_.stop();
  MPI_Comm_free(&comm_);
}

/// Looks often while something happens, and else seldom: the application has the processors.
void Domain::run() {
  constexpr std::chrono::microseconds kShortest{10}, kLongest{500};
  auto pause = kShortest;
  while (!ends_) {
    bool has_happened = false;
    {
      const std::lock_guard lock(mutex_);
      has_happened = advance();
    }
    has_happened = call_handlers() || has_happened;
    pause = has_happened ? kShortest : std::min(2 * pause, kLongest);
    if (has_happened)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(pause);
  }
}

Pattern Domain::pattern(int source, int tag) const {
  Pattern pattern;
  if (source != MPI_ANY_SOURCE) pattern.source = positions_.at(source);
  if (tag != MPI_ANY_TAG) pattern.tag = tag;
  return pattern;
}

void Domain::note_losses() {
  for (const int rank : lost_processes_.take_new()) {
    carrier_.lose(positions_.at(rank));
    engine_.lose(positions_.at(rank));
  }
}

bool Domain::advance() {
  note_losses();
  bool has_happened = carrier_.progress(engine_);
  if (!has_happened) has_happened = engine_.rest();
  for (auto ended = engine_.take_ended(); !ended.empty(); ended = engine_.take_ended()) {
    has_happened = true;
    for (const Ended& each : ended) end(each);
  }
  return serve_handlers() || has_happened;
}

void Domain::end(const Ended& ended) {
  const auto& [ticket, envelope, is_lost] = ended;
  const auto handler =
      std::ranges::find_if(handlers_, [&](const Handler& each) { return each.ticket == ended.ticket; });
  if (handler != handlers_.end()) {
    handler->ticket.reset();
    if (!is_lost) handler->received = envelope;
    return;
  }
  const auto found = requests_.find(ticket);
  if (found == requests_.end()) {  // a multicast that has ended before
    if (is_lost) lost_error_ = lost_processes_.error();
    return;
  }
  WAN_Request_s& request = *found->second;
  requests_.erase(found);
  request.envelope = envelope;
  if (is_lost) {
    request.error = lost_processes_.error();
  } else if (request.is_receive) {
    const auto room = static_cast<Bytes>(request.elements->write().size());
    request.error = request.elements->finish(std::min(room, envelope.bytes));
    if (envelope.bytes > room) request.error = MPI_ERR_TRUNCATE;
    request.envelope.bytes = std::min(room, envelope.bytes);
  }
  request.has_ended = true;
}

/// What nobody has asked for, and a handler is there for, is received for it, one after the other.
bool Domain::serve_handlers() {
  bool has_happened = false;
  for (Handler& each : handlers_) {
    if (each.ticket || each.received) continue;
    const auto envelope = engine_.probe(each.pattern);
    if (!envelope) continue;
    const auto size = static_cast<std::size_t>(envelope->bytes);
    each.memory = std::make_unique_for_overwrite<char[]>(std::max<std::size_t>(size, 1));
    each.ticket = engine_.receive(std::span(each.memory.get(), size), each.pattern);
    has_happened = true;
  }
  return has_happened;
}

/// Without the mutex: handlers may call everything.
bool Domain::call_handlers() {
  bool has_called = false;
  std::unique_lock lock(mutex_);
  for (Handler& each : handlers_) {  // of a list, to which handlers may add
    if (!each.received || each.is_running) continue;
    each.is_running = true;
    const Envelope envelope = *each.received;
    const auto memory = std::move(each.memory);
    lock.unlock();
    MPI_Status status{};
    set(&status, envelope, MPI_SUCCESS);
    each.function(&status, memory.get(), envelope.bytes, each.context);
    lock.lock();
    each.received.reset();
    each.is_running = false;
    has_called = true;
  }
  return has_called;
}

void Domain::set(MPI_Status* status, const Envelope& envelope, int error) const {
  if (status == MPI_STATUS_IGNORE) return;
  status->MPI_SOURCE = ranks_.at(envelope.source);
  status->MPI_TAG = envelope.tag;
  status->MPI_ERROR = error;
  set_bytes(status, envelope.bytes);
  MPI_Status_set_cancelled(status, 0);
}

std::optional<Destinations> Domain::destinations(std::span<const int> ranks) const {
  std::vector<Position> to;
  for (const int rank : ranks) {
    if (rank < 0 || rank >= size()) return std::nullopt;
    to.push_back(positions_.at(rank));
  }
  return Destinations(std::move(to));
}

int Domain::know_destinations(WAN_Destinations_function* function, void* context) {
  known_ = [this, function, context](int source, int tag) -> std::optional<Destinations> {
    std::vector<int> ranks(static_cast<std::size_t>(size()));
    const int count = function(source, tag, ranks.data(), context);
    if (count < 0 || count > size()) return std::nullopt;
    return destinations(std::span(ranks).first(static_cast<std::size_t>(count)));
  };
  {
    const std::lock_guard lock(mutex_);
    engine_.know(
        [this](Position source, int tag) { return known_(ranks_.at(source), tag).value_or(Destinations()); });
  }
  MPI_Request request = MPI_REQUEST_NULL;
  if (const int error = MPI_Ibarrier(comm_, &request); error != MPI_SUCCESS) return error;
  return wait_for(request);
}

int Domain::multicast(WAN_Request_s& request, const Destinations& destinations, int tag, bool all_know) {
  int error = MPI_SUCCESS;
  const std::span<const char> data = request.elements->read(error);
  if (error != MPI_SUCCESS) return error;
  const std::lock_guard lock(mutex_);
  request.ticket = engine_.send(data, tag, destinations, all_know);
  requests_.emplace(request.ticket, &request);
  advance();
  return MPI_SUCCESS;
}

void Domain::receive(WAN_Request_s& request, int source, int tag) {
  const std::lock_guard lock(mutex_);
  request.is_receive = true;
  request.ticket = engine_.receive(request.elements->write(), pattern(source, tag));
  requests_.emplace(request.ticket, &request);
  advance();
}

int Domain::probe(int source, int tag, bool& found, MPI_Status* status) {
  return progress(
      [&] {
        const auto envelope = engine_.probe(pattern(source, tag));
        if (envelope) set(status, *envelope, MPI_SUCCESS);
        return envelope.has_value();
      },
      found);
}

int Domain::test(const WAN_Request_s& request, bool& has_ended) {
  return progress([&] { return request.has_ended; }, has_ended);
}

bool Domain::cancel(WAN_Request_s& request) {
  const std::lock_guard lock(mutex_);
  if (!request.is_receive || !engine_.cancel(request.ticket)) return false;
  requests_.erase(request.ticket);
  return true;
}

void Domain::handle(int source, int tag, WAN_Handler_function* handler, void* context) {
  const std::lock_guard lock(mutex_);
  handlers_.push_back({pattern(source, tag), handler, context});
}

/// Others may have the processor where there is nothing to do, and what is waited for has not ended. Open MPI
/// has given it to them already, where it is told to (mpi_yield_when_idle); twice would be half as quick.
template <class HasEnded>
int Domain::progress(HasEnded has_ended, bool& ended) {
  int error = MPI_SUCCESS;
  bool has_happened = false;
  {
    const std::lock_guard lock(mutex_);
    has_happened = advance();
    error = carrier_.take_error();
  }
  has_happened = call_handlers() || has_happened;
  {
    const std::lock_guard lock(mutex_);
    ended = has_ended();
  }
  if (!ended && !has_happened && yields_) std::this_thread::yield();
  return error;
}

int Domain::progress() {
  bool ended = false;
  return progress([] { return false; }, ended);
}

int Domain::flush() {
  if (const int error = progress_until([&] { return !engine_.needs_data(); }); error != MPI_SUCCESS)
    return error;
  const std::lock_guard lock(mutex_);
  engine_.rest();
  return std::exchange(lost_error_, MPI_SUCCESS);
}

template <class HasEnded>
int Domain::progress_until(HasEnded has_ended) {
  for (bool ended = false; !ended;)
    if (const int error = progress(has_ended, ended); error != MPI_SUCCESS) return error;
  return MPI_SUCCESS;
}

int Domain::wait_for(MPI_Request& request) {
  int tested = MPI_SUCCESS;
  const auto has_ended = [&] {
    int done = 0;
    tested = MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    return done != 0 || tested != MPI_SUCCESS;
  };
  if (const int error = progress_until(has_ended); error != MPI_SUCCESS) return error;
  return tested;
}

/// Handlers get one after the other.
bool Domain::has_unhandled() {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(handlers_, [&](const Handler& each) {
    return each.ticket || each.received || engine_.probe(each.pattern);
  });
}

/// When all have come here nothing is under way but what gives back room. All tell each other how many
/// messages they have sent since the beginning, and send none any more; the rest is waited for. Where
/// processes are lost, nobody can tell how many those have sent, and the rest is forgotten with the
/// communicator.
int Domain::close() {
  if (const int error = progress_until([&] { return engine_.under_way() == 0; }); error != MPI_SUCCESS)
    return error;
  MPI_Request request = MPI_REQUEST_NULL;
  int all_live = lost_processes_.any() ? 0 : 1;
  const int begun = lost_processes_.agree(&all_live, &request);
  if (begun != MPI_SUCCESS && !LostProcesses::is_loss(begun)) return begun;
  if (const int error = wait_for(request); error != MPI_SUCCESS && !LostProcesses::is_loss(error))
    return error;
  ends_ = true;
  if (thread_.joinable()) thread_.join();
  engine_.close();
  while (has_unhandled())
    if (const int error = progress(); error != MPI_SUCCESS) return error;
  if (all_live == 0) return MPI_SUCCESS;
  const std::vector<long> sent = carrier_.sent();
  long expected = 0;
  MPI_Ireduce_scatter_block(sent.data(), &expected, 1, MPI_LONG, MPI_SUM, comm_, &request);
  if (const int error = wait_for(request); error != MPI_SUCCESS) return error;
  while (carrier_.received() < expected || carrier_.is_busy())
    if (const int error = progress(); error != MPI_SUCCESS) return error;
  return MPI_SUCCESS;
}

}  // namespace wan::multicast
