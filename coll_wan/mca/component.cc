// SPDX-License-Identifier: BSD-3-Clause
// The component: what Open MPI calls, in this order: register parameters; open (publish where we are: the
// modex follows, so this is the only moment for it); init query; for each communicator the query that returns
// a module; close.
#include "mca/component.h"

#include "mca/directory.h"
#include "mca/entry.h"
#include "mca/job_report.h"
#include "mca/module.h"
#include "mca/parameters.h"
#include "mca/performance_variables.h"
#include "mca/place.h"
#include "mca/progress.h"
#include "mca/report.h"
#include "mca/request.h"
#include "mca/site_probe.h"
#include "mca/stream_peers.h"
#include "process/plan_cache.h"

namespace wan {
namespace {

/// On communicators inside one site everybody else comes first, unless reductions are to be reproducible.
constexpr int last_resort = 1;
constexpr int not_available = -1;

int publish_place() {
  auto parameters = read_parameters();
  find_help_texts();
  if (parameters) prepare_report(*parameters);
  if (parameters) plan_cache().set_capacity(static_cast<std::size_t>(parameters->plan_memory));
  ProcessRecord place = find_place(parameters);
  if (parameters) open_probe(*parameters, place);
  if (parameters) open_streams(*parameters, place);
  Directory::publish(place);
  if (OPAL_PROC_MY_NAME.vpid == 0) Directory::publish(describe_job(parameters.value_or(Parameters{})));
  return OMPI_SUCCESS;
}

bool speaks_for_the_job(ompi_communicator_t* comm) {
  return comm == &ompi_mpi_comm_world.comm && ompi_comm_rank(comm) == 0;
}

mca_coll_base_module_t* query(ompi_communicator_t* comm, int& priority) {
  if (comm == &ompi_mpi_comm_world.comm) probe_network(comm);
  if (speaks_for_the_job(comm)) {
    report_sites(comm);
    report_at_finalize();
  }
  auto communicator = Communicator::describe(comm);
  if (!communicator) return nullptr;
  if (communicator->info().follow(comm) != OMPI_SUCCESS) return nullptr;
  priority = communicator->spans_sites() || communicator->is_reproducible()
                 ? communicator->settings().priority
                 : last_resort;
  return make_module(std::move(communicator));
}

}  // namespace
}  // namespace wan

extern "C" {

static int wan_register() {
  return wan::behind_border([] {
    const int rc = wan::register_parameters();
    return rc != 0 ? rc : wan::register_performance_variables();
  });
}

static int wan_open() {
  return wan::behind_border([] { return wan::publish_place(); });
}

static int wan_close() {
  wan::close_streams();
  wan::progress().stop();
  wan::discard_free_requests();
  return OMPI_SUCCESS;
}

static int wan_init_query(bool, bool) {
  return OMPI_SUCCESS;
}

static mca_coll_base_module_t* wan_comm_query(ompi_communicator_t* comm, int* priority) {
  mca_coll_base_module_t* module = nullptr;
  *priority = wan::not_available;
  wan::behind_border([&] {
    module = wan::query(comm, *priority);
    return OMPI_SUCCESS;
  });
  return module;
}

mca_coll_base_component_t mca_coll_wan_component = {
    .collm_version = {WAN_COLL_BASE_VERSION, .mca_component_name = "wan",
                      MCA_BASE_MAKE_VERSION(component, 0, 1, 0), .mca_open_component = wan_open,
                      .mca_close_component = wan_close, .mca_query_component = nullptr,
                      .mca_register_component_params = wan_register, .mca_component_flags = 0,
                      .reserved = {}},
    .collm_data = {MCA_BASE_METADATA_PARAM_CHECKPOINT, {}},
    .collm_init_query = wan_init_query,
    .collm_comm_query = wan_comm_query};
WAN_COMPONENT_POINTER
}
