// SPDX-License-Identifier: BSD-3-Clause
#include "mca/contact.h"

#include <chrono>
#include <set>
#include <thread>

#include "mca/operation.h"
#include "mca/tag.h"

namespace wan {
namespace {

using Clock = std::chrono::steady_clock;

/// MPI_Init waits no longer: several times what links between continents need.
constexpr std::chrono::seconds patience{5};
/// Between two looks at what has come; a wide-area latency is a hundred times as long.
constexpr std::chrono::microseconds pause{50};

std::atomic<int> contacts_under_way{0};

/// Counts itself.
class UnderWay {
 public:
  UnderWay() { contacts_under_way.fetch_add(1); }
  UnderWay(const UnderWay&) = delete;
  UnderWay& operator=(const UnderWay&) = delete;
  ~UnderWay() { contacts_under_way.fetch_sub(1); }
};

/// One contact; destroys itself when it is over.
class Contact {
 public:
  Contact(Channel channel, Program program)
      : operation_(channel, task_of(std::move(program)), [this](int) { delete this; }) {}

  void start() { operation_.start(); }

 private:
  ~Contact() = default;
  static Task task_of(Program program) {
    Task task;
    task.program = std::make_shared<const Program>(std::move(program));
    return task;
  }

  UnderWay under_way_;  // first: goes last
  Operation operation_;
};

/// Makes progress until no contact is under way, or until `deadline`.
void await_contacts(Clock::time_point deadline) {
  while (contacts_under_way.load() > 0 && Clock::now() < deadline) {
    opal_progress();
    std::this_thread::sleep_for(pause);
  }
}

bool is_world(const Communicator& communicator) {
  return communicator.ompi() == &ompi_mpi_comm_world.comm;
}

opal_process_name_t name_of(const Communicator& communicator, Rank rank) {
  return ompi::process_name(communicator.ompi()->c_local_group, rank);
}

/// Whom this process met in MPI_COMM_WORLD, by rank there, which is the number in the job. Written in MPI_Init, before there
/// are other communicators.
std::set<opal_vpid_t>& met_in_world() {
  static std::set<opal_vpid_t> instance;
  return instance;
}

/// Whether two processes have met does not depend on which of them asks.
bool has_met(const Communicator& communicator, Rank rank) {
  const opal_process_name_t name = name_of(communicator, rank);
  return name.jobid == OPAL_PROC_MY_NAME.jobid && met_in_world().contains(name.vpid);
}

void await_those_of_world(const Communicator& world, const std::vector<Rank>& contacts) {
  for (const Rank rank : contacts) met_in_world().insert(name_of(world, rank).vpid);
  await_contacts(Clock::now() + patience);
}

}  // namespace
}  // namespace wan

extern "C" {
static int wan_finalizing(ompi_communicator_t*, int, void*, void*) {
  wan::await_contacts(wan::Clock::time_point::max());
  return MPI_SUCCESS;
}
}

namespace wan {

void begin_contact(const Communicator& communicator) {
  if (communicator.settings().contact == ContactExtent::none) return;
  if (is_world(communicator)) ompi::at_finalize(wan_finalizing);
  if (!communicator.spans_sites() || !ompi::stems_from_world(communicator.ompi())) return;
  const int tag = reserve_tag(communicator.ompi());
  std::vector<Rank> contacts = communicator.contacts();
  std::erase_if(contacts, [&](Rank rank) { return has_met(communicator, rank); });
  communicator.announce_contacts(contacts.size());
  if (!contacts.empty())
    (new Contact({communicator.ompi(), tag}, plan_contact(communicator.me(), communicator.size(), contacts)))->start();
  if (is_world(communicator)) await_those_of_world(communicator, contacts);
}

}  // namespace wan
