# SPDX-License-Identifier: BSD-3-Clause
# What hosts measure of the network between them, and what follows from it; without Open MPI.
nodist_libwanjob_la_SOURCES += %D%.cc
folder_sources += \
  %D%/agent.cc \
  %D%/agent.h \
  %D%/budget.h \
  %D%/cache.cc \
  %D%/cache.h \
  %D%/clusters.cc \
  %D%/clusters.h \
  %D%/endpoint.cc \
  %D%/endpoint.h \
  %D%/errands.cc \
  %D%/errands.h \
  %D%/explore.cc \
  %D%/explore.h \
  %D%/links.cc \
  %D%/links.h \
  %D%/measurement.h \
  %D%/restate.cc \
  %D%/restate.h \
  %D%/robust.cc \
  %D%/robust.h \
  %D%/site_names.cc \
  %D%/site_names.h \
  %D%/socket.cc \
  %D%/socket.h \
  %D%/visit.cc \
  %D%/visit.h \
  %D%/wire.cc \
  %D%/wire.h
