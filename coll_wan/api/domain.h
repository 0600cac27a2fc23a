// SPDX-License-Identifier: BSD-3-Clause
// What a WAN_Domain is: the engine of this process, its messages over MPI, and the requests of the
// application. Threads: any; one mutex guards it all. Tested by tests/mpi/mpi_multicast.cc.
#pragma once

#include <mpi.h>

#include <atomic>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "api/datatype.h"
#include "api/knowledge.h"
#include "api/lost_processes.h"
#include "api/mpi_carrier.h"
#include "api/wan_multicast.h"
#include "multicast/engine.h"
#include "multicast/places.h"
#include "multicast/shape.h"

namespace wan::multicast {
class Domain;
}

struct WAN_Request_s {
  wan::multicast::Domain* domain = nullptr;
  std::unique_ptr<wan::multicast::Elements> elements{};
  wan::multicast::Ticket ticket = 0;
  bool is_receive = false, has_ended = false;
  wan::multicast::Envelope envelope{};
  int error = MPI_SUCCESS;
};

namespace wan::multicast {

/// What a domain is made from. Places, ground and sites are equal on all processes.
struct Plan {
  Places places;
  Ground ground{};
  std::vector<Range> sites{};
  /// Bytes that fit between two processes: on their link, and while they are passed on.
  std::function<Bytes(Position)> window{};
  std::optional<Bytes> segment{};
  Bytes inbox = 64 << 20;
};

class Domain {
 public:
  /// comm: a duplicate, which it frees.
  Domain(MPI_Comm comm, const Plan& plan, bool has_thread);
  Domain(const Domain&) = delete;
  Domain& operator=(const Domain&) = delete;
  ~Domain();

  /// nullopt where one of them is no rank.
  std::optional<Destinations> destinations(std::span<const int> ranks) const;
  /// Collective, once: to whom a multicast goes follows from its source and tag.
  int know_destinations(WAN_Destinations_function* function, void* context);
  bool knows_destinations() const { return static_cast<bool>(known_); }
  /// Of a multicast of this process with this tag; nullopt where the function names what is no rank.
  std::optional<Destinations> own_destinations(int tag) const { return known_(own_rank_, tag); }
  /// The error is that of packing the data. Errors of MPI are told by the functions that wait.
  int multicast(WAN_Request_s& request, const Destinations& destinations, int tag, bool all_know);
  void receive(WAN_Request_s& request, int source, int tag);
  int probe(int source, int tag, bool& found, MPI_Status* status);
  /// Does what can be done now, and tells whether the request has ended.
  int test(const WAN_Request_s& request, bool& has_ended);
  bool cancel(WAN_Request_s& request);
  void handle(int source, int tag, WAN_Handler_function* handler, void* context);
  int progress();
  int flush();
  /// Until the processes of the domain have nothing more for each other.
  int close();
  void set(MPI_Status* status, const Envelope& envelope, int error) const;
  int size() const { return static_cast<int>(positions_.size()); }

 private:
  /// What is received for a handler, and then handed to it.
  struct Handler {
    Pattern pattern;
    WAN_Handler_function* function;
    void* context;
    std::optional<Ticket> ticket{};  ///< of the receive that is under way
    std::unique_ptr<char[]> memory{};
    std::optional<Envelope> received{};
    bool is_running = false;
  };
  Pattern pattern(int source, int tag) const;
  template <class HasEnded>
  int progress(HasEnded has_ended, bool& ended);
  template <class HasEnded>
  int progress_until(HasEnded has_ended);
  bool advance();
  void end(const Ended& ended);
  bool serve_handlers();
  bool call_handlers();
  bool has_unhandled();
  void run();
  void note_losses();
  int wait_for(MPI_Request& request);

  MPI_Comm comm_;
  int own_rank_;
  StridedMap ranks_, positions_;
  std::function<std::optional<Destinations>(int source, int tag)> known_;
  std::mutex mutex_;
  MpiCarrier carrier_;
  Engine engine_;
  LostProcesses lost_processes_;
  bool yields_;
  std::map<Ticket, WAN_Request_s*> requests_;
  int lost_error_ = MPI_SUCCESS;  ///< of multicasts whose requests had ended before
  std::list<Handler> handlers_;
  std::atomic<bool> ends_{false};
  std::thread thread_;
};

}  // namespace wan::multicast
