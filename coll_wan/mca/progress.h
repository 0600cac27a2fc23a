// SPDX-License-Identifier: BSD-3-Clause
// Watches the point-to-point requests of all running calls from Open MPI's progress loop.
//
// Why not completion callbacks: ompi_request_set_callback() races with a completion in another thread (it can
// be lost when the request completes between its two steps), and Open MPI offers no way to close that gap.
// Polling is the rule that libnbc follows too; with nothing under way it costs one atomic load, else a look
// at one request of each queue.
//
// Where a job survives failures (ULFM), a message whose process has died, or whose communicator was revoked,
// completes with that error. A send that its receiver, alive, has yet to ask for ends when that one hears of
// the failure: Open MPI tells everybody.
//
// Threads: any; where MPI knows of one only, no lock is taken. It is not held while completions are told, so
// telling one may start new messages; a thread that is telling completions does not enter again. Tested by:
// tests/mpi (threads, many outstanding calls), tests/lab (failures).
#pragma once

#include <atomic>
#include <deque>
#include <mutex>
#include <vector>

#include "mca/ompi.h"
#include "plan/program.h"
#include "streams/streams.h"

namespace wan {

/// Who may ask to be told of a time.
class Sleeper {
 public:
  virtual ~Sleeper() = default;
  /// The time that it asked for by wake() has come.
  virtual void woken() = 0;
};

/// Whom to tell of messages.
class MessageOwner : public Sleeper {
 public:
  /// The message of step `index` has completed; its request is gone.
  virtual void message_completed(StepIndex index, int status) = 0;
};

/// A message under way. Its owner keeps it, and the memory may be used again once the owner has been told.
struct WatchedMessage {
  ompi_request_t* request = nullptr;
  MessageOwner* owner = nullptr;
  StepIndex index = 0;
  int status = 0;
  std::size_t bytes = 0;           ///< that came
  WatchedMessage* next = nullptr;  ///< of its queue
};

class Progress {
 public:
  /// Requests that complete in their order, or nearly so: only the first is looked at. (One that completes
  /// before it is noticed with it. That holds nothing up: the messages of a queue match in order, so neither
  /// end can wait for a later one first.)
  class Queue {
    friend class Progress;
    bool empty() const { return first_ == nullptr; }
    void push(WatchedMessage& message);
    WatchedMessage& pop();

    WatchedMessage* first_ = nullptr;
    WatchedMessage* last_ = nullptr;
  };

  /// Takes message.request over: it is freed when it completes, then `message.owner` is told. All live until
  /// then.
  void watch(WatchedMessage& message, Queue& queue);
  /// Are so many messages under way that further ones should wait where they can?
  bool is_full() const {
    const std::size_t most = most_.load(std::memory_order_relaxed);
    return most > 0 && under_way_.load(std::memory_order_relaxed) >= most;
  }
  /// How many that is; 0: any number.
  void set_most(int messages) { most_.store(static_cast<std::size_t>(messages), std::memory_order_relaxed); }
  /// Asks Open MPI to give up a receive that is being watched; it still completes.
  void cancel(MessageOwner& owner, StepIndex index);
  /// Calls sleeper.woken() once, at `due` (of now()) or later, in the next poll() at the earliest and there
  /// after all messages that have completed; `sleeper` lives until then.
  void wake(Sleeper& sleeper, Nanoseconds due);
  static Nanoseconds now();
  /// Has streams make progress too; nullptr: none.
  void attach(Streams* streams);
  /// Tells what has completed, and wakes whom it is time to wake; how many.
  int poll() noexcept;
  /// Does this process, which has one thread, share its processor with others? Then await() makes progress by
  /// itself.
  static bool gives_way() { return !opal_using_threads() && opal_progress_yield_when_idle; }
  /// Makes progress until `request`, of a call of ours, has completed. Open MPI's own waiting gives the
  /// processor away between hearing of a message from the network and polling us, where others share it
  /// (mpi_yield_when_idle): here only once there is nothing to tell.
  void await(ompi_request_t* request);
  /// What Open MPI's progress loop calls: in await() it does nothing, but more than 0 keeps Open MPI from
  /// giving the processor away.
  int poll_for_open_mpi();
  /// Leaves Open MPI's progress loop; nothing may be under way.
  void stop();

 private:
  struct Alarm {
    Sleeper* sleeper;
    Nanoseconds due;
    std::uint64_t number;
  };
  /// Tells passes of Open MPI's progress loop that found nothing from those that read a part of a message,
  /// which it does not say: reading takes longer.
  class Idleness {
   public:
    /// Did nothing happen in a pass that took so long? At most 16 in a row are taken for busy ones.
    bool was_idle(Nanoseconds pass);

   private:
    Nanoseconds usual_ = 0;  ///< an idle pass, smoothed
    int in_a_row_ = 0;       ///< busy ones
  };
  void enter();
  /// Is it time to look at the streams?
  bool streams_want() {
    constexpr unsigned kBetweenLooks = 8;  // while nothing is under way
    return streams_ != nullptr &&
           (streams_->is_active() || looks_.fetch_add(1, std::memory_order_relaxed) % kBetweenLooks == 0);
  }
  Queue take_completed();
  /// The first alarm that was set before `number` and is due at `time`; nullptr: there is none.
  Sleeper* take_due(Nanoseconds time, std::uint64_t number);
  int tell_completed();
  void wake_due();

  std::atomic<std::size_t> under_way_{0};  ///< messages
  std::atomic<std::size_t> most_{0};
  Streams* streams_ = nullptr;
  std::atomic<unsigned> looks_{0};
  std::atomic<std::size_t> sleeping_{0};
  std::mutex mutex_;
  std::vector<Queue*> queues_;  ///< those with requests
  std::deque<Alarm> alarms_;    ///< as they were set
  std::atomic<std::uint64_t> alarms_set_{0};
  bool registered_ = false;
  bool awaiting_ = false;  ///< in await(), of a process with one thread
  Idleness idleness_;      ///< in await()
};

/// The one of this process.
Progress& progress();

}  // namespace wan
