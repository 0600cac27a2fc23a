# SPDX-License-Identifier: BSD-3-Clause
# Topology file, host patterns, layout, links.
nodist_libwanjob_la_SOURCES += %D%.cc
folder_sources += \
  %D%/address_block.cc \
  %D%/address_block.h \
  %D%/ascii_text.cc \
  %D%/ascii_text.h \
  %D%/host_pattern.cc \
  %D%/host_pattern.h \
  %D%/layout.cc \
  %D%/layout.h \
  %D%/link.h \
  %D%/machine.h \
  %D%/name_pattern.cc \
  %D%/name_pattern.h \
  %D%/quantity.cc \
  %D%/quantity.h \
  %D%/site_file.cc \
  %D%/site_file.h \
  %D%/site_file_reader.cc \
  %D%/slowest_links.h \
  %D%/strict_table.cc \
  %D%/strict_table.h \
  %D%/topology.cc \
  %D%/topology.h
