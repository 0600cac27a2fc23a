/* SPDX-License-Identifier: BSD-3-Clause */
/* The layout of Open MPI's structures as a C compiler sees it. Used by: mca_layout.cc. */
#ifndef WAN_TESTS_UNIT_MCA_LAYOUT_H
#define WAN_TESTS_UNIT_MCA_LAYOUT_H
#include <stddef.h>

/* A type with its size and alignment, or a member with its offset and size. */
struct wan_layout {
  const char* name;
  size_t place;
  size_t size;
};

#ifdef __cplusplus
extern "C" {
#endif
extern const struct wan_layout wan_layout_of_c[];
extern const size_t wan_layouts_of_c;
#ifdef __cplusplus
}
#endif
#endif
