// SPDX-License-Identifier: BSD-3-Clause
#include "mca/locality.h"

#include "mca/ompi.h"

namespace wan {
namespace {

using Bitmap = std::unique_ptr<hwloc_bitmap_s, decltype(&hwloc_bitmap_free)>;

Bitmap new_bitmap() {
  return {hwloc_bitmap_alloc(), hwloc_bitmap_free};
}

/// The NUMA domains that hold a network interface; nullptr: hwloc does not know it, or all of them do.
hwloc_const_nodeset_t domains_of(hwloc_topology_t host, const std::string& interface) {
  hwloc_obj_t device = nullptr;
  while ((device = hwloc_get_next_osdev(host, device)) != nullptr) {
    const bool is_it = device->attr->osdev.type == HWLOC_OBJ_OSDEV_NETWORK && interface == device->name;
    if (!is_it) continue;
    const hwloc_obj_t place = hwloc_get_non_io_ancestor_obj(host, device);
    const bool is_of_all =
        hwloc_bitmap_isequal(place->nodeset, hwloc_topology_get_topology_nodeset(host)) != 0;
    return is_of_all ? nullptr : place->nodeset;
  }
  return nullptr;
}

}  // namespace

Locality own_locality(const std::string& interface) {
  if (opal_hwloc_base_get_topology() != OPAL_SUCCESS || opal_hwloc_topology == nullptr) return {};
  const hwloc_topology_t host = opal_hwloc_topology;
  if (hwloc_get_nbobjs_by_type(host, HWLOC_OBJ_NUMANODE) < 2) return {};
  const Bitmap cpus = new_bitmap(), domains = new_bitmap();
  if (hwloc_get_cpubind(host, cpus.get(), HWLOC_CPUBIND_PROCESS) != 0) return {};
  hwloc_cpuset_to_nodeset(host, cpus.get(), domains.get());
  if (hwloc_bitmap_weight(domains.get()) != 1) return {};
  const hwloc_const_nodeset_t of_network = domains_of(host, interface);
  return {"numa" + std::to_string(hwloc_bitmap_first(domains.get())),
          of_network != nullptr && hwloc_bitmap_isincluded(domains.get(), of_network) != 0};
}

}  // namespace wan
