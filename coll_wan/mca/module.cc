// SPDX-License-Identifier: BSD-3-Clause
#include "mca/module.h"

#include "mca/background.h"
#include "mca/contact.h"
#include "mca/entry.h"
#include "mca/translate.h"
#include "mca/translate_neighbors.h"

namespace wan {
namespace {

/// Inside one site coll_wan comes first only for reproducible reductions; the rest is better served by whom
/// Open MPI has enabled before.
void leave_to_others(mca_coll_base_module_t& module, const ompi_communicator_t& comm) {
#define WAN_COLLECTIVE(name, reduces, rooted, vector)                                    \
  if (!(reduces) && comm.c_coll->coll_##name != nullptr) module.coll_##name = nullptr;   \
  if (!(reduces) && comm.c_coll->coll_i##name != nullptr) module.coll_i##name = nullptr; \
  if (!(reduces) && comm.c_coll->coll_##name##_init != nullptr) module.coll_##name##_init = nullptr;
#include "plan/collectives.def"
#undef WAN_COLLECTIVE
}

/// The names of the module's functions that Open MPI calls, and of those for which it calls others'.
Served served_by(const mca_coll_base_module_t& module, const mca_coll_base_comm_coll_t& table) {
  Served served;
  const auto look_at = [&](const char* name, const void* function, const void* called) {
    if (function != nullptr) (called == &module ? served.ours : served.others).emplace_back(name);
  };
#define WAN_FUNCTION(name) \
  look_at(#name, reinterpret_cast<const void*>(module.coll_##name), table.coll_##name##_module);
#define WAN_COLLECTIVE(name, reduces, rooted, vector) \
  WAN_FUNCTION(name) WAN_FUNCTION(i##name) WAN_FUNCTION(name##_init)
#include "plan/collectives.def"
#undef WAN_COLLECTIVE
#undef WAN_FUNCTION
  return served;
}

/// Puts the module's functions into the table of its communicator; `before` is what they replace.
void install(mca_coll_base_module_t* module, ompi_communicator_t* comm, mca_coll_base_comm_coll_t& before) {
#define WAN_FUNCTION(name)                                                                 \
  if (module->coll_##name != nullptr) {                                                    \
    MCA_COLL_SAVE_API(comm, name, before.coll_##name, before.coll_##name##_module, "wan"); \
    MCA_COLL_INSTALL_API(comm, name, module->coll_##name, module, "wan");                  \
  }
#include "mca/functions.def"
#undef WAN_FUNCTION
}

/// Undoes it where no other module has taken a function over for good.
void restore(mca_coll_base_module_t* module, ompi_communicator_t* comm,
             const mca_coll_base_comm_coll_t& before) {
#define WAN_FUNCTION(name)                                                                    \
  if (comm->c_coll->coll_##name##_module == module) {                                         \
    MCA_COLL_INSTALL_API(comm, name, before.coll_##name, before.coll_##name##_module, "wan"); \
  }
#include "mca/functions.def"
#undef WAN_FUNCTION
}

}  // namespace
}  // namespace wan

extern "C" {

struct wan_module_t {
  mca_coll_base_module_t super;
  wan::Communicator* communicator;
  mca_coll_base_comm_coll_t before;  ///< what its functions have replaced in the communicator's table
};
OBJ_CLASS_DECLARATION(wan_module_t);

static void wan_module_construct(wan_module_t* module) {
  module->communicator = nullptr;
  module->before = {};
}
static void wan_module_destruct(wan_module_t* module) {
  delete module->communicator;
}
static int wan_module_enable(mca_coll_base_module_t* module, ompi_communicator_t* comm) {
  return wan::behind_border([module, comm]() -> int {
    wan::Communicator& communicator = wan::communicator_of(module);
    communicator.reserve_tags();
    if (!communicator.spans_sites()) wan::leave_to_others(*module, *comm);
    wan::ompi::add_agreements(*module, *comm);
    if (!communicator.is_inter()) wan::begin_contact(communicator);
    // Components of higher priority are enabled after this one, and take what they can.
    if (communicator.announces())
      wan::run_soon(comm, [module, comm] {
        wan::communicator_of(module).announce(wan::served_by(*module, *comm->c_coll));
      });
    wan::install(module, comm,
                 reinterpret_cast<wan_module_t*>(module)->before);  // last: nothing may fail now
    return OMPI_SUCCESS;
  });
}
static int wan_module_disable(mca_coll_base_module_t* module, ompi_communicator_t* comm) {
  wan::restore(module, comm, reinterpret_cast<wan_module_t*>(module)->before);
  return OMPI_SUCCESS;
}

OBJ_CLASS_INSTANCE(wan_module_t, mca_coll_base_module_t, wan_module_construct, wan_module_destruct);
}

namespace wan {
namespace {

void set_functions(mca_coll_base_module_t& module) {
#define WAN_COLLECTIVE(name, reduces, rooted, vector)        \
  module.coll_##name = Forms<translate::name>::blocking;     \
  module.coll_i##name = Forms<translate::name>::nonblocking; \
  module.coll_##name##_init = Forms<translate::name>::persistent;
#include "plan/collectives.def"
#undef WAN_COLLECTIVE
}

/// Set on every intracommunicator: whether it has a process topology is not yet known when Open MPI asks.
void set_neighbor_functions(mca_coll_base_module_t& module) {
#define WAN_NEIGHBOR_COLLECTIVE(name)                        \
  module.coll_##name = Forms<translate::name>::blocking;     \
  module.coll_i##name = Forms<translate::name>::nonblocking; \
  module.coll_##name##_init = Forms<translate::name>::persistent;
#include "mca/neighbor_collectives.def"
#undef WAN_NEIGHBOR_COLLECTIVE
}

/// MPI has no scans between two groups, and components that stand before others (coll/sync) take a
/// communicator that has them for one of a single group: at its end they would release this module once more.
void leave_scans_out(mca_coll_base_module_t& module) {
  module.coll_scan = nullptr;
  module.coll_exscan = nullptr;
  module.coll_iscan = nullptr;
  module.coll_iexscan = nullptr;
  module.coll_scan_init = nullptr;
  module.coll_exscan_init = nullptr;
}

void set_functions(mca_coll_base_module_t& module, const Communicator& communicator) {
  module.coll_reduce_local = mca_coll_base_reduce_local;
  set_functions(module);
  if (communicator.is_inter())
    leave_scans_out(module);
  else
    set_neighbor_functions(module);
}

}  // namespace

mca_coll_base_module_t* make_module(std::unique_ptr<Communicator> communicator) {
  wan_module_t* module = OBJ_NEW(wan_module_t);
  module->communicator = communicator.release();
  module->super.coll_module_enable = wan_module_enable;
  module->super.coll_module_disable = wan_module_disable;
  set_functions(module->super, *module->communicator);
  return &module->super;
}

Communicator& communicator_of(mca_coll_base_module_t* module) {
  return *reinterpret_cast<wan_module_t*>(module)->communicator;
}

}  // namespace wan
