/* SPDX-License-Identifier: BSD-3-Clause */
/* Open MPI's headers as they are meant to be read, and what follows for the layout of its structures. */
#include "ompi_config.h"

#include <pthread.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "mca_layout.h"
#include "ompi/communicator/communicator.h"
#include "ompi/datatype/ompi_datatype.h"
#include "ompi/group/group.h"
#include "ompi/mca/coll/base/coll_base_util.h"
#include "ompi/mca/coll/coll.h"
#include "ompi/mca/pml/pml.h"
#include "ompi/op/op.h"
#include "ompi/proc/proc.h"
#include "ompi/request/request.h"
#include "opal/class/opal_free_list.h"
#include "opal/datatype/opal_convertor.h"
#include "opal/util/info_subscriber.h"
#include "opal/util/proc.h"

#define TYPE(type) {#type, _Alignof(type), sizeof(type)},
#define MEMBER(type, member) {#type "." #member, offsetof(type, member), sizeof(((type*)0)->member)},
const struct wan_layout wan_layout_of_c[] = {
#include "mca_layout.def"
};
const size_t wan_layouts_of_c = sizeof wan_layout_of_c / sizeof wan_layout_of_c[0];
