// SPDX-License-Identifier: BSD-3-Clause
// The one header that includes Open MPI's, and the one place that knows how its versions differ
// (4.1, 5.0, 6.0). Open MPI's headers are C: they are read inside one extern "C" block, after every C++
// header that they could pull in, with the few macros that are not C++ mended. Headers that distributions do
// not ship are in mca/shim, searched last (-idirafter), so a complete installation wins. Tested by: every
// build; mca/ against 4.1.4, 5.0.7 and 6.0.0rc2.
#pragma once

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cctype>
#include <cerrno>
#include <cinttypes>
#include <climits>
#include <cmath>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <dlfcn.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>
#if __has_include(<pmix.h>)
#include <pmix.h>
#endif

#include "discover/surroundings.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wsign-compare"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wvolatile"
#endif
#pragma GCC diagnostic ignored "-Wpedantic"

#define OMPI_SKIP_MPICXX 1
#include "ompi_config.h"  // sets OMPI_BUILDING: must precede mpi.h

#include <mpi.h>
#if OMPI_MAJOR_VERSION < 5
#include "opal/sys/architecture.h"
// 4.1 has assembly of its own for some processors, such as aarch64, and keeps it from C++. The compiler's
// atomics do the same, but for those of 128 bits, which that assembly lacks and which would make its lists
// longer.
#if OPAL_ASSEMBLY_BUILTIN == OPAL_BUILTIN_NO
#undef OPAL_ASSEMBLY_BUILTIN
#define OPAL_ASSEMBLY_BUILTIN OPAL_BUILTIN_GCC
#undef OPAL_HAVE_SYNC_BUILTIN_CSWAP_INT128
#define OPAL_HAVE_SYNC_BUILTIN_CSWAP_INT128 0
#endif
#endif

static_assert(OMPI_MAJOR_VERSION >= 4 && OMPI_MAJOR_VERSION <= 6, "Open MPI 4.1, 5.0 or 6.0 is needed");

#undef BEGIN_C_DECLS
#undef END_C_DECLS
#define BEGIN_C_DECLS
#define END_C_DECLS

extern "C" {
#if OMPI_MAJOR_VERSION < 5
#include "opal/threads/thread_usage.h"
#undef OPAL_THREAD_COMPARE_EXCHANGE_STRONG_PTR
#define OPAL_THREAD_COMPARE_EXCHANGE_STRONG_PTR(x, y, z) \
  opal_thread_compare_exchange_strong_ptr((volatile intptr_t*)(x), (void**)(y), (void*)(z))
#else
#include "opal/class/opal_hash_table.h"
#define opal_hash_table_get_value_ptr(t, k, n, v) opal_hash_table_get_value_ptr(t, k, n, (void**)(v))
#endif
#if OMPI_MAJOR_VERSION >= 6
#define _Static_assert static_assert
#define _Alignof alignof
extern "C++" {  // what its functions that nobody calls would call, if they were C++
std::intptr_t opal_count_array_create(const void* counts);
std::intptr_t opal_count_array_create_c(const void* counts);
std::intptr_t opal_disp_array_create(const void* displacements);
std::intptr_t opal_disp_array_create_c(const void* displacements);
}
#include "ompi/util/count_disp_array.h"
#endif
#include "ompi/datatype/ompi_datatype.h"
#define ompi_datatype_copy_content_same_ddt(d, n, a, b) \
  ompi_datatype_copy_content_same_ddt(d, n, (char*)(a), (char*)(b))
#include "ompi/attribute/attribute.h"
#include "ompi/communicator/communicator.h"
#include "ompi/group/group.h"
#include "ompi/mca/coll/base/base.h"
#include "ompi/mca/coll/base/coll_base_functions.h"
#include "ompi/mca/coll/base/coll_base_util.h"
#include "ompi/mca/coll/coll.h"
#include "ompi/mca/pml/base/base.h"
#include "ompi/mca/pml/pml.h"
#include "ompi/mca/topo/base/base.h"
#include "ompi/mca/topo/topo.h"
#include "ompi/op/op.h"
#include "ompi/proc/proc.h"
#include "ompi/request/request.h"
#include "opal/class/opal_free_list.h"
#include "opal/datatype/opal_convertor.h"
#include "opal/mca/base/mca_base_pvar.h"
#include "opal/mca/hwloc/base/base.h"
#include "opal/runtime/opal_progress.h"
#include "opal/util/info_subscriber.h"
#include "opal/util/output.h"
#include "opal/util/proc.h"
#include "opal/util/show_help.h"
#if OMPI_MAJOR_VERSION < 5
#include "opal/mca/pmix/pmix.h"
#else
#include "opal/mca/pmix/pmix-internal.h"
#endif
#undef ompi_datatype_copy_content_same_ddt
#undef _Static_assert
#undef _Alignof
}
#pragma GCC diagnostic pop

#if OMPI_MAJOR_VERSION >= 5
// The stand-ins of mca/shim/v5 give these their layout.
static_assert(sizeof(opal_mutex_t) >=
              sizeof(opal_object_t) + sizeof(pthread_mutex_t) + sizeof(opal_atomic_lock_t));
static_assert(offsetof(opal_mutex_t, m_lock) == sizeof(opal_object_t));
static_assert(offsetof(ompi_wait_sync_t, lock) ==
              offsetof(ompi_wait_sync_t, condition) + sizeof(pthread_cond_t));
static_assert(offsetof(ompi_wait_sync_t, next) == offsetof(ompi_wait_sync_t, lock) + sizeof(pthread_mutex_t));
#endif

namespace wan::ompi {

/// The version pair of the coll framework that mca_base_component_t wants.
#if OMPI_MAJOR_VERSION < 5
#define WAN_COLL_BASE_VERSION MCA_COLL_BASE_VERSION_2_0_0
#elif OMPI_MAJOR_VERSION < 6
#define WAN_COLL_BASE_VERSION MCA_COLL_BASE_VERSION_2_4_0
#else
#define WAN_COLL_BASE_VERSION MCA_COLL_BASE_VERSION_3_0_0
#endif

/// What Open MPI looks for beside the component from 6.0 on: a pointer to it.
#if OMPI_MAJOR_VERSION < 6
#define WAN_COMPONENT_POINTER
#else
#define WAN_COMPONENT_POINTER                                                                           \
  extern __attribute__((visibility("default"))) const mca_base_component_t* mca_coll_wan_component_ptr; \
  MCA_BASE_COMPONENT_INIT(ompi, coll, wan)
#endif

/// How a collective is told a number of elements, those of a vector form, and where its blocks are: in
/// extents or, of MPI_Neighbor_alltoallw, in bytes. From 6.0 on an array has numbers of 32 or of 64 bits.
#if OMPI_MAJOR_VERSION < 6
using Elements = int;
using ElementArray = const int*;
using Displacements = const int*;
using ByteDisplacements = const MPI_Aint*;
inline std::size_t count_at(ElementArray counts, int block) {
  return static_cast<std::size_t>(counts[block]);
}
template <class Integer>
std::ptrdiff_t displacement_at(const Integer* displacements, int block) {
  return displacements[block];
}
#else
using Elements = std::size_t;
using ElementArray = ompi_count_array_t;
using Displacements = ompi_disp_array_t;
using ByteDisplacements = ompi_disp_array_t;
inline std::size_t count_at(ElementArray counts, int block) {
  return ompi_count_array_get(counts, static_cast<std::size_t>(block));
}
inline std::ptrdiff_t displacement_at(Displacements displacements, int block) {
  return ompi_disp_array_get(displacements, static_cast<std::size_t>(block));
}
#endif

/// From 6.0 on a module puts its functions into the communicator's table itself, with these. Before, Open MPI
/// does.
#if OMPI_MAJOR_VERSION < 6
#define MCA_COLL_SAVE_API(comm, name, function, module, component) \
  static_cast<void>(comm), static_cast<void>(function)
#define MCA_COLL_INSTALL_API(comm, name, function, module, component) \
  static_cast<void>(comm), static_cast<void>(function)
#endif

/// From 6.0 on every communicator must have the agreements of ULFM, also in a job that ends with its first
/// failure. Where no other module has them, they are those that Open MPI has for such a job.
#if OMPI_MAJOR_VERSION < 6
#define WAN_AGREEMENTS
inline void add_agreements(mca_coll_base_module_t&, const ompi_communicator_t&) {}
#else
#define WAN_AGREEMENTS WAN_FUNCTION(agree) WAN_FUNCTION(iagree)
inline void add_agreements(mca_coll_base_module_t& module, const ompi_communicator_t& comm) {
  if (comm.c_coll->coll_agree == nullptr) module.coll_agree = ompi_coll_base_agree_noft;
  if (comm.c_coll->coll_iagree == nullptr) module.coll_iagree = ompi_coll_base_iagree_noft;
}
#endif

/// Publishes bytes under `key` for every process; only before the modex, that is from the component's open
/// function.
inline bool modex_put(const char* key, const std::string& bytes) {
  int rc = 0;
#if OMPI_MAJOR_VERSION < 5
  OPAL_MODEX_SEND_STRING(rc, OPAL_PMIX_GLOBAL, const_cast<char*>(key), const_cast<char*>(bytes.data()),
                         static_cast<std::int32_t>(bytes.size()));
#else
  OPAL_MODEX_SEND_STRING(rc, PMIX_GLOBAL, key, const_cast<char*>(bytes.data()), bytes.size());
#endif
  return rc == 0;
}

/// What `process` published under `key`.
inline std::optional<std::string> modex_get(const char* key, opal_process_name_t process) {
  int rc = 0;
  std::uint8_t* data = nullptr;
  std::size_t size = 0;
  OPAL_MODEX_RECV_STRING(rc, const_cast<char*>(key), &process, &data, &size);
  if (rc != 0 || data == nullptr) return std::nullopt;
  std::string bytes(reinterpret_cast<const char*>(data), size);
  std::free(data);
  return bytes;
}

/// Name (job, rank in the job) of member `rank` of a group; does not create an ompi_proc_t.
inline opal_process_name_t process_name(ompi_group_t* group, int rank) {
  return ompi_group_get_proc_name(group, rank);
}

/// What the launcher has told this process of its job; it is not asked for what it has not told.
inline LauncherFacts launcher_facts() {
#if OMPI_MAJOR_VERSION < 5
  const auto cluster_key = OPAL_PMIX_CLUSTER_ID, application_key = OPAL_PMIX_APPNUM;
  constexpr auto text_type = OPAL_STRING, number_type = OPAL_UINT32;
#else
  const auto cluster_key = PMIX_CLUSTER_ID, application_key = PMIX_APPNUM;
  constexpr auto text_type = PMIX_STRING, number_type = PMIX_UINT32;
#endif
  LauncherFacts facts;
  opal_process_name_t me = OPAL_PROC_MY_NAME, job = {me.jobid, OPAL_VPID_WILDCARD};
  int rc = 0;
  char* cluster = nullptr;
  OPAL_MODEX_RECV_VALUE_OPTIONAL(rc, cluster_key, &job, &cluster, text_type);
  if (rc == 0 && cluster != nullptr) facts.cluster = cluster;
  std::free(cluster);
  std::uint32_t application = 0, *into = &application;
  OPAL_MODEX_RECV_VALUE_OPTIONAL(rc, application_key, &me, &into, number_type);
  if (rc == 0) facts.application = application;
  return facts;
}

/// This node's name as the launcher knows it.
inline std::string host_name() {
  if (opal_process_info.nodename != nullptr) return opal_process_info.nodename;
  char name[256] = "";
  return gethostname(name, sizeof name - 1) == 0 ? name : "localhost";
}

/// Is the communicator made, over however many steps, from MPI_COMM_WORLD (and not from a session's group)?
/// Equal on its ranks.
inline bool stems_from_world(const ompi_communicator_t* comm) {
#if OMPI_MAJOR_VERSION < 5
  static_cast<void>(comm);
  return true;
#else
  return comm->instance == ompi_mpi_comm_world.comm.instance;
#endif
}

/// Does this job begin because a program spawned it? Only until MPI_Init is over.
inline bool was_spawned() {
  return std::getenv("OMPI_PARENT_PORT") != nullptr;
}

/// Has MPI_Finalize call `finalizing` first of all, while everything still works: it begins by deleting the
/// attributes of MPI_COMM_SELF. Only once that communicator exists.
inline int at_finalize(MPI_Comm_delete_attr_function* finalizing) {
  ompi_attribute_fn_ptr_union_t copy, remove;
  copy.attr_communicator_copy_fn = [](MPI_Comm, int, void*, void*, void*, int* is_copied, auto...) {
    *is_copied = 0;
    return MPI_SUCCESS;
  };
  remove.attr_communicator_delete_fn = finalizing;
  int key = MPI_KEYVAL_INVALID;
  int rc = ompi_attr_create_keyval(COMM_ATTR, copy, remove, &key, nullptr, 0, nullptr);
  if (rc != OMPI_SUCCESS) return rc;
  ompi_communicator_t* self = &ompi_mpi_comm_self.comm;
  rc = ompi_attr_set_c(COMM_ATTR, self, &self->c_keyhash, key, nullptr, false);
  ompi_attr_free_keyval(COMM_ATTR, &key, false);  // for us: the attribute keeps it
  return rc;
}

/// Value of what another component has registered, such as the size btl_tcp_eager_limit; nullopt if there is
/// none. Value must be the type that it was registered with.
template <class Value>
std::optional<Value> variable(const char* name) {
  int index = -1;
  const Value* value = nullptr;
  if (mca_base_var_find_by_name(name, &index) != OPAL_SUCCESS ||
      mca_base_var_get_value(index, &value, nullptr, nullptr) != OPAL_SUCCESS || value == nullptr)
    return std::nullopt;
  return *value;
}

/// The same of a text, which is "" if there is none.
inline std::string text_variable(const char* name) {
  const char* const text = variable<char*>(name).value_or(nullptr);
  return text == nullptr ? "" : text;
}

/// Combines: target := source (op) target, element by element.
inline void reduce(ompi_op_t* op, const void* source, void* target, std::size_t count,
                   ompi_datatype_t* type) {
  ompi_op_reduce(op, const_cast<void*>(source), target, count, type);
}

/// The texts that Open MPI passes to who follows the info keys of a communicator, and takes from it.
#if OMPI_MAJOR_VERSION < 5
using InfoText = char;
#else
using InfoText = const char;
#endif

/// Has `heard(comm, key, value)` called with what `comm` has of `key`, "" if nothing, and again whenever
/// MPI_Comm_set_info gives it a value. It returns what shall stand (copied at once), nullptr for nothing.
inline int follow_info(ompi_communicator_t* comm, const char* key, opal_key_interest_callback_t* heard) {
  // Not without a default: 4.1 copies it.
  return opal_infosubscribe_subscribe(&comm->super, const_cast<InfoText*>(key), const_cast<InfoText*>(""),
                                      heard);
}

/// Does the job go on when one of its processes dies (ULFM)?
inline bool survives_failures() {
#if defined(OPAL_ENABLE_FT_MPI) && OPAL_ENABLE_FT_MPI
  return ompi_ftmpi_enabled;
#else
  return false;
#endif
}

/// Has a request that is not complete ended by a failure: has its process died, or its communicator been
/// revoked, or lost a process (ULFM)? Asking ends it where that can be done at once, and its status says why.
/// Always false where a failure ends the job.
inline bool ended_by_failure(ompi_request_t* request) {
#if defined(OPAL_ENABLE_FT_MPI) && OPAL_ENABLE_FT_MPI
  return ompi_request_is_failed(request);
#else
  static_cast<void>(request);
  return false;
#endif
}

/// How a message ends whose process, or the way to it, is lost.
#if defined(OPAL_ENABLE_FT_MPI) && OPAL_ENABLE_FT_MPI
constexpr int kLostProcess = MPI_ERR_PROC_FAILED;
#else
constexpr int kLostProcess = MPI_ERR_OTHER;
#endif

/// Has the communicator been revoked, or is it known to have lost this process (ULFM)? Always false where a
/// failure ends the job.
inline bool has_failed(ompi_communicator_t* comm, int rank) {
#if defined(OPAL_ENABLE_FT_MPI) && OPAL_ENABLE_FT_MPI
  return ompi_comm_is_revoked(comm) || !ompi_comm_is_proc_active(comm, rank, OMPI_COMM_IS_INTER(comm));
#else
  static_cast<void>(comm), static_cast<void>(rank);
  return false;
#endif
}

/// Clears the references that Open MPI's retain functions keep in a request.
inline void clear_retained(ompi_coll_base_nbc_request_t& request) {
  request.cb.req_complete_cb = nullptr;
  request.req_complete_cb_data = nullptr;
#if OMPI_MAJOR_VERSION < 5
  request.data.objs.objs[0] = request.data.objs.objs[1] = nullptr;
#else
  std::memset(&request.data, 0, sizeof request.data);
#endif
}

}  // namespace wan::ompi
