// SPDX-License-Identifier: BSD-3-Clause
#include "mca/contact.h"

#include <set>

#include "mca/background.h"

namespace wan {
namespace {

/// MPI_Init waits no longer: several times what links between continents need.
constexpr std::chrono::seconds patience{5};

Task task_of(Channel channel, Program program) {
  Task task;
  task.channel = channel;
  task.program = std::make_shared<const Plan>(std::move(program));
  return task;
}

bool is_world(const Communicator& communicator) {
  return communicator.ompi() == &ompi_mpi_comm_world.comm;
}

opal_process_name_t name_of(const Communicator& communicator, Rank rank) {
  return ompi::process_name(communicator.ompi()->c_local_group, rank);
}

/// Whom this process met in MPI_COMM_WORLD, by rank there, which is the number in the job. Written in
/// MPI_Init, before there are other communicators.
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
  await_background(Clock::now() + patience);
}

}  // namespace

void begin_contact(Communicator& communicator) {
  if (is_world(communicator)) await_background_at_finalize();
  if (communicator.settings().contact == ContactExtent::none) return;
  if (!communicator.spans_sites() || !ompi::stems_from_world(communicator.ompi())) return;
  const int tag = communicator.tags().of_service(Service::contact).across;
  std::vector<Rank> contacts = communicator.contacts();
  std::erase_if(contacts, [&](Rank rank) { return has_met(communicator, rank); });
  communicator.announce_contacts(contacts.size());
  communicator.open_streams_to(contacts);
  if (!contacts.empty())
    run_in_background(task_of(communicator.channel_with(tag),
                              plan_contact(communicator.me(), communicator.size(), contacts)));
  if (is_world(communicator)) await_those_of_world(communicator, contacts);
}

}  // namespace wan
