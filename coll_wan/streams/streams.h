// SPDX-License-Identifier: BSD-3-Clause
// Messages between two processes over several TCP connections of their own. One connection carries at most
// its window in a round trip, ten packets after a pause, and less than the link where somebody caps each
// flow; and Open MPI opens one for two processes. Of these streams as many are opened as find something to
// do: a message is cut into short frames, each goes to the first stream that has room, and where none has,
// more are opened. So nobody must know the windows, the loss or the cap.
//
// A message that goes so is announced the usual way: its sender gets a ticket, and sends that in its place;
// its receiver hands it back here. So messages are matched as always, and each sender decides by itself, for
// each message, whether it goes over streams. What comes before anybody has asked for it is bounded: a
// message beyond that waits until its ticket has come back.
//
// Streams lead one way: who sends calls, and must know the key that the called one has published. A lost
// stream ends all that was under way from the one process to the other, and none leads there any more.
//
// Threads: any. Tested by tests/unit/streams_streams.cc and tests/mpi/streams_test.sh.
#pragma once

#include <atomic>
#include <list>
#include <map>
#include <mutex>
#include <vector>

#include "probe/endpoint.h"
#include "streams/incoming.h"
#include "streams/outgoing.h"

namespace wan {

class Streams {
 public:
  struct Settings {
    int most = 48;                  ///< to one process; 1 or more
    int most_of_all = 256;          ///< of this process, in both directions
    std::size_t window = 11'584;    ///< bytes that a new connection surely takes at once
    std::size_t unasked = 4 << 20;  ///< bytes that one process may send before anybody has asked for them
  };

  /// me: whom others know it by. listener: where they call.
  Streams(ProcessName me, probe::Listener listener, Settings settings);
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;
  ~Streams();

  /// Do streams lead to this process, which takes calls at `endpoint`? If not, one is opened, if that can be,
  /// and then so many that `at_once` bytes leave at once, as far as is allowed.
  bool lead_to(ProcessName peer, const probe::Endpoint& endpoint, Bytes at_once = 0);
  /// Sends a message; lead_to() was true. `bytes`, one or more, and `pace` stay until the user is told.
  Ticket send(ProcessName peer, std::span<const char> bytes, StreamUser& user, std::int32_t index,
              StreamPace* pace = nullptr);
  /// Has what the ticket stands for written to `into`, which stays until the user is told. What does not fit
  /// is dropped.
  void receive(ProcessName peer, const Ticket& ticket, std::span<char> into, StreamUser& user,
               std::int32_t index);

  /// Reads and writes what can be, and tells users; how many. To be called often while is_active(), and now
  /// and then otherwise. Where another thread does it, nothing is done.
  int poll();
  bool is_active() const { return is_active_.load(std::memory_order_relaxed); }
  /// How many streams to others it has tried to open.
  int opened() const { return opened_.load(std::memory_order_relaxed); }
  /// How many messages have been sent.
  std::uint64_t carried() const { return carried_.load(std::memory_order_relaxed); }

 private:
  struct Called {
    Outgoing outgoing;
    probe::Endpoint endpoint;
    bool has_all = false;       ///< it takes no more streams
    std::size_t at_once = 0;    ///< bytes that should leave at once
    std::size_t address = 0;    ///< of the endpoint's, that is called
    Nanoseconds called_at = 0;  ///< of the latest stream that is being opened
  };
  struct Hello;
  void watch(Stream& stream);
  void take_events();
  void accept();
  void greet_strangers();
  bool know(std::list<Stream>::iterator stranger, ProcessName name);
  void advance(Called& called);
  void advance(Incoming& incoming);
  void connect(Called& called);
  void open_more(Called& called);
  bool hear(Called& called);
  bool hear(Called& called, Stream& stream);
  void try_next_address(Called& called);
  int streams() const;
  void advance_called();
  void advance_all();
  void expect_news();
  bool is_busy() const;

  std::mutex mutex_;
  const ProcessName me_;
  const probe::Listener listener_;
  const Settings settings_;
  const int epoll_;
  std::map<ProcessName, Called> called_;
  std::map<ProcessName, Incoming> callers_;
  std::vector<Called*> in_order_;  ///< of advance_called()
  bool may_have_callers_ = false;
  std::list<Stream> strangers_;  ///< who have yet to say who they are
  std::vector<Ended> ended_;
  std::vector<char> room_;
  Nanoseconds news_until_ = 0;
  Nanoseconds next_look_ = 0;  ///< for what is in vain
  std::atomic<bool> is_active_{false};
  std::atomic<int> opened_{0};
  std::atomic<std::uint64_t> carried_{0};
};

}  // namespace wan
