# SPDX-License-Identifier: BSD-3-Clause
# Topology file, host patterns, layout, links.
libwancore_la_SOURCES += \
  %D%/host_pattern.h \
  %D%/layout.cc \
  %D%/layout.h \
  %D%/link.h \
  %D%/quantity.h \
  %D%/site_file.h \
  %D%/topology.cc \
  %D%/topology.h
