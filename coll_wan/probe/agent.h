// SPDX-License-Identifier: BSD-3-Clause
// A host's part in the exploration, over TCP: it answers those who measure to it, runs its errands and
// reports them to the first host's agent, which leads the exploration. Every wait has an end: whoever does
// not answer in time counts as not reached. The processes of a host may wait for their agent without taking
// the processor. One thread. Tested by tests/unit/probe_agent.cc (over loopback) and tests/lab.
#pragma once

#include <deque>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "probe/endpoint.h"
#include "probe/explore.h"
#include "probe/socket.h"
#include "probe/visit.h"
#include "probe/wire.h"

namespace wan::probe {

class Agent : public Surroundings {
 public:
  /// hosts: where each host's agent is, equal on all of them; the first one leads.
  Agent(Listener listener, Host me, std::vector<Endpoint> hosts);

  /// The leader's: has all agents run their errands, and collects what they report.
  std::vector<Finding> run(const std::vector<Errand>& errands) override;
  /// The leader's: it is over for all.
  void finish();
  /// The others': takes part until the leader says that it is over, or time is up.
  void serve();

 private:
  struct Journey;
  /// One connection.
  struct Peer {
    Socket socket;
    Inbox inbox;
    std::string outbox;
    bool is_connecting = false, is_known = false;
    Nanoseconds begun_ns = 0;
    std::optional<Host> reports_of;  ///< an agent's connection to the leader
    bool is_leader = false;          ///< this agent's connection to the leader
    bool waits = false;              ///< a process of this host
    Journey* journey = nullptr;      ///< that uses it
    std::optional<Host> kept_to;     ///< for another errand to this host
    Nanoseconds round_trip_ns = 0;   ///< of a kept one
  };
  /// One errand under way.
  struct Journey {
    Visit visit;
    Peer* peer = nullptr;  ///< nullptr: not connected
    std::map<std::uint32_t, Nanoseconds> pings;
    std::deque<Train> there;
    bool is_over = false, has_failed = false;
  };

  void turn(Nanoseconds until_ns);
  void wait_for_events(Nanoseconds until_ns);
  Nanoseconds advance(Nanoseconds until_ns);
  void advance(Journey& journey, Nanoseconds& until_ns);
  void begin(const std::vector<Errand>& errands, Nanoseconds deadline_ns);
  void call(Journey& journey);
  Peer& add(Socket socket);
  void call_leader();
  void accept_all();
  void look_at(Peer& peer, short events);
  void connected(Peer& peer);
  void lost(Peer& peer);
  void hear(Peer& peer);
  void handle(Peer& peer, const Frame& frame, Nanoseconds arrival_ns);
  void greet(Peer& peer, const Frame& frame);
  void answer_train(Peer& peer, const Frame& frame);
  void hear_of_visit(Journey& journey, const Frame& frame, Nanoseconds arrival_ns);
  void hear_errands(const Frame& frame);
  void hear_findings(Peer& peer, const Frame& frame);
  void send(Peer& peer, std::string bytes);
  void flush(Peer& peer);
  void drop_others(const Journey& journey);
  bool all_over() const;
  std::vector<Finding> findings();
  static void keep_or_close(Peer& peer, const Journey& journey);
  void report_when_over();
  void send_errands(const std::vector<Errand>& errands);
  Peer* reporter(Host host);

  Socket listening_;
  Host me_;
  std::vector<Endpoint> hosts_;
  Nanoseconds begin_ns_;
  std::list<Peer> peers_;
  std::list<Journey> journeys_;
  bool must_report_ = false, is_done_ = false, leads_first_round_ = true;
  std::vector<Finding> collected_;           ///< of the leader: from others; of others: not reported yet
  std::map<Host, Nanoseconds> round_trips_;  ///< of the leader with other hosts
  std::vector<Host> awaited_;                ///< whose reports have not come
};

/// Waits, at most until the exploration must be over, for the agent of this host to say that it is. Takes no
/// processor.
void wait_for_agent(const Endpoint& agent);

}  // namespace wan::probe
