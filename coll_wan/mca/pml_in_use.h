// SPDX-License-Identifier: BSD-3-Clause
// The layer by which Open MPI's messages go in this job (PML), and what follows for plans, tags and the
// choice of a network interface (process/message_layer.h). Threads: any; Open MPI selects the PML before it
// makes the first communicator. Tested by: tests/mpi/pml_test.sh.
#pragma once

#include <string>
#include <vector>

#include "discover/subnet.h"
#include "mca/ompi.h"
#include "probe/socket.h"
#include "process/message_layer.h"

namespace wan {

/// As this process sees them, while the component opens.
LimitsOfLayers own_limits_of_layers();

/// The interfaces by which messages go to other hosts, as far as somebody has said: lists of names and of
/// blocks of addresses. Read while the component opens: then the PML is known only if the user names one,
/// and is taken for ob1 elsewhere.
struct InterfaceChoice {
  std::string included, excluded;
};
InterfaceChoice interface_choice(const std::vector<InterfaceAddress>& own);

/// Takes calls of other hosts: at the interfaces by which messages go, and where Open MPI's TCP listens
/// (btl_tcp_port_min_v4, btl_tcp_port_range_v4), which sites' firewalls know. nullopt where nobody could
/// call.
std::optional<probe::Listener> listener_for_others();

/// The name of the PML that the job of a process has selected, such as "ob1"; one that stands before it
/// (pml/monitoring) is not named. Equal on all processes. Only from the first communicator on.
std::string pml_of(opal_process_name_t member);

}  // namespace wan
