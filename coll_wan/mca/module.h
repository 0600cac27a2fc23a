// SPDX-License-Identifier: BSD-3-Clause
// The coll module: what Open MPI holds for a communicator that coll_wan may serve.
#pragma once

#include <memory>

#include "mca/communicator.h"
#include "mca/ompi.h"

namespace wan {

/// A new module that serves every collective of `communicator`.
mca_coll_base_module_t* make_module(std::unique_ptr<Communicator> communicator);
/// The communicator of a module that make_module() returned.
Communicator& communicator_of(mca_coll_base_module_t* module);

}  // namespace wan
