# SPDX-License-Identifier: BSD-3-Clause
# What a call's plan is made of: the trees inside sites, the choice of a way between sites, the exchange between
# sites, collectives, and what precedes them.
nodist_libwanjob_la_SOURCES += %D%.cc
nodist_libwanjob_la_SOURCES += %D%/choice.cc
nodist_libwanjob_la_SOURCES += %D%/collectives.cc
nodist_libwanjob_la_SOURCES += %D%/exchange.cc
nodist_libwanjob_la_SOURCES += %D%/services.cc
nodist_libwanjob_la_SOURCES += %D%/trees.cc
folder_sources += \
  %D%/algorithm.cc \
  %D%/algorithm.h \
  %D%/algorithms.def \
  %D%/plan.cc \
  %D%/plan.h \
  %D%/schedule.cc \
  %D%/schedule.h \
  %D%/tuning.h \
  %D%/choice/aggregation.cc \
  %D%/choice/aggregation.h \
  %D%/choice/choice.cc \
  %D%/choice/choice.h \
  %D%/choice/halves.cc \
  %D%/choice/halves.h \
  %D%/choice/lane_choice.cc \
  %D%/choice/lane_choice.h \
  %D%/choice/shards.cc \
  %D%/choice/shards.h \
  %D%/choice/proposal.h \
  %D%/choice/route_choice.cc \
  %D%/choice/route_choice.h \
  %D%/choice/segments.cc \
  %D%/choice/segments.h \
  %D%/choice/way.h \
  %D%/choice/wide_tree.cc \
  %D%/choice/wide_tree.h \
  %D%/collectives/allgather.cc \
  %D%/collectives/allreduce.cc \
  %D%/collectives/alltoall.cc \
  %D%/collectives/along_tree.cc \
  %D%/collectives/barrier.cc \
  %D%/collectives/bcast.cc \
  %D%/collectives/bcast_relayed.cc \
  %D%/collectives/collectives.h \
  %D%/collectives/gather.cc \
  %D%/collectives/neighbor.cc \
  %D%/collectives/neighbor.h \
  %D%/collectives/reduce.cc \
  %D%/collectives/reduce_scatter.cc \
  %D%/collectives/scan.cc \
  %D%/collectives/scan_fixed.cc \
  %D%/collectives/scatter.cc \
  %D%/exchange/blocks.cc \
  %D%/exchange/blocks.h \
  %D%/exchange/bundles.cc \
  %D%/exchange/bundles.h \
  %D%/exchange/call_builder.cc \
  %D%/exchange/call_builder.h \
  %D%/exchange/carriers.cc \
  %D%/exchange/carriers.h \
  %D%/exchange/lane_pairs.cc \
  %D%/exchange/lane_pairs.h \
  %D%/exchange/lanes.cc \
  %D%/exchange/lanes.h \
  %D%/exchange/partial.cc \
  %D%/exchange/partial.h \
  %D%/exchange/position.cc \
  %D%/exchange/position.h \
  %D%/exchange/relaying.cc \
  %D%/exchange/relaying.h \
  %D%/exchange/scan_exchange.cc \
  %D%/exchange/scan_exchange.h \
  %D%/exchange/send_order.cc \
  %D%/exchange/send_order.h \
  %D%/services/contact.cc \
  %D%/services/contact.h \
  %D%/services/survey.cc \
  %D%/services/survey.h \
  %D%/services/trial.cc \
  %D%/services/trial.h \
  %D%/trees/broadcast_builders.cc \
  %D%/trees/broadcast_builders.h \
  %D%/trees/broadcast_graph.h \
  %D%/trees/broadcast_search.cc \
  %D%/trees/broadcast_search.h \
  %D%/trees/broadcast_tree.cc \
  %D%/trees/broadcast_tree.h \
  %D%/trees/group_tree.cc \
  %D%/trees/group_tree.h \
  %D%/trees/site_tree.cc \
  %D%/trees/site_tree.h \
  %D%/trees/tree.cc \
  %D%/trees/tree.h \
  %D%/trees/tree_load.cc \
  %D%/trees/tree_load.h
