// SPDX-License-Identifier: BSD-3-Clause
// Tells the user, once per job, what is wrong with what the processes published. The texts stand in
// help-coll-wan.txt.
#pragma once

#include "mca/ompi.h"

namespace wan {

/// Notes where help-coll-wan.txt is: installed, or where this component was loaded from.
void find_help_texts();

/// Looks through the records of all members of MPI_COMM_WORLD and prints one message for each kind of
/// trouble; with coll_wan_verbose also which source the sites come from, and why. Called on its first process
/// only.
void report_sites(ompi_communicator_t* world);

/// Says that the probe could not connect to these hosts, and what follows.
void report_unreached(const std::string& hosts, bool knows_sites);

/// Says that this process gave a communicator a wrong value of an info key.
void report_info_value(const std::string& key, const std::string& value, const std::string& expected);

/// Says that a file of coll_wan_report cannot be written, and why.
void report_unwritable(const std::string& path, const std::string& reason);

/// Says that a parameter was given a value through MPI_T that it does not take.
void report_control_value(const std::string& mistake);

}  // namespace wan
