# SPDX-License-Identifier: BSD-3-Clause
# Trees, one file for each collective, the choice among them.
libwancore_la_SOURCES += \
  %D%/algorithm.cc \
  %D%/algorithm.h \
  %D%/allgather.cc \
  %D%/allreduce.cc \
  %D%/alltoall.cc \
  %D%/barrier.cc \
  %D%/bcast.cc \
  %D%/blocks.cc \
  %D%/blocks.h \
  %D%/broadcast_builders.cc \
  %D%/broadcast_builders.h \
  %D%/broadcast_graph.h \
  %D%/broadcast_search.cc \
  %D%/broadcast_search.h \
  %D%/broadcast_tree.cc \
  %D%/broadcast_tree.h \
  %D%/collectives.h \
  %D%/gather.cc \
  %D%/inter.cc \
  %D%/inter.h \
  %D%/neighbor.cc \
  %D%/neighbor.h \
  %D%/partial.cc \
  %D%/partial.h \
  %D%/plan.cc \
  %D%/plan.h \
  %D%/parts.cc \
  %D%/parts.h \
  %D%/position.cc \
  %D%/position.h \
  %D%/reduce.cc \
  %D%/reduce_scatter.cc \
  %D%/scan.cc \
  %D%/scan_exchange.cc \
  %D%/scan_exchange.h \
  %D%/scatter.cc \
  %D%/schedule.cc \
  %D%/schedule.h \
  %D%/survey.cc \
  %D%/survey.h \
  %D%/tree.cc \
  %D%/tree.h
