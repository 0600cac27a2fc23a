# SPDX-License-Identifier: BSD-3-Clause
# Multicasts to any set of processes (papers/001): who forwards what to whom; without MPI.
nodist_libwancore_la_SOURCES += %D%.cc
folder_sources += \
  %D%/destinations.cc \
  %D%/destinations.h \
  %D%/engine.cc \
  %D%/engine.h \
  %D%/forwarding.cc \
  %D%/forwarding.h \
  %D%/inbox.cc \
  %D%/inbox.h \
  %D%/leg.h \
  %D%/message.cc \
  %D%/message.h \
  %D%/places.cc \
  %D%/places.h \
  %D%/range.h \
  %D%/routing_table.cc \
  %D%/routing_table.h \
  %D%/shape.cc \
  %D%/shape.h \
  %D%/strided_map.cc \
  %D%/strided_map.h
