// SPDX-License-Identifier: BSD-3-Clause
// The symbol that Open MPI looks for, and what the component keeps for the whole job.
#pragma once

#include "mca/ompi.h"

extern "C" __attribute__((visibility("default"))) mca_coll_base_component_t mca_coll_wan_component;
