# SPDX-License-Identifier: BSD-3-Clause
# What a process knows of its job and keeps between calls, without Open MPI.
nodist_libwanjob_la_SOURCES += %D%.cc
folder_sources += \
  %D%/count_memory.cc \
  %D%/count_memory.h \
  %D%/epoch.h \
  %D%/event.h \
  %D%/explanation.cc \
  %D%/explanation.h \
  %D%/flow_window.cc \
  %D%/flow_window.h \
  %D%/forecast.cc \
  %D%/forecast.h \
  %D%/help_text.cc \
  %D%/help_text.h \
  %D%/info_value.cc \
  %D%/info_value.h \
  %D%/message_layer.cc \
  %D%/message_layer.h \
  %D%/parameters.cc \
  %D%/parameters.h \
  %D%/parties.cc \
  %D%/parties.h \
  %D%/plan_cache.cc \
  %D%/plan_cache.h \
  %D%/plan_record.cc \
  %D%/plan_record.h \
  %D%/probing.cc \
  %D%/probing.h \
  %D%/receiver_loads.h \
  %D%/record.cc \
  %D%/record.h \
  %D%/report.cc \
  %D%/report.h \
  %D%/spare_memory.cc \
  %D%/spare_memory.h \
  %D%/statistics.cc \
  %D%/statistics.h \
  %D%/tags.cc \
  %D%/tags.h \
  %D%/tcp_sight.cc \
  %D%/tcp_sight.h \
  %D%/topologies.cc \
  %D%/topologies.h \
  %D%/troubles.cc \
  %D%/troubles.h \
  %D%/wait_clock.h
EXTRA_DIST += mca_params/params.def
