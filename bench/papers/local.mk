# SPDX-License-Identifier: BSD-3-Clause
# Studies of what the papers report. broadcast-trees needs neither MPI nor a network.
bench_programs += %D%/broadcast-trees
bench_papers_broadcast_trees_LDADD = bench/common/libbenchcommon.la libwancore.la
bench_papers_broadcast_trees_SOURCES = \
  %D%/broadcast_trees.cc \
  %D%/cluster_bound.cc \
  %D%/cluster_bound.h \
  %D%/figure_one.cc \
  %D%/figure_one.h \
  %D%/methods.cc \
  %D%/methods.h \
  %D%/random_graphs.cc \
  %D%/random_graphs.h \
  %D%/random_study.cc \
  %D%/random_study.h \
  %D%/ratios.h \
  tests/support/optimal_broadcast.cc \
  tests/support/optimal_broadcast.h
EXTRA_DIST += %D%/README.md %D%/clusters.svg %D%/figure-one.svg

fast_tests += %D%/broadcast_trees_test.sh
EXTRA_DIST += %D%/broadcast_trees_test.sh
