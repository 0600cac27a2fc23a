// SPDX-License-Identifier: BSD-3-Clause
#include "probe/agent.h"

#include <poll.h>

#include <algorithm>

#include "base/time.h"
#include "probe/budget.h"
#include "probe/errands.h"
#include "probe/robust.h"

namespace wan::probe {
namespace {

/// The trains of a volley leave together, and none of them shall wait for an answer.
constexpr Bytes kTrainsAtOnce = 5;
/// Of one host's addresses.
constexpr std::size_t kMostCalls = 4;
/// A report is on its way for so long at most: its connection and half a round trip.
constexpr Nanoseconds kReportTime = 250'000'000;
/// Processes come to the exploration at different times.
constexpr Nanoseconds kGrace = kSecond;

Bytes possible_train(const Socket& socket, Bytes wanted) {
  return std::clamp<Bytes>(socket.window() / kTrainsAtOnce, kLeastTrain, std::max(kLeastTrain, wanted));
}

std::vector<Errand> of_host(std::vector<Errand> errands, Host host) {
  std::erase_if(errands, [host](const Errand& each) { return each.from != host; });
  return errands;
}

timespec timespec_of(Nanoseconds time) {
  return {static_cast<time_t>(time / kSecond), static_cast<long>(time % kSecond)};
}

}  // namespace

Agent::Agent(Listener listener, Host me, std::vector<Endpoint> hosts)
    : listening_(std::move(listener.socket)), me_(me), hosts_(std::move(hosts)), begin_ns_(now()) {}

// ---- The leader

std::vector<Finding> Agent::run(const std::vector<Errand>& errands) {
  const Nanoseconds end = begin_ns_ + (leads_first_round_ ? kGlanceTime + kReportTime : kStudiesEnd);
  awaited_.clear();
  for (const Errand& each : errands)
    if (each.from != me_ && std::ranges::count(awaited_, each.from) == 0) awaited_.push_back(each.from);
  if (!leads_first_round_) send_errands(errands);
  begin(of_host(errands, me_), end);
  while (!(awaited_.empty() && all_over()) && now() < end) turn(end);
  leads_first_round_ = false;
  const auto own = findings();
  collected_.insert(collected_.end(), own.begin(), own.end());
  return std::exchange(collected_, {});
}

/// Each agent gets its own, and the time in which to run them. Agents that have not called cannot be asked.
void Agent::send_errands(const std::vector<Errand>& errands) {
  std::erase_if(awaited_, [&](Host host) {
    Peer* peer = reporter(host);
    if (peer == nullptr) return true;
    const auto known = round_trips_.find(host);
    const Nanoseconds round_trip = known == round_trips_.end() ? 0 : known->second;
    const auto left = study_time(now() - begin_ns_, round_trip) / 1'000'000;
    send(*peer, frame(Kind::errands, static_cast<std::uint32_t>(left), encode(of_host(errands, host))));
    return false;
  });
}

Agent::Peer* Agent::reporter(Host host) {
  const auto found = std::ranges::find(peers_, std::optional(host), &Peer::reports_of);
  return found == peers_.end() ? nullptr : &*found;
}

void Agent::finish() {
  is_done_ = true;
  for (Peer& peer : peers_)
    if (peer.reports_of || peer.waits) send(peer, frame(Kind::done));
  peers_.clear();
}

// ---- The others

void Agent::serve() {
  const Nanoseconds end = begin_ns_ + kLongestExploration + kGrace;
  call_leader();
  begin(of_host(glances(static_cast<int>(hosts_.size())), me_), begin_ns_ + kGlanceTime);
  must_report_ = true;
  while (!is_done_ && now() < end) {
    report_when_over();
    turn(end);
  }
  finish();
}

void Agent::call_leader() {
  const Endpoint& leader = hosts_.front();
  for (std::size_t i = 0; i < std::min(kMostCalls, leader.addresses.size()); ++i) {
    Socket socket = Socket::connecting(leader.addresses[i], leader.port);
    if (!socket.is_open()) continue;
    Peer& peer = add(std::move(socket));
    peer.is_connecting = peer.is_leader = true;
  }
}

void Agent::report_when_over() {
  if (!must_report_ || !all_over()) return;
  const auto leader = std::ranges::find_if(peers_, [](const Peer& peer) {
    return peer.is_leader && !peer.is_connecting && peer.socket.is_open();
  });
  if (leader == peers_.end()) return;
  must_report_ = false;
  const auto latest = findings();
  collected_.insert(collected_.end(), latest.begin(), latest.end());
  send(*leader, frame(Kind::findings, 0, encode(std::exchange(collected_, {}))));
}

void Agent::hear_errands(const Frame& frame) {
  const auto errands = decode_errands(frame.bytes);
  if (!errands) return;
  const auto unreported = findings();
  if (must_report_) collected_.insert(collected_.end(), unreported.begin(), unreported.end());
  begin(of_host(*errands, me_), now() + Nanoseconds{frame.number} * 1'000'000);
  must_report_ = true;
}

// ---- Errands

void Agent::begin(const std::vector<Errand>& errands, Nanoseconds deadline_ns) {
  const auto hosts = static_cast<Host>(hosts_.size());
  for (const Errand& each : errands) {
    if (each.to < 0 || each.to >= hosts || each.to == me_) continue;
    journeys_.push_back({Visit(each, deadline_ns), nullptr, {}, {}, false, false});
    call(journeys_.back());
  }
}

/// Over the connection of an earlier errand, which saves a round trip, or to all addresses at once: the first
/// that answers is taken.
void Agent::call(Journey& journey) {
  const Host host = journey.visit.errand().to;
  const auto known = std::ranges::find_if(
      peers_, [&](const Peer& peer) { return peer.kept_to == host && peer.socket.is_open(); });
  if (known != peers_.end()) {
    known->kept_to.reset();
    known->journey = &journey;
    journey.peer = &*known;
    return journey.visit.connected(now(), known->round_trip_ns);
  }
  const Endpoint& callee = hosts_[static_cast<std::size_t>(host)];
  bool is_calling = false;
  for (std::size_t i = 0; i < std::min(kMostCalls, callee.addresses.size()); ++i) {
    const Nanoseconds begun = now();
    Socket socket = Socket::connecting(callee.addresses[i], callee.port);
    if (!socket.is_open()) continue;
    Peer& peer = add(std::move(socket));
    peer.begun_ns = begun;
    peer.is_connecting = is_calling = true;
    peer.journey = &journey;
  }
  journey.is_over = !is_calling;
}

bool Agent::all_over() const {
  return std::ranges::all_of(journeys_, &Journey::is_over);
}

/// Of this host's errands, which are over or out of time.
std::vector<Finding> Agent::findings() {
  std::vector<Finding> result;
  for (const Journey& journey : journeys_) {
    result.push_back(journey.visit.finding());
    if (journey.has_failed) result.back() = {result.back().from, result.back().to, {}, {}, {}};
  }
  for (Peer& peer : peers_)
    if (const Journey* journey = std::exchange(peer.journey, nullptr)) keep_or_close(peer, *journey);
  journeys_.clear();
  return result;
}

/// A connection on which an answer is still under way would be taken for one to a later ping.
void Agent::keep_or_close(Peer& peer, const Journey& journey) {
  const auto least = least_round_trip(journey.visit.finding().round_trips);
  if (&peer != journey.peer || !journey.visit.is_answered() || !least) return peer.socket.close();
  peer.kept_to = journey.visit.errand().to;
  peer.round_trip_ns = *least;
}

Nanoseconds Agent::advance(Nanoseconds until_ns) {
  for (Journey& journey : journeys_)
    if (!journey.is_over) advance(journey, until_ns);
  return until_ns;
}

void Agent::advance(Journey& journey, Nanoseconds& until_ns) {
  while (!journey.is_over) {
    const Visit::Action action = journey.visit.next(now());
    if (action.act == Visit::Act::wait) {
      until_ns = std::min(until_ns, action.until_ns);
      return;
    }
    if (action.act == Visit::Act::finish) {
      journey.is_over = true;
      until_ns = 0;  // nothing more to wait for here
      drop_others(journey);
      if (journey.peer == nullptr) continue;
      if (const auto least = journey.peer->socket.least_round_trip()) journey.visit.remembered(*least);
    } else if (action.act == Visit::Act::ping) {
      const auto number = static_cast<std::uint32_t>(journey.pings.size());
      journey.pings[number] = now();
      send(*journey.peer, frame(Kind::ping, number));
    } else {
      const Bytes bytes = possible_train(journey.peer->socket, action.bytes);
      send(*journey.peer, train_frame(Kind::train, static_cast<std::uint32_t>(action.bytes_back), bytes));
    }
  }
}

// ---- Connections

Agent::Peer& Agent::add(Socket socket) {
  Peer& peer = peers_.emplace_back();
  peer.socket = std::move(socket);
  return peer;
}

void Agent::turn(Nanoseconds until_ns) {
  wait_for_events(advance(until_ns));
  std::erase_if(peers_, [](const Peer& peer) { return !peer.socket.is_open(); });
}

void Agent::wait_for_events(Nanoseconds until_ns) {
  std::vector<pollfd> polled{{listening_.descriptor(), POLLIN, 0}};
  std::vector<Peer*> peers;
  for (Peer& peer : peers_) {
    if (!peer.socket.is_open()) continue;
    const bool has_to_send = peer.is_connecting || !peer.outbox.empty();
    polled.push_back(
        {peer.socket.descriptor(), static_cast<short>(has_to_send ? POLLIN | POLLOUT : POLLIN), 0});
    peers.push_back(&peer);
  }
  const timespec left = timespec_of(std::max<Nanoseconds>(0, until_ns - now()));
  if (ppoll(polled.data(), polled.size(), &left, nullptr) <= 0) return;
  for (std::size_t i = 0; i < peers.size(); ++i)
    if (polled[i + 1].revents != 0 && peers[i]->socket.is_open()) look_at(*peers[i], polled[i + 1].revents);
  if (polled[0].revents != 0) accept_all();
}

void Agent::accept_all() {
  for (Socket socket = listening_.accepted(); socket.is_open(); socket = listening_.accepted())
    add(std::move(socket));
}

void Agent::look_at(Peer& peer, short events) {
  if (peer.is_connecting) return connected(peer);
  if ((events & POLLOUT) != 0) flush(peer);
  if ((events & ~POLLOUT) != 0) hear(peer);
}

void Agent::connected(Peer& peer) {
  const Nanoseconds time = now();
  if (!peer.socket.has_connected()) return lost(peer);
  peer.is_connecting = false;
  peer.is_known = true;
  if (peer.is_leader) {
    for (Peer& other : peers_)
      if (&other != &peer && other.is_leader) other.socket.close();
    return send(peer, frame(Kind::report, static_cast<std::uint32_t>(me_), hosts_.front().key));
  }
  Journey& journey = *peer.journey;
  journey.peer = &peer;
  drop_others(journey);
  journey.visit.connected(time, time - peer.begun_ns);
  send(peer, frame(Kind::visit, 0, hosts_[static_cast<std::size_t>(journey.visit.errand().to)].key));
}

/// The attempts to reach it at another address.
void Agent::drop_others(const Journey& journey) {
  for (Peer& peer : peers_)
    if (peer.journey == &journey && &peer != journey.peer) {
      peer.journey = nullptr;
      peer.socket.close();
    }
}

void Agent::lost(Peer& peer) {
  peer.socket.close();
  if (peer.reports_of) std::erase(awaited_, *peer.reports_of);
  if (peer.is_leader && !peer.is_connecting) is_done_ = true;
  Journey* journey = std::exchange(peer.journey, nullptr);
  if (journey == nullptr || journey->is_over) return;
  const bool has_others =
      std::ranges::any_of(peers_, [&](const Peer& other) { return other.journey == journey; });
  if (has_others) return;
  journey->is_over = journey->has_failed = true;
  journey->peer = nullptr;
}

void Agent::hear(Peer& peer) {
  std::string bytes;
  const auto arrival = peer.socket.read(bytes);
  std::vector<Frame> frames;
  const bool is_right = arrival && peer.inbox.take(bytes, *arrival, frames);
  for (const Frame& each : frames)
    if (peer.socket.is_open()) handle(peer, each, *arrival);
  if (!is_right && peer.socket.is_open()) lost(peer);
}

void Agent::handle(Peer& peer, const Frame& frame, Nanoseconds arrival_ns) {
  if (!peer.is_known) return greet(peer, frame);
  if (peer.journey != nullptr) return hear_of_visit(*peer.journey, frame, arrival_ns);
  if (peer.is_leader) {
    if (frame.kind == Kind::errands) hear_errands(frame);
    if (frame.kind == Kind::done) is_done_ = true;
    return;
  }
  if (peer.reports_of) return hear_findings(peer, frame);
  if (frame.kind == Kind::ping) send(peer, wan::probe::frame(Kind::pong, frame.number));
  if (frame.kind == Kind::train) answer_train(peer, frame);
}

/// Who has called must know the key.
void Agent::greet(Peer& peer, const Frame& frame) {
  const bool is_agent = frame.kind == Kind::report && me_ == 0 && frame.number < hosts_.size();
  const bool may_call = frame.kind == Kind::visit || frame.kind == Kind::wait || is_agent;
  if (!may_call || frame.bytes != hosts_[static_cast<std::size_t>(me_)].key) return peer.socket.close();
  peer.is_known = true;
  peer.waits = frame.kind == Kind::wait;
  if (is_agent) peer.reports_of = static_cast<Host>(frame.number);
}

void Agent::answer_train(Peer& peer, const Frame& train) {
  send(peer, frame(Kind::seen, 0, encode(train.train)));
  const Bytes wanted = std::min<Bytes>(train.number, kMostTrainBytes);
  send(peer, train_frame(Kind::back, 0, possible_train(peer.socket, wanted)));
}

void Agent::hear_of_visit(Journey& journey, const Frame& frame, Nanoseconds arrival_ns) {
  if (frame.kind == Kind::pong) {
    const auto ping = journey.pings.find(frame.number);
    if (ping != journey.pings.end()) journey.visit.answered(arrival_ns - ping->second);
  } else if (frame.kind == Kind::seen) {
    if (const auto train = decode_train(frame.bytes)) journey.there.push_back(*train);
  } else if (frame.kind == Kind::back && !journey.there.empty()) {
    journey.visit.crossed(journey.there.front(), frame.train);
    journey.there.pop_front();
  }
}

void Agent::hear_findings(Peer& peer, const Frame& frame) {
  const auto found = frame.kind == Kind::findings ? decode_findings(frame.bytes) : std::nullopt;
  if (!found) return;
  const auto hosts = static_cast<Host>(hosts_.size());
  for (const Finding& each : *found) {
    if (each.from != *peer.reports_of || each.to >= hosts) continue;
    collected_.push_back(each);
    const auto least = least_round_trip(each.round_trips);
    if (each.to == me_ && least) round_trips_[each.from] = *least;
  }
  std::erase(awaited_, *peer.reports_of);
}

void Agent::send(Peer& peer, std::string bytes) {
  peer.outbox += bytes;
  flush(peer);
}

void Agent::flush(Peer& peer) {
  if (peer.socket.is_open() && !peer.socket.write(peer.outbox)) lost(peer);
}

// ---- Those who wait

void wait_for_agent(const Endpoint& agent) {
  const Nanoseconds end = now() + kLongestExploration + kGrace;
  for (const char* self : {"127.0.0.1", "::1"}) {
    const Socket socket = Socket::connecting(self, agent.port);
    pollfd polled{socket.descriptor(), POLLOUT, 0};
    if (!socket.is_open() || poll(&polled, 1, 1'000) <= 0 || !socket.has_connected()) continue;
    std::string greeting = frame(Kind::wait, 0, agent.key), answer;
    if (!socket.write(greeting)) continue;
    polled.events = POLLIN;
    const timespec left = timespec_of(std::max<Nanoseconds>(0, end - now()));
    ppoll(&polled, 1, &left, nullptr);
    return;
  }
}

}  // namespace wan::probe
